export interface ParseFailure {
  reason: string;
}
export declare function parseText(text: string): ParseFailure | string;
export declare function createStrict(): { readonly mode: "strict"; level: number };
