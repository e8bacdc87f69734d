"""The stemmer of a site's language for `infograph.js`: the same program that stemmed the site's words, in JavaScript.

    snowballstemmer/german_stemmer.py ─translation.py─▶ class GermanStemmer ─┐
    machine.js (what its methods call) ──────────────────────────────────────┴▶ infograph/stemmer.js of the site

The index is stemmed by PyStemmer, which is Snowball in C; the package snowballstemmer is what Snowball generates of the
same algorithms for Python. So a build needs no JavaScript and no network, and a client no code but the site's own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from infograph.errors import ConfigError
from infograph.text.language import algorithm

_BUILT_IN = "en"
"""The language that the client brings the stemmer of."""
_HERE = Path(__file__).parent

INDEXING = "PyStemmer"
"""The package that stems the words of the index."""
PUBLISHING = "snowballstemmer"
"""The package that the published stemmer is made of."""


def is_published(language: str) -> bool:
    """Whether the client needs a stemmer that it does not bring."""
    return language != _BUILT_IN and algorithm(language) is not None


@cache
def module(language: str) -> bytes | None:
    """A JavaScript module that exports `language`, `release` and `stem`; None where the client needs none: for English,
    and for languages whose words are taken as they are.

    language: ISO 639-1 code
    Raises FormatError when the installed stemmer cannot be translated, ConfigError when it may be another than the
    index is made with.
    """
    if not is_published(language):
        return None
    # Not at the top: every build imports this module, and few are of such a language.
    from importlib.metadata import distribution, version

    from infograph.stemming.translation import translate

    source = f"{PUBLISHING}/{algorithm(language)}_stemmer.py"
    text = Path(str(distribution(PUBLISHING).locate_file(source))).read_text("utf-8")
    made = translate(text, source)
    if _series(made.release) != _series(version(INDEXING)):
        reason = f"{PUBLISHING} is of Snowball {made.release}, and {INDEXING} of {version(INDEXING)}"
        raise ConfigError("keywords.language", reason, f"Run `pip install --upgrade {PUBLISHING} {INDEXING}`.")
    notice = (_HERE / "NOTICE").read_text("utf-8")
    machine = (_HERE / "machine.js").read_text("utf-8")
    exports = (
        f"const program = new {made.name}();\n\n"
        "/** ISO 639-1 code. */\n"
        f'export const language = "{language}";\n'
        "/** Of Snowball. */\n"
        f'export const release = "{made.release}";\n'
        "/** The stem of a word in lower case. */\n"
        "export const stem = (word) => program.stem(word);\n"
    )
    return "\n".join([f"/*!\n{notice}*/\n", machine, made.code, exports]).encode()


def _series(release: str) -> list[str]:
    """What says whether stems may be others: the release without its last number, which counts mends."""
    return release.split(".")[:2]
