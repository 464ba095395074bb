import type { ReactElement, ReactNode } from "react";
import type { Validator } from "@alneas/appkit-core";

export interface FormProps<T = unknown> {
  validator?: Validator<T>;
  title: string;
  onSave?: (value: T) => void;
  children?: ReactNode;
}
export declare function Form<T>(props: FormProps<T>): ReactElement;
export declare namespace Form {
  function Part(props: { name: string }): ReactElement;
}
export interface FormState<T> {
  readonly values: T;
  readonly fields: { [K in keyof T]: FieldState };
  submit(): Promise<void>;
}
export interface FieldState {
  error?: string;
  touched: boolean;
}
export declare function useForm<T>(initial: T): FormState<T>;
