"""Whether a client that has the site's model should look at the vectors of the first chunks unless told otherwise.

The release knows it of its packaged models from questions with known answers: of those that the look changes, how many
it answers better and how many worse (`infograph/search/model/rerank.json`, written by `benchmarks/fusion.py --record`).
It pays where Wilson's lower bound of the share that is better lies above one half. What `infograph fit rerank` found on
the tree itself goes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from infograph.errors import REINSTALL, ModelError
from infograph.formats.codec import DecodeError, decode
from infograph.search.format.rerank_policy import PairedOutcomes
from infograph.search.ranking.wilson import LEAST_TRIALS, wilson

RECORD = Path(__file__).parents[1] / "model" / "rerank.json"


def pays(model: str, language: str, own: PairedOutcomes | None = None) -> bool:
    """Returns whether the look pays beyond chance, as far as this is known.

    language: of the chunks, ISO 639-1 code
    own:      what is known of the very tree; None: what the release knows of model and language
    """
    found = own if own is not None else packaged_outcomes().get(model, {}).get(language)
    return found is not None and is_better(found)


def is_better(found: PairedOutcomes) -> bool:
    """Returns whether more questions are answered better than worse, with 95% confidence, among 30 or more."""
    trials = found.better + found.worse
    return trials >= LEAST_TRIALS and wilson(found.better, trials)[0] > 0.5


@cache
def packaged_outcomes() -> Mapping[str, Mapping[str, PairedOutcomes]]:
    """Returns what the release knows, by model and language. Raises ModelError where its file is damaged."""
    try:
        found: Mapping[str, Mapping[str, Any]] = orjson.loads(RECORD.read_bytes())["outcomes"]
        return {
            model: {code: decode(PairedOutcomes, counts) for code, counts in languages.items()}
            for model, languages in found.items()
        }
    except (OSError, ValueError, KeyError, AttributeError, TypeError, DecodeError) as error:
        raise ModelError("search-terms-256", f"{RECORD.name} cannot be read: {error}", REINSTALL) from None
