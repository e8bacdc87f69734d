"""What the vectors of the first chunks tell in place of the question's own, for a search that has no model.

    python benchmarks/feedback.py --questions DIR --trees DIR [--sets NAME …] [--model NAME] [--cache DIR]

Needs `pip install 'infograph[eval]'`. Arguments and sets as in `quality.py`; the two tables of questions on FastAPI
count as one set. Beside the published search by words alone, each chunk gets

    feedback     weight × its cosine to the mean of the first chunks' vectors, each by its share of their scores: as
                 Rocchio (1971) has it, and ANCE-PRF for vectors. It reads the vectors of all that it puts in order
    neighbours   share × the score of one of the first chunks × its cosine to that, for the eight chunks nearest to it:
                 lists that a build could publish, some 24 bytes a chunk (MacAvaney et al., "Adaptive Re-Ranking with
                 a Corpus Graph", 2022)
    model        25 × the cosine of the question's own vector: the sum that both are to come near

For each set, the numbers that give the best MRR@10 on all other sets, each counting alike, are judged on it; to change
nothing is among them. In brackets the 95% interval: questions drawn again, each set counting alike. `way` is the share
of the way from the words to the model that is gone.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from quality import PAGES, SPANS, prepared  # first: it sets how tokenizers run
from rerank_constants import Values, means, shown

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.config import Config, load
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.corpus import Corpus, Cut, corpus_of, relevant
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.metrics import DEPTH
from infograph.evaluate.questions import Question
from infograph.evaluate.retrievers import LINEAR, retrieve
from infograph.pipeline.keys import strategy_key
from infograph.progress import Silent
from infograph.search.reading.reader import Reader
from infograph.search.writing.slots import assign_slots

FIRST = (1, 2, 3, 5, 8)
WEIGHTS = (0.0, 2.5, 5.0, 10.0, 15.0, 25.0)
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
NEAREST = 8
DISCOUNTS = 1 / np.log2(np.arange(2, DEPTH + 2))
WAYS = {"feedback": tuple(product(FIRST, WEIGHTS)), "neighbours": tuple(product(FIRST, SHARES))}

Scores = NDArray[np.float64]
"""A score of each chunk."""
Choice = tuple[int, float]
"""How many of the first chunks are asked, and the weight of what they say."""


def feedback(words: Scores, vectors: NDArray[np.float32], choice: Choice) -> Scores:
    """The scores with the cosine to the mean of the first chunks."""
    count, weight = choice
    first = np.argsort(-words, kind="stable")[:count]
    mean = (words[first] / max(words[first].sum(), 1e-9)) @ vectors[first]
    cosines: Scores = vectors @ (mean / max(float(np.linalg.norm(mean)), 1e-9))
    return words + weight * cosines


def neighbours(words: Scores, vectors: NDArray[np.float32], choice: Choice) -> Scores:
    """The scores with what the nearest chunks of the first ones gain."""
    count, share = choice
    gains = np.zeros(len(words))
    for lead in np.argsort(-words, kind="stable")[:count]:
        cosines = vectors @ vectors[lead]
        cosines[lead] = -1
        near = np.argsort(-cosines, kind="stable")[:NEAREST]
        gains[near] = np.maximum(gains[near], share * words[lead] * np.maximum(cosines[near], 0))
    return words + gains


class Case:
    """A set, cut and embedded, with the scores of its chunks by words."""

    def __init__(self, name: str, args: argparse.Namespace, folder: Path) -> None:
        docs = prepared(name, args.questions, args.trees, folder)
        flags = {"model": args.model, "cache": str(args.cache.resolve())}
        settings = at_corpus(load(str(docs), flags=flags, environment={}))
        files = question_files(settings, ())
        documents, _ = read_documents(settings, plain=bool(files))
        self.asked, _ = find_or_make(settings, files, documents)
        request = Request(retrievers=("linear",), k=5, passages=0, pages=name in PAGES)
        bench = Bench(settings, request, Silent(), documents, self.asked)
        cuts = list(bench.cut(settings.config))
        self.corpus: Corpus = corpus_of(cuts, pages=request.pages)
        key = strategy_key(settings.config)
        self.vectors = bench.vectors(cuts, key)
        site, queries = bench.site(self.corpus, cuts, key)
        self.queries = queries
        self.cosines = queries @ self.vectors.T
        self.texts = [chunk.readable for cut in cuts for chunk in cut.chunks]
        self.site = site
        self.paths = [parsed.document.path for parsed in documents]
        self.cuts = cuts
        self.right = [relevant(self.corpus, question) for question in self.asked]
        self.words = [words_of(site.reader, self.paths, cuts, one) for one in self.asked]

    def table(self, scores: Sequence[Scores]) -> Values:
        """MRR@10, hit@5 and nDCG@10 of each question, by their definitions, as `measure` works out many more; a page
        is as good as its best chunk."""
        rows, of = [], np.array(self.corpus.unit_of)
        for question, right, own in zip(self.asked, self.right, scores, strict=True):
            units = np.full(len(self.corpus.units), -np.inf)
            np.maximum.at(units, of, own)
            hits = np.array([unit in right for unit in retrieve(self.corpus, question, units, DEPTH)], float)
            gains = hits @ DISCOUNTS[: len(hits)] / DISCOUNTS[: len(right)].sum()
            rows.append((max(hits / np.arange(1, len(hits) + 1), default=0.0), hits[:5].max(initial=0.0), gains))
        return np.array(rows)

    def every(self) -> dict[str, dict[Choice, Values]]:
        """What each choice of each way gives."""
        made = {"feedback": feedback, "neighbours": neighbours}
        return {
            way: {
                choice: self.table([made[way](words, self.vectors, choice) for words in self.words])
                for choice in choices
            }
            for way, choices in WAYS.items()
        }

    def model(self) -> Values:
        """The sum with the question's own vector."""
        return self.table([words + LINEAR * own for words, own in zip(self.words, self.cosines, strict=True)])


def words_of(reader: Reader, paths: Sequence[str], cuts: Sequence[Cut], question: Question) -> Scores:
    """The score of each chunk by the published search."""
    places = places_of(paths, cuts)
    found = np.zeros(len(places))
    for chunk, score in reader.rank(question.text):
        found[places[chunk]] = score
    return found


def places_of(paths: Sequence[str], cuts: Sequence[Cut]) -> dict[tuple[int, int], int]:
    """The number of each chunk of the corpus, by where the search has it."""
    slots = assign_slots([path for path, cut in zip(paths, cuts, strict=True) if cut.chunks])
    places: dict[tuple[int, int], int] = {}
    for path, cut in zip(paths, cuts, strict=True):
        places |= {(slots[path], index): len(places) + index for index in range(len(cut.chunks))}
    return places


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    parser.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    parser.add_argument("--model", default=Config().model, help="embedding model")
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    args = parser.parse_args()
    found: dict[str, list[dict[str, dict[Choice, Values]]]] = {}
    model: dict[str, list[Values]] = {}
    for name in args.sets:
        with tempfile.TemporaryDirectory() as folder:
            case = Case(name, args, Path(folder))
        own = "fastapi" if name.startswith("fastapi-") else name
        found.setdefault(own, []).append(case.every())
        model.setdefault(own, []).append(case.model())
        plain = found[own][-1]["feedback"][FIRST[0], 0.0].mean(axis=0)
        print(f"{name:<18} words {plain.round(3)}, with the model {model[own][-1].mean(axis=0).round(3)}", flush=True)
    nothing = (FIRST[0], 0.0)
    words = {name: [one["feedback"][nothing] for one in own] for name, own in found.items()}
    distance = means([[a - b for a, b in zip(model[name], words[name], strict=True)] for name in found])
    print("model       " + shown([[a - b for a, b in zip(model[name], words[name], strict=True)] for name in found]))
    for way, choices in WAYS.items():
        chosen = {}
        for name in found:
            others = [own for other, own in found.items() if other != name]
            chosen[name] = max(choices, key=lambda c: means([[one[way][c] for one in own] for own in others])[0])
        gains = [
            [one[way][chosen[name]] - before for one, before in zip(own, words[name], strict=True)]
            for name, own in found.items()
        ]
        print(f"{way:<12}{shown(gains)}  way {(means(gains) / distance).round(2)}  chosen by the others {chosen}")
        for name, own in zip(found, gains, strict=True):
            print(f"  {name:<12} {shown([own])}")


if __name__ == "__main__":
    main()
