"""The facts of the format: what is published stays readable, and the two clients go by the same numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import infograph
from infograph.search.format import forms, graph_layout, layout, question_hash, question_rows, terms
from infograph.search.format.layout import count_names, joined_names, name_at, split_names
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.ranking import diversity, reranking, walking
from infograph.search.reading import graph_walk, questions, rankings, slips, words
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.text import entity_keys
from infograph.text.language import stemmer

WEB = Path(infograph.__file__).parent / "web"


def in_javascript(file: str, name: str) -> float:
    """The value of a constant of `infograph/web`."""
    found = re.search(rf"^(?:export )?const {name} = ([\d._]+)(?: (<<|\*\*) (\d+))?;$", (WEB / file).read_text(), re.M)
    assert found, f"{file} has no {name}"
    value = float(found[1].replace("_", ""))
    return value if not found[2] else value * 2 ** int(found[3]) if found[2] == "<<" else value ** int(found[3])


NUMBERS = [
    (layout.FORMAT, "bundle.js", "FORMAT"),
    (layout.DIRECTORY, "bundle.js", "DIRECTORY"),
    (layout.LARGEST_MANIFEST, "bundle.js", "LARGEST_MANIFEST"),
    (layout.LARGEST_SHARD_READ, "bundle.js", "LARGEST_SHARD"),
    (rankings.MOST_WORDS, "bundle.js", "MOST_WORDS"),
    (rankings.MOST_EXAMINED, "ranking.js", "MOST_EXAMINED"),
    (rankings.EXAMINED_AT_ONCE, "ranking.js", "EXAMINED_AT_ONCE"),
    (diversity.NEAR, "ranking.js", "NEAR"),
    (diversity.DIVERSIFIED, "diversity.js", "DIVERSIFIED"),
    (reranking.RERANKED, "reranking.js", "RERANKED"),
    (slips.LIKELY, "slips.js", "LIKELY"),
    (slips.MARKED, "slips.js", "MARKED"),
    (slips.SHORTEST, "slips.js", "SHORTEST"),
    (slips.LONGEST, "slips.js", "LONGEST"),
    (slips.MOST_CORRECTED, "slips.js", "MOST_CORRECTED"),
    (forms.LETTERS, "slips.js", "LETTERS"),
    (terms.LONGEST_TERM, "terms.js", "LONGEST_TERM"),
    (terms.MOST_PARTS, "terms.js", "MOST_PARTS"),
    (words.SHORTEST_STEM, "words.js", "SHORTEST_STEM"),
    (question_rows.KEYS, "question.js", "KEYS"),
    (question_rows.MOST_STEMS, "question.js", "MOST_STEMS"),
    (question_rows.COSINE_SCALE, "question.js", "COSINE_SCALE"),
    (question_hash.FEW, "question.js", "FEW"),
    (question_hash.ALIKE, "question.js", "ALIKE"),
    (questions.PINNED, "question.js", "PINNED"),
    (questions.RAISE, "question.js", "RAISE"),
    (questions.FLOOR, "question.js", "FLOOR"),
    (questions.WRITTEN, "question.js", "WRITTEN"),
    (graph_layout.GRAPH_FORMAT, "walk.js", "FORMAT"),
    (graph_walk.MOST_QUERY_WORDS, "walk.js", "MOST_QUERY_WORDS"),
    (walking.MOST_CHUNKS, "walk.js", "MOST_CHUNKS"),
    (entity_keys.MOST_WORDS, "walk.js", "MOST_WORDS"),
    (entity_keys.LONGEST_KEY, "walk.js", "LONGEST_KEY"),
]


# Named without their values: a test of another name would not be run on a mutant.
@pytest.mark.parametrize(("value", "file", "name"), NUMBERS, ids=[f"{file} {name}" for _, file, name in NUMBERS])
def test_browsers_go_by_the_same_number(value: float, file: str, name: str) -> None:
    assert value == in_javascript(file, name)


def test_the_numbers_of_a_manifest(make_page: Callable[..., PageIndex], language: Language) -> None:
    said = json.loads(bundle([make_page("page.md")], language, load_space()).files["manifest.json"])
    numbers = {name: said[name] for name in ("format", "block", "group", "largest_shard", "neighbour")}
    assert numbers == {"format": 1, "block": 4, "group": 32, "largest_shard": 1 << 24, "neighbour": 0.15}
    assert (said["bm25"]["k1"], said["bm25"]["b"]) == (1.2, 0.75)
    assert (said["vectors"]["weight"], said["vectors"]["dimension"]) == (30.0, 256)
    assert said["bm25"]["counts"] == [1, 2, 3, 4, 6, 9, 14, 24]
    assert said["bm25"]["fields"] == [0.0, 0.8, 0.4, 1.2]
    assert (said["bm25"]["identifier"], said["vectors"]["fields"]) == (2.0, 0.5)
    assert len(said["bm25"]["lengths"]) == 32


@pytest.mark.parametrize(("said", "largest"), [(100, 100), (1 << 24, 1 << 24), (1 << 40, 1 << 26)])
def test_no_manifest_makes_a_reader_take_more_than_its_limit(
    make_page: Callable[..., PageIndex], language: Language, said: int, largest: int
) -> None:
    made = bundle([make_page("page.md")], language, load_space())
    manifest = json.dumps({**made.manifest, "largest_shard": said}).encode()
    reader = Reader((dict(made.files) | {"manifest.json": manifest}).__getitem__, stemmer)
    assert BundleShards(reader.manifest).largest == largest
    reader.search("cache")
    assert bool(reader.missing) is (said == 100)


NAMES = ["p-0123456789abcdef.z", "", "p-fedcba9876543210.z", ""]


@pytest.mark.parametrize("names", [NAMES, NAMES[:1], [""], []])
def test_a_list_of_names_is_one_text(names: list[str]) -> None:
    joined = joined_names(names)
    assert split_names(joined) == names
    assert count_names(joined) == len(names)
    assert [name_at(joined, number) for number in range(len(names) + 1)] == [*names, ""]


@pytest.mark.parametrize("text", ["", "p", "p-0", "p-0123456789ABCDEF", "../../../etc/passw", "pp0123456789abcdef"])
def test_another_text_is_no_list_of_names(text: str) -> None:
    assert (count_names(text), split_names(text)) == (-1, [])


def test_a_list_has_files_of_one_kind() -> None:
    with pytest.raises(ValueError, match="several kinds"):
        joined_names([NAMES[0], "d-0123456789abcdef.z"])
