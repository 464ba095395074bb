const kept: any = process;
export const leave = (): unknown => kept.exit(0);
