"""The part of a chunk that is shown for a query, in Python and in JavaScript alike."""

from __future__ import annotations

import random
import re

import pytest
from javascript import WEB, needs_node, run_node

from infograph.search.format.terms import Language
from infograph.search.reading.highlight import spans
from infograph.search.reading.passage import PASSAGE, SOURCE, passage

SCRIPT = """
const [, folder, words] = process.argv;
const { passage } = await import(`${folder}/passage.js`);
const { spans } = await import(`${folder}/highlight.js`);
const { stemEnglish: stem } = await import(`${folder}/english.js`);
const language = { stem, stopWords: new Set(words.split(" ")) };
let text = "";
for await (const part of process.stdin) text += part;
const opened = async () => ({ language });
const both = (query, markdown) => Promise.all([passage(query, markdown, opened), spans(query, markdown, opened)]);
console.log(JSON.stringify(await Promise.all(JSON.parse(text).map((asked) => both(...asked)))));
"""
FILLER = "Nothing of that is said in this sentence, which is as long as others are. " * 4
WORDS = "other words that are not asked for " * 12
CASES = [
    # The beginning, where nothing has more of the different words.
    ("cache", "# Cache\n\nShort.\n", "Short.", ""),
    ("cache", "", "", ""),
    ("", FILLER, "Nothing of that", "which is …"),
    ("nowhere", FILLER, "Nothing of that", "which is …"),
    ("cache", f"The cache. {FILLER}A cache and a cache.", "The cache. Nothing", " …"),
    # Else the sentence or line that has them; the end of the text is used to the full.
    ("clear caches", f"A cache. {FILLER}\nTo clear the cache, so. {FILLER}", "… To clear the cache, so.", " …"),
    ("clear cache", f"{FILLER}It is so. Clear the cache.", "… Nothing of that", "It is so. Clear the cache."),
    ("clear cache", f"{FILLER}\nand so on\nClear\nthe *cache* {WORDS}", "… Clear the cache other", " …"),
    ("clear cache", f"{FILLER}\n\n    do not\n    clear the `cache`\n{WORDS}", "… do not clear the cache other", " …"),
    ("clear cache", f"{WORDS}clear the cache {WORDS}", "… that are not asked for", " …"),
    # Each word counts once, in any form and in scripts without spaces.
    ("clear cache", f"{FILLER}Cache, cache. {FILLER}Clear the cache: so. {FILLER}", "… Clear the cache: so.", " …"),
    ("東京", f"{'大阪。' * 80}東京タワー。{'京都。' * 80}", "… 東京タワー。京都。", " …"),
    ("cache", f"{'😀 ' * 150}a cache {'😀 ' * 150}", "… 😀", "😀 …"),
    ("cache", f"{'x' * 500} cache {'y' * 500}", "… cache yyy", "y …"),
    # No markup of the text is left, and nothing of it becomes any.
    (
        "clear",
        f"{FILLER}\n\n| Do | What |\n|---|---|\n| `clear` | [the cache](x.md) &lt;now&gt; |\n",
        "… Nothing",
        "Do · What clear · the cache <now>",
    ),
    (
        "clear",
        f"{FILLER}\n\n<div onclick='x'>Clear **it** <b>now</b></div> &lt;script&gt;\n",
        "… Nothing",
        "Clear it now <script>",
    ),
    # An address between angle brackets may hold spaces.
    (
        "clear",
        f'{FILLER}\n\nClear [it](<my page.md>), [so](<a (b).md> "why") and <b>now</b>.\n',
        "… Nothing",
        "Clear it, so and now.",
    ),
    # An image is its text; the sign before a bracket in code is no image's.
    (
        "clear",
        f"{FILLER}\n\nClear ![it](x.png), ![](y.png) [![so](z.png)](t.md) 点![图](t.png) `![c](d)` vec![1].\n",
        "… Nothing",
        "Clear it, so 点图 ![c] vec!1.",
    ),
    # In a listing, tags are the text.
    (
        "clear",
        f"{FILLER}\n\n```jsx\n<Clear what={{cache}}>\n  <b>now</b>\n</Clear>\n```\n\nand <b>so</b> on\n",
        "… Nothing",
        "<Clear what={cache}> <b>now</b> </Clear> and so on",
    ),
]
"""A query, a chunk, how what is shown begins and ends."""


def drawn(number: int) -> list[tuple[str, str]]:
    """Queries and texts, of words that are asked for and others, whose lines and sentences end anywhere."""
    chance = random.Random(11)
    asked = ["clear", "cache", "Caches", "model", "the", "東京", "京都"]
    others = ["x", "so", "and", "others", "Begins", "w" * 19, "大阪"]
    ends = [" "] * 9 + [". ", "! ", ": ", ".\n", "\n", "。", "-", ""]
    found = []
    for _ in range(number):
        words = others * chance.randint(0, 4) + chance.sample(asked, chance.randint(1, 4))
        size = chance.choice([5, 40, 60, 90])
        text = "".join(f"{chance.choice(words)}{chance.choice(ends)}" for _ in range(chance.randint(1, size)))
        found.append((" ".join(chance.sample(asked, chance.randint(1, 3))), text))
    # Words that stand as far apart as a passage is long, or a character more or less.
    gaps = range(PASSAGE - 14, PASSAGE + 3)
    found += [("clear cache", f"{'o' * 300} clear {'o ' * (gap // 2)}{'o' * (gap % 2)} cache {WORDS}") for gap in gaps]
    found += [("clear cache", f"{'o' * 300}. clear {'o' * gap} cache {WORDS}") for gap in range(180, 196)]
    found += [("clear", f"{'o' * gap} clear") for gap in gaps]
    found += [
        ("clear", f"{'o' * gap}. clear {'o' * size}") for gap in (0, 1, 40, 190, 198) for size in (5, 90, 99, 100, 101)
    ]
    found += [("clear", f"clear {'o' * size} {'o' * 200}") for size in (*range(90, 100), *range(190, 197))]
    return found


@pytest.mark.parametrize(("query", "text", "begins", "ends"), CASES)
def test_what_is_shown(language: Language, query: str, text: str, begins: str, ends: str) -> None:
    found = passage(query, text, language)
    assert found.startswith(begins) and found.endswith(ends)
    assert begins != "" or found == ""
    assert len(found.removeprefix("… ").removesuffix(" …")) <= PASSAGE
    assert found == " ".join(found.split())


def test_so_much_of_a_chunk_is_looked_at(language: Language) -> None:
    filler = "x " * (SOURCE // 2 - 3)
    assert passage("cache", f"{filler}cache", language).endswith("x cache")
    assert "cache" not in passage("cache", f"{filler}x cache", language)


@needs_node
def test_javascript_shows_the_same(language: Language) -> None:
    asked = [*(case[:2] for case in CASES), *drawn(400)]
    answers = run_node(SCRIPT, str(WEB), " ".join(language.stop_words), given=asked)
    for (query, text), (shown, marked) in zip(asked, answers, strict=True):
        assert shown == passage(query, text, language), (query, text)
        if not re.search("[\U00010000-\U0010ffff]", text):  # which JavaScript counts twice
            assert list(map(tuple, marked)) == spans(query, text, language), (query, text)
