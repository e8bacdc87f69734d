"""Fit the term table behind the search bundle's dense impacts.

    python scripts/train_search.py --trees DIR --out infograph/search/model [--cache DIR]

DIR holds one folder for each documentation tree. Needs, beside infograph, `scipy` and `onnx`. Texts, teacher and solver
are those of `train_static.py`, whose `--cache` it shares; with a warm cache it takes three minutes on one core.

The recipe. A query's vector is the sum of its terms' rows, divided by the root of their number, so that its product
with a chunk's vector is a sum over terms, known when the index is built:

1.  Texts and targets as for the static table: headings, link texts, sentences and windows; MiniLM's vectors less
    their mean, scaled to length 1.
2.  Inputs: counts of *search terms* (`infograph/search/format/terms.py`), stop words out, each row divided by the
    root of the number of terms. Whole stems instead of word pieces, and the query is cut as it will be cut.
3.  Prior: the sum of a term's word pieces in the static table's 384-dimensional fit, the mean over the words of the
    vocabulary with this stem, times the one factor that fits best.
4.  Rows: ridge regression around that prior, for terms of at least three texts.
5.  256 dimensions: principal axes of the targets without whitening, for products have to stay what they are, and a
    fixed rotation; then int8. Chunk vectors go the same way (`project-*.npy`); vectors of `--model static` by the
    linear map that comes nearest to MiniLM's projections of the same texts; and a term without a row gets the map
    of its word pieces' static rows (`pieces.npy`). Maps are whole numbers, so that projections are exact integers.

No question set takes part. Same trees, same package versions, same kind of processor: same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path

import train_static  # first: it sets the number of threads before numpy loads

import numpy as np  # isort: skip
from numpy.typing import NDArray
from scipy import sparse

from infograph.embedding.static import StaticEmbedder
from infograph.files.packaged import model_directory
from infograph.search.format.projection import MAP_BITS
from infograph.search.format.terms import Language, index_terms, plain
from infograph.text.language import stemmer, stop_words

Matrix = NDArray[np.float32]

LEAST_TEXTS = 3
RIDGE = 1.0
DIMENSION = 256
CLIP = 6.0  # int8 ends at this many standard deviations
SEED = 0


def english() -> Language:
    return Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))


def inputs(counts: list[Counter[str]], terms: list[str]) -> sparse.csr_matrix:
    """Rows of counts over the root of their sum."""
    at = {term: place for place, term in enumerate(terms)}
    rows = [[(at[term], times) for term, times in count.items() if term in at] for count in counts]
    ends = np.cumsum([0, *map(len, rows)])
    flat = np.array([entry for row in rows for entry in row], np.float32).reshape(-1, 2)
    table = sparse.csr_matrix((flat[:, 1], flat[:, 0].astype(np.int32), ends), shape=(len(rows), len(terms)))
    lengths = np.maximum(np.asarray(table.sum(1)).ravel(), 1)
    return (sparse.diags(lengths**-0.5) @ table).tocsr().astype(np.float32)


def piece_sums(teacher: train_static.Teacher, terms: list[str], rows: Matrix, language: Language) -> Matrix:
    """Sum of a term's word pieces' rows; the mean over the vocabulary's words with that stem, where it has some."""
    words = defaultdict(list)
    for word, token in sorted(teacher.tokenizer.get_vocab().items(), key=lambda item: item[1]):
        if word.isalnum() and len(word) > 1:
            words[language.stem(word)].append(token)
    plain = train_static.Tokenizer.from_str(teacher.tokenizer.to_str())
    plain.no_truncation()
    pieces = plain.encode_batch_fast(terms, add_special_tokens=False)
    return np.array(
        [
            rows[words[term]].mean(0) if term in words else rows[encoding.ids].sum(0)
            for term, encoding in zip(terms, pieces, strict=True)
        ],
        np.float32,
    )


def map_of(weights: NDArray[np.float64], bits: int) -> NDArray[np.int32]:
    return np.rint(weights * (1 << bits)).astype(np.int32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True, help="folder with one folder for each tree")
    parser.add_argument("--out", type=Path, required=True, help="folder for the table")
    parser.add_argument("--cache", type=Path, help="folder that keeps the teacher's vectors")
    args = parser.parse_args()

    language = english()
    teacher = train_static.Teacher(args.cache)
    texts, vectors = sampled(teacher, args.trees)
    token_rows, mean, targets = train_static.fit(teacher, texts, vectors)
    counts = [Counter(index_terms(plain(text), language)) for text in texts]
    frequency = Counter(term for count in counts for term in count)
    terms = sorted(term for term, found in frequency.items() if found >= LEAST_TEXTS and len(term) <= 40)
    matrix = inputs(counts, terms)
    prior = piece_sums(teacher, terms, token_rows, language)
    guess = matrix @ prior
    prior *= np.float32((guess * targets).sum() / (guess * guess).sum())
    rows = train_static.ridge_rows(matrix, targets, prior, RIDGE)

    _, axes = np.linalg.eigh((targets.T @ targets).astype(np.float64))
    axes = axes[:, ::-1][:, :DIMENSION]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSION)])  # a solver may give either sign
    rotation, _ = np.linalg.qr(np.random.default_rng(SEED).normal(size=(DIMENSION, DIMENSION)))
    turned = axes @ rotation
    reduced = rows @ turned
    row_steps = 127 / (CLIP * reduced.std())
    table = np.clip(np.rint(reduced * row_steps), -127, 127).astype(np.int8)

    spread = ((vectors - mean) @ turned).std()
    vector_steps = 127 / (CLIP * spread)
    bias = -(mean @ turned)
    own = np.vstack([turned, bias]) * vector_steps
    projected = (vectors - mean) @ turned * vector_steps

    static = StaticEmbedder().embed(texts).astype(np.float64)
    known = np.hstack([static, np.ones((len(texts), 1))])
    foreign = np.linalg.solve(known.T @ known + 0.1 * np.eye(known.shape[1]), known.T @ projected)

    pieces = piece_sums(
        teacher, terms, np.load(model_directory("static-256") / "table.npy").astype(np.float32), language
    )
    fallback = np.linalg.solve(pieces.T @ pieces + 1e4 * np.eye(DIMENSION), pieces.T @ table.astype(np.float64))

    arrays = {
        "rows": table,
        "project-all-MiniLM-L6-v2": map_of(own, MAP_BITS),
        "project-static-256": map_of(foreign, MAP_BITS),
        "pieces": map_of(fallback, MAP_BITS),
    }
    units = {"unit": float(1 / (row_steps * vector_steps)), "vector_unit": float(1 / vector_steps)}
    write(args.out, terms, arrays, language, units)
    explained = 1 - ((matrix @ rows - targets) ** 2).sum() / (targets**2).sum()
    print(f"{len(texts)} texts, {len(terms)} terms, explained {explained:.3f}")


def sampled(teacher: train_static.Teacher, trees: Path) -> tuple[list[str], Matrix]:
    """Texts of each tree in a folder, and the teacher's vectors of them."""
    texts: list[str] = []
    parts: list[Matrix] = []
    for tree in sorted(folder for folder in trees.iterdir() if folder.is_dir()):
        for chosen in train_static.sample(tree).values():
            texts += chosen
            parts.append(teacher.texts(chosen))
    return texts, np.concatenate(parts)


def write(
    out: Path, terms: list[str], arrays: dict[str, NDArray[np.generic]], language: Language, units: dict[str, float]
) -> None:
    """Writes the table's files, and `model.json` with their digests."""
    out.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(out / f"{name}.npy", array)
    (out / "terms.txt").write_text("\n".join(terms) + "\n", "utf-8")
    files = sorted(path for path in out.iterdir() if path.suffix in {".npy", ".txt"})
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    manifest = {
        "name": "search-terms-256",
        "revision": hashlib.sha256("".join(digests.values()).encode()).hexdigest()[:12],
        "language": language.name,
        "dimension": DIMENSION,
        **units,
        "files": digests,
        "versions": {name: version(name) for name in ("numpy", "onnxruntime", "scipy", "tokenizers", "PyStemmer")},
    }
    (out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
