import { Basket, Store } from "@alneas/appkit-core/storage";
import { type Basket as Bag, ToolRunner } from "@alneas/appkit-core";
const store = new Store();
const runner = new ToolRunner({ name: "a" });
export const a = [store.list(), store.hidden.height, runner.bag.weight];
export const b = (bag: Bag): unknown => [bag.colour, Basket];
