export declare function parse(text: string): number;
export interface Options { a: number }
