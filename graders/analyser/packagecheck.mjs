/**
 * The candidate's own declarations, checked once without skipLibCheck: a degraded type would make members unjudgeable.
 */
import { createHost } from "./host.mjs";
import { ts } from "./ts.mjs";

/** @param {import("./program.mjs").World} world @returns {string[]} faults in the candidate's files, sorted */
export function packageCheck(world) {
  const options = { ...world.options, skipLibCheck: false, noUnusedLocals: false };
  const folder = `${world.consumer}/.submission`;
  const host = createHost({ ...world, options, folder, overlay: new Map(), contract: undefined });
  const roots = world.candidate.entries.map(({ file }) => file).filter((file) => /\.d\.[mc]?ts$/.test(file));
  const program = ts.createProgram({ rootNames: roots, options, host });
  const faults = program
    .getSourceFiles()
    .filter((source) => world.candidate.holds(source.fileName))
    .flatMap((source) =>
      [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((found) => {
        const { line } = source.getLineAndCharacterOfPosition(found.start ?? 0);
        const path = source.fileName.slice(world.candidate.modules.length);
        const message = ts.flattenDiagnosticMessageText(found.messageText, " ").replaceAll(`${world.consumer}/`, "");
        return `${path}:${line + 1}: TS${found.code} ${message}`;
      }),
    );
  return [...new Set(faults)].sort();
}
