"""Fails where a locked version is known to be vulnerable, by a snapshot of advisories that is committed: no network.

    python scripts/advisories.py                          compares what CI installs with .ci/advisories.json
    python scripts/advisories.py update DATABASE.git      makes that file anew, of a clone of pypa/advisory-database

The snapshot has every advisory on a locked package, with the commit and the day of the database: it knows nothing that
came later, which is why the audits that ask the databases themselves (`audit.py`) stay in .github/workflows. What it
cannot tell is a failure: a package that was locked after it was made, a file that cannot be read, a range of versions
that says nothing. An advisory that does not concern us stands in .ci/accepted-advisories.json with the reason.

Only packages of PyPI: GitHub's database has those of npm, and `npm audit` of the workflows asks it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
SNAPSHOT = ROOT / ".ci" / "advisories.json"
ACCEPTED = ROOT / ".ci" / "accepted-advisories.json"
LOCKS = (ROOT / ".ci" / "requirements.txt", ROOT / ".ci" / "no-deps.txt")
NOTICE = (
    "Advisories on locked packages, shortened to identifiers and ranges of versions, from the PyPA advisory database "
    "(https://github.com/pypa/advisory-database), CC BY 4.0. Made by scripts/advisories.py; not to be edited."
)
ENDS = {"fixed": False, "last_affected": True}
"""Events that end a range, and whether that version is still affected."""


class NoVerdict(Exception):
    """Something cannot be told, which counts as a failure."""


def normal(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(files: Iterable[Path] = LOCKS) -> dict[str, str]:
    """The version of each locked package. Raises NoVerdict where none is locked."""
    found: dict[str, str] = {}
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            if match := re.match(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([^\s;]+)", line):
                found[normal(match[1])] = match[2]
    if not found:
        raise NoVerdict("no lock file names a package: nothing was audited")
    return found


def ranges_of(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """What of a package an advisory in OSV's format is about: ranges of versions, or versions. Raises NoVerdict where
    it says neither."""
    found: list[dict[str, Any]] = []
    for affected in record.get("affected") or ():
        package = affected.get("package") or {}
        if package.get("ecosystem") != "PyPI" or normal(str(package.get("name", ""))) != name:
            continue
        ranges = [own for own in affected.get("ranges") or () if own["type"] == "ECOSYSTEM"]
        found += ({"events": [dict(sorted(event.items())) for event in own["events"]]} for own in ranges)
        if not ranges:
            versions = [str(version) for version in affected.get("versions") or ()]
            if not versions:
                raise NoVerdict(f"{record['id']} does not say which versions of {name} it is about")
            found.append({"versions": versions})
    return found


def is_affected(version: str, parts: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a version is in one of the ranges of an advisory. Raises NoVerdict for what is no version."""
    try:
        own = Version(version)
        return any(_in_part(own, part) for part in parts)
    except InvalidVersion as error:
        raise NoVerdict(str(error)) from error


def _in_part(version: Version, part: Mapping[str, Any]) -> bool:
    if "versions" in part:
        return version in map(Version, part["versions"])
    inside = False
    for event in sorted(part["events"], key=lambda event: _place(next(iter(event.values())))):
        ((kind, at),) = event.items()
        if kind == "introduced":
            inside = inside or version >= _place(at)
        elif kind in ENDS:
            after = version > _place(at) if ENDS[kind] else version >= _place(at)
            inside = inside and not after
        else:
            raise NoVerdict(f"a range has an event that is not known here: {kind}")
    return inside


def _place(version: str) -> Version:
    return Version("0.dev0" if version == "0" else version)


def findings(snapshot: Mapping[str, Any], versions: Mapping[str, str], accepted: Mapping[str, str]) -> list[str]:
    """What is wrong: locked packages that are affected or that the snapshot was not made for, and reasons that are
    given for nothing. Raises NoVerdict."""
    covered = set(snapshot["packages"])
    said = [
        f"{name} was locked after the snapshot was made: `scripts/advisories.py update`"
        for name in versions
        if name not in covered
    ]
    met: set[str] = set()
    for name, records in snapshot["advisories"].items():
        for record in records:
            if name in versions and is_affected(versions[name], record["affects"]):
                met.add(record["id"])
                if not accepted.get(record["id"], "").strip():
                    said.append(f"{name} {versions[name]}: {record['id']} ({', '.join(record['aliases'])})")
    return said + [f"{name} is accepted and concerns nothing that is locked" for name in accepted if name not in met]


def records_in(database: Path, names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the advisories on packages, by name, of a clone of the database that may have no work tree. Raises
    CalledProcessError."""
    listed = git(database, "ls-tree", "-r", "-z", "--name-only", "HEAD", "vulns/").split("\0")
    wanted = set(names)
    for path in sorted(listed):
        folder, _, file = path.removeprefix("vulns/").partition("/")
        if normal(folder) in wanted and file.endswith((".yaml", ".json")):
            record = yaml.safe_load(git(database, "show", f"HEAD:{path}"))
            if not record.get("withdrawn"):
                yield normal(folder), record


def git(database: Path, *arguments: str) -> str:
    command = ["git", f"--git-dir={database}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def snapshot_of(database: Path, versions: Mapping[str, str]) -> dict[str, Any]:
    """The snapshot for locked packages. Raises NoVerdict, and CalledProcessError where there is no such clone."""
    commit, day = git(database, "log", "-1", "--format=%H %cs").split()
    found: dict[str, list[dict[str, Any]]] = {}
    for name, record in records_in(database, versions):
        if parts := ranges_of(record, name):
            own = {"id": record["id"], "aliases": sorted(record.get("aliases") or ()), "affects": parts}
            found.setdefault(name, []).append(own)
    if not found:
        raise NoVerdict(f"{database} has no advisory on any locked package, which is no clone of the database")
    said = {"about": NOTICE, "commit": commit, "day": day, "packages": sorted(versions)}
    return {**said, "advisories": dict(sorted(found.items()))}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("update", nargs="?", choices=["update"])
    parser.add_argument("database", nargs="?", type=Path, help="git directory of a clone of pypa/advisory-database")
    options = parser.parse_args(arguments)
    if (options.update is None) != (options.database is None):
        parser.error("update needs the git directory of the database")
    try:
        versions = locked()
        if options.update:
            text = json.dumps(snapshot_of(options.database, versions), ensure_ascii=False, indent=1)
            SNAPSHOT.write_text(text + "\n", "utf-8")
        snapshot = json.loads(SNAPSHOT.read_text("utf-8"))
        accepted = json.loads(ACCEPTED.read_text("utf-8")) if ACCEPTED.exists() else {}
        wrong = findings(snapshot, versions, accepted)
    except (NoVerdict, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"no audit took place: {type(error).__name__}: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"no audit took place: {error.stderr.strip()}")
    if wrong:
        sys.exit("audit failed:\n" + "\n".join(f"  {line}" for line in wrong))
    known = sum(map(len, snapshot["advisories"].values()))
    print(
        f"{len(versions)} locked packages of PyPI, {known} advisories as of {snapshot['day']}: none concerns them. "
        "What came later, and npm's, are for the audits of .github/workflows"
    )


if __name__ == "__main__":
    main()
