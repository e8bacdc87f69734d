"""What the chunks of a document can be filtered by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from infograph.chunking.chunker import chunk_document
from infograph.chunking.document_units import placed_units
from infograph.chunking.interface import StrategyTools
from infograph.chunking.routing import Router
from infograph.chunking.tokens import WordPieceCounter
from infograph.formats.search_fields import parse_fields
from infograph.model import Chunk, Document
from infograph.pipeline.worker.chunk_fields import chunk_fields
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

LONG = "Words of it. " * 150
TEXT = f"""---
tags: [red]
weight: 3
keywords: one, two
---
# Page

{LONG}

## Code

{LONG}

```py
print(1)
```

- a list

  ```{{.ruby}}
  puts 1
  ```

## More

{LONG}

```
no language
```
"""


def cut(path: str, text: str, *names: str) -> tuple[list[dict[str, Any]], tuple[Chunk, ...], Document]:
    document = decode(path, text.encode(), fields=parse_fields(names))
    blocks = parse_blocks(document)[0] if path.endswith(".md") else ()
    chunks = chunk_document(document, blocks, Router("structural"), StrategyTools(WordPieceCounter())).chunks
    return (
        chunk_fields(parse_fields(names), document, blocks, chunks, placed_units(document, blocks, chunks)),
        chunks,
        document,
    )


def test_the_languages_of_a_chunk_are_those_of_its_fences() -> None:
    found, chunks, _ = cut("a.md", TEXT, "language")
    assert len(chunks) > 2
    for own, chunk in zip(found, chunks, strict=True):
        names = [name for mark, name in (("```py", "python"), ("{.ruby}", "ruby")) if mark in chunk.text]
        assert own.get("language", ()) == tuple(names)
    assert {name for own in found for name in own.get("language", ())} == {"python", "ruby"}


def test_a_field_is_what_the_build_knows_or_metadata_or_the_front_matter() -> None:
    names = ("chunk_type", "tokens", "index", "count", "is_code", "keywords", "tags", "weight:number", "authority")
    found, chunks, document = cut("a.md", TEXT, *names, "created_at", "nothing")
    assert found[1] == {
        "chunk_type": ("structural",),
        "tokens": (chunks[1].tokens,),
        "index": (1,),
        "count": (len(chunks),),
        "is_code": ("false",),
        "keywords": ("one", "two", "red"),
        "tags": ("red",),
        "weight": (3,),
        "authority": (1,),
    }
    fact = replace(chunks[0], facts=(("tags", ("own",)), ("weight", "heavy"), ("nothing", 7)))
    specs = parse_fields(["tags", "weight:number", "nothing"])
    assert chunk_fields(specs, document, (), [fact], ()) == [{"tags": ("own",), "nothing": ("7",)}]


def test_source_code_has_the_language_of_its_file() -> None:
    found, _, _ = cut("a.py", "print(1)\n", "language", "is_code")
    assert found == [{"language": ("python",), "is_code": ("true",)}]


def test_without_fields_chunks_have_none() -> None:
    found, chunks, _ = cut("a.md", TEXT)
    assert found == [{} for _ in chunks]


def test_a_chunk_has_the_types_of_units_that_it_is_part_of_alone_and_with_their_level() -> None:
    text = f"# Page\n\n{LONG}\n\n## Data\n\n| a |\n| - |\n| 1 |\n\n{LONG}\n"
    document = decode("a.md", text.encode())
    blocks = parse_blocks(document)[0]
    chunks = chunk_document(document, blocks, Router("structural"), StrategyTools(WordPieceCounter())).chunks
    said = (("enriched_key", "k"), ("enriched_propositions", ("It is. (0-4)",)))
    stating = [replace(chunks[0], facts=said), *chunks[1:-1], replace(chunks[-1], facts=said[:1])]
    units = placed_units(document, blocks, chunks)
    found = [own.get("units", ()) for own in chunk_fields(parse_fields(["units"]), document, blocks, stating, units)]
    assert found[0] == ("key", "key.1", "proposition", "proposition.1")
    tables = [own for own, chunk in zip(found, chunks, strict=True) if "| a |" in chunk.text]
    assert len(tables) == 1 < len(found) and {"table", "table.2"} <= set(tables[0])
    assert not any(name.startswith("section") for own in found for name in own), "headings of hits say so"
