"""Reading a chunk, a section and a page, in parts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.config import load
from infograph.integrations.mcp.reading import LONGEST_TEXT, ReadPlace, fitting, section_of, taken

API = "reference/_chunks/api-3.md"
DOCUMENT = "reference/api.md"


def page_of(site: Path) -> list[Any]:
    (document,) = Client(site).topic("reference").documents.values()
    return list(document.items)


def parts(ask: Callable[..., Any], site: Path, **arguments: Any) -> list[Any]:
    """All parts of a read, by its cursors."""

    async def asks(client: Any) -> list[Any]:
        found: list[Any] = []
        cursor = ""
        while cursor or not found:
            result = await client.call_tool("read", {**arguments, "cursor": cursor})
            assert not result.is_error, result.content[0].text
            found.append(result.structured_content)
            cursor = found[-1].get("next_cursor", "")
        return found

    return list(ask(site, asks))


@pytest.mark.slow
@pytest.mark.parametrize("max_tokens", [20, 300, 1000, 20_000])
def test_a_page_comes_whole_in_parts(manual: Path, ask: Callable[..., Any], max_tokens: int) -> None:
    items = page_of(manual)
    whole = "".join(Client(manual).read(item).readable for item in items)
    for id in (API, DOCUMENT):
        found = parts(ask, manual, id=id, part="page", max_tokens=max_tokens)
        assert "".join(own["text"] for own in found) == whole
        assert (len(found) == 1) == (max_tokens == 20_000)
        for own in found:
            assert (own["document"], own["title"], own["id"]) == (DOCUMENT, "API", items[0].href)
            assert own["tokens"] == sum(item.tokens for item in items)
            assert not {"previous", "next"} & own.keys()


def test_a_section_has_its_chunks_and_no_others(manual: Path, ask: Callable[..., Any]) -> None:
    (own,) = parts(ask, manual, id=API, part="section")
    items = page_of(manual)
    chosen = [item for item in items if item.section_path[:2] == ("API", "Method 1")]
    assert own["text"] == "".join(Client(manual).read(item).readable for item in chosen)
    assert own["title"] == "Method 1" and own["section_path"] == ["API", "Method 1"]
    numbers = [item.index for item in chosen]
    assert (own["previous"], own["next"]) == (items[numbers[0] - 1].href, items[numbers[-1] + 1].href)


def test_the_page_of_a_chunk_is_its_own_whatever_its_name_is(tmp_path: Path, ask: Callable[..., Any]) -> None:
    names = ["a.md", "b.md", "c d%.md", "é:f.md", "_chunks-x.md"]
    (tmp_path / "docs/x_chunks").mkdir(parents=True)
    for name in (*names, "x_chunks/g.md"):
        (tmp_path / "docs" / name).write_text("# Same\n\nAll of these pages say the same words.\n")
    out = tmp_path / "site"
    build(load(str(tmp_path / "docs"), flags={"model": "static", "out": str(out)}, environment={}))
    documents = Client(out).topic("").documents.values()
    assert sorted(own.source for own in documents) == sorted(names)
    (own,) = parts(ask, out, id="x_chunks/g.md")
    assert own["document"] == "x_chunks/g.md" and own["id"].startswith("x_chunks/_chunks/g.")
    for document in documents:
        for id in (document.items[0].href, document.source):
            (own,) = parts(ask, out, id=id, part="page")
            assert (own["document"], own["id"]) == (document.source, document.items[0].href)


def test_a_long_chunk_comes_in_parts(manual: Path, ask: Callable[..., Any]) -> None:
    whole = Client(manual).read(API).readable
    found = parts(ask, manual, id=API, max_tokens=40)
    assert len(found) > 2 and "".join(own["text"] for own in found) == whole


@pytest.mark.parametrize("cursor", ["x", "0-0-", "1-0-00000000", "-1-0-abcdefab", "0-0-abcdefab", "9" * 1000, "0\n"])
def test_a_cursor_of_nowhere_is_an_error(manual: Path, failed: Callable[..., str], cursor: str) -> None:
    text = failed(manual, "read", id=DOCUMENT, cursor=cursor)
    assert text.startswith("cursor: is not one that this read has given. Leave it out to read from the beginning")


def test_a_cursor_is_of_its_part_only(manual: Path, ask: Callable[..., Any], failed: Callable[..., str]) -> None:
    cursor = ask(manual, lambda client: client.call_tool("read", {"id": DOCUMENT, "max_tokens": 300}))
    cursor = cursor.structured_content["next_cursor"]
    assert "is not one that this read has given" in failed(manual, "read", id=API, cursor=cursor)
    piece, _, check = cursor.split("-")
    assert "is not one that this read" in failed(manual, "read", id=DOCUMENT, cursor=f"{piece}-999999-{check}")


@pytest.mark.parametrize("id", ["reference/none.md", "none/api.md", "reference", "api.md", "../reference/api.md"])
def test_an_unknown_path_names_the_way_out(manual: Path, failed: Callable[..., str], id: str) -> None:
    assert "Use an id exactly as the other tools give it, or the path of a document" in failed(manual, "read", id=id)


TEXTS = st.lists(st.text(alphabet="ab\n", min_size=1, max_size=60), min_size=1, max_size=6)


@given(TEXTS, st.integers(1, 80), st.lists(st.integers(0, 30), min_size=6, max_size=6))
def test_parts_are_the_whole_and_always_end(texts: list[str], room: int, counts: list[int]) -> None:
    tokens = counts[: len(texts)]
    at, had = ReadPlace(0, 0), ""
    for _ in range(2 + sum(map(len, texts))):
        end = fitting(tokens, at.piece, room)
        text, at = taken(texts[at.piece : end], at, tokens[at.piece], room)
        had += text
        if at.piece == len(texts):
            break
    assert had == "".join(texts)


def test_pieces_fit() -> None:
    assert [fitting([5, 5, 5], 0, room) for room in (1, 5, 9, 10, 15, 99)] == [1, 1, 1, 2, 3, 3]
    assert fitting([5, 5, 5], 2, 1) == 3


def test_figures_that_lie_give_no_more_than_the_limit() -> None:
    text, after = taken(["x" * 10**6], ReadPlace(0, 0), 1, 20_000)
    assert len(text) == LONGEST_TEXT and after == ReadPlace(0, LONGEST_TEXT)
    with pytest.raises(ClientError):
        taken(["short"], ReadPlace(0, 6), 1, 10)


def test_a_section_ends_where_its_headings_do() -> None:
    paths = [["A"], ["A", "B"], ["A", "B", "C"], ["A", "D"], ["A", "B"]]
    assert section_of(paths, 1) == range(1, 3) == section_of(paths, 1)
    assert section_of(paths, 2) == range(2, 3)
    assert section_of(paths, 0) == range(5)
    assert section_of([[], ["A"]], 1) == range(1, 2)
    assert section_of([[], ["A"]], 0) == range(2)


def test_reads_may_run_at_once(manual_url: str, ask: Callable[..., Any]) -> None:
    async def asks(client: Any) -> list[Any]:
        calls = [client.call_tool("read", {"id": DOCUMENT, "max_tokens": 500}) for _ in range(4)]
        return [own.structured_content for own in await asyncio.gather(*calls)]

    first, *others = ask(manual_url, asks)
    assert first["text"] and others == [first] * 3


def test_chunks_that_share_a_file_lead_to_those_beside_them(
    tmp_path: Path, ask: Callable[..., Any], quick: Any
) -> None:
    (tmp_path / "docs").mkdir()
    text = "".join(f"# Part {n}\n\n{'The kettle boils. ' * 120}\n\n" for n in range(40))
    (tmp_path / "docs/große seite.md").write_text(text, "utf-8")
    site = tmp_path / "site"
    build(load(str(tmp_path / "docs"), flags={"out": str(site), "chunks.files": "pack"}, environment={}))
    (document,) = Client(site).topic("").documents.values()
    items = document.items
    assert len(items) > 33
    for number in (0, 31, 32, len(items) - 1):
        (found,) = parts(ask, site, id=items[number].href, max_tokens=20_000)
        assert found["id"] == items[number].href
        assert found.get("previous") == (items[number - 1].href if number else None)
        assert found.get("next") == (items[number + 1].href if number + 1 < len(items) else None)
    whole = parts(ask, site, id=items[3].href, part="page", max_tokens=2000)
    assert len(whole) > 1 and "".join(part["text"] for part in whole) == text
