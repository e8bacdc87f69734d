"""A small tree and its builds, to be disturbed: what it is before, what it becomes, what the next build must leave."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from faults import Builder, Outcome
from readers import not_whole, published


def prose(about: str, count: int = 25) -> str:
    return " ".join(f"The {about} keeps entry {n} warm while `{about}Cache` waits." for n in range(count))


FIRST = {
    "index.md": f"# Handbook\n\nOf kettles.\n\n{prose('kettle')}\n",
    "guide/index.md": f"# Guide\n\n{prose('guide', 40)}\n\n## Quick Reference\n\n```sh\nwarm --entry 1\n```\n",
    "guide/qa-pairs.md": "Q: How do I keep an entry warm?\nA: Wait.\n",
}
BEFORE = FIRST | {
    "guide/deep/cooking.md": f"# Cooking\n\n{prose('stove', 40)}\n\n## Stir\n\n{prose('spoon', 40)}\n",
    "gone/away.md": f"# Away\n\n{prose('ferry')}\n",
}
AFTER = {name: text for name, text in BEFORE.items() if name != "gone/away.md"} | {
    "guide/deep/cooking.md": f"# Cooking\n\n{prose('kettle', 40)}\n",
    "guide/index.md": BEFORE["guide/index.md"].replace("# Guide", "# The guide"),
    "fresh/page.md": f"# Fresh\n\n{prose('kettle')}\n",
}
"""A page edited, a title, a topic gone and one come: what a rebuild starts from."""


@dataclass(slots=True)
class Case:
    """A build to disturb."""

    name: str
    builder: Builder
    folder: Path
    """Where everything of the case lies."""
    start: Path
    """The project before the build: sources, and what an earlier build left."""
    arguments: tuple[str, ...]
    out: str
    """Of the outputs, in the project."""
    sources: dict[str, str]
    old: dict[str, bytes]
    """What is published before the build."""
    clean: dict[str, bytes]
    """What a build from nothing publishes."""
    new: dict[str, bytes] = field(default_factory=dict)
    """What the build publishes when nothing happens."""
    built: Path = Path()
    """The project after that."""
    kinds: str = ""
    """Of the calls that it makes."""
    repaired: dict[str, list[str]] = field(default_factory=dict)
    """What is wrong after the next build, for every state that a disturbed build left: many leave the same."""

    def fresh(self, folder: Path | None = None) -> Path:
        """A project to build in."""
        project = (folder or self.folder) / "project"
        shutil.rmtree(project, ignore_errors=True)
        shutil.copytree(self.start, project)
        return project

    @property
    def publication(self) -> int:
        """Number of the first call after all that is staged is on the disk."""
        return self.kinds.index("s") + 1

    def published(self, project: Path) -> dict[str, bytes]:
        return published(project / self.out, self.sources if self.out == "docs" else {})

    def left(self, project: Path) -> str:
        """A digest of all that the next build can see: files with their bytes, and which of them, and of the folders,
        still have the times that they had before."""
        digest = hashlib.sha256()
        for folder, folders, files in os.walk(project):
            folders.sort()
            for name in ("", *sorted(files)):
                path = os.path.join(folder, name)
                place = os.path.relpath(path, project)
                try:
                    same = os.stat(path).st_mtime_ns == os.stat(self.start / place).st_mtime_ns
                except FileNotFoundError:
                    same = False
                data = Path(path).read_bytes() if name and name != "lock" else b""
                shown = re.sub(r"(?<=staging/)[0-9a-f]{16}", "*", place)
                digest.update(f"{shown} {same} {hashlib.sha256(data).hexdigest()}\n".encode())
        return digest.hexdigest()


def write(docs: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text)


@contextmanager
def prepared(name: str, folder: Path, library: Path) -> Iterator[Case]:
    """The case of a name, `first build` or `rebuild`, `in place` or `with --out`, perhaps `in packs` or `with a
    graph` before it. Its tree has topics, keywords, questions and a search bundle."""
    rebuild, elsewhere = name.startswith("re"), name.endswith("out")
    arguments = ("build", "docs", *(("--out", "site") if elsewhere else ()))
    out = "site" if elsewhere else "docs"
    start, clean = folder / "start", folder / "clean"
    sources = AFTER if rebuild else FIRST
    write(clean / "docs", sources)
    write(start / "docs", BEFORE if rebuild else FIRST)
    for project in (start, clean):
        configured = '[chunks]\nfiles = "pack"\n' if " in packs " in name else ""
        configured += '[graph]\nentities = "terms"\n' if " a graph " in name else ""
        (project / "infograph.toml").write_text(configured)
    with Builder(library, folder, clean, arguments) as builder:
        known = BEFORE | sources
        old: dict[str, bytes] = {}
        if rebuild:
            assert builder.run(start, *arguments).status == 0
            (start / "docs/gone/away.md").unlink()
            write(start / "docs", AFTER)
            old = published(start / out, {} if elsewhere else known)
        case = Case(name, builder, folder, start, arguments, out, known, old, {})
        case.clean = case.published(clean)
        case.built = case.fresh().rename(folder / "built")
        builder.switch.on(case.built)
        assert builder.run(case.built, *arguments).status == 0
        case.kinds = builder.switch.kinds
        case.new = case.published(case.built)
        assert not_whole(case.new, {}, case.new, versioned=elsewhere) == []
        yield case


def not_repaired(case: Case, project: Path, repair: Outcome) -> Iterator[str]:
    """How the tree differs, after one more build, from what a build from nothing gives."""
    if repair.status != 0:
        yield f"the next build says {repair.said}"
    found = case.published(project)
    older = {n for n in {*case.old, *case.new} - case.clean.keys() if n.startswith("_search/") or case.out == "site"}
    if wrong := sorted(n for n in case.clean.keys() | found.keys() - older if found.get(n) != case.clean.get(n)):
        yield f"the next build does not repair {wrong}"
    if rests := sorted(set(_names(project)) - set(_names(case.built)) - {f"{case.out}/{name}" for name in older}):
        yield f"the next build leaves {rests}"


def _names(project: Path) -> Iterator[str]:
    """Of all files; of cache entries only the kind, since those of a file's earlier state stay. A folder that a killed
    build emptied and did not come to remove may stay: it holds nothing."""
    for path in filter(Path.is_file, project.rglob("*")):
        name = path.relative_to(project).as_posix()
        yield re.sub(r"(\.embedding-cache/[^/]+/[^/]+)/[0-9a-f]{16}", r"\1/*", name)
