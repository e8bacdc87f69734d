"""`infograph search`, `get` and `ask`: they read a published tree and return the text to print.

Warnings and the progress of downloads go to standard error, and so does where the passages of `ask` stand: what is on
standard output has no more tokens than it may have.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import click

from infograph.client import Client, answers
from infograph.client.embedded import Rerank
from infograph.client.graph import topic_id
from infograph.commands.console import DownloadMeter, warn
from infograph.formats.chunk_href import is_chunk_href, is_whole_pack
from infograph.search.format.filters import Filters
from infograph.search.format.results import Hit


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A published tree, with the options for reading it."""

    place: str
    """URL or folder of the tree."""
    timeout: float
    """Seconds that one call of the client may take."""
    cache: str | None = None
    """Folder for downloaded files; None: downloads are not kept."""

    @contextlib.contextmanager
    def opened(self) -> Iterator[Client]:
        """A client of the tree, which shows the progress of downloads on standard error."""
        meter = DownloadMeter(sys.stderr)
        with Client(self.place, timeout=self.timeout, cache=self.cache, progress=meter.update) as client:
            try:
                yield client
            finally:
                meter.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """The options of `infograph search`, whose defaults stand in `command`."""

    limit: int
    """Hits to print."""
    offset: int
    """Hits to skip."""
    path: str
    """Folder or document of the source tree to search in; empty: the whole tree."""
    filters: Filters
    """What fields the chunks must have."""
    pages: bool
    """Return only the best chunk of each page."""
    diversity: float
    """How much the first hits should differ from each other, 0 to 1."""
    rerank: Rerank
    """Reorder the best hits by the site's model; None: where that pays and the model is installed."""
    exact: bool
    """Do not correct words that the site does not have."""
    links: bool
    """Follow the links of the first pages."""
    prompts: bool
    """Put chunks first that are known to answer a question like this one."""
    as_json: bool
    """Print JSON."""
    graph: int | None = None
    """Steps along the graph of entities; None for none."""
    facets: Sequence[str] = ()
    """Fields whose values are counted."""
    mode: str = "leaf"
    """`leaf` to list chunks, `parent` to list a section in the place of several of its chunks, `summary-first` to list
    sections by their summaries."""
    overall: bool = False
    """Find communities of entities instead of chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """The options of `infograph ask`, whose defaults stand in `command`."""

    max_tokens: int
    """Tokens that the passages may have together."""
    path: str
    """Folder or document of the source tree to search in; empty: the whole tree."""
    prompts: bool
    """Put chunks first that are known to answer a question like this one."""
    rerank: Rerank
    """Reorder the best hits by the site's model; None: where that pays and the model is installed."""
    exact: bool
    """Do not correct words that the site does not have."""
    as_json: bool
    """Print JSON."""
    filters: Filters = field(default_factory=dict)
    """What fields the chunks must have."""
    graph: int | None = None
    """Steps along the graph of entities; None for none."""
    question_class: str | None = None
    """Class of the question; None: by its words."""
    level: str | None = None
    """`passages` or `chunks`; None: by the class."""
    packing: str | None = None
    """How pieces are chosen; None: what has paid most."""
    split: bool = False
    """Search for each name of a comparative or multi-hop question, too."""
    sources: str = "numbers"
    """What stands above each passage of the text."""


def search(target: PublishedSite, query: str, request: SearchRequest) -> tuple[str, bool]:
    """The text to print, and whether anything was found."""
    if request.overall:
        return _overall(target, query, request)
    with target.opened() as client:
        find = client.pages if request.pages else client.search
        found = find(
            query,
            limit=request.limit,
            offset=request.offset,
            path=request.path,
            filters=request.filters,
            facets=request.facets,
            diversity=request.diversity,
            rerank=request.rerank,
            exact=request.exact,
            graph=request.graph,
            links=request.links,
            prompts=request.prompts,
            texts=not request.as_json,
            mode=request.mode,
        )
        warn(answers.warnings(found.missing, found.notes, found.corrected))
        searched = " ".join([query, *found.corrected.values()])
        if request.as_json:
            return _dumped(answers.as_json(found)), bool(found.hits)
        look = answers.Look(colours=_colours(), width=_width(), mark=lambda text: client.highlight(searched, text))
        if not found.hits and not request.offset:
            narrowed = bool(request.path or request.filters)
            warn(_hints(client, query, found.missing, narrowed=narrowed, exact=request.exact))
        shown = replace(found, hits=tuple(_quoted(client, searched, hit) for hit in found.hits))
        parts = [answers.search_text(shown, request.offset + 1, look), answers.facets_text(found)]
        return "\n\n".join(filter(None, parts)), bool(found.hits)


def _quoted(client: Client, searched: str, hit: Hit) -> Hit:
    """A hit with the passage that answers in the place of its snippet, where its text could be read."""
    return replace(hit, snippet=client.passage(searched, hit.text)) if hit.text else hit


def _overall(target: PublishedSite, query: str, request: SearchRequest) -> tuple[str, bool]:
    """The communities of entities that a question is about, to print, and whether there are any."""
    with target.opened() as client:
        found = client.communities(query, limit=request.limit)
    warn(answers.warnings(found.missing, found.notes))
    text = _dumped(answers.as_json(found)) if request.as_json else answers.communities_text(found)
    return text, bool(found.hits)


def _hints(client: Client, query: str, missing: Mapping[str, str], *, narrowed: bool, exact: bool) -> list[str]:
    """Reasons why a query found nothing: its filters, or words that may be slips, each with similar terms of the site.

    Returns nothing where files are missing: the words may stand in what cannot be read.
    """
    if missing:
        return []
    if narrowed and client.search(query, limit=1, rerank=False, exact=exact).hits:
        return ["nothing of what the site has for it passes `--path` and `--filter`"]
    said = []
    for word in answers.words_of(query):
        if not client.highlight(word, word):
            continue  # too common to be searched for; the answer has a note where no other word is left
        if terms := [term for term, _ in client.correct(word, limit=3).terms]:
            said.append(answers.near(word, terms))
    return said


def ask(target: PublishedSite, question: str, request: AskRequest) -> tuple[str, bool]:
    """The text to print, and whether anything was found."""
    with target.opened() as client:
        context = client.retrieve(
            question,
            request.max_tokens,
            path=request.path,
            filters=request.filters,
            rerank=request.rerank,
            exact=request.exact,
            graph=request.graph,
            prompts=request.prompts,
            question_class=request.question_class,
            level=request.level,
            packing=request.packing,
            split=request.split,
            sources=request.sources,
        )
        warn(answers.warnings(context.missing, context.notes, context.corrected))
        found = bool(context.passages or context.more)
        if not found:
            narrowed = bool(request.path or request.filters)
            warn(_hints(client, question, context.missing, narrowed=narrowed, exact=request.exact))
        if request.as_json:
            return _dumped(answers.as_json(context)), found
        if said := answers.context_sources(context):
            click.echo(said, err=True)
        return answers.context_text(context), found


def get(target: PublishedSite, what: str, *, sample: int | None, order: str, as_json: bool) -> tuple[str, bool]:
    """The text to print, and whether it holds anything: a chunk, a topic, or a sample of a topic.

    what:   href of a chunk; id of a topic, or the address of its index file
    sample: chunks of the topic to print with their texts; None: no sample
    order:  order of the sample, `conceptual` or `technical`
    """
    with target.opened() as client:
        if sample is not None:
            items = client.sample(topic_id(what), sample, order)
            chunks = [(item, client.read(item)) for item in items]
            if as_json:
                found = [
                    {**answers.as_json(item), "text": chunk.text, "readable": chunk.readable} for item, chunk in chunks
                ]
                return _dumped({"topic": topic_id(what), "order": order, "items": found}), bool(items)
            return answers.sample_text(chunks), bool(items)
        if is_chunk_href(what) or is_whole_pack(what):
            chunk = client.read(what)
            return (_dumped(answers.as_json(chunk)) if as_json else answers.block(chunk.readable).rstrip("\n")), True
        topic = client.topic(topic_id(what))
        return (_dumped(answers.as_json(topic)) if as_json else answers.topic_text(topic)), True


def _dumped(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width() -> int | None:
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None
