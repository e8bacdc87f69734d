"""What an agent's model has to read until it has the passage that answers: by `infograph mcp`, and by other ways.

    python benchmarks/mcp_tokens.py --questions DIR --trees DIR [--tasks 20] [--set natural]

Needs `pip install 'infograph[mcp]'`. The tree is `fastapi`, built with the static model; tasks are the first questions
of `fastapi-pages`, which names the right pages. The passage that answers is chosen without the search: of the right
pages' paragraphs, as a reader sees them, the one with most of the question's words, rare ones counting more. Scripted
agents stop when all words of that passage stand, one after the other, in what they have been given:

    retrieve, read      `retrieve`, then `read` of what it names beside its passages, then as below
    search, read        `search`, then `read` of the hits in their order: the chunk, and after all chunks the pages
    search, fetch       `search`, then the Markdown of each hit's page, as a plain fetch gives it
    llms-full.txt       all pages, one after the other

Tokens are those of the packaged WordPiece tokenizer, of everything a model is shown: the agent's calls, the fields and
the text of answers. The list of tools and the instructions, which an agent is given once in a session, have a line of
their own. Nothing is random, and no language model takes part: a real agent may ask better questions, or stop too
early. Prints one table in Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

import mcp
from quality import page_questions

from infograph.build import build
from infograph.chunking.tokens import WordPieceCounter
from infograph.config import load
from infograph.integrations.mcp.server import make_server
from infograph.integrations.mcp.site import open_sites
from infograph.text.language import stemmer

TREE = "fastapi"
LIMIT = 10
"""Hits of a search."""
SHORTEST_PASSAGE = 12
"""Least words of a passage that answers."""

_WORDS = re.compile(r"[a-z0-9]+")
_PARAGRAPH = re.compile(r"\n\s*\n")
_STEM = stemmer("en")


@dataclass(frozen=True, slots=True)
class Task:
    """A question, and the passage that an agent has to find."""

    question: str
    page: str
    passage: str


@dataclass(slots=True)
class Spent:
    """What one agent was given for one task."""

    tokens: int = 0
    calls: int = 0
    found: bool = False


@dataclass(slots=True)
class Session:
    """An agent's client, and the pages of the tree for what needs no client."""

    client: Any
    sources: Mapping[str, str]
    counter: WordPieceCounter = field(default_factory=WordPieceCounter)

    async def call(self, tool: str, **arguments: Any) -> tuple[Any, int]:
        """The fields of an answer, and the tokens of the call and of what comes back."""
        result = await self.client.call_tool(tool, arguments)
        if result.is_error:
            raise SystemExit(f"{tool}: {result.content[0].text}")
        shown = json.dumps(result.structured_content, ensure_ascii=False)
        texts = [json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False), shown]
        return result.structured_content, sum(self.counter.count([*texts, *(own.text for own in result.content)]))

    async def whole(self, page: str) -> str:
        """A page as a reader sees it."""
        text, cursor = "", ""
        while cursor or not text:
            found, _ = await self.call("read", id=page, max_tokens=20_000, cursor=cursor)
            text, cursor = text + found["text"], found.get("next_cursor", "")
        return text


Given = AsyncIterator[tuple[list[str], int]]
"""Texts that an agent is given, a call at a time, each with its tokens."""


async def by_retrieve(session: Session, task: Task) -> Given:
    found, tokens = await session.call("retrieve", query=task.question)
    yield [passage["text"] for passage in found["passages"]], tokens
    for own in found.get("more", []):
        read, tokens = await session.call("read", id=own["id"])
        yield [read["text"]], tokens
    async for step in by_search(session, task):
        yield step


async def by_search(session: Session, task: Task) -> Given:
    hits, tokens = await session.call("search", query=task.question, limit=LIMIT)
    yield [hit["snippet"] for hit in hits["hits"]], tokens
    for hit in hits["hits"]:
        read, tokens = await session.call("read", id=hit["id"])
        yield [read["text"]], tokens
    for page in _pages(hits):
        cursor = ""
        while True:
            read, tokens = await session.call("read", id=page, max_tokens=20_000, cursor=cursor)
            yield [read["text"]], tokens
            cursor = read.get("next_cursor", "")
            if not cursor:
                break


async def by_fetch(session: Session, task: Task) -> Given:
    hits, tokens = await session.call("search", query=task.question, limit=LIMIT)
    yield [hit["snippet"] for hit in hits["hits"]], tokens
    for page in _pages(hits):
        text = session.sources[page]
        # The source has markup that a reader does not see, so its words may stand elsewhere: the page tells.
        shown = [task.passage] if page == task.page else []
        yield shown, session.counter.count([text])[0]


async def by_all(session: Session, task: Task) -> Given:
    yield [task.passage], sum(session.counter.count(list(session.sources.values())))


AGENTS = {
    "`retrieve`, `read`": by_retrieve,
    "`search`, `read`": by_search,
    "`search`, fetch of whole pages": by_fetch,
    "`llms-full.txt`": by_all,
}


def _pages(hits: Any) -> Iterable[str]:
    return dict.fromkeys(hit["document"] for hit in hits["hits"])


def words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def has(texts: Iterable[str], passage: str) -> bool:
    """Whether the words of a passage stand in one of the texts, one after the other."""
    wanted = f" {' '.join(words(passage))} "
    return any(wanted in f" {' '.join(words(text))} " for text in texts)


def passage_of(question: str, pages: Mapping[str, str], weights: Mapping[str, float]) -> tuple[str, str]:
    """The paragraph with most of the question's words, the first of several, and its page; lists and code are
    paragraphs, too."""
    asked = {_STEM(word) for word in words(question)}
    best, chosen = -1.0, ("", "")
    for page, text in pages.items():
        for paragraph in _PARAGRAPH.split(text):
            own = words(paragraph)
            if len(own) < SHORTEST_PASSAGE:
                continue
            worth = sum(weights.get(word, 0.0) for word in asked & set(map(_STEM, own)))
            if worth > best:
                best, chosen = worth, (page, paragraph)
    return chosen


async def tasks_of(session: Session, rows: Sequence[Mapping[str, Any]]) -> list[Task]:
    """The tasks, in the order of the questions."""
    holding = Counter(stem for text in session.sources.values() for stem in {_STEM(word) for word in words(text)})
    weights = {stem: math.log(1 + len(session.sources) / count) for stem, count in holding.items()}
    found = []
    for row in rows:
        pages = {gold["file"]: await session.whole(gold["file"]) for gold in row["gold"]}
        found.append(Task(row["question"], *passage_of(row["question"], pages, weights)))
    return found


async def spent(session: Session, task: Task, agent: Any) -> Spent:
    """What an agent was given until it had the passage."""
    own = Spent()
    async for texts, tokens in agent(session, task):
        own.tokens += tokens
        own.calls += 1
        own.found = has(texts, task.passage)
        if own.found:
            break
    return own


async def measure(site: Path, sources: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
    async with open_sites([str(site)]) as sites, mcp.Client(make_server(sites)) as client:
        session = Session(client, sources)
        tasks = await tasks_of(session, rows)
        listed = (await client.list_tools()).tools
        # As models are shown them; the schemas of answers are for programs.
        shown = [own.model_dump_json(include={"name", "description", "input_schema"}) for own in listed]
        once = sum(session.counter.count([*shown, client.instructions or ""]))
        print(f"{len(tasks)} tasks, {len(sources)} pages; tools and instructions, once: {once:,} tokens\n")
        print("| Agent | Passage found | Calls | Tokens, median | mean | most | llms-full.txt is |")
        print("|---|---|---|---|---|---|---|")
        whole = sum(session.counter.count(list(sources.values())))
        for name, agent in AGENTS.items():
            all_spent = [await spent(session, task, agent) for task in tasks]
            tokens = [own.tokens for own in all_spent]
            numbers = f"{median(tokens):,.0f} | {mean(tokens):,.0f} | {max(tokens):,}"
            found = f"{sum(own.found for own in all_spent)} of {len(tasks)}"
            calls = mean(own.calls for own in all_spent)
            print(f"| {name} | {found} | {calls:.1f} | {numbers} | {whole / mean(tokens):,.0f} times as much |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--set", choices=("natural", "keywords"), default="natural")
    options = parser.parse_args()
    docs = options.trees / TREE
    table = (options.questions / "fastapi-pages" / f"{options.set}.tsv").read_text("utf-8")
    lines = [line for line in table.splitlines() if line.strip()][: options.tasks]
    rows = list(page_questions(docs, lines))
    sources = {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in sorted(docs.rglob("*.md"))}
    with tempfile.TemporaryDirectory() as folder:
        flags = {"model": "static", "out": f"{folder}/site", "cache": f"{folder}/cache"}
        build(load(str(docs), flags=flags, environment={}))
        asyncio.run(measure(Path(folder) / "site", sources, rows))


if __name__ == "__main__":
    main()
