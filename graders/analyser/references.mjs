/** Every unsupported reference by key, with where it occurs and in which words. */
import { at, ownPath } from "./program.mjs";
import { canonicalUse } from "./statements.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {{role: "import" | "use", file: string, text: string, name: Node, whole: Node}} Occurrence
 * @typedef {{kind: "import" | "symbol" | "member", ref: string, occurrences: Occurrence[]}} Reference
 */

export class References {
  /** @param {import("./program.mjs").Subject} s */
  constructor(s) {
    this.s = s;
    /** @type {Map<string, Reference>} */
    this.byKey = new Map();
    /** Bindings that stand for an unsupported reference. @type {Map<import("typescript").Symbol, Reference>} */
    this.bindings = new Map();
    /** What was added at a node. @type {Map<Node, Set<string>>} */
    this.seen = new Map();
    /** @type {Map<string, Set<string>>} */
    this.review = new Map();
  }

  /**
   * @param {Reference["kind"]} kind @param {string} ref @param {Node} name what is wrong
   * @param {Node} whole the expression or clause around it @param {string} [importText] set for the role `import`
   */
  add(kind, ref, name, whole, importText) {
    const reference = this.byKey.get(ref) ?? { kind, ref, occurrences: [] };
    this.byKey.set(ref, reference);
    const seen = this.seen.get(name) ?? new Set();
    this.seen.set(name, seen);
    const identity = JSON.stringify([ref, importText]);
    if (seen.has(identity)) return reference;
    seen.add(identity);
    reference.occurrences.push({
      role: importText ? "import" : "use",
      file: ownPath(this.s, name.getSourceFile()) ?? "",
      name,
      whole,
      text: importText ?? canonicalUse(whole),
    });
    return reference;
  }

  /** One of the closed list of reasons, at a place. @param {string} reason @param {Node | string} place */
  flag(reason, place) {
    const places = this.review.get(reason) ?? new Set();
    places.add(typeof place === "string" ? place : at(this.s, place));
    this.review.set(reason, places);
  }

  /** @returns {Reference[]} sorted by key */
  list() {
    return [...this.byKey.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }

  /** What seeds are compared by. @returns {Record<string, string[]>} */
  fingerprint() {
    return Object.fromEntries(
      this.list().map(({ ref, occurrences }) => [
        ref,
        occurrences.map(({ role, file, text }) => JSON.stringify([role, file, text])).sort(),
      ]),
    );
  }
}
