export interface Policy {
  name: string;
}
export declare function deny(): Policy;
export declare function allow(): Policy;
