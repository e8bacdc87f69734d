"""The findings of `infograph check`: problems and warnings, printed as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from infograph.errors import printable
from infograph.progress import amount


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding: a file that is not as a link or checksum promises."""

    url: str
    """Address of the file; in a folder, its path from the root as the link spells it."""
    kind: str
    """Kind of a problem: `missing`, `status`, `no-reply`, `address`, `hash`, `build-id`, `format`, `web-page`,
    `inconsistent`, `moved`, `hidden`, `unfinished`, `unit`; of a warning: `orphan`, `cors`, `front-matter`, `release`,
    `publication`."""
    message: str
    """What is wrong, for a person."""
    linked_from: str
    """Address of the index that links to the file; empty for the root."""


@dataclass(frozen=True, slots=True)
class FileCount:
    """Files of one kind that were read."""

    files: int
    bytes: int
    """Bytes of all of them, unpacked."""


class _Report:
    """What the reports of a tree and of a federation have in common."""

    __slots__ = ()
    target: str
    files: int
    bytes: int
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no problems; warnings do not count."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """The whole report as JSON values."""
        return {"ok": self.ok, **asdict(self)}  # type: ignore[call-overload]

    def _as_text(self, counts: str) -> str:
        found = f"{amount(len(self.problems), 'problem')}, {amount(len(self.warnings), 'warning')}"
        lines = [
            *_listed("problem", self.problems),
            *_listed("warning", self.warnings),
            f"{self.target}: {amount(self.files, 'file')}, {amount(self.bytes, 'byte')}: {counts}",
            found if self.problems or self.warnings else "ok",
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class CheckReport(_Report):
    """The outcome of a check."""

    target: str
    """URL or folder as it was given."""
    files: int
    """Number of files requested."""
    bytes: int
    """Bytes of all replies, unpacked."""
    topics: int
    documents: int
    chunks: int
    tokens: int
    """Tokens of all chunks, as the indexes count them."""
    repeated: int
    """Chunks whose text is, byte for byte, that of another one before them."""
    build_id: str
    """Id of the build that the root's index states; empty where it states none."""
    kinds: Mapping[str, FileCount]
    """What was read, by kind of file."""
    external: int
    """Number of links to sources outside the tree, which are not followed."""
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """The report as text: at most 50 problems and 50 warnings, then the totals."""
        counts = [amount(self.topics, "topic"), amount(self.documents, "document"), amount(self.chunks, "chunk")]
        elsewhere = f"; {amount(self.external, 'link')} to sources elsewhere not followed" if self.external else ""
        return self._as_text(f"{', '.join(counts)}{elsewhere}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCheck:
    """A site of a federation, and what was found there."""

    id: str
    href: str
    """Address of the site, as the federation has it."""
    chunks: int
    """Number of chunks of the site, as the federation has it."""
    model: str = ""
    """Embedding model as `name@revision`; empty where the site was not read, and without one."""
    language: str = ""
    tree: CheckReport | None = None
    """A check of the whole site, if that was asked for and the site was there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationCheck(_Report):
    """The outcome of a check of a federation."""

    target: str
    """Address or path as it was given."""
    files: int
    """Number of files requested, of the federation and of its sites."""
    bytes: int
    """Bytes of all replies, unpacked."""
    own: FileCount
    """Files of the federation itself."""
    pages: int
    """Pages of all sites, as the federation has them."""
    chunks: int
    sites: tuple[SiteCheck, ...]
    external: int
    """Number of sites that do not lie below the federation's address, where those were not to be asked."""
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """The report as text, as that of a tree."""
        counts = [amount(len(self.sites), "site"), amount(self.pages, "page"), amount(self.chunks, "chunk")]
        elsewhere = f"; {amount(self.external, 'site')} elsewhere not asked" if self.external else ""
        return self._as_text(f"{', '.join(counts)}{elsewhere}")


def _listed(word: str, problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems[:50]:
        origin = f" (linked from {printable(problem.linked_from)})" if problem.linked_from else ""
        yield f"{word}: {printable(problem.url)}: {printable(problem.message)}{origin}"
    if len(problems) > 50:
        yield f"{word}: {len(problems) - 50} more"
