"""Resolves includes: reads the files that a document includes, below the repository's root and nowhere else.

A target is looked for beside the document, then in each folder above it up to the root of the repository, then in the
folders of `markup.include_paths`: generators differ in what their paths are relative to. No symlink is followed, sizes,
depth and number are bounded, and a file that includes itself stays out.
"""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from infograph.errors import DocumentError
from infograph.files.stamps import Stamp
from infograph.model import LANGUAGES, MARKDOWN, Document
from infograph.source.blocks import parse_text
from infograph.source.document import BOM, open_source
from infograph.source.frontmatter import front_matter
from infograph.source.include_slices import longest_run, selected
from infograph.source.include_syntax import Include, find_includes
from infograph.source.limits import SourceLimits
from infograph.source.readable import NO_RULES, ReadableRules, readable_edits
from infograph.source.repository import MISSING, looked_at
from infograph.text.edits import TextEdit, edited, in_order
from infograph.text.lines import unified, unified_in_place

MOST_BYTES = 1_000_000
"""Largest file that is included from."""
MOST_CHARACTERS = 65_536
"""Most characters that one include brings in."""
MOST_IN_ALL = 262_144
"""Most characters that the includes of one document bring in, nested ones counted each time."""
MOST_FILES = 1_000
"""Most includes of one document, nested ones too."""
DEEPEST = 8
"""Most includes within each other."""
_LIMITS = SourceLimits(bytes=MOST_BYTES)

_LANGUAGES = {suffix: name for name, suffixes in LANGUAGES.items() for suffix in suffixes}


@dataclass(slots=True)
class Included:
    """What the includes of one document gave."""

    edits: tuple[TextEdit, ...] = ()
    """The text in the place of each include that was resolved."""
    lost: list[tuple[Include, str]] = field(default_factory=list)
    """Includes of the document itself that were not resolved, with the reason."""
    files: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the files that were looked for, by path relative to the repository; `MISSING` where none is there."""


class Includer:
    """Resolves the includes of the documents of one tree."""

    def __init__(
        self, root: Path, repository: Path, paths: Sequence[str] = (), rules: ReadableRules = NO_RULES
    ) -> None:
        """
        paths: further folders to look in, relative to the tree
        rules: how markup in included pages is read
        """
        self._repository = repository
        self._root = "" if root == repository else root.relative_to(repository).as_posix()
        self._paths = [posixpath.normpath(posixpath.join(self._root, path)) for path in paths]
        self._rules = rules

    def included(self, document: Document) -> tuple[Document, Included]:
        """Returns a document with the text of the files that it includes, and what was looked for and not found. What a
        file was converted to includes nothing."""
        found = self.resolve(document) if document.origin is None else Included()
        return (replace(document, edits=found.edits) if found.edits else document), found

    def resolve(self, document: Document) -> Included:
        """Returns what stands in the place of a document's includes, and which files were looked for."""
        found = Included()
        body = unified_in_place(document.body)
        path = posixpath.join(self._root, document.path)
        room = _Room()
        found.edits = self._edits(body, (path,), found, room, outermost=True)
        return found

    def _edits(
        self, text: str, stack: tuple[str, ...], found: Included, room: _Room, *, outermost: bool = False
    ) -> tuple[TextEdit, ...]:
        edits = []
        for include in find_includes(text):
            if text[include.start - 1 : include.start] == "`" == text[include.end : include.end + 1]:
                continue  # named in a sentence
            try:
                edits.append(TextEdit(include.start, include.end, self._text(include, stack, found, room)))
            except _LostError as error:
                if outermost:
                    found.lost.append((include, str(error)))
                if text.startswith("{{#", include.start):  # mdBook's are in listings, which nobody cleans
                    edits.append(TextEdit(include.start, include.end, ""))
        return in_order(edits)

    def _text(self, include: Include, stack: tuple[str, ...], found: Included, room: _Room) -> str:
        """The text in the place of an include. Raises _LostError."""
        if len(stack) > DEEPEST:
            raise _LostError(f"more than {DEEPEST} includes within each other")
        room.files -= 1
        if room.files < 0:
            raise _LostError(f"more than {MOST_FILES} includes")
        path, whole = self._read(include.target, stack[-1], found)
        if path in stack:
            raise _LostError(f"{path} includes itself")
        part = selected(whole, include.selection)
        if part is None:
            raise _LostError(f"{path} has no such part")
        part = part.strip("\n")
        room.characters -= len(part)
        if len(part) > MOST_CHARACTERS or room.characters < 0:
            raise _LostError(f"{path}: too much text")
        part = edited(part, self._edits(part, (*stack, path), found, room))
        suffix = posixpath.splitext(path)[1].lower()
        if include.fenced:
            ticks = "`" * max(3, longest_run(part, "`") + 1)
            part = f"{ticks}{include.language or _LANGUAGES.get(suffix, suffix[1:])}\n{part}\n{ticks}"
        elif suffix in MARKDOWN:
            part = edited(part, readable_edits(part, parse_text(part, _LIMITS).blocks, self._rules)).strip("\n")
        return part.replace("\n", f"\n{include.indent}") if include.indent else part

    def _read(self, target: str, including: str, found: Included) -> tuple[str, str]:
        """The path and the text of the first file that a target may mean. Raises _LostError."""
        for path in self._candidates(target, posixpath.dirname(including)):
            taken = found.files.get(path)
            if taken is None:
                taken = found.files[path] = looked_at(self._repository, path)
            if taken == MISSING:
                continue
            try:
                with open(open_source(self._repository, path, _LIMITS), "rb") as file:
                    data = file.read(MOST_BYTES + 1)
                text = unified(data[:MOST_BYTES].decode().removeprefix(BOM))
            except DocumentError as error:
                raise _LostError(f"{path}: {error.reason}") from None
            except (OSError, UnicodeDecodeError):
                raise _LostError(f"{path} is not readable text") from None
            if path.lower().endswith(MARKDOWN):
                with contextlib.suppress(DocumentError):  # shown as it stands: the place to mend it is another
                    text = text[len(front_matter(path, text, _LIMITS).source) :]
            return path, text
        raise _LostError("no such file in the repository")

    def _candidates(self, target: str, folder: str) -> dict[str, None]:
        """The paths that a target may mean, relative to the repository, the likeliest first."""
        if "://" in target or "\\" in target or "\0" in target:
            raise _LostError("not a file of the repository")
        target = target.removeprefix("~/").removeprefix("@site/").lstrip("/")
        folders = [folder]
        while folder:
            folder = posixpath.dirname(folder)
            folders.append(folder)
        found: dict[str, None] = {}
        for base in (*folders, *self._paths, *(posixpath.join(base, "_includes") for base in folders)):
            path = posixpath.normpath(posixpath.join(base, target))
            parts = path.split("/")
            if not path.startswith(("../", "/")) and path not in ("..", ".") and ".git" not in parts:
                found[path] = None
        return found


@dataclass(slots=True)
class _Room:
    """What is left of a document's bounds."""

    characters: int = MOST_IN_ALL
    files: int = MOST_FILES


class _LostError(Exception):
    """Why an include is not resolved."""
