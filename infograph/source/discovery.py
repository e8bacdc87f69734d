"""Finds the documents of a tree in a sorted walk that follows no link and opens few files.

It opens .gitignore files, and files whose names infograph uses itself, to look for its mark.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

from infograph.errors import DocumentError, Notice
from infograph.files.stamps import settled
from infograph.formats.marks import CHUNK_HEAD_BYTES, HEAD_BYTES, is_marked, is_specification, written_by_us
from infograph.formats.names import (
    CHUNKS,
    CONVERTED,
    ENRICHMENT,
    OUTPUT_MARK,
    OWN_FOLDERS,
    is_own_name,
    is_published,
    is_spec,
)
from infograph.model import MARKDOWN, OTHERS, RENDERED, stem_of
from infograph.source.conversion.table import CONVERTERS, NAMED
from infograph.source.file_names import is_utf8, unusable, without_collisions
from infograph.source.ignores import (
    MOST_BYTES,
    Ignored,
    everything,
    ignored_by,
    ignoring,
    patterns_of_outer_files,
    patterns_of_setting,
    read_lines,
    read_patterns,
    wanted_by_setting,
)
from infograph.source.kinds import Unread, asks_for_pages, patterns_of_others

DEEPEST = 200
"""Limit on nested folders. Deeper ones are a mistake (a link copied into itself) and hard on every tool."""


@dataclass(frozen=True, slots=True)
class SourceRules:
    """Rules that tell which files are sources."""

    include: tuple[str, ...] = ()
    """gitignore patterns, relative to the root; when there are any, a document must match one. Source code, tables
    and transcripts must match one that ends in their suffix: `src/` means the pages in it, `src/**/*.py` the code."""
    exclude: tuple[str, ...] = ()
    """gitignore patterns, relative to the root."""
    gitignore: bool = True
    """Respect the .gitignore files of the tree and, inside a git repository, those of the directories above it."""
    suffixes: tuple[str, ...] = MARKDOWN
    """Suffixes of files that need no pattern, compared without regard to case."""
    pages: str = "auto"
    """Which pages are documents: `markdown`, `html` (rendered ones), or `auto`, those of Markdown where the tree holds
    any."""
    commands: tuple[str, ...] = ()
    """Suffixes of files that commands of the user convert."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The findings of a walk."""

    documents: tuple[str, ...]
    """Posix paths relative to the root, sorted."""
    notices: tuple[Notice, ...] = ()
    errors: tuple[DocumentError, ...] = ()
    """Files and directories that should be sources and cannot be; sorted by place."""
    listed: Mapping[str, int] = field(default_factory=dict)
    """Directories of infograph's own that hold no other files, with their modification times in nanoseconds."""


def discover(
    root: Path, rules: SourceRules, output: Path | None = None, listed: Mapping[str, int] | None = None
) -> Discovery:
    """Finds the documents below `root`.

    Raises DocumentError when `root` itself cannot be listed, and ConfigError for a broken pattern, or a .gitignore
    above the tree that is too large.

    listed: `Discovery.listed` of an earlier walk: directories unchanged since then are not listed again

    Left out: files and directories whose names begin with a dot, `node_modules`, infograph's own output (by name;
    `output` when it lies in the tree; any directory with the mark of an output tree), what the rules exclude.
    Symlinks, FIFOs, sockets and devices are skipped with a notice, never followed or opened.
    """
    walk = _Walk(root, rules, output, listed or {})
    walk.directory("", patterns_of_outer_files(root) if rules.gitignore else ())
    walk.choose()
    return Discovery(
        documents=tuple(without_collisions(sorted(walk.documents), walk.errors)),
        notices=tuple(sorted(walk.notices, key=lambda notice: (notice.path, notice.kind))),
        errors=tuple(sorted(walk.errors, key=lambda error: error.place)),
        listed=walk.clean,
    )


class _Walk:
    """Holds the compiled rules and the findings of one walk."""

    def __init__(self, root: Path, rules: SourceRules, output: Path | None, listed: Mapping[str, int]) -> None:
        self.root = os.fspath(root)
        self.rules = rules
        self.include = wanted_by_setting(rules.include, "source.include")
        others = patterns_of_others(rules.include, rules.commands)
        self.include_others = wanted_by_setting(others, "source.include")
        asked = (*OTHERS, *CONVERTERS, *rules.commands) if others else ()
        self.suffixes = tuple(suffix.lower() for suffix in (*rules.suffixes, *asked))
        self.asked = tuple(suffix for suffix in asked if suffix not in RENDERED or asks_for_pages(others))
        """Suffixes of the files that patterns of their own ask for."""
        self.pages: list[tuple[str, Notice | DocumentError | None]] = []
        """Rendered pages that no pattern of their own asks for, each with what keeps it from being a document."""
        self.unread = Unread()
        self.exclude = patterns_of_setting(rules.exclude, "source.exclude")
        self.output = _below(root, output)
        self.documents: list[str] = []
        self.notices: list[Notice] = []
        self.errors: list[DocumentError] = []
        self.listed = listed
        self.clean: dict[str, int] = {}

    def directory(self, path: str, ignores: tuple[Ignored, ...]) -> None:
        """Collects the documents in the directory `path` (relative; empty for the root) and below it."""
        try:
            with os.scandir(os.path.join(self.root, path) if path else self.root) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            failure = DocumentError(
                _shown(path) or ".", f"the directory cannot be listed: {error.strerror}", "Its documents are missing"
            )
            if not path:
                raise failure from error
            self.errors.append(failure)
            return
        prefix = f"{path}/" if path else ""
        if self.rules.gitignore and any(entry.name == ".gitignore" for entry in entries):
            own = self.gitignore(prefix)
            ignores = (*ignores, own) if own else ignores
        for entry in entries:
            name = entry.name
            relative = prefix + name
            if entry.is_dir(follow_symlinks=False):
                if name in OWN_FOLDERS or name == ENRICHMENT:
                    if not self.skipped(relative, True, ignores):
                        stems = {stem_of(entry.name) for entry in entries} if name == CHUNKS else set()
                        self.own_directory(relative, name, ignores, stems)
                elif self.descends(name, relative, ignores):
                    self.directory(relative, ignores)
                continue
            regular = entry.is_file(follow_symlinks=False)
            lower = name.lower()
            if name.startswith(".") or (regular and not lower.endswith((*self.suffixes, *NAMED))):
                continue
            if self.skipped(relative, False, ignores):
                continue
            page = lower.endswith(RENDERED) and not lower.endswith(self.asked)
            if regular and not page and not lower.endswith(self.suffixes):
                self.unread.add(name)
                continue
            if is_spec(name):
                if regular and not is_specification(_head(entry.path)):
                    self.notice(relative, "reserved-name", "a page of this name is never indexed: rename it")
                continue
            if regular and (
                not self.included(name, relative) or (is_published(relative) and is_marked(_head(entry.path)))
            ):
                continue
            self.found(relative, _obstacle(entry, relative), page=page)

    def found(self, relative: str, obstacle: Notice | DocumentError | None, *, page: bool) -> None:
        """Notes a file that is to be a document, or what keeps it from being one.

        page: it is a rendered page, of which the whole tree decides
        """
        if page:
            self.pages.append((relative, obstacle))
        elif isinstance(obstacle, Notice):
            self.notices.append(obstacle)
        elif obstacle is not None:
            self.errors.append(obstacle)
        else:
            self.documents.append(relative)
            if not relative.isascii():
                self.look_at_name(relative)

    def choose(self) -> None:
        """Decides between Markdown and rendered pages."""
        markdown = [path for path in self.documents if path.lower().endswith(MARKDOWN)]
        if self.rules.pages == "html" or (self.rules.pages == "auto" and not markdown):
            for relative, obstacle in self.pages:
                self.found(relative, obstacle, page=False)
            if self.rules.pages == "html":
                for path in markdown:
                    self.unread.add(path)
                self.documents = [path for path in self.documents if path not in {*markdown}]
                markdown = []
        else:
            for relative, _ in self.pages:
                self.unread.add(relative)
        self.notices += self.unread.notices(len(markdown))

    def own_directory(self, path: str, own: str, ignores: tuple[Ignored, ...], stems: Set[str] = frozenset()) -> None:
        """Notes documents of other authors in a directory of infograph's own.

        Names tell which files are infograph's, and none of these is opened but chunk files without a document: there
        are more files here than documents. A directory that cannot be listed is left to those who write there.

        own:   the directory's name, which tells the names of its files; empty for a directory within such a one
        stems: stems of the files beside a directory of chunk files
        """
        with contextlib.suppress(OSError):
            place = f"{self.root}/{path}"
            changed = os.lstat(place).st_mtime_ns

            def is_stray(name: str) -> bool:
                """Whether a file with the name of a chunk file has no document and is no chunk file."""
                stem = name.removesuffix(CONVERTED)
                stem = name.removesuffix(".md").rpartition("-")[0] if stem == name else stem
                if own != CHUNKS or stem in stems:
                    return False
                return not written_by_us(f"{CHUNKS}/{name}", _head(f"{place}/{name}", CHUNK_HEAD_BYTES) or b"-")

            if self.listed.get(path) == changed:
                self.clean[path] = changed
                return
            with os.scandir(place) as entries:
                names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
            foreign = sorted(n for n, folder in names if folder or not is_own_name(own, n) or is_stray(n))
            if not foreign and settled(changed):
                self.clean[path] = changed
            for name in foreign:
                relative = f"{path}/{name}"
                if name.startswith("."):
                    continue
                directory = _is_directory(f"{self.root}/{relative}")
                if self.skipped(relative, directory, ignores):
                    continue
                if name.lower().endswith(self.suffixes):
                    if self.included(name, relative):
                        reason = (
                            "a document in a folder that infograph keeps for its own files is never indexed: move it"
                        )
                        self.notice(relative, "reserved-name", reason)
                elif directory and path.count("/") < DEEPEST:
                    self.own_directory(relative, "", ignores)

    def included(self, name: str, relative: str) -> bool:
        """Whether the `include` patterns, if any, ask for this file."""
        if not self.rules.include:
            return True
        include = self.include_others if name.lower().endswith(self.asked) else self.include
        return include is None or include(relative)

    def descends(self, name: str, relative: str, ignores: tuple[Ignored, ...]) -> bool:
        """Whether the walk enters a directory; notes an error for one that it cannot enter."""
        if name.startswith(".") or name == "node_modules" or relative == self.output:
            return False
        if self.skipped(relative, True, ignores):
            return False
        if not is_utf8(name):
            self.errors.append(DocumentError(_shown(relative), "the directory's name is not UTF-8", "Rename it"))
            return False
        if relative.count("/") >= DEEPEST:
            reason = f"the directory lies more than {DEEPEST} folders deep"
            self.errors.append(DocumentError(relative, reason, "Its documents are missing"))
            return False
        return not os.path.lexists(f"{self.root}/{relative}/{OUTPUT_MARK}")

    def skipped(self, relative: str, directory: bool, ignores: tuple[Ignored, ...]) -> bool:
        """Whether the `exclude` patterns or the ignore files leave out a path."""
        if self.exclude and self.exclude(relative, directory):
            return True
        return ignored_by(ignores, relative, directory)

    def look_at_name(self, relative: str) -> None:
        """Notes invisible characters in a path, which is part of every link to the document and every citation."""
        from infograph.source.hidden import INVISIBLE  # few trees have such names
        from infograph.text.unseen import unseen

        if next(unseen(relative), None):
            self.notice(relative, INVISIBLE, "invisible characters in its path, which stands in all links to it")

    def gitignore(self, prefix: str) -> Ignored | None:
        """The rules of one .gitignore file.

        A link or an unreadable file gives a notice and no rules. A file above the size limit hides its whole folder,
        since some of it must not be published.
        """
        path = f"{prefix}.gitignore"
        try:
            lines = read_lines(f"{self.root}/{path}")
        except OSError as error:
            self.notice(path, "unreadable", f"its patterns are not used: {error.strerror}")
            return None
        if lines is None:
            reason = f"more than {MOST_BYTES} bytes: its patterns are not used, and nothing in its folder is indexed"
            self.notice(path, "unreadable", reason)
            return everything
        patterns, broken = read_patterns(lines)
        for line in broken:
            self.notice(path, "unreadable", f"`{_shown(line.strip())}` is no pattern and is not used")
        return ignoring(patterns, prefix)

    def notice(self, relative: str, kind: str, message: str) -> None:
        self.notices.append(Notice(_shown(relative), kind, message))


def _obstacle(entry: os.DirEntry[str], relative: str) -> Notice | DocumentError | None:
    """Returns what keeps a file from being a document; None for one that can be."""
    path = _shown(relative)
    if entry.is_symlink():
        return Notice(path, "symlink", "a symbolic link is not followed")
    if not entry.is_file(follow_symlinks=False):
        return Notice(path, "not-regular", "a FIFO, socket or device is not opened")
    if (reason := unusable(entry.name)) is not None:
        return DocumentError(path, reason, "Rename the file")
    return None


def _is_directory(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:  # gone since it was listed, as an editor's temporary files are
        return False


def _head(path: str, size: int = HEAD_BYTES) -> bytes:
    """The first bytes of a file; empty when it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, size)
    except OSError:  # a directory
        return b""
    finally:
        os.close(descriptor)


def _below(root: Path, output: Path | None) -> str | None:
    """`output` as a posix path relative to the root; None when it lies elsewhere or is the root."""
    if output is None:
        return None
    resolved, base = output.resolve(), root.resolve()
    return resolved.relative_to(base).as_posix() if resolved != base and resolved.is_relative_to(base) else None


def _shown(path: str) -> str:
    """A printable form of a path, with bytes that are not UTF-8 as \\xNN."""
    return path if is_utf8(path) else os.fsencode(path).decode("utf-8", "backslashreplace")
