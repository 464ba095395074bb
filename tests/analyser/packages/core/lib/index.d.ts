import type { Ajv, SchemaObject } from "ajv";
import { Bag } from "./internal.js";
export { policies } from "./policies-entry.js";
export * from "./validation.js";
export { Bag as Basket } from "./internal.js";
/** @internal */
export { resetAll as __resetAll } from "./internal.js";

export interface Stats {
  readonly calls: number;
}
export interface ToolOptions {
  name: string;
  retries?: number;
  onDone?(info: { id: string; took: number }): void;
  execute?: (input: unknown, context: ToolContext) => unknown;
  metadata?: Record<string, unknown>;
}
export interface ToolContext {
  signal: AbortSignal;
  runner: ToolRunner;
  attempt: number;
}
export type RunResult = { ok: true; output: unknown } | { ok: false; error: AppkitError };

/** Runs tools. */
export declare class ToolRunner {
  static create(options: ToolOptions): ToolRunner;
  constructor(options: ToolOptions);
  run(input: unknown): Promise<RunResult>;
  start(name: string, times: number): Promise<ToolRunner>;
  children(): ToolRunner[];
  find(name: string): ToolRunner | undefined;
  readonly stats: { calls: number; failures: { hard: number } };
  readonly meta: { [key: string]: unknown };
  readonly bag: Bag;
  private secret: string;
  private static registry: Map<string, ToolRunner>;
  protected hook(): void;
  /** @internal */
  _drain(): void;
  /** @deprecated Use run. */
  exec(input: unknown): Promise<RunResult>;
}
export declare class AppkitError extends Error {
  readonly code: string;
  readonly retryable: boolean;
}
export declare enum Level {
  Low = "low",
  High = "high"
}
export declare namespace presets {
  const strict: ToolOptions;
  namespace deep {
    function make(): ToolOptions;
  }
  interface Shape {
    side: number;
  }
}
export declare const limits: { readonly max: number };
export declare function approve(summary: string): Promise<boolean>;
export declare namespace approve {
  function always(): boolean;
}
export declare function tag(parts: TemplateStringsArray, ...values: unknown[]): string;
export declare function configure(options: ToolOptions, onEvent?: (event: ToolEvent) => void): void;
/** @internal */
export declare function __resetForTests(): void;
/** @deprecated Use createAjvValidator. */
export declare function createValidator(schema: SchemaObject): Validator<unknown>;
export type ToolEvent = StartEvent | StopEvent;
export interface StartEvent {
  kind: "start";
  at: number;
}
export interface StopEvent {
  kind: "stop";
  at: number;
  reason: string;
}
export interface Registry<T> {
  get(key: keyof T): T[keyof T];
  readonly fields: { [K in keyof T]: { label: string } };
  readonly value: T;
}
export declare function registry<T>(value: T): Registry<T>;
export interface Validator<T> {
  validate(value: unknown): { ok: boolean; value?: T; issues: Issue[] };
  readonly ajv: Ajv;
}
export interface Issue {
  path: string;
  message: string;
}
export declare function createAjvValidator<T = unknown>(schema: SchemaObject, options?: { formats?: string[] }): Validator<T>;
