import type { ValidationResult } from "@alneas/appkit-core/validation";

/** One line of an order. */
export interface OrderLine {
  sku: string;
  quantity: number;
  unitPrice: number;
  /** One list of serial numbers for each parcel. */
  serials?: string[][];
}

/** A complete order, as valid input holds it. */
export interface Order {
  id: string;
  email: string;
  placedOn: string;
  priority: "low" | "normal" | "high";
  lines: OrderLine[];
  note?: string;
  labels?: Record<string, string>;
}

/** Judges a value from outside. Never throws. */
export declare function parseOrder(input: unknown): ValidationResult<Order>;

/** Judges JSON text from outside. Never throws. */
export declare function parseOrderText(text: string): ValidationResult<Order>;
