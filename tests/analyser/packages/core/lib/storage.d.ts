import type { Hidden } from "./internal.js";
export interface StoreOptions {
  prefix?: string;
}
export declare class Store {
  constructor(options?: StoreOptions);
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
  readonly hidden: Hidden;
}
export { ToolRunner } from "./index.js";
