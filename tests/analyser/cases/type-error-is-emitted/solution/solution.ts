export const value: number = "x";
