import type { ApprovalHandler, ToolResult } from "@alneas/appkit-core";

/** Money that goes back to a customer. */
export interface Refund {
  /** The order: 3 to 20 of `a-z` and `0-9`. */
  readonly order: string;
  /** Whole cents, 1 to 500000. */
  readonly cents: number;
  /** A word to the customer, at most 80 characters. */
  readonly note?: string;
}

/** What the bank answers. */
export interface Payment {
  readonly reference: string;
}

export interface RefundDeskOptions {
  /** Asks the person who decides. */
  readonly approve: ApprovalHandler;
  /** Moves the money. Every call moves it again. */
  readonly pay: (refund: Refund) => Promise<Payment>;
}

export interface RefundDesk {
  /** Puts a draft on the desk, in place of an earlier one with the same id. */
  draft(id: string, refund: Refund): void;
  /** Replaces some fields of a draft and keeps the others. */
  amend(id: string, changes: Partial<Refund>): void;
  /** Asks for approval of one draft and pays it. */
  submit(id: string, options?: { readonly signal?: AbortSignal }): Promise<ToolResult<Payment>>;
}

export declare function createRefundDesk(options: RefundDeskOptions): RefundDesk;
