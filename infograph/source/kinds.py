"""Which kinds of files of a tree are documents, and what is said of the files of other kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from infograph.errors import NOT_READ, Notice
from infograph.model import MARKDOWN, OTHERS, RENDERED
from infograph.source.conversion.table import CONVERTERS, NAMED, suffix_of, unreadable

_BY_SUFFIX = re.compile(r"\*(\.[A-Za-z0-9]+)\s*\Z")
_MOST_KINDS = 6
"""Most suffixes that a notice names."""


def patterns_of_others(include: Sequence[str], commands: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the patterns that ask for files that are no documents by themselves, with those that begin with `!`; none
    where no pattern asks for one. Raises ConfigError for a pattern that asks for files that nothing reads.

    commands: suffixes that commands of the user convert
    """
    own = (*OTHERS, *CONVERTERS, *commands)
    for pattern in include:
        match = None if pattern.startswith("!") else _BY_SUFFIX.search(pattern)
        if match and not match[1].lower().endswith((*MARKDOWN, *own)):
            raise unreadable(match[1], f"source.include: `{pattern}`")
    asking = tuple(pattern for pattern in include if pattern.startswith("!") or pattern.rstrip().lower().endswith(own))
    return asking if any(not pattern.startswith("!") for pattern in asking) else ()


def asks_for_pages(patterns: Sequence[str]) -> bool:
    """Whether patterns name rendered pages, which then are documents beside the Markdown."""
    return any(not pattern.startswith("!") and pattern.rstrip().lower().endswith(RENDERED) for pattern in patterns)


class Unread:
    """Counts files that a person would call documents and that are none of this tree."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, name: str) -> None:
        self._counts[suffix_of(name, (*NAMED, *MARKDOWN))] += 1

    def notices(self, markdown: int) -> list[Notice]:
        """Returns at most one notice.

        markdown: number of Markdown pages that were taken
        """
        if not self._counts:
            return []
        common = self._counts.most_common(_MOST_KINDS)
        counts = ", ".join(f"{count:,} {suffix}" for suffix, count in common)
        rest = sum(self._counts.values()) - sum(count for _, count in common)
        counts += f", {rest:,} of other kinds" * bool(rest)
        hints = []
        if markdown and any(suffix in RENDERED for suffix in self._counts):
            taken = f"the tree holds Markdown, so its {markdown:,} pages were taken and not the rendered ones"
            hints.append(f'{taken}; `source.pages = "html"` takes those instead')
        if any(suffix in MARKDOWN for suffix in self._counts):
            hints.append('`source.pages = "html"` leaves the Markdown out')
        if named := [suffix for suffix, _ in common if suffix in CONVERTERS and suffix not in RENDERED]:
            hints.append(f"`source.include` takes them by a pattern for each kind, such as `**/*{named[0]}`")
        return [Notice(".", NOT_READ, ". ".join([counts, *hints]), sum(self._counts.values()))]
