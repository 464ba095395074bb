export const files: unknown = process["getBuiltinModule"]("node:fs");
export const bound: unknown = (process as any).binding("fs");
export const computed: unknown = (process as any)["getBuiltin" + "Module"]("node:fs");
export const load = (): void => process.dlopen({ exports: {} }, "x.node");
export const stop = (): void => void process.kill(process.ppid, "SIGUSR1");
const { exit } = process;
const leave: () => void = process.exit;
const whole = { process };
export const all = [exit, leave, whole];
