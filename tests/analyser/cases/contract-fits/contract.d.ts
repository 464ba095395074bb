export interface Options { a: number }
export declare function parse(text: string, options?: Options): number | undefined;
export declare const version: string;
export declare class Box { constructor(size: number); size: number; }
