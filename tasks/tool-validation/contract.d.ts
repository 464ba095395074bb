import type { ToolResult } from "@alneas/appkit-core/tools";

export interface Guest {
  readonly email: string;
  /** 1 to 60 characters. */
  readonly name: string;
}

export interface Meeting {
  /** 2 to 12 of `a-z`, a `-`, 1 to 3 of `0-9`. */
  readonly room: string;
  /** A full minute in UTC, in the form `2026-11-30T09:15:00Z`. */
  readonly start: string;
  /** A multiple of 15, from 15 to 480. */
  readonly minutes: number;
  /** 1 to 20 guests. */
  readonly guests: readonly Guest[];
  /** 1 to 80 characters. */
  readonly title?: string;
  /** How many of each thing, 1 to 10; at most 5 things, named by any text. */
  readonly equipment?: Readonly<Record<string, number>>;
}

/** What the caller of the tool gets. */
export interface Booking {
  /** A UUID. */
  readonly id: string;
  /** A URI. */
  readonly link: string;
}

/** A service somewhere else. What it resolves with can be anything. */
export interface Calendar {
  /** How many people the room holds: a whole number, 1 or more. */
  seats(room: string): Promise<unknown>;
  /** Books the room. Every call books again. Resolves with a `Booking`. */
  book(meeting: Meeting): Promise<unknown>;
}

export interface MeetingTool {
  call(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult<Booking>>;
}

export declare function createMeetingTool(calendar: Calendar): MeetingTool;
