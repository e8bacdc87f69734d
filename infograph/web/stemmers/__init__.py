"""Ready-made stemmers for `infograph.js`, one JavaScript module for each language whose stemmer the client lacks.

In: an ISO 639-1 code. Out: the bytes of a file in this folder, which a build publishes as `infograph/stemmer.js`.
`scripts/translate_stemmers.py` makes these files from the package snowballstemmer, so that a browser stems a query as
PyStemmer, which is Snowball in C, stems the index. A build needs neither that package nor a JavaScript engine:
never import one here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from infograph.errors import ConfigError
from infograph.text.language import algorithm

_BUILT_IN = "en"
"""The language whose stemmer is part of the client."""
_HERE = Path(__file__).parent
_RELEASE = re.compile(rb'^export const release = "([\d.]+)";$', re.MULTILINE)
"""The line of a shipped module that names Snowball's release."""

INDEXING = "PyStemmer"
"""The package that stems the words of the index."""


def is_shipped(language: str) -> bool:
    """Whether the client needs a stemmer for the language that is not part of it."""
    return language != _BUILT_IN and algorithm(language) is not None


@cache
def module(language: str) -> bytes | None:
    """The JavaScript module that exports `language`, `release` and `stem`; None where the client needs none.

    It needs none for English, which is built in, and for languages whose words are not stemmed.

    language: ISO 639-1 code
    Raises ConfigError when the installed PyStemmer is of another series of Snowball, so that stems may differ.
    """
    if not is_shipped(language):
        return None
    from importlib.metadata import version  # 10 ms, and only sites in other languages than English need it

    data = (_HERE / f"{language}.js").read_bytes()
    made = _RELEASE.search(data)
    assert made is not None  # `scripts/translate_stemmers.py --check` holds the files to their form
    release, installed = made[1].decode(), version(INDEXING)
    if _series(release) != _series(installed):
        reason = f"infograph's stemmers are of Snowball {release}, and {INDEXING} of {installed}"
        raise ConfigError(
            "keywords.language", reason, f"Run `pip install '{INDEXING}=={'.'.join(_series(release))}.*'`."
        )
    return data


def _series(release: str) -> list[str]:
    """The release without its last number: only the numbers before it change with the stems."""
    return release.split(".")[:2]
