export declare function parse(text: string): number;
