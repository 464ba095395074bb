import type { StorageAdapter } from "@alneas/appkit-core/storage";

/** One payment of a payroll. */
export interface Payment {
  /** Names the payment within its job: 1 to 30 of `a-z` and `0-9`. */
  readonly id: string;
  /** 1 to 34 characters. */
  readonly account: string;
  /** Whole cents, 1 to 10000000. */
  readonly cents: number;
}

/** What is paid together. */
export interface PayrollJob {
  /** The same in every run of this job: 1 to 30 of `a-z` and `0-9`. */
  readonly id: string;
  readonly payments: readonly Payment[];
}

export interface Bank {
  /** Moves the money, but only once for each key, and resolves with the reference of the transfer. */
  transfer(payment: Payment, key: string): Promise<string>;
}

export interface PayrollOptions {
  readonly bank: Bank;
  /** Where finished payments are recorded. */
  readonly adapter: StorageAdapter;
  /** How many transfers may be tried for one payment in one run, the first included. */
  readonly attempts: number;
  /** The wait after the first failed transfer of a payment. */
  readonly delayMs: number;
  /** The longest wait. */
  readonly maxDelayMs: number;
  /** How to wait. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

export type PaymentResult =
  | { readonly id: string; readonly status: "paid"; readonly reference: string }
  | {
      readonly id: string;
      readonly status: "refused" | "exhausted";
      /** The code of the bank's last error. */
      readonly code: string;
      /** How many transfers this run tried. */
      readonly attempts: number;
    };

export interface PayrollReport {
  readonly status: "complete" | "incomplete" | "aborted";
  readonly payments: readonly PaymentResult[];
}

export declare function runPayroll(job: PayrollJob, options: PayrollOptions): Promise<PayrollReport>;
