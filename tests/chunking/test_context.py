"""Context in the embedded texts of chunks, and metadata in their front matter."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking import metadata
from infograph.chunking.chunker import chunk_document
from infograph.chunking.context import PREFIXES, ChunkContext
from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.metadata import NAMES
from infograph.chunking.registry import STRATEGIES, strategy
from infograph.chunking.routing import Router
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError
from infograph.formats.chunk_file import parse, render
from infograph.formats.names import chunk_name
from infograph.model import Chunk, is_markdown
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

SMALL = strategy("semantic-250-750", {"minimum": 12, "deeper": 25, "maximum": 40})
PAGE = """# Owls

Owls are birds of the night. They see well in the dark. This one is called Ada.

## Food

Owls hunt mice in open fields. A grown owl eats four mice each night. Mice are small and quick.

![Prey](mouse.png "A field mouse")

## Sleep

By day they sleep in hollow trees. Nobody disturbs them there.

```py
sleep(8)
```
"""

Enrich = Callable[..., tuple[Chunk, ...]]


@pytest.fixture(scope="session")
def enrich(counter: WordPieceCounter) -> Enrich:
    """Returns chunks with context; asserts that slices stay the same, and that chunk files hold everything."""

    def enrich(
        text: str = PAGE, cutter: object = SMALL, path: str = "guide/page.md", **asked: object
    ) -> tuple[Chunk, ...]:
        document = decode(path, text.encode())
        blocks = parse_blocks(document)[0] if is_markdown(path) else ()
        made = [
            chunk_document(document, blocks, cutter, StrategyTools(counter), extras).chunks  # type: ignore[arg-type]
            for extras in (ChunkContext(), ChunkContext(**asked))  # type: ignore[arg-type]
        ]
        for bare, chunk in zip(*made, strict=True):
            assert replace(chunk, embed_text=bare.embed_text, facts=bare.facts) == bare
            assert list(chunk.facts) == sorted(chunk.facts)
            name = f"guide/_chunks/{chunk_name(document.stem, chunk.index)}"
            assert parse(name, render(chunk)).chunk == chunk
        return made[1]

    return enrich


def facts(chunk: Chunk) -> dict[str, object]:
    return dict(chunk.facts)


SENTENCES = st.lists(
    st.sampled_from(["One owl sits.", "`a. b`", "e.g. this", "漢字。", "No end", "![x](y.png)", "Dr. Who?"])
)
BLOCKS = st.one_of(
    SENTENCES.map(" ".join),
    st.sampled_from(
        ["# A", "## B", "- one. two.\n- three.", "> said. so.", "| a |\n|---|\n| b. c. |", "```\nx. y.\n```"]
    ),
)
DOCUMENTS = st.lists(BLOCKS, max_size=12).map("\n\n".join)


@given(text=DOCUMENTS, overlap=st.sampled_from([0, 3, 50]), prefix=st.sampled_from(PREFIXES))
@settings(max_examples=100, deadline=None)
def test_any_page(enrich: Enrich, text: str, overlap: int, prefix: str) -> None:
    asked = tuple(name for name in NAMES if name != "language")
    enrich(text, overlap=overlap, prefix=prefix, images=True, metadata=asked, source_version="abc")


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "semantic-embedding"])
def test_every_strategy(enrich: Enrich, name: str) -> None:
    enrich(PAGE * 20, strategy(name), overlap=20, prefix="summary", images=True, metadata=("id", "summary"))


def test_nothing_asked_is_nothing_done(enrich: Enrich) -> None:
    text = PAGE.replace("![Prey]", "[Prey]")
    assert enrich(text, images=True) == enrich(text)
    assert all(chunk.facts == () for chunk in enrich())


def test_overlap_is_the_last_whole_sentences_that_fit(enrich: Enrich, counter: WordPieceCounter) -> None:
    chunks = enrich(PAGE.replace('\n![Prey](mouse.png "A field mouse")\n', ""), overlap=15)
    last = "A grown owl eats four mice each night. Mice are small and quick."
    assert counter.count([last]) <= [15]
    assert chunks[-1].embed_text.startswith(f"Owls > Sleep\n\n{last}\n## Sleep")
    assert b"repeat_before" not in render(chunks[0])
    six = enrich(PAGE.replace('\n![Prey](mouse.png "A field mouse")\n', ""), overlap=5)
    assert six[-1].embed_text.startswith("Owls > Sleep\n\n## Sleep"), "a part of a sentence is none"


def test_no_overlap_with_what_is_no_prose(enrich: Enrich) -> None:
    listing, table = f"```\n{'code. ' * 20}\n```", "| a |\n| --- |\n| end. |"
    text = f"# A\n\n{'Word. ' * 40}\n\n{listing}\n\n## B\n\n{'Other. ' * 30}\n\n{table}\n\n## C\n\nx\n"
    for chunk in enrich(text, overlap=30)[1:]:
        assert "code." not in chunk.embed_text.replace(chunk.text, "")
        assert "end." not in chunk.embed_text.replace(chunk.text, "")


def test_no_overlap_over_the_strategy_s_own(enrich: Enrich) -> None:
    fixed = strategy("fixed", {"window": 40, "overlap": 10})
    assert [c.embed_text for c in enrich(cutter=fixed, overlap=20)] == [c.embed_text for c in enrich(cutter=fixed)]


def test_prefixes(enrich: Enrich) -> None:
    plain, none, summary = (enrich(prefix=prefix) for prefix in ("breadcrumb", "none", "summary"))
    assert [chunk.embed_text for chunk in none] == [chunk.text for chunk in none]
    assert plain[0].embed_text == summary[0].embed_text
    assert summary[-1].embed_text.startswith("Owls > Sleep\nA grown owl eats four mice each night.\n\n## Sleep")


def test_the_summary_is_the_most_central_sentence(enrich: Enrich) -> None:
    aside = "That was said already. Rain falls on other days. "
    (chunk,) = enrich(
        f"# A\n\n{aside}*Owls* hunt [mice](m.md) at night. Mice fear owls. So much for that.\n", metadata=("summary",)
    )
    assert facts(chunk)["summary"] == "Owls hunt mice at night."
    for chunk in enrich(metadata=("summary",)):
        assert str(facts(chunk)["summary"]) in chunk.text
    assert "summary" not in facts(enrich("```\ncode\n```\n", metadata=("summary",))[0])
    (long,) = enrich(" ".join(f"word{chr(97 + n % 26)}" for n in range(100)) + ".", strategy(), metadata=("summary",))
    assert len(str(facts(long)["summary"])) <= 300


def test_images_become_text_of_their_chunk(enrich: Enrich) -> None:
    section = f"## B\n\n![Ref][owl]\n\n{'More of it. ' * 20}"
    text = f"# A\n\n{'Long words go here. ' * 12}\n\n{section}\n\n## C\n\nEnd.\n\n[owl]: o.png 'Night bird'\n"
    chunks = enrich(text, images=True)
    (holding,) = (chunk for chunk in chunks if "images" in facts(chunk))
    assert facts(holding)["images"] == ("o.png",)
    assert "Night bird" not in holding.text
    assert holding.embed_text.endswith("Night bird\n")


def test_the_sentence_before_an_image_that_begins_its_chunk(enrich: Enrich) -> None:
    text = f"# A\n\n{'Long words go here. ' * 9}The owl sits below.\n\n![Bird](o.png)\n\n{'More of it. ' * 12}\n"
    (holding,) = (chunk for chunk in enrich(text, images=True) if "images" in facts(chunk))
    if "The owl sits below." not in holding.text:
        assert "The owl sits below." in holding.embed_text


def test_ids_are_stable_and_distinct(enrich: Enrich) -> None:
    ids = [str(facts(chunk)["chunk_id"]) for chunk in enrich(metadata=("id",))]
    assert ids == [facts(chunk)["chunk_id"] for chunk in enrich(metadata=("id", "summary"))]
    moved = [facts(chunk)["chunk_id"] for chunk in enrich(path="guide/other.md", metadata=("id",))]
    changed = [facts(chunk)["chunk_id"] for chunk in enrich(PAGE.replace("Ada", "Eve"), metadata=("id",))]
    assert len({*ids, *moved}) == 2 * len(ids)
    assert changed[1:] == ids[1:] and changed[0] != ids[0]
    assert {uuid.UUID(name).version for name in ids} == {5}


def test_source_version(enrich: Enrich) -> None:
    assert {facts(c)["source_version"] for c in enrich(metadata=("source_version",), source_version="1a2b")} == {"1a2b"}
    assert all(chunk.facts == () for chunk in enrich(metadata=("source_version",)))


class TestLanguage:
    def test_of_prose_and_fences(self, enrich: Enrich) -> None:
        pytest.importorskip("py3langid")
        prose = "Eulen jagen in der Nacht und schlafen am Tag in hohlen Bäumen. " * 5
        text = f"# Eulen\n\n{prose}\n\n## Code\n\n```Python {{1,2}}\n" + "x = 1\n" * 40 + "```\n"
        assert {facts(chunk)["language"] for chunk in enrich(text, metadata=("language",))} == {"de", "python"}

    @pytest.mark.parametrize(
        "text",
        [
            "Install\n",
            "# Usage\n",
            "# Installation\n",
            "Mit Docker\n",
            "1.2.3\n",
            "# 42\n\n- `x`\n",
            "9cabb9ad-f2ac-4914-a46b-bfc1b9cabb9a\n",
        ],
    )
    def test_too_few_words_have_none(self, enrich: Enrich, text: str) -> None:
        pytest.importorskip("py3langid")
        (chunk,) = enrich(text, metadata=("language",))
        assert "language" not in facts(chunk)

    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("Read the guide to install the tool.\n", "en"),
            ("Ein kurzer Satz auf Deutsch.\n", "de"),
            ("Cette page explique comment installer le programme.\n", "fr"),
            ("こんにちは\n", "ja"),
        ],
    )
    def test_a_sentence_is_enough(self, enrich: Enrich, text: str, language: str) -> None:
        pytest.importorskip("py3langid")
        (chunk,) = enrich(text, metadata=("language",))
        assert facts(chunk)["language"] == language

    def test_the_beginning_of_a_page_tells(self, enrich: Enrich) -> None:
        """The first four thousand characters decide; an appendix in another language is not read."""
        pytest.importorskip("py3langid")
        german = "Eulen jagen in der Nacht und schlafen am Tag in hohlen Bäumen. " * 70
        english = "Owls are birds that hunt in the night and sleep in the trees by day. " * 600
        assert {facts(chunk)["language"] for chunk in enrich(f"{german}\n\n{english}\n", metadata=("language",))} == {
            "de"
        }

    def test_of_the_code_in_a_chunk_what_is_most(self, enrich: Enrich) -> None:
        text = (
            "```py\n"
            + "x = 1\n" * 9
            + "```\n```{.js .wide}\nlet x = 1;\n"
            + "let y = 2;\n" * 9
            + "```\n```\nplain text of no language\n```\n"
        )
        (chunk,) = enrich(text, strategy(), metadata=("language",))
        assert facts(chunk)["language"] == "js"
        first, second = enrich(text, CutAt("let y"), metadata=("language",))
        assert (facts(first)["language"], facts(second)["language"]) == ("py", "js")
        (bare,) = enrich("```\nplain text\n```\n", strategy(), metadata=("language",))
        assert "language" not in facts(bare)

    def test_of_a_fence_beside_the_chunk_nothing_is_taken(self, enrich: Enrich) -> None:
        text = "```py\nx = 1\n```\n```\nplain text\n```\n```js\nlet y;\n```\n"
        chunks = enrich(text, CutAt("```\nplain", "```js"), metadata=("language",))
        assert [facts(chunk).get("language") for chunk in chunks] == ["py", None, "js"]

    def test_of_source_files(self, enrich: Enrich) -> None:
        (chunk,) = enrich("let x = 1;\n", Router(), "guide/a.ts", metadata=("language",))
        assert facts(chunk)["language"] == "typescript"
        (chunk,) = enrich("a,b\n1,2\n", Router(), "guide/a.csv", metadata=("language",))
        assert "language" not in facts(chunk)

    def test_a_missing_library_names_the_extra(self, enrich: Enrich, monkeypatch: pytest.MonkeyPatch) -> None:
        metadata._identifier.cache_clear()
        monkeypatch.setitem(sys.modules, "py3langid", None)
        with pytest.raises(ConfigError, match=r"pip install 'infograph\[language\]'"):
            enrich("# Unseen\n\nWords that no other test has.\n", metadata=("language",))


class TestEntities:
    @pytest.mark.slow
    def test_of_a_pipeline(self, enrich: Enrich, tmp_path: Path) -> None:
        spacy = pytest.importorskip("spacy")
        pipeline = spacy.blank("en")
        names = [{"label": "PERSON", "pattern": "Ada"}, {"label": "ANIMAL", "pattern": [{"LOWER": "mice"}]}]
        pipeline.add_pipe("entity_ruler").add_patterns(names)
        pipeline.to_disk(tmp_path / "names")
        chunks = enrich(entities=str(tmp_path / "names"))
        assert [facts(chunk).get("entities") for chunk in chunks] == [("Ada",), ("mice", "Mice"), None]

    @pytest.mark.slow
    def test_a_pipeline_that_is_not_there(self, enrich: Enrich) -> None:
        pytest.importorskip("spacy")
        with pytest.raises(ConfigError, match="spaCy cannot load `no_such_pipeline`"):
            enrich(entities="no_such_pipeline")

    def test_a_missing_library_names_the_extra(self, enrich: Enrich, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "spacy", None)
        with pytest.raises(ConfigError, match=r"pip install 'infograph\[ner\]'"):
            enrich(entities="unseen")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"prefix": "sumary"}, r"chunks.prefix: there is no `sumary`. Valid: breadcrumb, summary, none"),
        ({"metadata": ("ids",)}, r"chunks.metadata: there is no `ids`. Valid: id, language, summary, source_version"),
    ],
)
def test_what_is_wrong_is_named(asked: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ChunkContext(**asked)  # type: ignore[arg-type]


def test_the_key_says_what_changes_embedded_texts() -> None:
    assert ChunkContext(images=True, metadata=NAMES).key == ""
    assert ChunkContext(overlap=9, prefix="none").key == "-overlap-9-prefix-none"


class CutAt:
    """A strategy that cuts before the given words."""

    chunk_type, key, embeds, extensions = "test", "test", False, ()

    def __init__(self, *words: str) -> None:
        self.words = words

    def __call__(self, page: DocumentLayout, tools: StrategyTools) -> Cutting:
        places = [0, *sorted(page.body.index(word) for word in self.words), len(page.body)]
        return Cutting([ChunkPiece(start, end) for start, end in pairwise(places)])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), ""),
        (("![Bird]",), "Owls sit here."),
        (("They fly",), "They fly at night."),
        (("![Bird]", "They fly"), "Owls sit here. They fly at night."),
    ],
)
def test_of_the_sentences_around_an_image_those_outside_of_its_chunk_are_embedded(
    enrich: Enrich, words: tuple[str, ...], said: str
) -> None:
    text = "Owls sit here.\n\n![Bird](o.png)\n\nThey fly at night.\n"
    (holding,) = (chunk for chunk in enrich(text, CutAt(*words), images=True) if "images" in facts(chunk))
    assert holding.embed_text == holding.text + (f"{said}\n" if said else "")


def test_an_image_belongs_to_the_chunk_that_it_begins_in(enrich: Enrich) -> None:
    chunks = enrich("One.\n\n![a](a.png)\n\nTwo. ![b](b.png)\n", CutAt("![a]", "Two"), images=True)
    assert [facts(chunk).get("images") for chunk in chunks] == [None, ("a.png",), ("b.png",)]


@pytest.mark.parametrize(("room", "said"), [(4, ""), (5, "Bats eat moths too."), (8, "Bats eat moths too.")])
def test_overlap_of_exactly_the_limit(enrich: Enrich, counter: WordPieceCounter, room: int, said: str) -> None:
    assert counter.count(["Bats eat moths too.", "Owls eat mice."]) == [5, 4]
    text = "Owls eat mice. Bats eat moths too.\n\nThen they sleep.\n"
    first, second = enrich(text, CutAt("Then"), overlap=room)
    assert first.embed_text == first.text
    assert second.embed_text == (f"{said}\n" if said else "") + second.text
    both = enrich(text, CutAt("Then"), overlap=9)[1]
    assert both.embed_text == "Owls eat mice. Bats eat moths too.\n" + both.text


def test_overlap_of_several_sentences_is_in_their_order(enrich: Enrich) -> None:
    text = "Zero is none. One is here. Two is here. Three is here. Four is here.\n\nThen more.\n"
    assert enrich(text, CutAt("Then"), overlap=16)[1].embed_text == (
        "One is here. Two is here. Three is here. Four is here.\nThen more.\n"
    )


def test_what_is_said_of_images_begins_a_line(enrich: Enrich) -> None:
    text = "One.\n\n![Bird][b] sits\n\n[b]: o.png 'At night'\n"
    (first, second) = enrich(text, CutAt("sits"), images=True)
    assert first.embed_text == first.text + "\nAt night\n" and second.embed_text == second.text
