// What happened in one scenario, kept by the parent, with the causal knowledge of the child at each step.

/** A frame the parent sent. The child can return its text only after it has received it. */
export class Token {
  /** @param {number} index */
  constructor(index) {
    this.index = index;
    Object.freeze(this);
  }
}

/**
 * @typedef {{ kind: 'call' | 'reply' | 'sent', seq: number, name: string, args: any[], seen: number, reply: Token | null }} LogEvent
 */

/** Append-only list of events. */
export class Log {
  /** @type {LogEvent[]} */
  all = [];

  /** @param {LogEvent['kind']} kind @param {string} name @param {unknown[]} args @param {number} seen index of the newest token the child had */
  add(kind, name, args, seen) {
    /** @type {LogEvent} */
    const event = { kind, seq: this.all.length, name, args, seen, reply: null };
    this.all.push(event);
    return event;
  }

  /** @param {string} name @returns {LogEvent[]} calls of one handle in order of arrival */
  calls(name) {
    return this.all.filter((event) => event.kind === 'call' && event.name === name);
  }

  /**
   * Had the child received `token` when it sent `event`? Order of arrival alone would accept a submission that acts
   * first and asks later in one turn (security.md 3.3, measured).
   * @param {LogEvent} event
   * @param {Token} token
   */
  sentAfter(event, token) {
    return event.seen >= token.index;
  }
}
