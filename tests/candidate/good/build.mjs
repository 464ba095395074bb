// Copies src to dist, as a compiler would leave it: with the modes that the umask gives.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

for (const name of ["core", "react"]) {
  mkdirSync(`${name}/dist`, { recursive: true });
  for (const file of readdirSync(`${name}/src`)) {
    writeFileSync(`${name}/dist/${file}`, readFileSync(`${name}/src/${file}`));
  }
}
