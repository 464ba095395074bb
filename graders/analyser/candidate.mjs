/** What the candidate offers: its entry points by the real resolver, and whether a file or a specifier is its own. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{packages: string[], scopePrefix: string}} CandidateNames given as data: no package is named in this code
 * @typedef {{specifier: string, file: string}} Entry one key of an exports map and the file that it resolves to
 */

export class Candidate {
  /**
   * @param {CandidateNames} names
   * @param {string} consumer
   * @param {(specifier: string) => string | undefined} resolve
   */
  constructor(names, consumer, resolve) {
    this.names = names;
    this.modules = `${consumer}/node_modules/`;
    /** Export keys that exist, types or not. @type {Set<string>} */
    this.specifiers = new Set();
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {Set<string>} */
    this.openPackages = new Set();
    for (const name of names.packages) this.#load(name, resolve);
  }

  /** @param {string} name @param {(specifier: string) => string | undefined} resolve */
  #load(name, resolve) {
    const folder = join(this.modules, name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (manifest.exports === undefined) this.openPackages.add(name);
    for (const subpath of subpaths(manifest.exports, folder)) {
      const specifier = name + subpath.slice(1);
      const file = resolve(specifier);
      if (file && !file.endsWith(".json")) this.entries.push({ specifier, file });
      if (file || leaves(manifest.exports?.[subpath]).length) this.specifiers.add(specifier);
    }
  }

  /** Is `specifier` the candidate's, existing or not? @param {string} specifier */
  owns(specifier) {
    const name = packageOf(specifier);
    return this.names.packages.includes(name) || name.startsWith(this.names.scopePrefix);
  }

  /** A package without an exports map hides nothing. @param {string} specifier */
  open(specifier) {
    return this.openPackages.has(packageOf(specifier)) || !this.names.packages.includes(packageOf(specifier));
  }

  /** Does the file belong to an installed package of the candidate's? @param {string} path */
  holds(path) {
    const at = path.lastIndexOf("/node_modules/");
    return at >= 0 && this.owns(path.slice(at + "/node_modules/".length));
  }

  /** `<package>!<path>` when the text is a path into the candidate's installed files. @param {string} specifier */
  pathTrick(specifier) {
    const marker = "node_modules/";
    const at = specifier.lastIndexOf(marker);
    const inside = at < 0 ? "" : specifier.slice(at + marker.length);
    if (!inside || !this.owns(inside)) return undefined;
    const name = packageOf(inside);
    return `${name}!${inside.slice(name.length + 1) || "."}`;
  }
}

/** @param {string} specifier */
export function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/**
 * Keys of an exports map in its order, patterns expanded over the files of the package.
 *
 * @param {unknown} exported
 * @param {string} folder
 * @returns {string[]}
 */
function subpaths(exported, folder) {
  if (exported === undefined || exported === null || typeof exported !== "object" || Array.isArray(exported))
    return ["."];
  const keys = Object.keys(exported);
  if (!keys.some((key) => key.startsWith("."))) return ["."];
  /** @type {string[]} */
  let files;
  return keys.flatMap((key) => {
    if (!key.includes("*")) return key.endsWith("/") ? [] : [key];
    files ??= /** @type {string[]} */ (readdirSync(folder, { recursive: true })).map((file) => `./${file}`).sort();
    const targets = leaves(/** @type {Record<string, unknown>} */ (exported)[key]);
    const stars = targets.flatMap((target) => files.flatMap((file) => matched(file, target) ?? []));
    return [...new Set(stars)].sort().map((star) => key.replace("*", star));
  });
}

/** All target strings below one key, whatever the conditions. @param {unknown} value @returns {string[]} */
function leaves(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(leaves) : [];
}

/** What `*` stands for. @param {string} file @param {string} pattern @returns {string[] | undefined} */
function matched(file, pattern) {
  const [before, after = ""] = pattern.split("*");
  const fits =
    pattern.includes("*") &&
    file.startsWith(before) &&
    file.endsWith(after) &&
    file.length > before.length + after.length;
  return fits ? [file.slice(before.length, file.length - after.length)] : undefined;
}

/** Exported names by entry point, read from the packed declarations. @param {import("./program.mjs").Subject} s */
export function catalogue(s) {
  return Object.fromEntries(
    s.candidate.entries.map(({ specifier, file }) => {
      const module = moduleOf(s, file);
      const names = module ? s.checker.getExportsOfModule(module).map((symbol) => symbol.name) : [];
      return [specifier, [...new Set(names)].sort()];
    }),
  );
}

/** @param {import("./program.mjs").Subject} s @param {string} file */
export function moduleOf(s, file) {
  const source = s.program.getSourceFile(file);
  return source && s.checker.getSymbolAtLocation(source);
}
