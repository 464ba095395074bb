import { double } from "@alneas/appkit-core";
import { createElement } from "react";

export const Twice = ({ value }) => createElement("output", null, double(value));
