"""Answers as text and as JSON, to the letter."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from infograph.client import (
    Answer,
    Context,
    Hit,
    Item,
    MatchedQuestion,
    Passage,
    PublishedChunk,
    Related,
    SaidRelation,
    Topic,
    TopicEntry,
    Via,
)
from infograph.client import TopicDocument as Document
from infograph.client.answers import (
    Look,
    as_json,
    block,
    context_sources,
    context_text,
    entry_text,
    item_pointer,
    known,
    led,
    near,
    pointer,
    sample_text,
    search_text,
    topic_name,
    topic_text,
    trail,
    warnings,
    words_of,
)
from infograph.client.plan import planned
from infograph.search.format.links import KINDS

HIT = Hit("a.md", "Page", "a/", 0, "Title", ("Page", "Part"), "x", "a snippet", 12, "_chunks/a-0.md", "0" * 32, 2.25)
ITEM = Item(topic="", document="a.md", index=0, href="_chunks/a-0.md", title="Title", section_path=("Page",), tokens=1)
FRONT = {
    "title": "A",
    "source": "a.md",
    "index": 0,
    "count": 1,
    "section_path": [],
    "lines": [1, 2],
    "bytes": [0, 6],
    "is_code": False,
    "chunk_type": "text",
    "tokens": 5,
    "sha256": "1" * 64,
}
HEAD = "".join(f"{name}: {json.dumps(value)}\n" for name, value in FRONT.items())
CHUNK = PublishedChunk(href="_chunks/a-0.md", sha256="1" * 64, front_matter=HEAD, text="\nbody\n", readable="\nbody\n")


def hits(count: int) -> tuple[Hit, ...]:
    return tuple(replace(HIT, href=f"_chunks/{number}.md") for number in range(count))


PLAN = planned("", 1, None, None, None, False)


def context(**fields: Any) -> Context:
    return Context(**{"passages": (), "tokens": 0, "more": (), "plan": PLAN, **fields})


def test_a_hit_has_its_number_trail_score_page_snippet_and_place() -> None:
    text = search_text(Answer(hits=(HIT, replace(HIT, url="https://e.org/a/#x", snippet="")), total=2))
    assert text == (
        " 1. Page › Part … Title (2.2)\n    a.md\n    a snippet\n    _chunks/a-0.md, 12 tokens\n\n"
        " 2. Page › Part … Title (2.2)\n    https://e.org/a/#x\n    _chunks/a-0.md, 12 tokens"
    )
    assert search_text(Answer(hits=(HIT,), total=1), 11).startswith("11. Page › ")


@pytest.mark.parametrize(("width", "columns"), [(40, 36), (30, 26), (25, 21), (24, 20), (10, 20), (1, 20)])
def test_a_snippet_is_wrapped_at_the_width_that_is_left_and_no_narrower_than_twenty(width: int, columns: int) -> None:
    hit = replace(HIT, snippet="a " * 60 + "abcdefgh-ijkl " * 9 + "a")
    lines = [line[4:] for line in search_text(Answer(hits=(hit,), total=1), look=Look(width=width)).splitlines()[2:-1]]
    assert all(len(line) <= columns for line in lines)
    assert len(lines[0]) == (columns + 1) // 2 * 2 - 1, "as many words as fit"
    assert not any(line.endswith("-") for line in lines), "a word with a hyphen stays whole"
    assert " ".join(lines) == hit.snippet
    even = replace(HIT, snippet="ab" + " a" * 60)
    shown = search_text(Answer(hits=(even,), total=1), look=Look(width=width)).splitlines()[2]
    assert len(shown) == 4 + columns // 2 * 2, "as many words as fit"


def test_without_a_width_a_snippet_is_one_line() -> None:
    hit = replace(HIT, snippet="ab " * 39 + "ab")
    for width in (None, 0):
        lines = search_text(Answer(hits=(hit,), total=1), look=Look(width=width)).splitlines()
        assert lines[2] == f"    {hit.snippet}" and len(lines) == 4


def test_marks_are_asked_for_and_shown_where_there_are_colours_only() -> None:
    def mark(text: str) -> list[tuple[int, int]]:
        return [(0, 1), (2, 9)]

    plain = search_text(Answer(hits=(HIT,), total=1))
    assert search_text(Answer(hits=(HIT,), total=1), look=Look(mark=mark)) == plain
    lines = search_text(Answer(hits=(HIT,), total=1), look=Look(colours=True, mark=mark)).splitlines()
    assert lines[2] == "    \x1b[33m\x1b[1ma\x1b[0m \x1b[33m\x1b[1msnippet\x1b[0m"
    assert lines[0] == " 1. \x1b[1mPage › Part … Title\x1b[0m \x1b[2m(2.2)\x1b[0m"
    assert lines[1] == "    \x1b[34m\x1b[4ma.md\x1b[0m"
    assert lines[3] == "    \x1b[2m_chunks/a-0.md, 12 tokens\x1b[0m"
    unmarked = search_text(Answer(hits=(HIT,), total=1), look=Look(colours=True)).splitlines()
    assert unmarked[2] == "    a snippet"
    untitled = replace(HIT, title="", section_path=(), page_title="", duplicates=hits(1))
    shown = search_text(Answer(hits=(untitled,), total=1), look=Look(colours=True)).splitlines()
    assert shown[0] == " 1.  \x1b[2m(2.2)\x1b[0m", "an empty text has no colours"
    assert shown[4] == "    \x1b[2mnearly the same: _chunks/0.md\x1b[0m"


@pytest.mark.parametrize(("count", "more"), [(1, ""), (5, ""), (6, " and 1 more"), (2005, " and 2,000 more")])
def test_so_many_duplicates_are_named_and_the_rest_is_counted(count: int, more: str) -> None:
    named = ", ".join(f"_chunks/{number}.md" for number in range(min(count, 5)))
    said = f"\n    nearly the same: {named}{more}"
    assert search_text(Answer(hits=(replace(HIT, duplicates=hits(count)),), total=1)).endswith(said)
    passage = Passage(text="text", tokens=1, excerpt=False, hits=(HIT,), duplicates=hits(count))
    assert context_sources(context(passages=(passage,))).endswith(said)


def test_a_passage_is_named_by_its_number_and_its_sources() -> None:
    whole = Passage(
        text="\none\r\ntwo\tthree\x1b\n", tokens=30, excerpt=False, hits=(HIT, replace(hits(1)[0], title="Other"))
    )
    part = Passage(text="…", tokens=1, excerpt=True, hits=(replace(HIT, url="https://e.org/"),))
    assert context_sources(context(passages=(whole, part))) == (
        "[1] Page › Part … Title\n    a.md\n    _chunks/a-0.md, _chunks/0.md, 30 tokens\n"
        "[2] Page › Part … Title (excerpt)\n    https://e.org/\n    _chunks/a-0.md, 1 token"
    )


def test_the_text_of_a_context_is_printed_as_it_was_counted() -> None:
    passage = Passage(text="one", tokens=1, excerpt=False, hits=(HIT,))
    text = "[1]\n\none\r\ntwo\tthree\x1b"
    assert context_text(context(passages=(passage,), text=text, more=hits(2))) == "[1]\n\none\ntwo\tthree\\x1b"


@pytest.mark.parametrize(("count", "last"), [(10, None), (11, "and 1 more"), (1010, "and 1,000 more")])
def test_so_many_chunks_are_pointed_to(count: int, last: str | None) -> None:
    lines = context_sources(context(more=hits(count))).splitlines()
    assert lines[:11] == ["More here:", *map(pointer, hits(10))]
    assert lines[11:] == ([f"{last}: give --max-tokens, or search, for them"] if last else [])


def test_pointers_and_known_questions() -> None:
    assert pointer(HIT) == "- Page › Part … Title (_chunks/a-0.md, 12 tokens)"
    assert pointer(replace(HIT, url="https://e.org/")).endswith("(https://e.org/, _chunks/a-0.md, 12 tokens)")
    assert item_pointer(ITEM) == "- Page … Title (_chunks/a-0.md, 1 token)"
    assert item_pointer(replace(ITEM, tokens=None)) == "- Page … Title (_chunks/a-0.md)"
    same = replace(HIT, matched_question=MatchedQuestion("Why?", 0, 0.5))
    assert known(HIT) == [] and known(same) == ['known to answer "Why?"']
    near_one = replace(HIT, matched_question=MatchedQuestion("Why\x1b?", 1, 0.5))
    assert known(near_one) == ['known to answer "Why\\x1b?" (1 bit from yours)']
    assert '\n    known to answer "Why?"' in search_text(Answer(hits=(same,), total=1))
    passage = Passage(text="text", tokens=1, excerpt=False, hits=(same,))
    assert context_sources(context(passages=(passage,))).endswith('\n    known to answer "Why?"')
    assert context_text(context()) == context_sources(context()) == ""


@pytest.mark.parametrize(
    ("path", "title", "page_title", "expected"),
    [
        (("A", "A", "B"), "B", "A", "A › B"),
        (("A", "B"), "A", "A", "A › B … A"),
        (("A", "B", "A"), "", "", "A › B › A"),
        (("", ""), "T", "P", "P › T"),
        ((), "T", "T", "T"),
        ((), "T", "", "T"),
        ((), "", "", ""),
        (("A",), "", "P", "P › A"),
        (("A\n",), "\x1b", "", "A\\n … \\x1b"),
    ],
)
def test_a_trail(path: tuple[str, ...], title: str, page_title: str, expected: str) -> None:
    assert trail(path, title, page_title) == expected


def test_a_sample_as_text() -> None:
    assert sample_text([(ITEM, CHUNK), (ITEM, CHUNK)]) == (
        "[1] Page … Title\n    _chunks/a-0.md, 1 token\n\nbody\n\n[2] Page … Title\n    _chunks/a-0.md, 1 token\n\nbody"
    )


def test_a_topic_as_text() -> None:
    entry = TopicEntry(id="a/b", title="B", href="a/b/index.json", description="About\nB", documents=1, chunks=2000)
    assert entry_text(entry) == "B (a/b), 1 document, 2,000 chunks: About\\nB"
    assert entry_text(replace(entry, description="", topics=1)) == "B (a/b), 1 document, 2,000 chunks, 1 topic below"
    documents = {"a": Document(source="a.md", count=1, items=(ITEM,)), "b": Document(source="b.md", count=0)}
    related = (Related(href="c/index.json", title="C", similarity=0.126), Related(href="d/index.json", title="D"))
    topic = Topic(
        id="a",
        title="A",
        description=" About\nA ",
        href="a/index.json",
        topics=(entry,),
        documents=documents,
        related=related,
    )
    assert topic_text(topic) == (
        "A (a)\nAbout\nA\n\n"
        "Topics:\n  B (a/b), 1 document, 2,000 chunks: About\\nB\n\n"
        "a.md (1 chunk):\n  Page … Title (_chunks/a-0.md, 1 token)\n\n"
        "b.md (0 chunks):\n\n"
        "Related:\n  C (c/index.json), similarity 0.13\n  D (d/index.json)"
    )
    empty = Topic(id="", title="Root", href="index.json", topics=(), documents={})
    assert topic_text(empty) == topic_name("", "Root") == "Root"


@pytest.mark.parametrize(
    ("count", "last"), [(5, []), (6, ["without 1 more files"]), (1005, ["without 1,000 more files"])]
)
def test_what_a_person_should_know(count: int, last: list[str]) -> None:
    missing = {f"{number}.z": "gone\n" for number in range(count)}
    assert warnings(missing, ["a\nnote"], {"cahce": "cache"}) == [
        'searched for "cache" instead of "cahce"',
        "a\\nnote",
        *(f"without {number}.z: gone\\n" for number in range(5)),
        *last,
    ]
    assert warnings({}, ()) == []


def test_words_that_may_be_slips() -> None:
    assert words_of("the cahce, cahce and x86_64 dont_know 1234") == ["cahce", "dont", "know"]
    words = [f"{letter}word" for letter in "abcdefghi"]
    assert words_of(" ".join(words)) == words[:8]
    assert near("ca\x1bhe", ["cache", "cachet"]) == "the site has nothing for ca\\x1bhe; it has cache, cachet"


def test_blocks_keep_ends_of_lines_and_tabs() -> None:
    assert block("a\tb\r\nc\rd\n\n\x07") == "a\tb\nc\\rd\n\n\\x07"


def test_answers_as_json() -> None:
    item = replace(ITEM, keywords=(("cache", 3),), prompt_hashes=(1, (1 << 64) - 1), similarity_conceptual=0.5)
    assert as_json([item]) == [
        {
            "topic": "",
            "document": "a.md",
            "index": 0,
            "href": "_chunks/a-0.md",
            "title": "Title",
            "section_path": ["Page"],
            "is_code": False,
            "tokens": 1,
            "sha256": "",
            "similarity_conceptual": 0.5,
            "keywords": [{"name": "cache", "score": 3}],
            "prompt_hashes_hex": ["0000000000000001", "ffffffffffffffff"],
        }
    ]
    assert as_json(CHUNK) == {
        "href": "_chunks/a-0.md",
        "sha256": "1" * 64,
        "front_matter": FRONT,
        "text": "\nbody\n",
    }
    assert as_json({"a": (1, None), "b": "text"}) == {"a": [1, None], "b": "text"}
    assert as_json(Related(href="c")) == {"href": "c", "title": "", "authority": {}}
    assert as_json(Item) is Item


@pytest.mark.parametrize("evidence", KINDS)
@pytest.mark.parametrize("back", [False, True])
def test_a_hit_says_which_page_led_to_it(evidence: str, back: bool) -> None:
    said = led(Via("a.md", "The \x1b song", "a/", 0, evidence, back))
    assert said.startswith("by way of The \\x1b song, ")
    ways = [led(Via("a.md", "", "", 0, kind, other)) for kind in KINDS for other in (False, True)]
    assert len(set(ways)) == 2 * len(KINDS)
    assert all(way.startswith(("by way of a.md, wh", "by way of a.md, to which")) for way in ways)
    hit = replace(HIT, hops=1, via=Via("b.md", "B", "b/", 3, evidence, back))
    answer = Answer(hits=(hit,), total=1)
    assert led(hit.via or Via("", "", "", 0, "", False)) in search_text(answer)
    assert as_json(answer)["hits"][0]["via"]["evidence"] == evidence


def test_a_hit_says_what_a_model_said_of_its_way_and_which_model() -> None:
    said = SaidRelation("Brigham", "grew rich with", "The \x1b Mills", "model-1")
    hit = replace(HIT, hops=1, path=("Brigham", "The \x1b Mills"), relation=said)
    answer = Answer(hits=(hit,), total=1)
    assert (
        '(a language model, model-1, says that pages state: "Brigham grew rich with The \\x1b Mills")'
        in search_text(answer)
    )
    assert as_json(answer)["hits"][0]["relation"] == {
        "source": "Brigham",
        "relation": "grew rich with",
        "target": "The \x1b Mills",
        "by": "model-1",
    }
    assert "relation" not in as_json(Answer(hits=(HIT,), total=1))["hits"][0]
