import type { ValidationIssue } from "@alneas/appkit-core";
import type { FC } from "react";

/** What is saved. */
export interface Booking {
  /** 1 to 60 characters, not only white space. */
  readonly name: string;
  /** An address as Appkit's `email` format has it. */
  readonly email: string;
  /** A whole number, 1 to 50. */
  readonly seats: number;
  /** 1 to 200 characters. Absent when nothing was entered. */
  readonly note?: string;
}

/** What the server says: saved, or refused because of some fields or of the whole booking. */
export type SaveResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

export interface BookingFormProps {
  readonly onSave: (booking: Booking) => Promise<SaveResult>;
}

export declare const BookingForm: FC<BookingFormProps>;
