"""Finds the names in one document, without a model: identifiers in code spans, capitalised names, the title, tags, and
compounds that were found as keywords.

All that decides over a name stands in the document itself, so that a record never depends on other documents. A
capitalised word at the beginning of a sentence is a name only where it stands in the middle of one, too; a plain word
in a code span (`name`) only where the prose does not use it as a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from infograph.model import DocumentEntities, Mention
from infograph.text.acronyms import UPPER, acronyms_in
from infograph.text.entity_keys import key_of

MOST_NAMES = 64
"""Most names of one chunk that are recorded, those that stand there most often first."""
LONGEST_SENTENCE = 240
"""Most characters of a sentence that may stand for a community."""
_SHORTEST_SENTENCE = 40

_FENCE = re.compile(r"^[ \t>]*(```+|~~~+).*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_FENCE_END = re.compile(r"\A.*?(?:^[ \t>]*(?:```+|~~~+)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE_SPAN = re.compile(r"(`(?<!``)`*+)([^`]{1,300})\1(?!`)")
_IDENTIFIER = re.compile(r"(?:--)?[^\W\d]\w*+(?:(?:\.|::|-|/)\w++)*(?:\(\))?")
_SHAPED = re.compile(r"[a-z\d][A-Z]|\w[_.:/-]|^--|\(\)$|^[A-Z]")
_NOT_TEXT = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|</?[A-Za-z][^<>]{0,2000}>"
    r"|\]\((?:[^()\n]++|\([^()\n]*+\))*\)|\]\[[^\]\n]{0,200}\]"
    r"|\{[^{}\n]{0,500}\}"
    r"|&#?\w{1,31};"
    r"|https?://[^\s)>\]]*+|www\.[^\s)>\]]++"
    r"|[@#$]\w[\w/.-]*+|(?<!\w)\w++@[\w.-]++"  # handles, decorators, variables, mail addresses
    r"|^[ \t>]*+(?:/{3,}|!{3}|\?{3}\+?|:{3,})[^\n]*|^[ \t>]*+\[[^\]\n]{1,200}\]:[^\n]*"
    r"|\[[!^][^\[\]\n]{0,80}\]|\[x?\] ",
    re.DOTALL | re.MULTILINE,
)
_HEADING = re.compile(r"^[ \t>]*#{1,6}[ \t][^\n]*$|^[^\n]+\n[ ]{0,3}(?:=++|-++)[ \t]*$", re.MULTILINE)
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|[\[\]]")
_CAPITALISED = rf"[{UPPER}][\w&’'-]*+(?:\.[{UPPER}]\w*+)*\+*"
_NAME = re.compile(
    rf"(?<![\w.'’/\\-]){_CAPITALISED}(?:[ ](?:of the|of|de la|de|du|von|van|van der|der|del|bin|al)[ ]{_CAPITALISED}"
    rf"|[ ]{_CAPITALISED}|[ ]\d{{1,4}}(?![\w.,]))*"
)
_HUMP = re.compile(rf"[a-z\d][{UPPER}]|^[{UPPER}][{UPPER}\d]+s?$")
_LOWER_WORD = re.compile(r"(?<![\w'’-])[a-zà-öø-ÿ][\w'’-]*+")
_BEGINS = re.compile(r"(?:^|[.!?:;|•…\n]|(?:^|\n)[ \t>]*(?:[-*+]|\d{1,9}[.)]))[\s\"'“‘«(]*\Z")
_SENTENCE = re.compile(
    rf"(?:^|(?<=[.!?|]))[ ]*+[^.!?\n|]{{{_SHORTEST_SENTENCE},{LONGEST_SENTENCE}}}[.!?](?=\s|\Z)", re.MULTILINE
)
_NOTES = frozenset(
    [
        "also",
        "caution",
        "danger",
        "example",
        "important",
        "info",
        "note",
        "notes",
        "see",
        "tip",
        "tips",
        "todo",
        "warning",
    ]
)
"""Words that documents write in capitals, or begin a remark with, and that name nothing."""


@dataclass(slots=True)
class _Chunk:
    """What was found in one chunk before the whole document is known."""

    names: Counter[str] = field(default_factory=Counter)
    """Capitalised names in the middle of sentences."""
    first: Counter[str] = field(default_factory=Counter)
    """Capitalised names at the beginning of sentences."""
    codes: Counter[str] = field(default_factory=Counter)
    prose: str = ""


@dataclass(frozen=True, slots=True)
class NamedText:
    """A chunk as its names are looked for."""

    text: str
    """Markdown."""
    compounds: Sequence[str] = ()
    """Compounds that may be keywords of the topic, in lower case."""
    in_fence: bool = False
    """Whether the text begins inside a fence."""
    is_code: bool = False
    """Whether all of it is code."""
    said: Sequence[tuple[str, str, int]] | None = None
    """Names that a language model found in it, with type and number, in the place of those that the text shows; None
    where none was asked."""


def document_entities(
    chunks: Sequence[NamedText], title: str, tags: Iterable[str], stop_words: frozenset[str]
) -> DocumentEntities:
    """Returns the names that a document has in each chunk, its short forms and its sentences."""
    found = [_Chunk() if chunk.is_code else _read(chunk) for chunk in chunks]
    lower = Counter(word for own in found for word in _LOWER_WORD.findall(own.prose))
    known = _Known(found, lower, stop_words | _NOTES, title)
    rows: list[tuple[Mention, ...]] = []
    sentences: list[tuple[str, tuple[int, ...]]] = []
    acronyms: dict[str, str] = {}
    left_out = 0
    for place, (chunk, own) in enumerate(zip(chunks, found, strict=True)):
        counts: Counter[tuple[str, str]] = Counter()
        if place == 0:
            counts.update((name, "title") for name in _titles(title))
            counts.update((tag, "tag") for tag in tags)
        for name, kind, count in _shown(chunk, own, known) if chunk.said is None else chunk.said:
            counts[name, kind] += count
        kept = _merged(counts, stop_words)
        left_out += max(0, len(kept) - MOST_NAMES)
        rows.append(tuple(kept[:MOST_NAMES]))
        sentences.append(_best_sentence(own.prose, rows[-1]))
        acronyms |= acronyms_in(own.prose)
    first = {key_of(mention.name) for mention in rows[0]} if rows else set()
    known_by = next((name for name in _titles(title) if key_of(name) in first), "")
    return DocumentEntities(tuple(rows), tuple(sentences), tuple(sorted(acronyms.items())), left_out, known_by)


def _shown(chunk: NamedText, own: _Chunk, known: _Known) -> Iterator[tuple[str, str, int]]:
    """Yields the names that the text of a chunk shows, each with its kind and number."""
    yield from ((name, "name", count) for name, count in known.names(own).items())
    yield from ((name, "code", count) for name, count in known.codes(own).items())
    yield from ((compound, "compound", 1) for compound in chunk.compounds)


def _read(chunk: NamedText) -> _Chunk:
    """Splits a chunk into prose and code spans, and finds what is capitalised in the prose."""
    text = chunk.text.replace("\r\n", "\n")
    if chunk.in_fence:
        text = _FENCE_END.sub("", text, count=1)
    text = _FENCE.sub("\n", text) if "```" in text or "~~~" in text else text
    parts = _CODE_SPAN.split(text)  # text, ticks, code, text, …
    found = _Chunk()
    for code in parts[2::3]:
        code = code.strip()
        if _IDENTIFIER.fullmatch(code) and 2 < len(code) <= LONGEST_SENTENCE:
            found.codes[code.removesuffix("()") if "(" in code else code] += 1
    prose = _NOT_TEXT.sub("|", "|".join(parts[::3]))
    prose = _EMPHASIS.sub("", _HEADING.sub("\n", prose))
    prose = "\n".join(" ".join(line.split()) for line in prose.split("\n"))
    found.prose = prose
    for match in _NAME.finditer(prose):
        begins = _BEGINS.search(prose, max(0, match.start() - 12), match.start())
        name = match[0].rstrip("'’-&")
        (found.first if begins or not match.start() else found.names)[name] += 1
    return found


class _Known:
    """What the whole document says of its names."""

    def __init__(self, chunks: Sequence[_Chunk], lower: Counter[str], stop: frozenset[str], title: str) -> None:
        self._lower, self._stop = lower, stop
        self._inside: Counter[str] = Counter()
        for chunk in chunks:
            self._inside.update(chunk.names)
        self._title = {word.lower() for word in title.split()}

    def names(self, chunk: _Chunk) -> Counter[str]:
        """Returns the capitalised names of a chunk that are names."""
        found: Counter[str] = Counter()
        for name, count in chunk.names.items():
            if own := self._trimmed(name, certain=True):
                found[own] += count
        for name, count in chunk.first.items():
            if own := self._trimmed(name, certain=name in self._inside or self._in_title(name)):
                found[own] += count
        return found

    def codes(self, chunk: _Chunk) -> Counter[str]:
        """Returns the identifiers of a chunk that are names."""
        kept = {
            code: count
            for code, count in chunk.codes.items()
            if code.lower() not in self._stop and (_SHAPED.search(code) or not self._lower[code])
        }
        return Counter(kept)

    def _in_title(self, name: str) -> bool:
        return all(word.lower() in self._title for word in name.split())

    def _trimmed(self, name: str, *, certain: bool) -> str:
        """Returns a capitalised run without the words that only begin a sentence; empty for no name.

        certain: its first word is not capitalised merely for standing first
        """
        words = name.split()
        while words and (words[0].lower() in self._stop or (not certain and self._ordinary(words[0]))):
            del words[0]
            certain = True
        if not words or (len(words) == 1 and not self._single(words[0], certain)):
            return ""
        return " ".join(words)

    def _ordinary(self, word: str) -> bool:
        return not _HUMP.search(word) and self._lower[word.lower()] > 0

    def _single(self, word: str, certain: bool) -> bool:
        """Whether one capitalised word alone is a name."""
        if len(word) < 2 or word.isdigit():
            return False
        if _HUMP.search(word):
            return True
        return certain and self._lower[word.lower()] < max(1, self._inside[word])


def _titles(title: str) -> list[str]:
    """Returns the names that a title gives: itself, without what is added in brackets."""
    plain = re.sub(r"\s*\([^()]*\)\s*\Z", "", title).strip()
    return [plain] if 0 < len(plain.split()) <= 6 else []


def _merged(counts: Counter[tuple[str, str]], stop_words: frozenset[str]) -> list[Mention]:
    """Returns mentions with one key as one, those that stand there most often first."""
    groups: dict[str, list[tuple[int, str, str]]] = {}
    for (name, kind), count in counts.items():
        key = key_of(name)
        if len(key) > 1 and key not in stop_words and not key.replace(" ", "").isdigit():
            groups.setdefault(key, []).append((count, name, kind))
    found = []
    for key, group in groups.items():
        _, name, kind = min(group, key=lambda item: (item[2] == "compound", -item[0], item[1]))
        found.append((-sum(count for count, _, _ in group), key, Mention(" ".join(name.split()), kind, 0)))
    return [mention._replace(times=-count) for count, _, mention in sorted(found, key=lambda item: item[:2])]


def _best_sentence(prose: str, mentions: Sequence[Mention]) -> tuple[str, tuple[int, ...]]:
    """Returns the sentence with most names, and which: of two with as many, the first."""
    best: tuple[str, tuple[int, ...]] = ("", ())
    if not mentions:
        return best
    names = [mention.name.lower() for mention in mentions]
    for match in _SENTENCE.finditer(prose):
        sentence = match[0].strip()
        lower = sentence.lower()
        has = tuple(place for place, name in enumerate(names) if name in lower)
        if len(has) > len(best[1]) and sentence[:1].isalnum():
            best = (sentence, has)
    return best
