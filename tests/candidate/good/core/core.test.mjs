import assert from "node:assert/strict";
import { test } from "node:test";
import { double } from "./dist/index.js";

test("double doubles", () => assert.equal(double(2), 4));
