import type { ContentHash, StorageAdapter } from "@alneas/appkit-core/storage";

/** The documents of one namespace. A document is bytes; its address is the hash of those bytes. */
export interface DocumentStore {
  /** Stores a document and resolves to its address. */
  save(content: Uint8Array): Promise<ContentHash>;
  /** The document at an address, or `undefined` when there is none. */
  load(address: string): Promise<Uint8Array | undefined>;
  /** Whether there is anything at an address. */
  has(address: string): Promise<boolean>;
  /** Removes what is at an address. */
  remove(address: string): Promise<void>;
}

/** Opens the documents of one namespace. */
export declare function createDocumentStore(adapter: StorageAdapter, namespace: string): DocumentStore;
