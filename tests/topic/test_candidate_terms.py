"""Candidate terms: what counts and what does not; no input is slow or fails."""

import pickle
import re
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.topic.candidate_terms import ChunkTerms, chunk_terms, document_terms


def words(text: str, language: str = "en") -> list[str]:
    return sorted(set(chunk_terms(text, language).words.split("\n")) - {""})


def compounds(text: str) -> list[str]:
    return sorted(set(chunk_terms(text).compounds.split("\n")) - {""})


def codes(text: str, **options: bool) -> list[str]:
    return sorted(set(chunk_terms(text, **options).codes.split("\n")) - {""})


def test_occurrences_are_repeated_so_that_they_can_be_counted():
    terms = chunk_terms("The cache is a cache. A build cache, the build cache.")
    assert Counter(terms.words.split("\n")) == {"cache": 4, "build": 2}
    assert Counter(terms.compounds.split("\n")) == {"build cache": 2}


def test_words_are_lower_case():
    assert words("Topic VECTORS, at 42 or 3.14 or v2 of it; utf8") == ["topic", "utf8", "v2", "vectors"]


def test_numbers_and_what_is_glued_to_them_are_no_words():
    assert words("the 3rd release, 10mb or 0x7f pages") == ["pages", "release"]


def test_single_letters_and_stop_words_of_two_are_no_names():
    assert codes("`e` `if` `ls` `for`") == ["for", "ls"]
    assert words("a 'start' is Ada's") == ["ada", "start"]


def test_hyphenated_words_stay_whole_and_possessives_go():
    assert words("compile-time checks of Pydantic's models don't fail") == [
        "checks",
        "compile-time",
        "fail",
        "models",
        "pydantic",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("source generation mode", ["generation mode", "source generation", "source generation mode"]),
        ("source of generation", []),
        ("source, generation. mode", []),
        ("source\ngeneration", ["source generation"]),  # a wrapped line is one sentence
        ("source\n\ngeneration", []),
        ("* source\n* generation\n1. mode\n- list", []),
        ("| source | generation |\n| --- | --- |\n| mode | list |", []),
        ("# Source\ngeneration", []),
        ("source `code` generation", []),
        ("**source** generation", ["source generation"]),
        ("[source](url) generation", []),
    ],
)
def test_compounds_are_adjacent_words_of_one_sentence_cell_or_heading(text: str, expected: list[str]):
    assert compounds(text) == expected


def test_compounds_of_headings_know_the_best_level():
    text = "### Stripe order\n\n## Stripe order ##\n\nstripe order\n\nBuild cache\n===\n\nTopic vector\n---\n"
    assert chunk_terms(text).headed == (("build cache", 1), ("stripe order", 2), ("topic vector", 2))
    assert Counter(chunk_terms(text).compounds.split("\n"))["stripe order"] == 3


def test_a_hash_inside_a_fence_is_no_heading():
    assert chunk_terms("```\n# stripe order\n```\n").headed == ()
    assert chunk_terms("# stripe order\n```\n# Build cache\n", in_fence=True).headed == (("build cache", 1),)


def test_identifiers_are_kept_whole_with_their_case():
    text = "`JsonSerializerContext`, `Get-ChildItem`, `os.path.join`, `--no-cache`, `snake_case`, `$PSHome`, `run()`"
    assert codes(text) == sorted(
        ["JsonSerializerContext", "Get-ChildItem", "os.path.join", "--no-cache", "snake_case", "PSHome", "run"]
    )


def test_in_listings_only_what_looks_like_a_name_counts():
    listing = "```python\nfrom os import path\napp = FastAPI(title='x', max_size=3)\nos.path.join('https://a.example/X_y')\n```\n"
    assert codes(listing) == ["FastAPI", "max_size", "os.path.join"]
    assert words(listing) == []
    assert codes("`pip install --no-cache some_package`") == ["--no-cache", "some_package"]


def test_snake_case_in_prose_is_code():
    assert codes("see about_Providers and _emphasis_ here") == ["about_Providers"]
    assert words("see about_Providers and _emphasis_ here") == ["emphasis"]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "> ```", "1. ```", "- ~~~"])
def test_fences_of_every_kind_are_recognised(fence: str):
    closing = fence if fence.startswith(">") else "   " + re.sub(r"[^`~]", "", fence)
    text = f"alpha\n\n{fence}py\nplain words\na_name\n{closing}\n\nomega\n"
    assert words(text) == ["alpha", "omega"]
    assert codes(text) == ["a_name"]


def test_a_piece_of_a_cut_fence():
    text = "plain words\na_name\n```\n\nomega\n"
    assert "plain" in words(text)
    assert chunk_terms(text, in_fence=True) == ChunkTerms(runs="omega", codes="a_name")


@pytest.mark.parametrize(
    "markup",
    [
        "<div class='alpha beta' id=\"gamma\">",
        "<!-- alpha beta\n\ngamma -->",
        "<style>\n.alpha { color: beta }\n</style>",
        '{{< alpha beta="gamma" >}}',
        "{{% alpha %}}",
        "{% include alpha.html %}",
        "{* ../alpha/beta.py hl[2] *}",
        "{ #alpha-beta }",
        "{/*alpha*/}",
        "https://alpha.example/beta?gamma=1",
        "<https://alpha.example>",
        "www.alpha.example",
        "&nbsp;&alpha;&#945;",
        "[!NOTE]",
        "[^alpha]",
        "\n[alpha]: https://beta.example 'gamma'\n",
        "\nimport Alpha from './beta.mdx'\n",
        "\nexport const alpha = 'beta'\n",
        "\n:::alpha\n",
        "\n/// alpha\n",
        "\n!!! alpha\n",
    ],
)
def test_markup_is_not_text(markup: str):
    assert chunk_terms(f"first {markup} omega").distinct() == {"omega"}


def test_link_texts_and_titles_of_admonitions_are_text():
    assert words('[chunk](https://alpha.example/beta_(gamma) "title") ![picture](x.png) [topic][ref]') == [
        "chunk",
        "picture",
        "topic",
    ]
    assert words('!!! warning "Stale cache"\n') == ["cache", "stale"]


def test_other_languages():
    assert words("Der Zwischenspeicher und die Größe", "de") == ["größe", "zwischenspeicher"]
    assert words("キャッシュの設定", "ja") == ["キャッシュ", "設定"]
    assert words("кэш сборки", "ru") == ["кэш", "сборки"]
    assert chunk_terms("数据库管理系统的配置方法和说明", "zh").words == ""  # a clause, not a term


def test_front_matter_counts_as_a_first_level_heading():
    terms = document_terms("Stripe order", ["Machine  Learning", "JSON", "os.path", ""])
    assert terms.headed == (("machine learning", 1), ("stripe order", 1))
    assert terms.distinct() == {"stripe", "order", "stripe order", "machine learning", "json", "os.path"}
    assert document_terms(None, []) == ChunkTerms()


@given(st.text(alphabet=st.sampled_from("ab_ -'`~#*[](){}<>!|&:/\n\t01éß字カ\u2028\x85"), max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_well_formed_terms(text: str):
    terms = chunk_terms(text)
    assert pickle.loads(pickle.dumps(terms)) == terms  # noqa: S301 - our own bytes
    for term in terms.distinct():
        assert term == term.strip() and "\n" not in term and "`" not in term
    for compound in filter(None, terms.compounds.split("\n")):
        assert 2 <= len(compound.split(" ")) <= 3
    assert {term for term, _ in terms.headed} <= set(terms.compounds.split("\n"))


@given(st.text(alphabet="aab z_-'.,*09|\n", max_size=80))
@settings(max_examples=300, deadline=None)
def test_the_fast_path_for_ascii_gives_the_same(text: str):
    beyond = chunk_terms(f"{text}\n\nä")
    assert chunk_terms(f"{text}\n\n|") == beyond


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *("<", "<a", "<!--", "<script", "`", "` ", "``a", "](", "](a", "[a]:", "{", "{{", "_", "a_", "a", "a-", "a'"),
        *("#", "# a\n", "a\n--\n", "```\n", "``` ", "a ```", "> ", "- ", "1. ", "&a"),
        *("http://", "--a", "a.", "\n", " ", "字", "ア"),
    ],
)
def test_time_is_linear_in_the_input(unit: str):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        chunk_terms(text)
        return time.process_time() - start

    # CPU time as a ratio: quadratic work would take 64 times as long. The constant forgives the clock's grain.
    assert seconds(320_000) < 24 * min(seconds(40_000) for _ in range(3)) + 0.1
