import { createJournal, runWithRetry, type StorageAdapter } from "@alneas/appkit-core";

export interface Payment {
  readonly id: string;
  readonly account: string;
  readonly cents: number;
}

export interface PayrollJob {
  readonly id: string;
  readonly payments: readonly Payment[];
}

export interface Bank {
  transfer(payment: Payment, key: string): Promise<string>;
}

export interface PayrollOptions {
  readonly bank: Bank;
  readonly adapter: StorageAdapter;
  readonly attempts: number;
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

export type PaymentResult =
  | { readonly id: string; readonly status: "paid"; readonly reference: string }
  | {
      readonly id: string;
      readonly status: "refused" | "exhausted";
      readonly code: string;
      readonly attempts: number;
    };

export interface PayrollReport {
  readonly status: "complete" | "incomplete" | "aborted";
  readonly payments: readonly PaymentResult[];
}

export const runPayroll = async (payroll: PayrollJob, settings: PayrollOptions): Promise<PayrollReport> => {
  // Skips what an earlier run has paid.
  const done = createJournal(settings.adapter, "payrolls");
  await runWithRetry(settings.attempts, () => done.each(payroll.payments, settings.bank.transfer));
  throw new Error("The report is missing.");
};
