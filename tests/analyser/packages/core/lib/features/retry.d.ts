export declare function retry<T>(work: () => Promise<T>, attempts: number): Promise<T>;
