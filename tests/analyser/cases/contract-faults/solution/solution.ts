export const parse = (text: number): number => text;
export const version: any = "1";
