"""Questions made from the documents themselves, for trees without a question set.

    links       the text of an internal link asks for the section it leads to
    headings    a heading that is a question is answered by what stands below it
    qa-pairs    a question of `qa-pairs.md` is answered by the sections its answer links to

The units that contain a question (`Question.origin`) are not retrieved for it. Headings have no origin, since their
sections hold the answer too: they are easy for word search, and say more about dense retrieval.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote

from infograph.evaluate.questions import Question, Span

_LINK = re.compile(r"(?<![!\\])\[(?P<text>[^\[\]\n]+)\]\((?P<target>[^()\s]+)(?:\s+[\"'][^\"'\n]*[\"'])?\)")
_MARKUP = re.compile(r"[`*]|<[^<>]*>")
_EXPLICIT = re.compile(r"\{\s*(?:/\*\s*|:?\s*#)(?P<id>[\w.-]+)[^{}]*\}\s*$")
"""An explicit anchor at the end of a heading: `{#id}`, `{: #id}`, MDX's `{/*id*/}`."""
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SUFFIXES = (".md", ".mdx", ".markdown", ".txt")
_INDEXES = ("", "/index", "/_index", "/README")
_LEAST_WORDS = 2
"""Least number of content words in a link's text: "here" and "this page" ask nothing."""
_LONGEST_HEADING = 300
"""Characters of a heading's line that are searched for an anchor."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text below it, including its subsections."""

    title: str
    """Text of the heading, without markup."""
    span: Span
    """Range of the section, which begins with the heading's first character."""


@dataclass(frozen=True, slots=True)
class QuestionSource:
    """A document from which questions are made."""

    path: str
    """Path of the document, relative to the root."""
    text: str
    """Text of the whole file, decoded."""
    sections: tuple[Section, ...]
    """Sections in the order of their headings."""
    fences: tuple[Span, ...] = ()
    """Ranges of code, in which links do not count."""
    asked: tuple[tuple[int, str], ...] | None = None
    """Questions of a `qa-pairs.md`, each with the offset of its line; None for other documents."""

    @property
    def whole(self) -> Span:
        """The range of the whole document."""
        return Span(self.path, 0, len(self.text))


@dataclass(frozen=True, slots=True)
class QuestionLanguage:
    """Words of the documents' language that matter for questions."""

    question_words: frozenset[str]
    """First words of headings that ask something, in lower case."""
    stop: frozenset[str]
    """Stop words, in lower case."""


def made_questions(sources: Sequence[QuestionSource], language: QuestionLanguage) -> tuple[Question, ...]:
    """The questions that the documents ask, each text once, sorted by document and place.

    A text that leads to several places is ambiguous and left out.
    """
    targets = _Targets(sources)
    found: dict[str, Question] = {}
    unclear: set[str] = set()
    for question in _every(sources, targets, language):
        key = question.text.casefold()
        if key in found and question.gold != found[key].gold:
            unclear.add(key)
        found.setdefault(key, question)
    return tuple(question for key, question in found.items() if key not in unclear)


def _every(sources: Sequence[QuestionSource], targets: _Targets, language: QuestionLanguage) -> Iterator[Question]:
    """All questions of the documents, with texts that occur several times."""
    for source in sources:
        if source.asked is not None:
            yield from _pairs(source, source.asked, targets)
        else:
            yield from _headings(source, language)
            yield from _links(source, targets, language)


def _headings(source: QuestionSource, language: QuestionLanguage) -> Iterator[Question]:
    """The headings that ask something; the answer is the section."""
    for section in source.sections:
        words = section.title.split()
        asks = section.title.endswith(("?", "？", "؟")) or (words and words[0].lower() in language.question_words)
        if asks and len(words) > _LEAST_WORDS:
            yield Question(f"{source.path}:{section.span.start}:heading", section.title, (section.span,))


def _links(source: QuestionSource, targets: _Targets, language: QuestionLanguage) -> Iterator[Question]:
    """The texts of links within the tree; the answer is the section or document that a link leads to."""
    for match in _LINK.finditer(source.text):
        here = Span(source.path, match.start(), match.end())
        text = " ".join(_MARKUP.sub("", match["text"]).split())
        content = [word for word in re.findall(r"\w+", text.lower()) if word not in language.stop]
        if len(content) < _LEAST_WORDS or any(fence.overlap(here) for fence in source.fences):
            continue
        target = targets.find(source.path, match["target"])
        if target is not None and not target.overlap(here):
            yield Question(f"{source.path}:{match.start()}:link", text, (target,), here)


def _pairs(source: QuestionSource, asked: Sequence[tuple[int, str]], targets: _Targets) -> Iterator[Question]:
    """The questions of a `qa-pairs.md`; the answer is where the links between a question and the next one lead."""
    for (start, text), (end, _) in pairwise([*asked, (len(source.text), "")]):
        links = (targets.find(source.path, m["target"]) for m in _LINK.finditer(source.text, start, end))
        gold = tuple(dict.fromkeys(span for span in links if span is not None and span.file != source.path))
        if gold:
            yield Question(f"{source.path}:{start}:pair", text, gold, source.whole)


class _Targets:
    """The documents and sections that links can lead to."""

    def __init__(self, sources: Sequence[QuestionSource]) -> None:
        self._sources = {source.path: source for source in sources}
        self._anchors = {source.path: dict(_anchors(source)) for source in sources}

    def find(self, path: str, target: str) -> Span | None:
        """The section, or the document without an anchor, that a link leads to; None for other and unknown targets."""
        if _ELSEWHERE.match(target):
            return None
        place, _, anchor = unquote(target).partition("#")
        file = self._file(path, place.partition("?")[0])
        if file is None:
            return None
        return self._anchors[file].get(anchor.lower()) if anchor else self._sources[file].whole

    def _file(self, path: str, place: str) -> str | None:
        """The document that a link leads to, whose suffix or `index` may be left out; None if there is none.

        A link that begins with a slash is relative to the site's root. This may be any folder above the page: the
        highest one that has such a document is taken.
        """
        if not place:
            return path
        folders = posixpath.dirname(path).split("/")
        bases = (
            ["/".join(folders[:depth]) for depth in range(len(folders) + 1)] if place[0] == "/" else ["/".join(folders)]
        )
        for base in bases:
            full = posixpath.normpath(posixpath.join(base, place.lstrip("/")))
            stem = full.removesuffix(".html")
            names = (full, *(f"{stem}{index}{suffix}" for index in _INDEXES for suffix in _SUFFIXES))
            found = next((name for name in names if name in self._sources), None)
            if found is not None:
                return found
        return None


def _anchors(source: QuestionSource) -> Iterator[tuple[str, Span]]:
    """The anchors of a document's sections, as site generators make them.

    An anchor is the explicit one of the heading, else the heading's text in lower case with hyphens; further headings
    of the same text get a number.
    """
    seen: dict[str, int] = {}
    for section in source.sections:
        start = section.span.start
        line = source.text[start : start + _LONGEST_HEADING].partition("\n")[0]
        explicit = _EXPLICIT.search(line)
        name = explicit["id"].lower() if explicit else re.sub(r"[^\w -]", "", section.title.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        yield (f"{name}-{count}" if count else name), section.span


def sections(path: str, headings: Sequence[tuple[int, str, int]], length: int) -> tuple[Section, ...]:
    """The sections of a document of `length` characters.

    headings: level, text without markup, and offset of each heading
    """
    found = []
    for position, (level, title, start) in enumerate(headings):
        end = next((other for depth, _, other in headings[position + 1 :] if depth <= level), length)
        found.append(Section(title, Span(path, start, end)))
    return tuple(found)
