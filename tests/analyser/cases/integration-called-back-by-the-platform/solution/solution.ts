import { approve, limits, parseText, registry, ToolRunner } from "@alneas/appkit-core";
const debug = false;
const made = ["a"].map(registry);
const parsed = Promise.resolve("x").then(parseText);
const runner = Reflect.construct(ToolRunner, [{ name: "a" }]);
export const answers = [made, parsed, runner, Object.freeze({ limits })];
if (debug) console.log(approve);
queueMicrotask(() => (debug ? undefined : void approve("a")));
