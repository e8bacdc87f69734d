"""The tools that a server offers for each of its sites. All only read, and all answers have a greatest length.

retrieve ─▶ text to answer from
search ───▶ ids ─▶ read ─▶ the text of a chunk, a section, a page
topics ───▶ what there is ─▶ sample, read
match ────▶ chunks with a known question like the one asked
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from infograph.client import Citation, ClientError, Context, Hit, Item, Passage, Topic, answers
from infograph.client.graph import plain_path, topic_id
from infograph.client.token_estimate import line_tokens
from infograph.integrations.mcp import texts
from infograph.integrations.mcp.arguments import (
    MatchToolArguments,
    ReadToolArguments,
    RetrieveToolArguments,
    SampleToolArguments,
    SearchToolArguments,
    ToolArguments,
    TopicsToolArguments,
)
from infograph.integrations.mcp.reading import LONGEST_TEXT, document_at, read
from infograph.integrations.mcp.results import (
    FoundHit,
    FoundSection,
    FurtherChunk,
    ListedDocument,
    ListedTopic,
    MatchedChunk,
    MatchResult,
    PassageText,
    ReadResult,
    RetrieveResult,
    SampledText,
    SampleResult,
    SearchResult,
    TextSource,
    ToolResult,
    TopicsResult,
    model_said,
)
from infograph.integrations.mcp.site import WAYS_OUT, OpenSite
from infograph.progress import amount

LONGEST_QUERY = 10_000
"""Characters of a query that are used; the rest is ignored."""
MOST_SAMPLED = 4_000
"""Most tokens of all texts of a sample."""
MOST_LISTED = 100
"""Most topics, and most documents, in one list."""
_TRIES = 4
"""How often a context is chosen anew since the lines on its sources left less room."""
MOST_FURTHER = 5
"""Most chunks that `retrieve` lists beside its passages."""

_OF_GRAPH = {"missing": "Search without `graph`, unless the site was there a moment ago: it may have no graph of names"}


async def search(site: OpenSite, asked: SearchToolArguments) -> SearchResult:
    """Find the sections of the site that answer a question: their titles, snippets and ids, the best first."""
    query, notes = _bounded(asked.query)
    with site.telling(_ways_out(asked)):
        # One hit more than is shown tells whether there are more: with a path, `total` is only a bound.
        found = await site.client.search(
            query, limit=asked.limit + 1, offset=asked.offset, texts=True, mode=asked.mode, **_how(site, asked)
        )
        if not (found.hits or found.missing or asked.offset):
            notes += await _why_nothing(site, query, asked)
        corrected = dict(found.corrected)
        searched = " ".join([query, *corrected.values()])
        hits = await asyncio.gather(*(_found_hit(site, searched, hit) for hit in found.hits[: asked.limit]))
    return SearchResult(
        hits=hits,
        total=found.total,
        total_relation=found.total_relation,
        confidence=round(found.confidence, 4),
        next_offset=asked.offset + asked.limit if len(found.hits) > asked.limit else None,
        corrected=corrected,
        notes=notes + answers.warnings(found.missing, found.notes),
    )


async def retrieve(site: OpenSite, asked: RetrieveToolArguments) -> RetrieveResult:
    """Give text of the site to answer a question from, with its sources: the best sections and what stands beside them,
    as much as `max_tokens` holds."""
    query, notes = _bounded(asked.query)
    room, result = asked.max_tokens, None
    with site.telling(_ways_out(asked)):
        filling = asked.model_dump(include={"question_class", "level", "packing", "split"})
        # Where passages stand is known when they are chosen: with less room, until both fit.
        for _ in range(_TRIES):
            context = await site.client.retrieve(query, room, **_how(site, asked), **filling)
            found, last = _retrieved(context, asked.max_tokens, notes), result
            result = found if found.passages or last is None else last
            if result.tokens <= asked.max_tokens or not found.passages:
                break
            room = max(1, min(room, context.tokens) - (result.tokens - asked.max_tokens))
        assert result is not None
        if not (context.passages or context.more or context.missing):
            result.notes += await _why_nothing(site, query, asked)
    return _cut_to(result, asked.max_tokens)


def _retrieved(context: Context, most: int, notes: Sequence[str]) -> RetrieveResult:
    """Returns a context as an answer, which may be too long: then it names no near-duplicates. Of what did not fit it
    names what a tenth of `most` has room for."""
    found = RetrieveResult(
        passages=[_passage(*pair) for pair in zip(context.passages, context.citations, strict=True)],
        tokens=0,
        corrected=dict(context.corrected),
        notes=[*notes, *answers.warnings(context.missing, context.notes)],
    )
    further = [FurtherChunk(id=hit.href, title=hit.title, tokens=hit.tokens) for hit in context.more[:MOST_FURTHER]]
    costs = accumulate(line_tokens(texts.further_line(own)) for own in further)
    found.more = further[: max(1, sum(cost <= most // 10 for cost in costs))]
    found.tokens = texts.retrieve_tokens(found)
    if found.tokens > most:
        for passage in found.passages:
            passage.nearly_the_same = []
        found.tokens = texts.retrieve_tokens(found)
    return found


def _cut_to(result: RetrieveResult, most: int) -> RetrieveResult:
    """Returns an answer without what is too long for `most` tokens: chunks beside the passages, then passages from the
    end. Of an answer without any passage the best one is named, and why, whatever that takes."""
    while (tokens := texts.retrieve_tokens(result)) > most and result.passages:
        if result.more:
            result.more.pop()
        else:
            last = result.passages.pop()
            if not result.passages:
                result.more = [FurtherChunk(id=last.id, title=last.title, tokens=last.tokens or 0)]
                result.notes.append(f"nothing that was found fits into {amount(most, 'token')} with its source")
    result.tokens = tokens
    return result


async def sample(site: OpenSite, asked: SampleToolArguments) -> SampleResult:
    """Show what a topic is about: `n` chunks that represent it, taken from all its documents in turn."""
    with site.telling():
        own = await site.client.topic(topic_id(asked.topic))
        items = await site.client.sample(own.id, asked.n)
        shown = _fitting(items)
        chunks = await site.client.run(lambda tree: tree.read_all([(item.href, item.sha256) for item in shown]))
        sources = [_item_source(item, own) for item in items]
        for source in sources[: len(shown)]:
            source.url = await site.url_of(source)
    read_texts = [chunk.readable[:LONGEST_TEXT] for chunk in chunks]
    rest: list[str | None] = [None] * (len(items) - len(shown))
    return SampleResult(
        topic=own.id,
        items=[
            SampledText(**source.model_dump(), text=text, said=model_said(item.enriched) if text is None else None)
            for item, source, text in zip(items, sources, read_texts + rest, strict=True)
        ],
    )


async def topics(site: OpenSite, asked: TopicsToolArguments) -> TopicsResult:
    """List the topics below one, a level at a time, and its own documents."""
    with site.telling():
        topic = await site.client.topic(topic_id(asked.path))
    documents = [document for document in topic.documents.values() if document.items]
    return TopicsResult(
        id=topic.id,
        title=topic.title,
        description=topic.description,
        topics=[ListedTopic.model_validate(answers.as_json(entry)) for entry in topic.topics[:MOST_LISTED]],
        documents=[
            ListedDocument(
                source=_below(topic, document.source),
                title=document.items[0].title,
                chunks=document.count,
                id=document.items[0].href,
            )
            for document in documents[:MOST_LISTED]
        ],
        left_out=max(0, len(topic.topics) - MOST_LISTED) + max(0, len(documents) - MOST_LISTED),
    )


async def match(site: OpenSite, asked: MatchToolArguments) -> MatchResult:
    """Look a question up among those that the site knows the answer of, and give the chunks that answer it. Finds only
    questions in nearly the same words: for others `search`."""
    with site.telling():
        found = await site.client.match(asked.question[:LONGEST_QUERY], topic=topic_id(asked.topic), limit=asked.limit)
        if not found:
            await _check_path(site, asked.topic)
    return MatchResult(
        hits=[
            MatchedChunk(**_source(hit), distance=hit.matched_question.distance)
            for hit in found
            if hit.matched_question is not None
        ]
    )


@dataclass(frozen=True, slots=True)
class ToolOfSites:
    """A tool, by the name of the function that answers, whose first lines of documentation agents read."""

    call: Callable[[OpenSite, Any], Awaitable[ToolResult]]
    arguments: type[ToolArguments]
    result: type[ToolResult]
    text: Callable[[Any, bool], str]
    """Returns a result as text: in a few words, or with True the whole of it."""

    @property
    def name(self) -> str:
        return self.call.__name__


TOOLS = (
    ToolOfSites(retrieve, RetrieveToolArguments, RetrieveResult, texts.retrieve_text),
    ToolOfSites(search, SearchToolArguments, SearchResult, texts.search_text),
    ToolOfSites(read, ReadToolArguments, ReadResult, texts.read_text),
    ToolOfSites(match, MatchToolArguments, MatchResult, texts.match_text),
    ToolOfSites(topics, TopicsToolArguments, TopicsResult, texts.topics_text),
    ToolOfSites(sample, SampleToolArguments, SampleResult, texts.sample_text),
)


def _bounded(query: str) -> tuple[str, list[str]]:
    """Returns the part of a query that is used, and a note where it is not the whole."""
    kept = query[:LONGEST_QUERY]
    return kept, [f"only the first {LONGEST_QUERY:,} characters of the query were looked at"] * (kept != query)


def _how(site: OpenSite, asked: SearchToolArguments | RetrieveToolArguments) -> dict[str, Any]:
    """Returns the arguments that `search` and `retrieve` of a client share."""
    shared = asked.model_dump(include={"path", "filters", "exact", "graph"})
    return {**shared, "rerank": site.rerank}


def _ways_out(asked: SearchToolArguments | RetrieveToolArguments) -> Mapping[str, str]:
    return WAYS_OUT if asked.graph is None else {**WAYS_OUT, **_OF_GRAPH}


async def _why_nothing(site: OpenSite, query: str, asked: SearchToolArguments | RetrieveToolArguments) -> list[str]:
    """Returns a line with similar terms of the site for each word of a query that may be a slip, where no slips are
    mended. Raises ClientError where nothing can be found, since the path leads nowhere."""
    await _check_path(site, asked.path)
    said: list[str] = []
    if not asked.exact:
        return said
    for word in answers.words_of(query):
        found = await site.client.correct(word, limit=3)
        if found.terms and await site.client.highlight(word, word):
            said.append(answers.near(word, [term for term, _ in found.terms]))
    return said


async def _check_path(site: OpenSite, path: str) -> None:
    """Raises ClientError for a path that is neither a topic's nor a document's."""
    folder = plain_path(path)
    try:
        if not folder or (await document_at(site, folder))[1]:
            return
        await site.client.topic(folder)
    except ClientError as error:
        if error.code != "unknown":
            raise
        raise ClientError("unknown", "path", f"there is no topic or document {path[:200]!r}", error.hint) from None


def _source(hit: Hit) -> dict[str, Any]:
    """Returns the fields of `FoundSource` from a hit."""
    return {
        "id": hit.href,
        "title": hit.title,
        "section_path": list(hit.section_path),
        "url": hit.url,
        "document": hit.page,
        "tokens": hit.tokens,
        "by_way_of": "; ".join(way.removeprefix("by way of ") for way in answers.ways(hit)),
        "known_to_answer": hit.matched_question.text if hit.matched_question else "",
    }


async def _found_hit(site: OpenSite, searched: str, hit: Hit) -> FoundHit:
    """Returns a hit with the passage that answers in the place of its snippet, where its text could be read."""
    shown = await site.client.passage(searched, hit.text) if hit.text else hit.snippet
    same = [near.href for near in hit.duplicates]
    section = None
    if hit.unit is not None:
        own = hit.unit
        said = {"headings": list(own.section_path), "chunks": list(own.hrefs)}
        section = FoundSection(**said, tokens=own.tokens, summary=own.summary)
    return FoundHit(**_source(hit), score=round(hit.score, 3), snippet=shown, nearly_the_same=same, section=section)


def _passage(passage: Passage, citation: Citation) -> PassageText:
    first, *after = passage.hits
    found = [_source(hit) for hit in passage.hits]
    # A neighbour may stand before the chunk that was found.
    said = {name: next(filter(None, (own[name] for own in found)), "") for name in ("by_way_of", "known_to_answer")}
    return PassageText(
        **{**_source(first), **said, "tokens": passage.tokens},
        number=citation.number,
        lines=citation.lines,
        text=passage.text,
        excerpt=passage.excerpt,
        continues=[hit.href for hit in after],
        nearly_the_same=[near.href for near in passage.duplicates],
    )


def _item_source(item: Item, topic: Topic) -> TextSource:
    return TextSource(
        id=item.href,
        title=item.title,
        section_path=list(item.section_path),
        document=_below(topic, topic.documents[item.document].source),
        tokens=item.tokens,
    )


def _fitting(items: list[Item]) -> list[Item]:
    """Returns the first items of a sample whose texts fit into the answer; at least one."""
    room = MOST_SAMPLED
    for place, item in enumerate(items):
        room -= item.tokens or 0
        if room < 0:
            return items[: max(1, place)]
    return items


def _below(topic: Topic, name: str) -> str:
    """Returns the path of a document in the source tree, from its topic and its file name."""
    return f"{topic.id}/{name}" if topic.id else name
