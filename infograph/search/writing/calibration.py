"""Whether a client that has the site's model should look at the vectors of the first chunks unless told otherwise.

The release knows it of its packaged models from sets of questions with known answers: of those that the look changes,
how many it answers better and how many worse (`infograph/search/model/rerank.json`, written by
`benchmarks/rerank_record.py`). It pays where Wilson's lower bound of the share that is better lies above one half, and
does so without any one of the sets, too: no set decides alone. What `infograph fit rerank` found on the tree itself
goes before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    if own is not None:
        return is_better(own)
    sets = packaged_outcomes().get(model, {}).get(language, {})
    return bool(sets) and is_better_everywhere(list(sets.values()))


def is_better_everywhere(sets: Sequence[PairedOutcomes]) -> bool:
    """Returns whether it is better over all sets of questions, and over all but any one of them."""
    parts = [sets, *([*sets[:place], *sets[place + 1 :]] for place in range(len(sets)) if len(sets) > 1)]
    return all(is_better(together(part)) for part in parts)


def together(sets: Sequence[PairedOutcomes]) -> PairedOutcomes:
    """Returns the counts of several sets of questions as one."""
    return PairedOutcomes(sum(own.better for own in sets), sum(own.worse for own in sets))


def is_better(found: PairedOutcomes) -> bool:
    """Returns whether more questions are answered better than worse, with 95% confidence, among 30 or more."""
    trials = found.better + found.worse
    return trials >= LEAST_TRIALS and wilson(found.better, trials)[0] > 0.5


@cache
def packaged_outcomes() -> Mapping[str, Mapping[str, Mapping[str, PairedOutcomes]]]:
    """Returns what the release knows, by model, language and set. Raises ModelError where its file is damaged."""
    try:
        found: Mapping[str, Mapping[str, Mapping[str, Any]]] = orjson.loads(RECORD.read_bytes())["outcomes"]
        return {
            model: {
                code: {name: decode(PairedOutcomes, counts) for name, counts in said["sets"].items()}
                for code, said in languages.items()
            }
            for model, languages in found.items()
        }
    except (OSError, ValueError, KeyError, AttributeError, TypeError, DecodeError) as error:
        raise ModelError("search-space-256", f"{RECORD.name} cannot be read: {error}", REINSTALL) from None
