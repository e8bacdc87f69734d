"""Passages that questions are made of: runs of blocks of a document, with the names in them; and pairs of passages."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infograph.evaluate.dataset import ParsedDocument
from infograph.evaluate.questions import Span
from infograph.formats.names import topic_of
from infograph.graph.mentions import NamedText, document_entities
from infograph.text.lines import line_starts

MOST_NAMES = 5
"""Names of a passage that pairs are looked for by."""
_FEW = 8
"""Passages that a name may stand in, however few there are."""
_COMMON = 0.2
"""Share of all passages beyond which a name says nothing of what two have in common."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A passage of one document."""

    span: Span
    """Where it stands in the file."""
    text: str
    title: str
    """Title of the document."""
    names: tuple[str, ...]
    """What it names, the most frequent first, in lower case."""
    tags: frozenset[str]
    """What its document is about: tags of its front matter, else its topic."""


@dataclass(frozen=True, slots=True)
class SegmentPair:
    """Two passages that have a name in common."""

    first: Segment
    second: Segment
    name: str

    @property
    def kind(self) -> str:
        """`SF2H` for two passages of one file, `MF2H` for those of two."""
        return "SF2H" if self.first.span.file == self.second.span.file else "MF2H"


def segments(parsed: ParsedDocument, words: int, least: int, stop_words: frozenset[str]) -> list[Segment]:
    """Returns the passages of a document, cut at the edges of its blocks.

    words: least number of words at which a passage is closed
    least: words that a last passage must have to count
    """
    document = parsed.document
    spans = list(_spans(parsed, words, least))
    texts = [document.body[start:end] for start, end in spans]
    named = document_entities([NamedText(text) for text in texts], document.title or "", document.keywords, stop_words)
    tags = frozenset(map(str.casefold, document.keywords)) or frozenset({f"topic:{topic_of(document.path)}"})
    offset = len(document.prefix)
    found = []
    for (start, end), text, mentions in zip(spans, texts, named.chunks, strict=True):
        counts = Counter[str]()
        for mention in mentions:
            counts[mention.name.casefold()] += mention.times
        names = tuple(name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_NAMES])
        span = Span(document.path, offset + start, offset + end)
        found.append(Segment(span, text, document.title or document.name, names, tags))
    return found


def _spans(parsed: ParsedDocument, words: int, least: int) -> Iterator[tuple[int, int]]:
    body = parsed.document.body
    starts = [*line_starts(body), len(body)]
    begun, count = None, 0
    for block in parsed.blocks:
        start, end = starts[block.start], starts[min(block.end, len(starts) - 1)]
        begun = start if begun is None else begun
        count += len(body[start:end].split())
        if count >= words:
            yield begun, end
            begun, count = None, 0
    if begun is not None and count >= least:
        yield begun, starts[-1]


def pairs(found: Sequence[Segment], seed: int) -> tuple[list[SegmentPair], list[SegmentPair]]:
    """Returns pairs of passages of one file, and of two files that are about the same, each with a name in common;
    each passage at most once in either list, in an order that the seed shuffles."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, segment in enumerate(found):
        for name in segment.names:
            by_name[name].append(number)
    most = max(_FEW, round(_COMMON * len(found)))
    candidates = [
        SegmentPair(found[a], found[b], name)
        for name, numbers in sorted(by_name.items())
        if 2 <= len(numbers) <= most
        for place, a in enumerate(numbers)
        for b in numbers[place + 1 :]
    ]
    random.Random(seed).shuffle(candidates)
    taken: dict[str, set[Span]] = {"SF2H": set(), "MF2H": set()}
    kept: dict[str, list[SegmentPair]] = {"SF2H": [], "MF2H": []}
    for pair in candidates:
        used = taken[pair.kind]
        alike = pair.kind == "SF2H" or pair.first.tags & pair.second.tags
        if alike and not used & {pair.first.span, pair.second.span}:
            used |= {pair.first.span, pair.second.span}
            kept[pair.kind].append(pair)
    return kept["SF2H"], kept["MF2H"]
