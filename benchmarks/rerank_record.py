"""Whether a client that has the site's model should look at the vectors of the first chunks: what builds go by.

    python benchmarks/rerank_record.py --questions DIR --trees DIR [--cache DIR] [--model static] [--write]

Needs `pip install 'infograph[eval]'`. Arguments, sets, chunks as in `search_quality.py`. A question counts once, over
both ways of cutting: as better where the first five chunks reach more of its answer's spans (for pages: a right page)
with the look than without, as worse where they reach less. Of those that differ, the share that is better lies in
Wilson's interval; the look pays where all of that is above one half, and 30 or more differ, over all sets together and
over all but any one.

`--write` puts the counts into `infograph/search/model/rerank.json`, which `infograph/search/writing/calibration.py`
reads.
"""

from __future__ import annotations

from collections.abc import Mapping

from search_quality import Case, arguments  # first: it sets the number of threads

import numpy as np  # isort: skip
import orjson

from infograph.search.format.rerank_policy import PairedOutcomes
from infograph.search.format.search_space import FALLBACK
from infograph.search.ranking.wilson import wilson
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.calibration import RECORD, is_better_everywhere, together

LANGUAGE = "en"
"""Of all sets."""


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--write", action="store_true", help="write the counts")
    args = parser.parse_args()
    model = FALLBACK if args.model == "static" else args.model
    found: dict[str, PairedOutcomes] = {}
    for name in args.sets:
        change = np.zeros(0)
        for how in args.cuts:
            case = Case(name, how, args, SearchOptions())
            plain, ordered = (case.measured(case.of_files(rerank=rerank))["recall@5"] for rerank in (False, True))
            change = ordered - plain if not len(change) else change + ordered - plain
        own = found[name] = PairedOutcomes(int((change > 1e-9).sum()), int((change < -1e-9).sum()))
        print(f"{name:<14} {own.better:>4} better {own.worse:>4} worse, recall@5 {change.mean() / len(args.cuts):+.2f}")
    report(model, found)
    if args.write:
        write(model, found)


def report(model: str, found: Mapping[str, PairedOutcomes]) -> None:
    """Prints the counts of all sets together, and of all but each."""
    for without in (None, *found):
        own = together([counts for name, counts in found.items() if name != without])
        low, high = wilson(own.better, own.better + own.worse)
        where = f"without {without}" if without else "all sets"
        print(f"{where:<22} {own.better:>4} better {own.worse:>4} worse, share {low:.3f} to {high:.3f} (95%)")
    said = "pays" if is_better_everywhere(list(found.values())) else "is not shown to pay"
    print(f"{model}, {LANGUAGE}: the look {said}")


def write(model: str, found: Mapping[str, PairedOutcomes]) -> None:
    """Puts the counts of one model beside what is known of others."""
    known = orjson.loads(RECORD.read_bytes())["outcomes"] if RECORD.exists() else {}
    every = together(list(found.values()))
    low, high = wilson(every.better, every.better + every.worse)
    sets = {name: {"better": own.better, "worse": own.worse} for name, own in found.items()}
    known.setdefault(model, {})[LANGUAGE] = {"sets": sets, "low": round(low, 4), "high": round(high, 4)}
    RECORD.write_bytes(orjson.dumps({"outcomes": known}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()
