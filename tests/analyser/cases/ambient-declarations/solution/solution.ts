declare global {
  var shared: number;
}
declare const promised: string;
declare module "somewhere" {
  export const x: number;
}
export const value = [promised, globalThis.shared];
