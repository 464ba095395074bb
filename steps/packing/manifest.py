"""What a package.json promises, compared with the files that are really in the tarball."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

# What Node's `import` looks for; the first matching key wins, as in Node.
CONDITIONS = ("node", "import", "module-sync", "default")
RANGES = ("dependencies", "optionalDependencies", "peerDependencies")
SCRIPT = re.compile(r"\.[cm]?js$")


def range_faults(manifest: dict[str, Any]) -> list[str]:
    """Dependency ranges that a registry cannot answer: `workspace:`, `file:`, `catalog:`, a git address."""
    faults = []
    for field in RANGES:
        for name, wanted in _mapping(manifest, field).items():
            if not isinstance(wanted, str) or ("npm:" not in wanted[:4] and (":" in wanted or "/" in wanted)):
                faults.append(f"{field}.{name} is {wanted!r}")
    return faults


def _mapping(manifest: dict[str, Any], field: str) -> dict[str, Any]:
    value = manifest.get(field)
    return value if isinstance(value, dict) else {}


def peers(manifest: dict[str, Any]) -> list[str]:
    """Names of the peers that must be present."""
    meta = _mapping(manifest, "peerDependenciesMeta")
    return sorted(
        name
        for name in _mapping(manifest, "peerDependencies")
        if not (isinstance(meta.get(name), dict) and meta[name].get("optional") is True)
    )


def target_faults(manifest: dict[str, Any], files: Iterable[str]) -> list[str]:
    """Promised files (exports, main, types, bin) that the tarball does not hold."""
    present = set(files)
    faults = [f"{field} names {target!r}" for field, target in _targets(manifest) if not _holds(present, target, field)]
    if "exports" not in manifest and "main" not in manifest and "index.js" not in present:
        faults.append("neither exports, main nor index.js")
    return faults


def _targets(manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("main", "module", "types", "typings"):
        if field in manifest:
            yield field, str(manifest[field])
    commands = manifest.get("bin", {})
    for target in commands.values() if isinstance(commands, dict) else [commands]:
        yield "bin", str(target)
    for key, target in _leaves(manifest.get("exports", {}), "exports"):
        yield key, target


def _leaves(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every target string of an exports value; null (not exported) has none."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{where}[{key!r}]")
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, where)
    elif value is not None:
        yield where, repr(value)


def _holds(present: set[str], target: str, field: str) -> bool:
    name = target.removeprefix("./").rstrip("/")
    if field.startswith("exports"):
        return target.startswith("./") and bool(_matches(name, present))
    tries = [name] if field != "main" else [name, f"{name}.js", f"{name}.json", f"{name}/index.js"]
    return any(each in present for each in tries)


def _matches(pattern: str, present: Iterable[str]) -> dict[str, str]:
    """`{what * stands for: file}` for the files that fit an exports target; `{"": file}` without a star."""
    head, *rest = map(re.escape, pattern.split("*"))
    # As in Node, every further star stands for the same text as the first.
    shape = re.compile(head + "".join((r"\1" if index else "(.+)") + part for index, part in enumerate(rest)))
    fits = {name: shape.fullmatch(name) for name in sorted(present)}
    return {match[1] if rest else "": name for name, match in fits.items() if match}


def exported(manifest: dict[str, Any], files: Iterable[str]) -> dict[str, str]:
    """`{specifier: file}` of every entry point that Node can import, patterns expanded."""
    name, present = manifest["name"], set(files)
    exports = manifest.get("exports")
    if exports is None:
        main = str(manifest.get("main", "index.js")).removeprefix("./")
        return {name: main}
    subpaths = exports if isinstance(exports, dict) and any(key.startswith(".") for key in exports) else {".": exports}
    found: dict[str, str] = {}
    for subpath, value in subpaths.items():
        target = _resolve(value)
        if target is None:
            continue
        for star, file in _matches(target.removeprefix("./"), present).items():
            found[f"{name}{subpath.removeprefix('.').replace('*', star)}"] = file
    return found


def _resolve(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return next((found for found in map(_resolve, value) if found), None)
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in CONDITIONS and (found := _resolve(inner)):
                return found
    return None


def importable(manifest: dict[str, Any], files: Iterable[str]) -> list[str]:
    """Specifiers whose file is JavaScript: these a smoke import must be able to load (R-C4)."""
    return sorted(spec for spec, file in exported(manifest, files).items() if SCRIPT.search(file))
