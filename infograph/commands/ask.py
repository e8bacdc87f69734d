"""`infograph search`, `get` and `ask`: what they read, and what they print. Warnings and progress go to stderr."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import click

from infograph.client import Client, ClientError, Match, Progress, answers
from infograph.client.graph import topic_id
from infograph.client.place import is_url
from infograph.progress import amount

NUMBERS = frozenset({"index", "tokens"})
"""Fields of hits that are no text."""
MOST_MATCHES = 5
_FIRST = 1.5
"""Seconds that nobody needs to be told about."""
_TERMINAL, _ELSEWHERE = 0.1, 10.0
"""Seconds from one word on progress to the next."""


@dataclass(frozen=True, slots=True)
class Source:
    """A published tree, and how it is read."""

    place: str
    """URL or folder."""
    timeout: float
    """Seconds for a call."""
    cache: str | None = None
    """Folder that keeps what was downloaded."""

    @contextlib.contextmanager
    def opened(self) -> Iterator[Client]:
        meter = Meter(sys.stderr)
        with Client(self.place, timeout=self.timeout, cache=self.cache, progress=meter.told) as client:
            try:
                yield client
            finally:
                meter.clear()


class Meter:
    """Says how far a download is, once it takes long: in one line on a terminal, in a line now and then elsewhere."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._terminal = stream.isatty()
        self._next = clock() + _FIRST
        self._width = 0

    def told(self, progress: Progress) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (_TERMINAL if self._terminal else _ELSEWHERE)
        text = f"{progress.done:,} of {amount(progress.known, 'file')} read, {progress.bytes / 1e6:.1f} MB"
        self._say(f"\r{text:<{self._width}}" if self._terminal else f"{text}\n")
        self._width = len(text)

    def clear(self) -> None:
        if self._terminal and self._width:
            self._say(f"\r{'':<{self._width}}\r")

    def _say(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def search(
    source: Source,
    query: str,
    *,
    limit: int,
    offset: int,
    path: str,
    filters: Sequence[tuple[str, str]],
    pages: bool,
    diversity: float,
    rerank: bool | None,
    exact: bool,
    as_json: bool,
) -> tuple[str, bool]:
    """What the command prints, and whether anything was found."""
    with source.opened() as client:
        find = client.pages if pages else client.search
        found = find(
            query,
            limit=limit,
            offset=offset,
            path=path,
            filters=merged(filters),
            diversity=diversity,
            rerank=rerank,
            exact=exact,
        )
        warn(answers.warnings(found.missing, found.notes, found.corrected))
        searched = " ".join([query, *found.corrected.values()])
        if as_json:
            return _dumped(answers.as_json(found)), bool(found.hits)
        look = answers.Look(colours=_colours(), width=_width(), mark=lambda text: client.highlight(searched, text))
        if not found.hits and not offset:
            warn(_hints(client, query, found.missing, narrowed=bool(path or filters), exact=exact))
        return answers.search_text(found, offset + 1, look), bool(found.hits)


def _hints(client: Client, query: str, missing: Mapping[str, str], *, narrowed: bool, exact: bool) -> list[str]:
    """Why a query may have found nothing: what it was narrowed to, or for each word the terms of the site that it may
    be a slip of."""
    if missing:
        return []  # the words may stand in what cannot be read
    if narrowed and client.search(query, limit=1, rerank=False, exact=exact).hits:
        return ["nothing of what the site has for it passes `--path` and `--filter`"]
    said = []
    for word in answers.words_of(query):
        if not client.highlight(word, word):
            continue  # too common to be searched for, which the answer's notes say where there is no other word
        if terms := [term for term, _ in client.correct(word, limit=3).terms]:
            said.append(answers.near(word, terms))
    return said


def ask(
    source: Source,
    question: str,
    *,
    max_tokens: int,
    path: str,
    match: bool | None,
    rerank: bool | None,
    exact: bool,
    as_json: bool,
) -> tuple[str, bool]:
    """What the command prints, and whether anything was found.

    match: also look for questions that the tree knows, which reads every index; None: where that costs no download
    """
    with source.opened() as client:
        context = client.retrieve(question, max_tokens, path=path, rerank=rerank, exact=exact)
        warn(answers.warnings(context.missing, context.notes, context.corrected))
        wanted = not is_url(source.place) if match is None else match
        matches = _matches(client, question) if wanted else []
        found = bool(context.passages or context.more or matches)
        if not found:
            warn(_hints(client, question, context.missing, narrowed=bool(path), exact=exact))
        if as_json:
            return _dumped({**answers.as_json(context), "matches": answers.as_json(matches)}), found
        return answers.context_text(context, matches), found


def get(source: Source, what: str, *, sample: int | None, order: str, as_json: bool) -> tuple[str, bool]:
    """What the command prints, and whether there is anything in it: the chunk of an href, else the topic of an id, or
    of its index file."""
    with source.opened() as client:
        if sample is not None:
            items = client.sample(topic_id(what), sample, order)
            chunks = [(item, client.read(item)) for item in items]
            if as_json:
                found = [{**answers.as_json(item), "text": chunk.text} for item, chunk in chunks]
                return _dumped({"topic": topic_id(what), "order": order, "items": found}), bool(items)
            return answers.sample_text(chunks), bool(items)
        if what.lower().endswith(".md"):
            chunk = client.read(what)
            return (_dumped(answers.as_json(chunk)) if as_json else answers.block(chunk.text).rstrip("\n")), True
        topic = client.topic(topic_id(what))
        return (_dumped(answers.as_json(topic)) if as_json else answers.topic_text(topic)), True


def merged(filters: Sequence[tuple[str, str]]) -> Mapping[str, list[str | int]]:
    """Values by name. Raises ClientError where a number is none."""
    found: dict[str, list[str | int]] = {}
    for name, value in filters:
        if name in NUMBERS and not value.isdecimal():
            raise ClientError("unknown", "--filter", f"{name} is a number, not {value[:200]!r}")
        found.setdefault(name, []).append(int(value) if name in NUMBERS else value)
    return found


def warn(messages: Sequence[str]) -> None:
    for message in messages:
        click.echo(f"{click.style('warning:', fg='yellow')} {message}", err=True)


def _matches(client: Client, question: str) -> list[Match]:
    """Without the answer to it, the rest is still one."""
    try:
        return client.match(question, limit=MOST_MATCHES)
    except ClientError as error:
        warn([f"known questions were not looked through: {error}"])
        return []


def _dumped(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width() -> int | None:
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None
