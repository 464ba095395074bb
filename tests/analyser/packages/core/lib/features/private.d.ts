export declare const nothing: number;
