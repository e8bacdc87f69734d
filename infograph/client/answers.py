"""Shows answers of a client: as text for a terminal, a prompt and a language model's tools, and as JSON.

Pure functions. Everything that comes from a tree is untrusted: what would command a terminal is escaped.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import click

from infograph.client import (
    Answer,
    Communities,
    Context,
    Hit,
    Item,
    Passage,
    PublishedChunk,
    Topic,
    TopicEntry,
    Via,
    sources,
)
from infograph.errors import printable
from infograph.formats import chunk_file as chunkfile
from infograph.formats.index_json import EnrichedItem, dump_said
from infograph.progress import amount

Spans = Sequence[tuple[int, int]]
INDENT = "    "
_SHOWN = 5
"""Most duplicates or missing files that are named; the rest is counted."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_CORRECTED = 8
"""Most words of a query without hits that are looked up as typing slips."""
_POINTERS = 10
"""Most chunks beside a context that are pointed to; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours, width and marks of text that is shown."""

    colours: bool = False
    width: int | None = None
    """Columns at which snippets are wrapped; None for no wrapping."""
    mark: Callable[[str], Spans] = lambda text: ()
    """Returns where a snippet has words of the query; called only where there are colours."""

    def style(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self.colours and text else text


PLAIN = Look()


def block(text: str) -> str:
    """Returns several lines, safe to print: ends of lines and tabs stay."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.replace("\r\n", "\n").split("\n"))


def trail(path: Sequence[str], title: str, page_title: str = "") -> str:
    """Returns the trail of a chunk, see `sources.trail`, safe to print."""
    return printable(sources.trail(path, title, page_title))


def hit_trail(hit: Hit) -> str:
    return trail(hit.section_path, hit.title, hit.page_title)


def search_text(answer: Answer, first: int = 1, look: Look = PLAIN) -> str:
    """Returns hits as text, the best first. `first` is the number of the first one."""
    return "\n\n".join(_hit(number, hit, look) for number, hit in enumerate(answer.hits, first))


def facets_text(answer: Answer) -> str:
    """Returns the values of fields with their numbers of chunks as text, a field a line."""
    lines = []
    for name, values in answer.facets.items():
        counts = ", ".join(f"{printable(value)} {count:,}" for value, count in values)
        lines.append(f"{printable(name)}: {counts or 'none'}")
    return "\n".join(lines)


def communities_text(found: Communities) -> str:
    """Returns communities of entities as text, the best first."""
    parts = []
    for number, hit in enumerate(found.hits, 1):
        by = f"; title and summary by {hit.enriched_by}" if hit.enriched_by else ""
        lines = [f"{number:>2}. {printable(hit.title)} ({amount(hit.size, 'name')}{printable(by)})"]
        lines.append(printable(", ".join(hit.keywords)))
        lines += [f"- {printable(sentence)}" for sentence in hit.sentences]
        lines.append(printable(hit.href))
        parts.append(f"\n{INDENT}".join(lines))
    return "\n\n".join(parts)


def context_text(context: Context) -> str:
    """Returns the text that a language model should read for a question, safe to print: what `max_tokens` counted."""
    return block(context.text)


def context_sources(context: Context) -> str:
    """Returns where each passage of a context stands, by its number, and where to find more: no part of what
    `max_tokens` counted."""
    parts = [_source(number, passage) for number, passage in enumerate(context.passages, 1)]
    if context.more:
        lines = [pointer(hit) for hit in context.more[:_POINTERS]]
        if len(context.more) > _POINTERS:
            lines.append(f"and {len(context.more) - _POINTERS:,} more: give --max-tokens, or search, for them")
        parts.append("\n".join(["More here:", *lines]))
    return "\n".join(parts)


def sample_text(chunks: Iterable[tuple[Item, PublishedChunk]]) -> str:
    """Returns the chunks of a sample as text, in its order."""
    return "\n\n".join(
        f"[{number}] {trail(item.section_path, item.title)}\n{INDENT}{_place(item.href, item.tokens)}\n\n"
        f"{block(chunk.readable).strip()}"
        for number, (item, chunk) in enumerate(chunks, 1)
    )


def topic_text(topic: Topic) -> str:
    """Returns a topic as text: the topics below it, its documents and their chunks, and its neighbours."""
    parts = ["\n".join(filter(None, (topic_name(topic.id, topic.title), block(topic.description).strip())))]
    if topic.topics:
        parts.append("\n".join(["Topics:", *(f"  {entry_text(entry)}" for entry in topic.topics)]))
    for document in topic.documents.values():
        lines = [f"{printable(document.source)} ({amount(document.count, 'chunk')}):"]
        parts.append("\n".join([*lines, *(f"  {item_pointer(item)[2:]}" for item in document.items)]))
    if topic.related:
        near = (
            f"  {printable(edge.title)} ({printable(edge.href)})"
            + (f", similarity {edge.similarity:.2f}" if edge.similarity is not None else "")
            for edge in topic.related
        )
        parts.append("\n".join(["Related:", *near]))
    return "\n\n".join(parts)


def topic_name(id: str, title: str) -> str:
    return printable(f"{title} ({id})" if id else title)


def entry_text(entry: TopicEntry) -> str:
    """Returns a topic in one line."""
    counts = [amount(entry.documents, "document"), amount(entry.chunks, "chunk")]
    if entry.topics:
        counts.append(f"{amount(entry.topics, 'topic')} below")
    about = f": {printable(entry.description)}" if entry.description else ""
    return f"{topic_name(entry.id, entry.title)}, {', '.join(counts)}{about}"


def pointer(hit: Hit) -> str:
    """Returns one line that leads to a hit."""
    return f"- {hit_trail(hit)} ({_place(hit.href, hit.tokens, hit.url)})"


def item_pointer(item: Item) -> str:
    """Returns one line that leads to an item."""
    return f"- {trail(item.section_path, item.title)} ({_place(item.href, item.tokens)})"


def warnings(missing: Mapping[str, str], notes: Iterable[str], corrected: Mapping[str, str] | None = None) -> list[str]:
    """Returns what a person should know about an answer, a line each."""
    pairs = (corrected or {}).items()
    told = [f'searched for "{printable(near)}" instead of "{printable(word)}"' for word, near in pairs]
    told += [printable(note) for note in notes]
    told += [printable(f"without {name}: {reason}") for name, reason in list(missing.items())[:_SHOWN]]
    if len(missing) > _SHOWN:
        told.append(f"without {len(missing) - _SHOWN:,} more files")
    return told


def near(word: str, terms: Sequence[str]) -> str:
    """Returns the line for a word that the site does not have, with the site's terms that it may be a slip of."""
    return f"the site has nothing for {printable(word)}; it has {printable(', '.join(terms))}"


def words_of(query: str) -> list[str]:
    """Returns the first words of a query that may be typing slips, each once."""
    return list(dict.fromkeys(_WORD.findall(query)[:_CORRECTED]))


def front_matter(chunk: PublishedChunk) -> dict[str, Any]:
    """Returns the front matter of a chunk. Raises FormatError."""
    return chunkfile.read_header(chunk.href, chunk.front_matter)


def said_text(said: EnrichedItem) -> str:
    """Returns what a language model wrote about a chunk as lines, the first of which says so."""
    lines = [f"Not the document's: written about it by the language model {printable(said.by)}"]
    if said.summary:
        lines.append(f"Summary: {printable(said.summary)}")
    if said.questions:
        lines.append(f"It answers: {' '.join(map(printable, said.questions))}")
    if said.entities:
        lines.append("Names in it: " + ", ".join(f"{printable(e.name)} ({printable(e.type)})" for e in said.entities))
    return "\n".join(lines)


def _hit(number: int, hit: Hit, look: Look) -> str:
    width = look.width - len(INDENT) if look.width else 0
    snippet = printable(hit.snippet)
    shown = textwrap.wrap(snippet, max(20, width), break_on_hyphens=False) if width else [snippet]
    lines = [
        f"{number:>2}. {look.style(hit_trail(hit), bold=True)} {look.style(f'({hit.score:.1f})', dim=True)}",
        look.style(printable(hit.url or hit.page), fg="blue", underline=True),
        *(_marked(line, look) for line in shown if line),
        look.style(_place(hit.href, hit.tokens), dim=True),
        *(look.style(line, dim=True) for line in _whole(hit)),
    ]
    lines += [look.style(line, dim=True) for line in (*known(hit), *ways(hit))]
    if hit.duplicates:
        lines.append(look.style(_duplicates(hit.duplicates), dim=True))
    return f"\n{INDENT}".join(lines)


def _whole(hit: Hit) -> list[str]:
    """Returns the line that says which section a hit stands for; none where it stands for itself."""
    if hit.unit is None:
        return []
    name = f'"{printable(hit.unit.section_path[-1])}"' if hit.unit.level else "the whole page"
    return [f"with its neighbours: {name}, {amount(hit.unit.size, 'chunk')}, {amount(hit.unit.tokens, 'token')}"]


def _marked(text: str, look: Look) -> str:
    if not look.colours:
        return text
    shown, at = "", 0
    for start, end in look.mark(text):
        shown += text[at:start] + look.style(text[start:end], fg="yellow", bold=True)
        at = end
    return shown + text[at:]


def _source(number: int, passage: Passage) -> str:
    first = passage.hits[0]
    lines = [
        f"[{number}] {hit_trail(first)}{' (excerpt)' if passage.excerpt else ''}",
        printable(first.url or first.page),
        f"{', '.join(printable(hit.href) for hit in passage.hits)}, {amount(passage.tokens, 'token')}",
    ]
    lines += [line for hit in passage.hits for line in known(hit)]
    if passage.duplicates:
        lines.append(_duplicates(passage.duplicates))
    return f"\n{INDENT}".join(lines)


def _duplicates(hits: Sequence[Hit]) -> str:
    named = ", ".join(printable(hit.href) for hit in hits[:_SHOWN])
    return f"nearly the same: {named}" + (f" and {len(hits) - _SHOWN:,} more" if len(hits) > _SHOWN else "")


def known(hit: Hit) -> list[str]:
    """Returns the line that says which question like the one asked a hit is known to answer; none without one."""
    matched = hit.matched_question
    if matched is None:
        return []
    apart = f" ({amount(matched.distance, 'bit')} from yours)" if matched.distance else ""
    return [f'known to answer "{printable(matched.text)}"{apart}']


def ways(hit: Hit) -> list[str]:
    """Returns what led to a hit beside its words, a line each: the names in common, the page and its evidence."""
    names = [f"by way of the name {printable(sources.ON_TO.join(hit.path))}"] if hit.path else []
    if (said := hit.relation) is not None:
        stated = printable(f"{said.source} {said.relation} {said.target}")
        names[-1] += f' (a language model, {printable(said.by)}, says that pages state: "{stated}")'
    return names + ([] if hit.via is None else [led(hit.via)])


def led(via: Via) -> str:
    """Returns the line that says which page led to a hit, and by what evidence."""
    said = {
        "link": ("which links to it", "to which it links"),
        "relation": ("whose front matter names it", "which its front matter names"),
        "title": ("which names it", "which it names"),
        "identifier": ("which uses what it defines", "which defines what it uses"),
    }
    return f"by way of {printable(via.page_title or via.page)}, {said[via.evidence][via.back]}"


def _place(href: str, tokens: int | None, url: str = "") -> str:
    return ", ".join(filter(None, (printable(url), printable(href), "" if tokens is None else amount(tokens, "token"))))


def as_json(value: Any) -> Any:
    """Returns an answer as JSON, by the names of the files. Unknown values are left out, and hashes are hex digits:
    numbers past 2^53 change in many readers. What an answer has cost is no part of it. Raises FormatError for a chunk
    whose front matter does not parse."""
    if isinstance(value, PublishedChunk):
        said = as_json(front_matter(value))
        return {"href": value.href, "sha256": value.sha256, "front_matter": said, "text": value.text}
    if isinstance(value, EnrichedItem):
        return dump_said(value)
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: getattr(value, field.name) for field in fields(value) if field.name != "stats"}
        if isinstance(value, Item):
            named["keywords"] = [{"name": name, "score": score} for name, score in value.keywords]
            named["prompt_hashes_hex"] = [f"{hash:016x}" for hash in named.pop("prompt_hashes")]
        return {name: as_json(own) for name, own in named.items() if own is not None}
    if isinstance(value, Mapping):
        return {name: as_json(own) for name, own in value.items()}
    return [as_json(own) for own in value] if isinstance(value, list | tuple) else value
