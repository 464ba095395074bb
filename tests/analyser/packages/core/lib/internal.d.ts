export interface Bag {
  size: number;
}
export interface Hidden {
  depth: number;
}
export declare function resetAll(): void;
export declare function internalOnly(): Hidden;
