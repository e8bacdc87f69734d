"""Published stemmers stem as the index is stemmed: every language, in Node.js, over words of all its affixes."""

from __future__ import annotations

import importlib
import json
import random
import subprocess
from importlib.metadata import distribution
from pathlib import Path

import pytest
from javascript import NODE, needs_node

from infograph.errors import ConfigError
from infograph.text.language import STEMMERS, algorithm, stemmer, stop_words
from infograph.web import stemmers

LANGUAGES = sorted(filter(stemmers.is_shipped, STEMMERS))
WORDS = 3000
"""Made up for each language."""
ODD = ["", "a", "ß", "don't", "x" * 500, "\U00010400\U00010437", "\U0001f44d\u0301", "i\u0307stanbul", "1984", "a\0b"]
SCRIPT = """
import { readFileSync } from "node:fs";
const found = {};
for (const [code, words] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
  const { language, release, stem } = await import(`./${code}.mjs`);
  found[code] = { language, release, stems: words.map(stem) };
}
console.log(JSON.stringify(found));
"""


def words(code: str) -> list[str]:
    """Roots in the language's letters, most with endings that its tables have, some with beginnings; with letters of
    other scripts in between, and of two units in JavaScript; stop words with endings; and odd ones."""
    chance = random.Random(code)
    module = importlib.import_module(f"snowballstemmer.{algorithm(code)}_stemmer")
    [program] = [value for name, value in vars(module).items() if name.endswith("Stemmer") and name != "BaseStemmer"]
    tables = [value for value in vars(program).values() if isinstance(value, list)]
    affixes = sorted({row.s for rows in tables for row in rows})
    letters = sorted({*"".join(affixes)}.union(*(value for name, value in vars(program).items() if name[:2] == "g_")))
    roots = sorted(stop_words(code))
    roots += ["".join(chance.choices(letters, k=chance.randint(0, 7))) for _ in range(WORDS)]
    made = set()
    for root in roots:
        word = root + "".join(chance.choices(affixes, k=chance.randint(0, 3)))
        if chance.random() < 0.2:
            word = chance.choice(affixes) + word
        if chance.random() < 0.05:
            place = chance.randrange(len(word) + 1)
            word = word[:place] + chance.choice("\U00010437\U0001e922éßи한\u0301") + word[place:]
        made.add(word)
    return [*sorted(made), *ODD, *sorted(made, key=lambda word: chance.random())[:500]]  # no word depends on the last


@pytest.mark.slow
@needs_node
def test_stems_are_those_of_the_index(tmp_path: Path) -> None:
    asked = {code: words(code) for code in LANGUAGES}
    for code in LANGUAGES:
        (tmp_path / f"{code}.mjs").write_bytes(stemmers.module(code) or b"")
    (tmp_path / "words.json").write_text(json.dumps(asked), "utf-8")
    (tmp_path / "stem.mjs").write_text(SCRIPT, "utf-8")
    command = [str(NODE), str(tmp_path / "stem.mjs"), str(tmp_path / "words.json")]
    run = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8", timeout=600)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert list(found) == LANGUAGES
    for code in LANGUAGES:
        stem = stemmer(code)
        expected = [stem(word) for word in asked[code]]
        rows = zip(asked[code], expected, found[code]["stems"], strict=True)
        assert [row for row in rows if row[1] != row[2]] == [], code
        assert sum(map(str.__ne__, asked[code], expected)) > WORDS / 4, f"{code}: hardly a word has an ending"
        assert found[code]["language"] == code
        assert found[code]["release"].split(".")[:2] == distribution("PyStemmer").version.split(".")[:2]


def test_which_languages_have_one() -> None:
    assert len(LANGUAGES) == 28
    assert [stemmers.module(code) for code in ("en", "ja", "zh")] == [None] * 3
    with pytest.raises(ConfigError, match="not a known"):
        stemmers.module("xx")


def test_the_licence_goes_along() -> None:
    text = distribution("snowballstemmer").read_text("licenses/COPYING")
    made = stemmers.module("de")
    assert text is not None and made is not None
    assert text.strip() in made.decode()


def test_an_index_of_another_release_of_snowball_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda _: "3.9.0")
    stemmers.module.cache_clear()
    with pytest.raises(ConfigError, match=r"Snowball 3\.1\.\d, and PyStemmer of 3\.9\.0.*pip install 'PyStemmer==3\.1"):
        stemmers.module("de")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "3.1.9")
    assert stemmers.module("de") is not None
    stemmers.module.cache_clear()
