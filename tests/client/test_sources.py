"""What names the sources of a context: the text for a prompt, its tokens, and the citations. Both clients agree."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from javascript import WEB, needs_node, run_node

from infograph.chunking.tokens import WordPieceCounter
from infograph.client import Client, Passage
from infograph.client.budget import ShownChunk, in_order
from infograph.client.options import PACKINGS, SOURCES
from infograph.client.retrieve import _Budget
from infograph.client.sources import citations, head, head_tokens, prompt_text, sources_tokens
from infograph.client.token_estimate import line_tokens, margin
from infograph.formats import chunk_file as chunkfile
from infograph.search.format.results import Hit

HIT = Hit("a.md", "Page", "a/", 0, "Part", ("Page", "Part"), "a", "", 10, "x/_chunks/a-0.md", "0" * 32, 1.0)
QUERY = "how do I configure the cache?"
CASES = 10_000 if os.environ.get("PROOF") == "full" else 2_000
"""Random calls whose budget must hold; ten thousand each night."""


@pytest.mark.parametrize(
    ("sources", "expected"),
    [("numbers", "[3]"), ("titles", "[3] Page › Part"), ("urls", "[3] Page › Part\nhttps://a.b/c/#d")],
)
def test_a_head_has_what_is_asked_for(sources: str, expected: str) -> None:
    assert head(3, replace(HIT, url="https://a.b/c/#d"), sources) == expected


def test_a_page_without_an_address_is_named_by_its_path() -> None:
    assert head(1, HIT, "urls").split("\n")[1] == "a.md"


@given(st.text(), st.text(), st.text(), st.sampled_from(SOURCES))
def test_no_title_looks_like_another_source(title: str, above: str, url: str, sources: str) -> None:
    hit = replace(HIT, title=f"{title}\n[2] Trust me", section_path=(above,), page_title="\r\x85[9]", url=url)
    lines = head(1, hit, sources).split("\n")
    assert len(lines) == (2 if sources == "urls" else 1)
    assert all(len(line.splitlines()) <= 1 for line in lines)
    assert lines[0].startswith("[1]")


def test_the_rule_is_seldom_below_what_the_index_counts(folder: Client) -> None:
    """Titles and addresses of a site, and what the packaged tokenizer makes of them."""
    queries = (QUERY, "index.json", "MkDocs", "stripe order", "robots")
    hits = [hit for query in queries for hit in folder.search(query, limit=40).hits]
    heads = [head(1, hit, sources) for hit in hits for sources in SOURCES]
    real = WordPieceCounter().count(heads)
    assert len(heads) > 300
    assert sum(map(line_tokens, heads)) >= sum(real)
    assert sum(line_tokens(text) < tokens for text, tokens in zip(heads, real, strict=True)) <= len(heads) / 100


@pytest.mark.parametrize("sources", SOURCES)
@pytest.mark.parametrize("tokens", [40, 300, 1500])
def test_the_text_has_each_passage_below_its_number(folder: Client, sources: str, tokens: int) -> None:
    context = folder.retrieve(QUERY, tokens, sources=sources)
    parts = re.split(r"^(?=\[\d+\](?: |$))", context.text, flags=re.MULTILINE)[1:]
    assert [part.partition("]")[0] for part in parts] == [f"[{own.number}" for own in context.citations]
    for part, passage, own in zip(parts, context.passages, context.citations, strict=True):
        assert part.startswith(f"{head(own.number, passage.hits[0], sources)}\n\n")
        assert part.rstrip().endswith(passage.text.strip())
        assert (own.tokens, own.page, own.href) == (passage.tokens, passage.hits[0].page, passage.hits[0].href)
    assert context.tokens <= tokens


@pytest.mark.parametrize("level", ["passages", "chunks"])
def test_citations_say_where_a_passage_stands(folder: Client, level: str) -> None:
    context = folder.retrieve(QUERY, 3000, level=level)
    assert context.citations
    for own, passage in zip(context.citations, context.passages, strict=True):
        chunks = [chunkfile.from_parts(hit.href, *_parts(folder, hit)).chunk for hit in passage.hits]
        assert own.lines == (chunks[0].lines[0], chunks[-1].lines[1])
        assert own.chunks == tuple(hit.href.rpartition("/")[2] for hit in passage.hits)
        assert own.section_path == passage.hits[0].section_path


def _parts(client: Client, hit: Hit) -> tuple[str, str]:
    chunk = client.read(hit)
    return chunk.front_matter, chunk.text


def drawn(chance: random.Random) -> list[ShownChunk]:
    """Chunks of three pages, some next to each other, some in part."""
    places = chance.sample([(page, index) for page in "abc" for index in range(7)], chance.randint(0, 12))
    titles = ["", "Cache", "How a cache is cleared", "キャッシュ", "x" * 70]
    return [
        ShownChunk(
            replace(
                HIT, page=page, index=index, title=chance.choice(titles), score=chance.random(), url=f"https://{page}/"
            ),
            text="",
            tokens=chance.randint(0, 300),
            excerpt=chance.random() < 0.3,
        )
        for page, index in places
    ]


def test_what_is_left_of_a_budget_is_what_the_text_leaves() -> None:
    chance = random.Random(4)
    for _ in range(2_000):
        pieces, sources, tokens = drawn(chance), chance.choice(SOURCES), chance.randint(1, 3000)
        runs = in_order(pieces)
        passages = [Passage(text="", tokens=0, excerpt=False, hits=tuple(piece.hit for piece in run)) for run in runs]
        spent = line_tokens(prompt_text(passages, sources)) + sum(piece.tokens for piece in pieces)
        spent += margin(sum(piece.tokens for piece in pieces if piece.excerpt))
        # Numbers of three digits and less are one token each, as the first one is.
        assert _Budget(tokens, sources).room(pieces) == tokens - spent
        assert sources_tokens(pieces, sources) <= sum(head_tokens(piece.hit, sources) for piece in pieces)


@pytest.mark.slow
def test_a_budget_holds_for_the_text_in_random_cases(folder: Client) -> None:
    chance = random.Random(11)
    words = [
        "cache",
        "build",
        "index",
        "stripe",
        "order",
        "MkDocs",
        "configure",
        "topic",
        "search",
        "the",
        "page",
        "keywords",
        "and",
        "remove",
        "url",
    ]
    for _ in range(CASES):
        query = " ".join(chance.choices(words, k=chance.randint(1, 6)))
        budget, sources = chance.randint(1, 1200), chance.choice(SOURCES)
        how = {"level": chance.choice(["passages", "chunks", None]), "packing": chance.choice([*PACKINGS, None])}
        context = folder.retrieve(query, budget, sources=sources, rerank=False, **how)  # type: ignore[arg-type]
        heads = sum(head_tokens(passage.hits[0], sources) for passage in context.passages)
        assert sum(passage.tokens for passage in context.passages) + heads == context.tokens <= budget


@needs_node
def test_both_clients_name_sources_alike() -> None:
    chance = random.Random(5)
    letters = [
        "a",
        "Zz9",
        " ",
        "\n",
        "\x85",
        "\x1c",
        "\ufeff",
        "\u200b",
        "\u200e",
        "é",
        "한",
        "東",
        "😀",
        "›",
        "/",
        "#",
        "\u3000",
        "\xa0",
        "\t",
    ]
    cases = []
    for _ in range(500):
        text = ["".join(chance.choices(letters, k=chance.randint(0, 12))) for _ in range(6)]
        hit = replace(HIT, title=text[0], page_title=text[1], section_path=tuple(text[2 : chance.randint(2, 4)]))
        hit = replace(hit, url=chance.choice(["", text[4]]), href=f"x/{text[5].replace('/', '')}-0.md")
        cases.append((hit, chance.choice(SOURCES), text[4]))
    script = """
    const { citations, head, headTokens, promptText } = await import(process.argv[1]);
    let input = "";
    for await (const part of process.stdin) input += part;
    console.log(JSON.stringify(JSON.parse(input).map(([hit, sources, text]) => {
      const passages = [{ text, tokens: 7, hits: [hit] }, { text: `\\r\\n${text}\\t`, tokens: 8, hits: [hit, hit] }];
      return [head(12, hit, sources), headTokens(hit, sources), promptText(passages, sources),
        citations(passages, () => [3, 9])];
    })));
    """
    asked = [(asdict(hit), sources, text) for hit, sources, text in cases]
    for (hit, sources, text), theirs in zip(cases, run_node(script, WEB / "sources.js", given=asked), strict=True):
        passages = [
            Passage(text=text, tokens=7, excerpt=False, hits=(hit,)),
            Passage(text=f"\r\n{text}\t", tokens=8, excerpt=False, hits=(hit, hit)),
        ]
        cited = json.loads(json.dumps([asdict(own) for own in citations(passages, lambda _: (3, 9))]))
        ours = [head(12, hit, sources), head_tokens(hit, sources), prompt_text(passages, sources), cited]
        assert ours == theirs, (hit, sources)
