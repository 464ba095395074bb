import type { ReactElement } from "react";

export declare const Twice: (props: { value: number }) => ReactElement;
