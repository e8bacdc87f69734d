"""A tool's result as text, from its fields alone: the whole of it, or in a few words beside the fields.

What comes from a tree is escaped where it would command a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from infograph.client import answers
from infograph.client.token_estimate import line_tokens, margin
from infograph.errors import printable
from infograph.integrations.mcp.results import (
    FoundHit,
    FoundSource,
    FurtherChunk,
    ListedTopic,
    MatchResult,
    ModelSaid,
    ReadResult,
    RetrieveResult,
    SampleResult,
    SearchResult,
    TextSource,
    TopicsResult,
)
from infograph.progress import amount

_NAMED = 3
"""Most titles in a few words."""


def search_text(result: SearchResult, whole: bool) -> str:
    """Returns the text of a search: hits with their snippets, and how to get more."""
    on = "" if result.next_offset is None else f"There are more: search again with offset={result.next_offset}."
    if not result.hits:
        nothing = "Nothing found. Try other words, or no path; `topics` lists what there is."
        if result.total:
            nothing = f"No hits from this offset on, {result.total:,} before it: search again with a smaller one."
        return _joined([nothing, *_remarks(result.corrected, result.notes)])
    if not whole:
        return f"{amount(len(result.hits), 'hit')}: {_few(hit.title for hit in result.hits)}. {on}".rstrip()
    shown = []
    for hit in result.hits:
        lines = [_trail(hit), _place(hit), hit.snippet, *_found(hit), *_same(hit.nearly_the_same), *_section(hit)]
        shown.append(_lines("- ", lines))
    return _joined(["\n".join(shown), on, *_remarks(result.corrected, result.notes)])


def retrieve_text(result: RetrieveResult, whole: bool) -> str:
    """Returns the text of passages, and where there is more."""
    if not result.passages:
        more = f"No passage fits; the best: {_few(own.title for own in result.more)}." if result.more else ""
        nothing = "Nothing found. Try other words, or no path; `topics` lists what there is."
        return _joined([more or nothing, *_remarks(result.corrected, result.notes)])
    if not whole:
        titles = _few(passage.title for passage in result.passages)
        return f"{amount(len(result.passages), 'passage')}, {amount(result.tokens, 'token')}: {titles}."
    parts = []
    for passage in result.passages:
        lines = [
            f"{_trail(passage)}{' (excerpt)' if passage.excerpt else ''}",
            passage.url or passage.document,
            f"id: {', '.join([passage.id, *passage.continues])}, {amount(passage.tokens, 'token')}",
            *_found(passage),
            *_same(passage.nearly_the_same),
        ]
        parts.append(f"{_lines(f'[{passage.number}] ', lines)}\n\n{answers.block(passage.text).strip()}")
    if result.more:
        parts.append("\n".join(["More here, for `read`:", *map(further_line, result.more)]))
    return _joined([*parts, *_remarks(result.corrected, result.notes)])


def retrieve_tokens(result: RetrieveResult) -> int:
    """Returns the tokens of the whole text of passages, sources and all, with what excerpts may have more: seldom too
    few."""
    bare = [passage.model_copy(update={"text": ""}) for passage in result.passages]
    lines = retrieve_text(result.model_copy(update={"passages": bare}), True)
    estimated = sum(passage.tokens or 0 for passage in result.passages if passage.excerpt)
    return line_tokens(lines) + sum(passage.tokens or 0 for passage in result.passages) + margin(estimated)


def further_line(own: FurtherChunk) -> str:
    """Returns the line on a chunk beside the passages."""
    return printable(f"- {own.title} ({own.id}, {amount(own.tokens, 'token')})")


def read_text(result: ReadResult, whole: bool) -> str:
    """Returns the text of a read, with its place, its neighbours and how it goes on."""
    on = f"The text goes on: read again with cursor={result.next_cursor}." if result.next_cursor else ""
    if not whole:
        return f"{printable(_trail(result))}, {amount(result.tokens or 0, 'token')}. {on}".rstrip()
    beside = [f"{way}: {id}" for way, id in (("previous", result.previous), ("next", result.next)) if id]
    parts = [_head(result), answers.block(result.text).strip()]
    if result.said:
        parts.append(_said(result.said))
    return _joined([*parts, on, printable(f"More here: {', '.join(beside)}") if beside else ""])


def sample_text(result: SampleResult, whole: bool) -> str:
    """Returns the texts of a sample, and the ids of those that did not fit."""
    if not result.items:
        return "No documents of its own: sample a topic below it."
    if not whole:
        return f"{amount(len(result.items), 'chunk')}: {_few(item.title for item in result.items)}."
    parts = [
        f"[{number}] {_head(item)}\n\n{answers.block(item.text).strip()}"
        for number, item in enumerate(result.items, 1)
        if item.text is not None
    ]
    rest = [printable(f"- {_trail(item)} ({_place(item)})") for item in result.items if item.text is None]
    return _joined([*parts, "\n".join(["More here, for `read`:", *rest]) if rest else ""])


def topics_text(result: TopicsResult, whole: bool) -> str:
    """Returns a topic's description, the topics below it and its documents."""
    counts = f"{amount(len(result.topics), 'topic')} below, {amount(len(result.documents), 'document')}"
    if not whole:
        return f"{answers.topic_name(result.id, result.title)}: {counts}."
    parts = [_joined([answers.topic_name(result.id, result.title), answers.block(result.description)], "\n")]
    if result.topics:
        parts.append("\n".join(["Topics below, for `topics` and `sample`:", *map(_entry, result.topics)]))
    if result.documents:
        documents = (
            printable(f"- {own.title} ({own.source}), {amount(own.chunks, 'chunk')}, the first: {own.id}")
            for own in result.documents
        )
        parts.append("\n".join(["Documents, for `read`:", *documents]))
    if result.left_out:
        parts.append(
            f"{result.left_out:,} more are not listed: `search` with path={result.id!r} finds what is in them."
        )
    return _joined(parts)


def match_text(result: MatchResult, whole: bool) -> str:
    """Returns the chunks with a known question like the one asked."""
    if not result.hits:
        return "No known question is like this one: `search` for it."
    if not whole:
        return f"{amount(len(result.hits), 'chunk')}: {_few(hit.title for hit in result.hits)}."
    return "\n".join(_lines("- ", [_trail(hit), _place(hit), *_found(hit)]) for hit in result.hits)


def _joined(parts: Iterable[str], between: str = "\n\n") -> str:
    return between.join(filter(None, parts))


def _lines(mark: str, lines: Sequence[str]) -> str:
    """Returns lines below each other, all but the first one indented."""
    return mark + f"\n{answers.INDENT}".join(printable(line) for line in lines if line)


def _few(titles: Iterable[str]) -> str:
    """Returns the first titles, each once."""
    named = list(dict.fromkeys(titles))
    return printable(", ".join(named[:_NAMED]) + (", …" if len(named) > _NAMED else ""))


def _trail(source: TextSource) -> str:
    return answers.trail(source.section_path, source.title)


def _place(source: TextSource) -> str:
    tokens = "" if source.tokens is None else amount(source.tokens, "token")
    return ", ".join(filter(None, (source.url or source.document, source.id, tokens)))


def _head(source: TextSource) -> str:
    """Returns the lines above a text: headings, address and id."""
    return _lines("", [_trail(source), source.url or source.document, f"id: {source.id}"])


def _found(source: FoundSource) -> list[str]:
    """Returns what led to a source beside its words, a line each."""
    known = f'known to answer "{source.known_to_answer}"' if source.known_to_answer else ""
    return list(filter(None, (known, f"by way of {source.by_way_of}" if source.by_way_of else "")))


def _section(hit: FoundHit) -> list[str]:
    """Returns the lines on the section that a hit stands for, if it stands for one."""
    if hit.section is None:
        return []
    own = hit.section
    named = f'section "{own.headings[-1]}"' if own.headings else "whole document"
    line = f"stands for the {named}: {amount(own.tokens, 'token')} in {', '.join(own.chunks)}"
    return [line, f"summary by a language model: {own.summary}"] if own.summary else [line]


def _same(ids: Sequence[str]) -> list[str]:
    return [f"nearly the same: {', '.join(ids)}"] if ids else []


def _remarks(corrected: dict[str, str], notes: Iterable[str]) -> list[str]:
    said = [*answers.warnings({}, (), corrected), *notes]
    return [f"Note: {note}" for note in said]


def _entry(topic: ListedTopic) -> str:
    """Returns a topic in one line."""
    counts = [amount(topic.documents, "document"), amount(topic.chunks, "chunk")]
    below = [f"{amount(topic.topics, 'topic')} below"] if topic.topics else []
    about = f": {printable(topic.description)}" if topic.description else ""
    return f"- {answers.topic_name(topic.id, topic.title)}, {', '.join(counts + below)}{about}"


def _said(said: ModelSaid) -> str:
    """Returns what a language model wrote about a chunk as lines, the first of which says so."""
    lines = [f"Not the document's: written about it by the language model {said.by}"]
    if said.summary:
        lines.append(f"Summary: {said.summary}")
    if said.questions:
        lines.append(f"It answers: {' '.join(said.questions)}")
    if said.entities:
        lines.append(f"Names in it: {', '.join(said.entities)}")
    return "\n".join(map(printable, lines))
