export declare function parse(text: string): number;
export declare const version: string;
export declare const other: number;
export default function main(): void;
