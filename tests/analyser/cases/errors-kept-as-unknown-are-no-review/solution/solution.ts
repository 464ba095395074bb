import { AppkitError } from "@alneas/appkit-core";
export function f(work: () => void): string {
  let last: unknown;
  try { work(); } catch (error) { last = error; }
  last ??= new AppkitError("none");
  last = new AppkitError("other");
  if (last instanceof AppkitError && last.retryable) return last.code;
  return (last as Error).message + (last as AppkitError).code + String(last);
}
