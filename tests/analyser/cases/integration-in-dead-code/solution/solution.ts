import { createAjvValidator } from "@alneas/appkit-core";
export function f(): number {
  return 1;
  createAjvValidator({});
}
