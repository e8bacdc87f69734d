/** Versions of a page: told by a folder that is a version number, so that the newest comes first. */

const VERSION = /^v?(\d+(?:\.\d+)*)(?:\.x)?$|^[a-z]+[-_]?v?(\d+\.\d+(?:\.\d+)*)$/i;
/** What stands for the newest, and what is not out yet. */
const NEWEST = /^(?:latest|stable|current)$/i;
const UNRELEASED = /^(?:next|dev|main|master|nightly|unreleased)$/i;

/**
 * The path without its version, and the version: its numbers; null where no folder of the path is one.
 * @returns {{key: string, version: string, numbers: number[] | null}}
 */
export function versionOf(path) {
  const names = path.split("/");
  const at = names.slice(0, -1).findIndex((name) => VERSION.test(name) || NEWEST.test(name) || UNRELEASED.test(name));
  if (at < 0) return { key: path, version: "", numbers: null };
  const version = names[at];
  const [, plain, named] = VERSION.exec(version) ?? [];
  const numbers = NEWEST.test(version) ? [Infinity] : (plain ?? named ?? "-1").split(".").map(Number);
  return { key: names.map((name, i) => (i === at ? "*" : name)).join("/"), version, numbers };
}

/** Orders versions, the newest first. */
export function newestFirst(a, b) {
  const [x, y] = [a.numbers ?? [], b.numbers ?? []];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const [own, other] = [x[i] ?? 0, y[i] ?? 0];
    if (own !== other) return own > other ? -1 : 1;
  }
  return 0;
}
