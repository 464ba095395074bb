/**
 * A compiler host over a prepared consumer, with the submission laid over it in memory.
 *
 * Nothing is written to disk. Only the consumer's packages, the compiler's own libraries and the Node types can be
 * read: a triple-slash path cannot carry a system file into a diagnostic.
 */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { posix } from "node:path";
import { ts } from "./ts.mjs";

/** Names under which a solution may import the contract's types. */
const CONTRACT_NAME = /^(task-)?contract(\.d)?\.[mc]?[jt]s$/;

/** Disk access bounded to some folders, with immutable source files shared between attempts. */
export class Disk {
  /** @param {string[]} roots */
  constructor(roots) {
    this.roots = roots.map((root) => `${root}/`);
    /** @type {Map<string, import("typescript").SourceFile | undefined>} */
    this.sources = new Map();
    /** @type {Map<string, boolean>} */
    this.known = new Map();
  }

  /** @param {string} path */
  readable(path) {
    return this.roots.some((root) => path.startsWith(root));
  }

  /** @param {string} path */
  isFile(path) {
    if (!this.readable(path)) return false;
    let found = this.known.get(path);
    if (found === undefined) this.known.set(path, (found = existsSync(path) && statSync(path).isFile()));
    return found;
  }

  /** @param {string} path */
  isFolder(path) {
    if (!this.readable(`${path}/`) && !this.roots.some((root) => root.startsWith(`${path}/`))) return false;
    const key = `${path}/`;
    let found = this.known.get(key);
    if (found === undefined) this.known.set(key, (found = existsSync(path) && statSync(path).isDirectory()));
    return found;
  }

  /** @param {string} path */
  read(path) {
    return this.isFile(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** @param {string} path */
  folders(path) {
    if (!this.isFolder(path)) return [];
    return readdirSync(path, { withFileTypes: true })
      .filter((item) => !item.isFile())
      .map((item) => item.name)
      .sort();
  }

  /**
   * @param {string} path
   * @param {import("typescript").CreateSourceFileOptions} how
   */
  source(path, how) {
    const key = `${how.impliedNodeFormat ?? 0}:${path}`;
    if (!this.sources.has(key)) {
      const text = this.read(path);
      this.sources.set(key, text === undefined ? undefined : ts.createSourceFile(path, text, how, true));
    }
    return this.sources.get(key);
  }
}

/**
 * @param {{disk: Disk, consumer: string, folder: string, overlay: Map<string, string>, contract: string | undefined,
 *   options: import("typescript").CompilerOptions, resolutions: import("typescript").ModuleResolutionCache}} parts
 * @returns {import("typescript").CompilerHost}
 */
export function createHost({ disk, consumer, folder, overlay, contract, options, resolutions }) {
  const library = posix.dirname(ts.getDefaultLibFilePath(options));
  /** @type {import("typescript").CompilerHost} */
  const host = {
    getSourceFile(path, how) {
      const settings = typeof how === "object" ? how : { languageVersion: how };
      const text = overlay.get(path);
      return text === undefined ? disk.source(path, settings) : ts.createSourceFile(path, text, settings, true);
    },
    getDefaultLibFileName: () => ts.getDefaultLibFilePath(options),
    getDefaultLibLocation: () => library,
    writeFile() {},
    getCurrentDirectory: () => consumer,
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (path) => overlay.has(path) || disk.isFile(path),
    readFile: (path) => overlay.get(path) ?? disk.read(path),
    directoryExists: (path) => path === folder || path.startsWith(`${folder}/`) || disk.isFolder(path),
    getDirectories: (path) => disk.folders(path),
    resolveModuleNameLiterals(literals, containing, redirected, settings, source) {
      return literals.map((literal) => {
        const asked = asContract(literal.text, containing, { folder, overlay, contract });
        if (asked) return { resolvedModule: asked };
        const mode = ts.getModeForUsageLocation(source, literal, settings);
        return ts.resolveModuleName(literal.text, containing, settings, host, resolutions, redirected, mode);
      });
    },
  };
  return host;
}

/**
 * The agent sees the contract at another place than the overlay does: any relative path to a file of that name
 * means it.
 *
 * @param {string} specifier
 * @param {string} containing
 * @param {{folder: string, overlay: Map<string, string>, contract: string | undefined}} where
 */
function asContract(specifier, containing, { folder, overlay, contract }) {
  if (!contract || !isContractSpecifier(specifier) || !containing.startsWith(`${folder}/`)) return undefined;
  const target = posix.join(posix.dirname(containing), specifier);
  const submitted = [target, target.replace(/\.js$/, ".ts"), target.replace(/\.js$/, ".tsx")];
  if (submitted.some((path) => path !== contract && overlay.has(path))) return undefined;
  return {
    resolvedFileName: contract,
    extension: ".d.ts",
    isExternalLibraryImport: false,
    resolvedUsingTsExtension: false,
  };
}

/** @param {string} specifier */
export function isContractSpecifier(specifier) {
  return /^\.\.?\//.test(specifier) && CONTRACT_NAME.test(posix.basename(specifier));
}
