import { readFile } from "fs/promises";
import * as path from "node:path";
import { Ajv } from "ajv";
import type { ReactNode } from "react";
export const values = [readFile, path, Ajv];
export type Node = ReactNode;
