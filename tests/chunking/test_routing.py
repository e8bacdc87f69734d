"""The choice of a strategy: globs before suffixes before the configured name; `auto` decides by structure."""

from __future__ import annotations

import re

import pytest

from infograph.chunking.chunker import chunk_document
from infograph.chunking.classifier import _amount, classify
from infograph.chunking.interface import DocumentLayout, StrategyTools
from infograph.chunking.registry import STRATEGIES, STRATEGY_OF_EXTENSIONS, strategy
from infograph.chunking.routing import AUTO, CLASSES, Router
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError
from infograph.formats.chunk_file import parse, render
from infograph.model import OTHERS, is_markdown
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

WORDS = "Some words about the matter at hand follow here. " * 5
PROGRAM = "".join(
    f'def step_{n}(amount):\n    """Words on step {n}."""\n' + f"    amount = work(amount, {n})\n" * 12 + "\n\n"
    for n in range(40)
)


def page(text: str, path: str = "guide/page.md") -> DocumentLayout:
    document = decode(path, text.encode())
    return DocumentLayout(document, parse_blocks(document)[0] if is_markdown(path) else ())


def sections(*titles: str, level: int = 2) -> str:
    return "# Page\n\n" + "".join(f"{'#' * level} {title}\n\n{WORDS}\n\n" for title in titles)


EXAMPLES = {
    "release-notes": [
        sections("1.2.0 (2024-01-31)", "1.1.0 - 2023-12-01", "1.0.0"),
        sections("[Unreleased]", "[0.3.1] - 2024-05-01", "[0.3.0]"),
        sections("Release v3.7.1", "Version 3.7", "Latest news"),
        sections("2024-01-31", "2024-01-17"),
    ],
    "faq": [
        sections("What is it?", "How do I start?", "Why?"),
        sections("Q: Who", "Q1. When", "Where to?", "Notes"),
        "# Answers\n\n" + "Q: Why?\nA: So.\n\n**Q2.** How?\n\n**A2.** Thus.\n\n" * 5,
    ],
    "reference": [
        sections("SYNOPSIS", "SYNTAX", "DESCRIPTION", "EXAMPLES", "PARAMETERS", "NOTES"),
        sections("`read(path)`", "`write(path, data)`", "os.path.join", "snake_case", "camelCase", "`Client.get()`"),
        sections("GET /users", "POST /users", "DELETE /users/{id}", "--verbose", "-o FILE", "--name=X", level=3),
    ],
    "clauses": [sections("1.1 Scope", "1.2 Terms", "2.1 Duties", "2.2 Fees", "3.1 End")],
    "dialogue": ["# Talk\n\n" + "".join(f"**{'AB'[n % 2]}da:** {WORDS}\n\n" for n in range(9))],
    "tables": ["# Units\n\n| a | b |\n| --- | --- |\n" + "| one | two |\n" * 30],
    "source": [
        "# Code\n\nAll of it:\n\n```python\n" + PROGRAM + "```\n",
        "# Code\n\n1. All of it:\n\n   ~~~ {.Rust,ignore}\n" + "   fn f() { g() }\n" * 100 + "   ~~~\n",
        f"{WORDS}\n```js\n" + "call(something)\n" * 100 + "```\n\n```js\n" + "call(more)\n" * 200 + "```\n",
    ],
    "listings": [
        "# Code\n\nRun it:\n\n```py\n" + "call(something)\n" * 30 + "```\n",
        "# Short ones\n\n" + ("```py\n" + "call(something)\n" * 30 + "```\n\n") * 20,
        "# No language\n\n```\n" + "call(something)\n" * 100 + "```\n",
        "# One without a grammar\n\n```csharp\n" + "call(something)\n" * 100 + "```\n",
        "# Marks before each line\n\n> ```py\n" + "> call(something)\n" * 100 + "> ```\n",
    ],
    "prose": [WORDS * 20],
    "guide": [
        sections("Install", "Use", "What next?"),
        sections("1.2 Introduction", "1.3 More words", "Start"),
        sections("Python 3.12 support and other changes", "Notes", "Installing the tool"),
        WORDS,
        "",
        "Ada: hello.\n\nBob: hello.\n",
    ],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in EXAMPLES.items() for text in texts])
def test_pages_of_each_class(name: str, text: str) -> None:
    found, reason = classify(page(text))
    assert found == name, reason
    assert reason


@pytest.mark.parametrize(
    ("speakers", "others", "found"), [(4, 0, True), (5, 0, False), (4, 8, True), (4, 9, False), (1, 0, True)]
)
def test_a_dialogue_is_half_of_the_paragraphs_by_speakers_who_come_back(
    speakers: int, others: int, found: bool
) -> None:
    names = ["Ada", "Bob", "Cleo", "Dan", "Eve"][:speakers]
    paragraphs = [f"{names[turn % speakers]}: it rains." for turn in range(8)] + ["It rained on."] * others
    assert (classify(page("\n\n".join(paragraphs) + "\n"))[0] == "dialogue") == found


def test_counts_are_said_in_words() -> None:
    assert [_amount(count, "table") for count in (0, 1, 2)] == ["no tables", "1 table", "2 tables"]


def test_every_class_and_kind_has_an_example_and_a_strategy() -> None:
    assert set(EXAMPLES) == set(CLASSES)
    assert set(CLASSES.values()) | set(STRATEGY_OF_EXTENSIONS.values()) <= set(STRATEGIES)
    assert {suffix for suffixes in STRATEGY_OF_EXTENSIONS for suffix in suffixes} == set(OTHERS)


def test_without_more_the_configured_strategy_cuts_every_page_and_says_nothing() -> None:
    router = Router()
    for texts in EXAMPLES.values():
        choice = router.choose(page(texts[0]))
        assert (choice.strategy, choice.name, choice.reason) == (strategy(), "", "")
    assert router.key == strategy().key
    assert not router.embeds


def test_a_page_that_is_one_long_listing_is_cut_where_its_functions_begin(counter: WordPieceCounter) -> None:
    text = f"# Title\n\n```python\n{PROGRAM}```\n"
    document = decode("page.md", text.encode())
    chunks = chunk_document(document, parse_blocks(document)[0], Router(AUTO), StrategyTools(counter)).chunks
    assert len(chunks) > 3 and {dict(chunk.facts)["strategy"] for chunk in chunks} == {"code"}
    for chunk in chunks[1:]:
        assert chunk.text.startswith("def step_") and chunk.embed_text.startswith("Title\n\n```python\ndef step_")
        assert chunk.embed_text.rstrip().endswith("```")


def test_kinds_of_files() -> None:
    router = Router()
    for path, name in [("a/x.py", "code"), ("x.CSV", "tabular"), ("talk.vtt", "transcript")]:
        choice = router.choose(page("a,b\n", path))
        assert (choice.name, choice.strategy.chunk_type) == (name, name)
        assert choice.reason == f"the file ends in .{path.rpartition('.')[2].lower()}"


def test_the_last_glob_that_matches_holds() -> None:
    router = Router(AUTO, [("*.md", "fixed"), ("guide/", "structural"), ("*.py", "fixed"), ("/new/**", AUTO)])
    assert router.choose(page(WORDS, "a.md")).name == "fixed"
    choice = router.choose(page(WORDS, "guide/a.md"))
    assert (choice.name, choice.reason) == ("structural", "the path matches guide/")
    assert router.choose(page("x = 1\n", "x.py")).name == "fixed"
    choice = router.choose(page(EXAMPLES["faq"][0], "new/a.md"))
    assert (choice.name, choice.reason) == ("structural", "faq: 3 of 3 headings of level 2 are questions")
    assert router.choose(page("x = 1\n", "x.rs")).name == "code"
    assert [router.glob(path) for path in ("a.md", "guide/a.md", "x.rs")] == ["*.md", "guide/", None]
    assert not router.embeds
    assert Router("fixed", [("*.md", "semantic-embedding")]).embeds


def test_options_reach_their_strategy() -> None:
    options = [("structural", [("maximum", 900)]), ("fixed", [("window", 70)])]
    router = Router("fixed", [("api/", "structural")], options)
    assert router.choose(page(WORDS)).strategy == strategy("fixed", {"window": 70})
    assert router.choose(page(WORDS, "api/a.md")).strategy == strategy("structural", {"maximum": 900})


def test_the_key_changes_with_all_that_the_cutting_depends_on() -> None:
    keys = [
        Router().key,
        Router(AUTO).key,
        Router(options=[("semantic-250-750", [("minimum", 100)])]).key,
        Router(options=[("fixed", [("window", 70)])]).key,
        Router(routes=[("a/", "fixed"), ("b/", "structural")]).key,
        Router(routes=[("b/", "structural"), ("a/", "fixed")]).key,
    ]
    assert len(set(keys)) == len(keys)
    assert all(key.replace("-", "").isalnum() for key in keys)
    assert all(re.search("-[0-9a-f]{8}$", key) for key in keys[3:]), "what is configured beside the strategy"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("structrual",), r"strategy: there is no `structrual`. Did you mean `structural`\? Valid: .*`auto`"),
        ((AUTO, [("a/", "fixd")]), r"routes: `a/`: there is no `fixd`. Did you mean `fixed`"),
        ((AUTO, [("a/", 3)]), "routes: `a/`: there is no `3`"),
        ((AUTO, [("!", "fixed")]), "routes: `!` is not a gitignore pattern: "),
        ((AUTO, [("[z-a]", "fixed")]), r"routes: `\[z-a\]` is not a gitignore pattern: bad character range z-a"),
        ((AUTO, [], [("fixd", [])]), "strategies: there is no `fixd`. Did you mean `fixed`"),
        ((AUTO, [], [("fixed", 3)]), "strategies.fixed: must be a table of options, not 3"),
        (
            (AUTO, [], [("fixed", [("widow", 3)])]),
            r"strategies\.fixed: there is no option `widow`. Did you mean `window`",
        ),
        ((AUTO, [], [("fixed", [("window", "3")])]), "`window` must be a whole number, not '3'"),
    ],
)
def test_what_is_wrong_is_named(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Router(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "semantic-embedding"])
@pytest.mark.parametrize("path", ["x.py", "x.csv", "x.vtt"])
def test_every_strategy_cuts_every_kind_of_file(name: str, path: str, counter: WordPieceCounter) -> None:
    """A route may send any file to any strategy: a strategy cuts an unknown kind of file between lines."""
    router = Router(routes=[(f"*{path[1:]}", name)])
    text = "WEBVTT\n\n" + "".join(f"00:{n:02}.000 --> 00:{n:02}.900\n<v Ada>It is, as {n} says.\n\n" for n in range(60))
    chunks = chunk_document(decode(path, text.encode()), (), router, StrategyTools(counter)).chunks
    assert "".join(chunk.text for chunk in chunks) == text
    for chunk in chunks:
        assert dict(chunk.facts)["strategy"] == name
        assert parse(f"_chunks/{path}-{chunk.index}.md", render(chunk)).chunk == chunk


PLAIN = ["Install it", "Use it now", "Look at more", "And so on", "To the end", "The last", "One more", "Off"]


@pytest.mark.parametrize(
    ("name", "titles", "least"),
    [
        ("release-notes", ["1.0.0", "1.1.0"], 2),
        ("faq", ["Why?", "Who?", "How?"], 3),
        ("reference", ["a_b", "c_d", "e_f", "g_h", "i_j", "k_l"], 6),
        ("clauses", ["1.1 A", "1.2 B", "1.3 C", "2.1 D", "2.2 E"], 5),
    ],
)
def test_half_of_the_headings_of_a_level_tell_a_class_and_so_many_at_least(
    name: str, titles: list[str], least: int
) -> None:
    def found(*headings: str) -> str:
        return classify(page(sections(*headings)))[0]

    assert found(*titles) == name
    assert found(*titles[:-1]) == "guide", "one fewer"
    assert found(*titles, *PLAIN[:least]) == name
    assert found(*titles, *PLAIN[:least], "Too many") == "guide"
    other_level = sections(*titles, level=3) + "".join(f"## {title}\n\n{WORDS}\n\n" for title in PLAIN)
    assert classify(page(other_level)) == (name, classify(page(sections(*titles, level=3)))[1])
    assert f"{least} of {least} headings of level 3" in classify(page(other_level))[1]


def test_the_title_is_no_heading_among_others_wherever_the_last_heading_stands() -> None:
    assert classify(page("# 1.0.0\n\ntext\n\n# 1.1.0\n\ntext\n"))[0] == "guide", "the first is the page's title"
    assert classify(page("# Page\n\n# 1.0.0\n\ntext\n\n# 1.1.0\n\ntext\n"))[0] == "release-notes"
    assert classify(page("## 1.0.0\n\ntext\n\n# 1.1.0\n\n## 1.2.0\n\ntext\n"))[0] == "release-notes"
    assert classify(page("## 1.0.0\n\ntext\n\n## 1.2.0\n\ntext\n\n# End\n"))[0] == "release-notes"
    assert classify(page("# Page\n\n## 1.0.0\n\ntext\n\n## 1.2.0\n\ntext\n\n### x\n"))[0] == "release-notes"


@pytest.mark.parametrize(("asked", "others", "found"), [(3, 6, "faq"), (3, 7, "guide"), (2, 0, "guide"), (4, 8, "faq")])
def test_a_third_of_the_paragraphs_begin_with_q(asked: int, others: int, found: str) -> None:
    text = "# P\n\n" + "Q: Why?\n\n" * asked + "So it goes.\n\n" * others
    assert classify(page(text))[0] == found


@pytest.mark.parametrize(("kind", "name"), [("| a |\n| - |\n", "tables"), ("```\nx\n```\n\n", "listings")])
def test_more_than_two_thirds_of_the_text(kind: str, name: str) -> None:
    block = kind + "| b |\n" * 20 + "\n" if name == "tables" else "```\n" + "call()\n" * 20 + "```\n\n"
    for rest, found in ((len(block) // 2 - 5, name), (len(block) // 2 + 5, "guide")):
        text = block + "x" * (rest - 1) + "\n"
        assert classify(page(text))[0] == found
    whole = classify(page(block))
    assert whole[0] == name and whole[1].startswith("100% of the text are ")
    quoted = "".join(f"> {line}\n" for line in block.strip().splitlines())
    assert classify(page(quoted))[0] == name, "also within a quote"


@pytest.mark.parametrize(("length", "found"), [(2999, "guide"), (3000, "prose")])
def test_prose_is_long_and_without_headings(length: int, found: str) -> None:
    text = ("word " * 700)[: length - 1] + "\n"
    assert classify(page(text))[0] == found
    assert classify(page(text + "\n# End\n"))[0] == "guide"


@pytest.mark.parametrize(("turns", "found"), [(7, "guide"), (8, "dialogue")])
def test_a_dialogue_has_eight_turns(turns: int, found: str) -> None:
    text = "".join(f"{'Ada' if turn % 2 else 'Bob'}: it rains.\n\n" for turn in range(turns))
    name, reason = classify(page(text))
    assert name == found
    assert found == "guide" or reason == "8 of 8 paragraphs are turns of 2 speakers"
