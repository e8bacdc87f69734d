"""Prompts: the text stands between lines that it cannot forge, and a long document is an excerpt."""

from __future__ import annotations

import hashlib

from infograph.enrich.prompts import Manners, Scene, chunk_prompt, group_prompt, sentinel_of
from infograph.enrich.tasks import CONTEXT, METADATA, QUERIES
from infograph.model import Chunk


def chunk(index: int, text: str, count: int = 3) -> Chunk:
    path = ("Page", f"Part {index}")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Chunk("p.md", index, count, path[-1], path, text, text, (1, 2), (0, 9), 3, False, "structural", digest)


TEXTS = ["First words.\n", "Middle words AKIA.\n", "Last words.\n"]
SCENE = Scene("Page", [chunk(i, text) for i, text in enumerate(TEXTS)], ["a key (2)"], "What came before.")


def test_a_code_never_stands_in_its_text() -> None:
    for text in ("", "x", sentinel_of("x"), "\n".join(sentinel_of(str(n)) for n in range(50))):
        code = sentinel_of(text)
        assert len(code) == 16
        assert code not in text
        assert code == sentinel_of(text)
    assert sentinel_of("a") != sentinel_of("b")


def test_a_chunk_is_shown_with_what_came_before() -> None:
    made = chunk_prompt(SCENE, 1, Manners((METADATA,), redact=lambda text: text.replace("AKIA", "[gone]")))
    code = sentinel_of("Middle words [gone].\n")
    assert f"{code}\nMiddle words [gone].\n\n{code}\n" in made.text
    for said in ("Page > Part 1", "chunk 2 of 3", "What came before.", "- a key (2)", "never one word"):
        assert said in made.text
    assert made.shared == ""
    assert set(made.schema["properties"]) == {spec.name for spec in METADATA.fields}
    assert "(first)" in chunk_prompt(Scene("P", SCENE.chunks), 0, Manners((METADATA,))).text
    assert "Known keys" not in chunk_prompt(SCENE, 1, Manners((METADATA,), rolling=False)).text


def test_the_document_comes_first_and_is_equal_for_all_its_chunks() -> None:
    manners = Manners((METADATA, CONTEXT))
    shared = {chunk_prompt(SCENE, index, manners).shared for index in range(3)}
    assert len(shared) == 1
    assert "".join(TEXTS) in shared.pop()


def test_a_document_that_is_too_long_is_an_excerpt() -> None:
    scene = Scene("Page", [chunk(n, f"word{n} " * 300, 40) for n in range(40)])
    made = chunk_prompt(scene, 20, Manners((CONTEXT,), context_tokens=4000))
    assert len(made.shared) < 4000 * 3
    assert "An excerpt" in made.shared
    assert "Part 39" in made.shared
    assert "word20 " in made.shared
    assert "word0 " not in made.shared
    less = chunk_prompt(scene, 20, Manners((CONTEXT,), context_tokens=4000), share=0.4)
    assert len(less.shared) < len(made.shared)


def test_a_chunk_that_is_too_long_loses_its_middle() -> None:
    scene = Scene("Page", [chunk(0, "start " + "x" * 50_000 + " end", 1)])
    made = chunk_prompt(scene, 0, Manners((METADATA,), context_tokens=2000))
    assert len(made.text) < 8000
    assert "start " in made.text
    assert "[…]" in made.text
    assert " end" in made.text


def test_several_chunks_are_numbered() -> None:
    made = group_prompt(SCENE, [0, 2], Manners((METADATA, QUERIES)))
    for index, text in enumerate(TEXTS):
        body = f"Section: Page > Part {index}\n\n{text}"
        assert f"{sentinel_of(body)} chunk {index}\n{body}" in made.shared
    assert "for the chunks 0, 2 in this order" in made.text
    entries = made.schema["properties"]["chunks"]
    assert (entries["minItems"], entries["maxItems"]) == (2, 2)
    assert {"chunk", "title", "queries"} <= set(entries["items"]["properties"])
