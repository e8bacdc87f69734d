"""Whether a better model brings a better search, and what of it is left where a reader has no model.

    python benchmarks/own_model.py --questions DIR --trees DIR [--sets NAME …] [--cache DIR]

Needs `pip install 'infograph[eval]'`. Arguments and sets as in `quality.py`; the two tables of questions on FastAPI
count as one set. Models, from the worst to the best:

    noise       a vector drawn by lot for each text
    static-16   the packaged static one, cut to 16 of its 256 dimensions
    MiniLM-32   all-MiniLM-L6-v2, cut to 32 of its 384 dimensions
    static      the packaged static one
    MiniLM      all-MiniLM-L6-v2

With each of them the published search puts its best 32 chunks in order by words + weight × cosine, as it does with any
model that it is built with: `published` with the weight that a site has, 30, and with the question's own vector; with
other weights

    model       the cosine of the question's own vector, as a reader has it who has the model
    table       that of a sum of term vectors, as a browser could have it without one: a ridge fit of the chunks'
                vectors on their terms, (XᵀX + λI)⁻¹XᵀV with X the weights of terms in chunks, each of length 1

For each set, the weight (and λ) with the best MRR@10 on all other sets, each counting alike, is judged on it; 0, which
changes nothing, is among the weights. In brackets the 95% interval of a paired bootstrap: questions drawn again, each
set counting alike.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path

from feedback import Case, Scores, places_of  # first: it sets how tokenizers run
from quality import PAGES, SPANS
from rerank_constants import Values, means, shown

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.pipeline.worker.pages import language_of
from infograph.search.format.terms import index_terms
from infograph.search.ranking.reranking import WEIGHT

WEIGHTS = (0.0, 5.0, 10.0, 20.0, 30.0, 45.0)
RIDGES = (0.1, 1.0, 3.0)
PUBLISHED = (WEIGHT, 0.0)
MODELS = ("noise", "static-16", "MiniLM-32", "static", "MiniLM")
Vectors = NDArray[np.float64]
Choice = tuple[float, float]
"""Weight of the cosine, and λ of the table; 0 for the model's own vector."""
WAYS: dict[str, tuple[Choice, ...]] = {
    "model": tuple((weight, 0.0) for weight in WEIGHTS),
    "table": tuple(product(WEIGHTS, RIDGES)),
}
NOTHING = {"model": (0.0, 0.0), "table": (0.0, RIDGES[0])}


def unit(vectors: Vectors) -> Vectors:
    """The vectors with length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def drawn(texts: Sequence[str]) -> Vectors:
    """A vector drawn by lot for each text, the same for equal ones."""
    seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts]
    return unit(np.stack([np.random.default_rng(seed).standard_normal(64) for seed in seeds]))


def cut_to(dimension: int) -> Callable[[Vectors], Vectors]:
    return lambda vectors: unit(vectors[:, :dimension])


def term_weights(texts: Sequence[str], known: Mapping[str, tuple[int, float]]) -> Vectors:
    """The weights of known terms in texts, by their rarity; each text of length 1."""
    found = np.zeros((len(texts), len(known)))
    for row, text in zip(found, texts, strict=True):
        for term, count in Counter(index_terms(text, language_of("en"))).items():
            if term in known:
                place, rarity = known[term]
                row[place] = (1 + np.log(count)) * rarity
    return unit(found)


class Modelled:
    """A set with the vectors of one model: chunks, questions, and what a table of terms makes of questions."""

    def __init__(self, case: OwnCase, chunks: Vectors, queries: Vectors) -> None:
        self.cosines = {0.0: queries @ chunks.T}
        chosen, asked = case.terms
        gram = chosen @ chosen.T
        for ridge in RIDGES:  # (XᵀX + λI)⁻¹Xᵀ = Xᵀ(XXᵀ + λI)⁻¹, of as many rows as there are chunks
            fitted = np.linalg.solve(gram + ridge * np.eye(len(gram)), chunks)
            self.cosines[ridge] = unit(asked @ (chosen.T @ fitted)) @ chunks.T


class OwnCase(Case):
    """A set with the vectors of a packaged model, and the terms of its chunks and questions."""

    def __init__(self, name: str, args: argparse.Namespace, folder: Path) -> None:
        super().__init__(name, args, folder)
        texts = self.texts
        rows = [set(index_terms(text, language_of("en"))) for text in texts]
        counts = Counter(term for row in rows for term in row)
        known = {
            term: (place, float(np.log(1 + len(texts) / counts[term]))) for place, term in enumerate(sorted(counts))
        }
        places = places_of(self.paths, self.cuts)
        blank = [1.0] + [0.0] * (self.queries.shape[1] - 1)
        self.heads = [
            [(places[chunk], words) for chunk, words, _ in self.site.reader.parts(own.text, blank)]
            for own in self.asked
        ]
        """Of each question the chunks that are put in order, with the words' part of their new scores."""
        self.terms = term_weights(texts, known), term_weights([own.text for own in self.asked], known)

    def looked(self, cosines: Vectors, weight: float) -> Values:
        """What each question finds when its best chunks by words are put in order by a sum."""
        scores: list[Scores] = []
        for words, head, own in zip(self.words, self.heads, cosines, strict=True):
            scores.append(words.copy())
            for place, value in head if weight else ():
                scores[-1][place] = 1e6 + value + weight * own[place]
        return self.table(scores)

    def every(self, model: Modelled) -> dict[str, dict[Choice, Values]]:  # type: ignore[override]
        """What each choice of each way gives."""
        return {
            way: {choice: self.looked(model.cosines[choice[1]], choice[0]) for choice in choices}
            for way, choices in WAYS.items()
        }


def models(static: OwnCase, minilm: OwnCase) -> dict[str, tuple[Vectors, Vectors]]:
    """The vectors of chunks and of questions, by model."""
    questions = [own.text for own in static.asked]
    found = {"noise": (drawn(static.texts), drawn(questions))}
    for name, case, few in (("static", static, 16), ("MiniLM", minilm, 32)):
        chunks, queries = case.vectors.astype(np.float64), case.queries.astype(np.float64)
        smaller = cut_to(few)
        found[f"{name}-{few}"] = smaller(chunks), smaller(queries)
        found[name] = chunks, queries
    return {name: found[name] for name in MODELS}


Found = dict[str, list[dict[str, dict[Choice, Values]]]]
"""Set to its tables of questions, each with what every choice of every way gives."""


def judged(found: Found, way: str) -> tuple[dict[str, Choice], list[list[Values]]]:
    """The choice for each set by the others, and what that gives each of its tables."""
    chosen = {}
    for name in found:
        others = [own for other, own in found.items() if other != name] or [found[name]]
        chosen[name] = max(WAYS[way], key=lambda c: means([[one[way][c] for one in own] for own in others])[0])
    return chosen, [[one[way][chosen[name]] for one in own] for name, own in found.items()]


def minus(one: Sequence[Sequence[Values]], other: Sequence[Sequence[Values]]) -> list[list[Values]]:
    return [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    parser.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    args = parser.parse_args()
    found: dict[str, Found] = {}
    for name in args.sets:
        cases = []
        for model in ("static", "all-MiniLM-L6-v2"):
            with tempfile.TemporaryDirectory() as folder:
                cases.append(OwnCase(name, argparse.Namespace(**vars(args), model=model), Path(folder)))
        own = "fastapi" if name.startswith("fastapi-") else name
        print(f"{name}: {len(cases[0].texts):,} chunks, {len(cases[0].asked)} questions", flush=True)
        for model, vectors in models(*cases).items():
            values = cases[0].every(Modelled(cases[0], *vectors))
            found.setdefault(model, {}).setdefault(own, []).append(values)
            fixed = values["model"][PUBLISHED].mean(axis=0).round(3)
            words = values["model"][NOTHING["model"]].mean(axis=0).round(3)
            print(f"  {model:<10} words {words}, published {fixed}", flush=True)
    said = {
        name: [[one["model"][PUBLISHED] for one in tables] for tables in own.values()] for name, own in found.items()
    }
    print("\npublished: over the words alone; over the model before it")
    for name, own in found.items():
        words = [[one["model"][NOTHING["model"]] for one in tables] for tables in own.values()]
        print(f"  {name:<10} {shown(minus(said[name], words))}")
    for before, after in pairwise(MODELS):
        print(f"  {after:<10} over {before:<10} {shown(minus(said[after], said[before]))}")
    for way in WAYS:
        print(f"\n{way}: over the words alone, weights chosen by the other sets")
        for name, own in found.items():
            chosen, values = judged(own, way)
            words = [[one[way][NOTHING[way]] for one in tables] for tables in own.values()]
            print(f"  {name:<10} {shown(minus(values, words))}  {' '.join(f'{w:g}' for w, _ in chosen.values())}")


if __name__ == "__main__":
    main()
