/** One program per attempt: the consumer's packages as they are, the submission laid over them in memory. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Candidate, catalogue } from "./candidate.mjs";
import { createHost, Disk } from "./host.mjs";
import { analysisOptions } from "./options.mjs";
import { withoutSuppressions } from "./suppressions.mjs";
import { toolchain, ts } from "./ts.mjs";

/**
 * @typedef {{consumer: string, disk: Disk, options: import("typescript").CompilerOptions,
 *   resolutions: import("typescript").ModuleResolutionCache, candidate: Candidate,
 *   catalogue: Record<string, string[]>}} World what attempts share
 * @typedef {{path: string, source: import("typescript").SourceFile, original: string}} OwnFile
 * @typedef {{world: World, candidate: Candidate, program: import("typescript").Program,
 *   checker: import("typescript").TypeChecker, files: OwnFile[], folder: string, contract: string | undefined,
 *   suppressions: {path: string, line: number, column: number}[],
 *   host: import("typescript").CompilerHost}} Subject one submission under analysis
 */

let attempts = 0;

/**
 * Read the consumer. Everything that fails here is the machinery's fault, never the submission's.
 *
 * @param {string} consumer
 * @param {import("./candidate.mjs").CandidateNames} names
 * @returns {World}
 */
export function openWorld(consumer, names) {
  const folder = realpathSync(consumer);
  const library = join(toolchain, "node_modules");
  const own = join(folder, "node_modules/@types");
  const typeRoot = existsSync(join(own, "node")) ? own : join(library, "@types");
  const options = analysisOptions(folder, typeRoot);
  const disk = new Disk([
    join(folder, "node_modules"),
    join(library, "typescript/lib"),
    join(library, "@types"),
    join(library, "undici-types"),
  ]);
  const resolutions = ts.createModuleResolutionCache(folder, (path) => path, options);
  const host = createHost({
    disk,
    consumer: folder,
    folder: `${folder}/.submission`,
    overlay: new Map(),
    contract: undefined,
    options,
    resolutions,
  });
  const candidate = new Candidate(
    names,
    folder,
    (specifier) =>
      ts.resolveModuleName(
        specifier,
        `${folder}/.submission/x.ts`,
        options,
        host,
        resolutions,
        undefined,
        ts.ModuleKind.ESNext,
      ).resolvedModule?.resolvedFileName,
  );
  const world = { consumer: folder, disk, options, resolutions, candidate, catalogue: {} };
  // Reading packages and libraries is done before a submission's time starts to run.
  return { ...world, catalogue: catalogue(openSubject(world, {}, undefined)) };
}

/**
 * @param {World} world
 * @param {Record<string, string>} files relative path to text
 * @param {string | undefined} contract text of contract.d.ts
 * @param {Record<string, string>} [extra] further modules that are not the submission's
 * @returns {Subject}
 */
export function openSubject(world, files, contract, extra = {}) {
  const folder = `${world.consumer}/.submission/${++attempts}`;
  const { texts, suppressions } = withoutSuppressions(files);
  const overlay = new Map(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]));
  const contractPath = contract === undefined ? undefined : `${folder}/task-contract.d.ts`;
  if (contractPath) overlay.set(contractPath, contract ?? "");
  for (const [path, text] of Object.entries(extra)) overlay.set(`${folder}/${path}`, text);
  overlay.set(`${folder}/package.json`, '{"type":"module"}');
  const host = createHost({ ...world, folder, overlay, contract: contractPath });
  const roots = [...overlay.keys()].filter((path) => /\.tsx?$/.test(path));
  const entries = world.candidate.entries.map(({ file }) => file).filter((file) => /\.d\.[mc]?ts$/.test(file));
  const program = ts.createProgram({ rootNames: [...roots, ...entries], options: world.options, host });
  const own = Object.keys(files)
    .sort()
    .map((path) => {
      const source = program.getSourceFile(`${folder}/${path}`);
      if (!source) throw new Error(`the program lost ${path}`);
      return { path, source, original: files[path] };
    });
  return {
    world,
    candidate: world.candidate,
    program,
    checker: program.getTypeChecker(),
    files: own,
    folder,
    contract: contractPath,
    suppressions,
    host,
  };
}

/**
 * Relative path of a submitted file, undefined for all others.
 *
 * @param {Subject} s
 * @param {import("typescript").SourceFile} source
 */
export function ownPath(s, source) {
  return s.files.find((file) => file.source === source)?.path;
}

/** `file:line:col`, from 1. @param {Subject} s @param {import("typescript").Node} node */
export function at(s, node) {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${ownPath(s, source) ?? "task-contract.d.ts"}:${line + 1}:${character + 1}`;
}

/**
 * Texts without the paths of this machine: `typeof import("<absolute path>")` names a package file or a submitted one.
 *
 * @param {Subject} s @param {string} text
 */
export function withoutPaths(s, text) {
  const roots = [
    `${s.folder}/`,
    `${s.world.consumer}/node_modules/`,
    `${s.world.consumer}/`,
    `${toolchain}/node_modules/`,
    `${toolchain}/`,
  ];
  return roots.reduce((result, root) => result.replaceAll(root, ""), text);
}
