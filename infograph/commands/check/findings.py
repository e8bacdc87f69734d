"""What `infograph check` found, for a person and for a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from infograph.errors import printable


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is not as promised."""

    url: str
    """Address; in a folder, its path from the root as the link spells it."""
    kind: str
    """`missing`, `status`, `no-reply`, `address`, `hash`, `build-id`, `format`, `web-page`, `inconsistent`, `moved`,
    `hidden`, `unfinished`; as warnings `orphan`, `cors`, `front-matter` and `release`."""
    message: str
    linked_from: str
    """The index that links there; empty for the root."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    target: str
    files: int
    """Files asked for."""
    bytes: int
    topics: int
    documents: int
    chunks: int
    external: int
    """Links to sources outside the tree, which are not followed."""
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """For a machine to read; complete."""
        return {"ok": self.ok, **asdict(self)}

    def __str__(self) -> str:
        """For a person: at most 50 problems and as many warnings, then the sums."""
        lines = [
            *_listed("problem", self.problems),
            *_listed("warning", self.warnings),
            f"{self.target}: {self.files} files, {self.bytes} bytes: {self.topics} topics, {self.documents} documents, "
            f"{self.chunks} chunks; {self.external} links to sources elsewhere were not followed",
            f"{len(self.problems)} problems, {len(self.warnings)} warnings" if self.problems or self.warnings else "ok",
        ]
        return "\n".join(lines)


def _listed(word: str, problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems[:50]:
        origin = f" (linked from {printable(problem.linked_from)})" if problem.linked_from else ""
        yield f"{word}: {printable(problem.url)}: {printable(problem.message)}{origin}"
    if len(problems) > 50:
        yield f"{word}: {len(problems) - 50} more"
