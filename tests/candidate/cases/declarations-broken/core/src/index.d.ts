import type { Missing } from "undeclared-helper";

export declare const double: (value: Missing) => number;
