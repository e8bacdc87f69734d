"""The stripe table and its picture."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from infograph.commands.show import for_display, place, plot, read_topic, show, stripe_table
from infograph.errors import ConfigError, FormatError, OutputError
from infograph.formats.index_json import Index, decode_index
from infograph.index.hal import IndexOptions, topic_index
from infograph.model import SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]


@pytest.fixture
def index(make_spec: MakeSpec, make_source: MakeSource) -> Index:
    spec = make_spec("guide", make_source("intro.md", 20, technical=1), make_source("short.md", 3))
    (page,) = topic_index(spec)
    return decode_index(page.data, "index.json")


def test_placed_chunks_tell_the_order_they_came_from(index: Index) -> None:
    document = index.embedded.chunks.documents["intro"]
    placed = place(document)
    assert [entry.item.index for entry in placed] == list(document.stripe_order)
    by_rank = sorted(placed, key=lambda entry: entry.rank)
    similarities = [entry.similarity for entry in by_rank]
    assert similarities == sorted(similarities, reverse=True)
    assert [entry.rank for entry in by_rank] == list(range(1, 20))
    assert {entry.stripe for entry in placed} == {1, 2, 3, 4}
    assert all((entry.rank - 1) % 4 == entry.stripe - 1 for entry in placed)


def test_no_technical_order_places_nothing(index: Index) -> None:
    assert place(index.embedded.chunks.documents["short"], technical=True) == []


@pytest.mark.parametrize("width", [72, 80, 200])
def test_table(index: Index, width: int) -> None:
    table = stripe_table(index, width=width)
    assert all(len(line) <= width for line in table.splitlines())
    assert table.count("sample  stripe  rank") == 3
    assert "intro, technical: 4 stripes" in table
    assert "short, conceptual: not striped" in table


def test_table_of_one_document(index: Index) -> None:
    assert "intro," not in stripe_table(index, "short")
    assert stripe_table(index, "short.md") == stripe_table(index, "short")


@pytest.mark.parametrize("address", ["http://localhost:1/", "https://example.org/docs/index.json", "file:///docs"])
def test_an_address_is_told_what_reads_one(address: str) -> None:
    with pytest.raises(
        ConfigError, match=r"is an address, and `show` reads a folder only\. `infograph get` "
    ) as caught:
        show(address)
    assert caught.value.place == address


def test_an_unknown_document_names_those_there_are(index: Index) -> None:
    with pytest.raises(ConfigError, match=r"is no document of topic 'guide'\. It has: intro, short\."):
        stripe_table(index, "nope")


def test_titles_cannot_steer_the_terminal(make_spec: MakeSpec, make_source: MakeSource) -> None:
    source = make_source("a.md", 2)
    title = "red\x1b[31m \u202egnp.\u200b\ttab\nline"
    chunks = tuple(replace(chunk, title=title) for chunk in source.chunks)
    (page,) = topic_index(make_spec("", replace(source, chunks=chunks)))
    table = stripe_table(decode_index(page.data, "i"))
    assert {"\x1b", "\u202e", "\u200b", "\t"}.isdisjoint(table)
    assert for_display(title) == "red[31m gnp. tab line"
    assert stripe_table(replace(decode_index(page.data, "i"), id="a\x1b[2J")).startswith("Everything (a\\x1b[2J)")


def test_wide_characters_take_two_columns(make_spec: MakeSpec, make_source: MakeSource) -> None:
    source = make_source("a.md", 2)
    chunks = tuple(replace(chunk, title="高速缓存" * 20) for chunk in source.chunks)
    (page,) = topic_index(make_spec("", replace(source, chunks=chunks)))
    row = stripe_table(decode_index(page.data, "i"), width=80).splitlines()[-1]
    assert sum(2 if ord(character) > 0x2E80 else 1 for character in row) <= 80
    assert row.endswith("…")


def test_all_pages_of_a_topic_are_read(tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource) -> None:
    spec = make_spec("guide", *(make_source(f"d{number}.md", 9) for number in range(9)))
    pages = topic_index(spec, options=IndexOptions(page_bytes=10_000, base_url="/docs/"))
    assert len(pages) > 2
    for page in pages:
        (tmp_path / page.name).write_bytes(page.data)
    assert list(read_topic(tmp_path).embedded.chunks.documents) == [f"d{number}" for number in range(9)]


def test_the_command(small_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    text = show(str(small_tree / "guide"), "intro")
    assert text == stripe_table(read_topic(small_tree / "guide"), "intro", 90).rstrip()
    assert show(str(small_tree / "guide" / "index.json"), "intro") == text


def test_a_folder_that_is_no_topic(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Name the folder of a topic"):
        read_topic(tmp_path)
    (tmp_path / "index.json").write_text("{}")
    with pytest.raises(FormatError, match="`id` is missing"):
        read_topic(tmp_path)


class TestPlot:
    @pytest.fixture(autouse=True)
    def matplotlib(self) -> None:
        pytest.importorskip("matplotlib", reason="needs the extra infograph[plot]")

    @pytest.mark.slow
    def test_dual_panels_with_titles_axes_and_legend(self, index: Index, tmp_path: Path) -> None:
        plot(index, tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text()
        for words in (
            "conceptual: 4 stripes",
            "technical: 4 stripes",
            "Cosine similarity to the baseline",
            "Place in the order",
            "stripe 4",
            "prose",
            "code",
        ):
            assert words in text
        assert "stripe 5" not in text

    def test_the_command(self, small_tree: Path, tmp_path: Path) -> None:
        picture = tmp_path / "a.svg"
        assert show(str(small_tree / "guide"), "intro.md", str(picture)) == f"wrote {picture}: intro.md"
        assert "intro.md" in picture.read_text()

    def test_of_several_documents_the_drawn_one_is_named(
        self, make_spec: MakeSpec, make_source: MakeSource, tmp_path: Path
    ) -> None:
        spec = make_spec("guide", make_source("a.md", 3), make_source("long.md", 9), make_source("z.md", 4))
        (page,) = topic_index(spec)
        (tmp_path / "index.json").write_bytes(page.data)
        picture = str(tmp_path / "a.svg")
        expected = f"wrote {picture}: long.md, which of 3 documents has the most chunks; --document draws another"
        assert show(str(tmp_path), None, picture) == expected
        assert show(str(tmp_path), "z", picture) == f"wrote {picture}: z.md"

    def test_one_panel_without_a_technical_baseline(self, index: Index, tmp_path: Path) -> None:
        plot(index, tmp_path / "a.svg", "short")
        text = (tmp_path / "a.svg").read_text()
        assert "technical" not in text and "not striped" in text

    @pytest.mark.slow
    @pytest.mark.parametrize("suffix", [".png", ".svg"])
    def test_same_index_same_bytes(self, index: Index, tmp_path: Path, suffix: str) -> None:
        plot(index, tmp_path / f"a{suffix}")
        plot(index, tmp_path / f"b{suffix}")
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()

    def test_titles_are_text(self, make_spec: MakeSpec, make_source: MakeSource, tmp_path: Path) -> None:
        spec = make_spec("", make_source("a.md", 4), title=r"costs $5 or $\frac$ 高速")
        plot(decode_index(topic_index(spec)[0].data, "i"), tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")

    def test_many_stripes(self, make_spec: MakeSpec, make_source: MakeSource, tmp_path: Path) -> None:
        spec = make_spec("", make_source("a.md", 300))
        plot(decode_index(topic_index(spec)[0].data, "i"), tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text()
        assert "stripe 17" in text and "stripe 5" not in text and "numbers: chunk" not in text

    def test_what_cannot_be_drawn(
        self, index: Index, make_spec: MakeSpec, make_source: MakeSource, tmp_path: Path
    ) -> None:
        with pytest.raises(ConfigError, match=r"End the name in \.png or \.svg"):
            plot(index, tmp_path / "a.txt")
        with pytest.raises(OutputError, match="cannot be written"):
            plot(index, tmp_path / "no" / "a.png")
        single = decode_index(topic_index(make_spec("", make_source("a.md", 1)))[0].data, "i")
        with pytest.raises(ConfigError, match="nothing to draw"):
            plot(single, tmp_path / "a.png")


def test_without_matplotlib_the_error_names_the_extra(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install 'infograph\[plot\]'"):
        plot(index, tmp_path / "a.png")
