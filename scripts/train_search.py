"""Fit the space of the search bundle's vectors, and list the common words of its language.

    python scripts/train_search.py [--trees DIR] --out infograph/search/model [--cache DIR]

DIR holds one folder for each documentation tree. Needs, beside infograph, `scipy` and `onnx`. Texts, teacher and solver
are those of `train_static.py`, whose `--cache` it shares; with a warm cache it takes a minute on one core.

1.  Texts and targets as for the static table: headings, link texts, sentences and windows; MiniLM's vectors less
    their mean, scaled to length 1.
2.  256 dimensions: principal axes of the targets without whitening, for products have to stay what they are, and a
    fixed rotation; then int8 (`project-*.npy`). Vectors of `--model static` take the linear map that comes nearest to
    MiniLM's projections of the same texts. Maps are whole numbers, so that projections are exact integers.
3.  Common words (`terms.txt`): the stems of letters alone that at least three of the texts have. They are no typing
    slips, whatever a site has; nor are the words of the packaged tokenizer, here by stem with their forms
    (`forms.txt`), which are made again by themselves without `--trees`: they depend on the stemmer alone.

No question set takes part. Same trees, same package versions, same kind of processor: same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import train_static  # first: it sets the number of threads before numpy loads

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.embedding.static import StaticEmbedder
from infograph.search.format.forms import word_forms
from infograph.search.format.projection import MAP_BITS
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language, index_terms, plain
from infograph.text.language import stemmer, stop_words

Matrix = NDArray[np.float32]

LEAST_TEXTS = 3
LONGEST = 40
"""Letters of the longest common stem."""
DIMENSION = 256
CLIP = 6.0  # int8 ends at this many standard deviations
SEED = 0


def english() -> Language:
    return Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))


def map_of(weights: NDArray[np.float64], bits: int) -> NDArray[np.int32]:
    return np.rint(weights * (1 << bits)).astype(np.int32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, help="folder with one folder for each tree; without it, forms alone")
    parser.add_argument("--out", type=Path, required=True, help="folder for the table")
    parser.add_argument("--cache", type=Path, help="folder that keeps the teacher's vectors")
    args = parser.parse_args()

    language = english()
    if args.trees is None:
        write_forms(args.out, language)
        return
    teacher = train_static.Teacher(args.cache)
    texts, vectors = sampled(teacher, args.trees)
    _, mean, targets = train_static.fit(teacher, texts, vectors)
    frequency = Counter(term for text in texts for term in set(index_terms(plain(text), language)))
    common = (term for term, found in frequency.items() if found >= LEAST_TEXTS and len(term) <= LONGEST)
    terms = sorted(filter(str.isalpha, common))

    _, axes = np.linalg.eigh((targets.T @ targets).astype(np.float64))
    axes = axes[:, ::-1][:, :DIMENSION]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSION)])  # a solver may give either sign
    rotation, _ = np.linalg.qr(np.random.default_rng(SEED).normal(size=(DIMENSION, DIMENSION)))
    turned = axes @ rotation
    projected = (vectors - mean) @ turned
    steps = 127 / (CLIP * projected.std())
    own = np.vstack([turned, -(mean @ turned)]) * steps

    static = StaticEmbedder().embed(texts).astype(np.float64)
    known = np.hstack([static, np.ones((len(texts), 1))])
    foreign = np.linalg.solve(known.T @ known + 0.1 * np.eye(known.shape[1]), known.T @ (projected * steps))

    arrays = {"project-all-MiniLM-L6-v2": map_of(own, MAP_BITS), "project-static-256": map_of(foreign, MAP_BITS)}
    write(args.out, terms, arrays, language, float(1 / steps))
    print(f"{len(texts)} texts, {len(terms)} terms")


def sampled(teacher: train_static.Teacher, trees: Path) -> tuple[list[str], Matrix]:
    """Texts of each tree in a folder, and the teacher's vectors of them."""
    texts: list[str] = []
    parts: list[Matrix] = []
    for tree in sorted(folder for folder in trees.iterdir() if folder.is_dir()):
        for chosen in train_static.sample(tree).values():
            texts += chosen
            parts.append(teacher.texts(chosen))
    return texts, np.concatenate(parts)


def write(out: Path, terms: list[str], arrays: dict[str, NDArray[np.generic]], language: Language, unit: float) -> None:
    """Writes the files, and `model.json` with their digests. `unit`: length that 1 in a component stands for."""
    out.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(out / f"{name}.npy", array)
    (out / "terms.txt").write_text("\n".join(terms) + "\n", "utf-8")
    manifest = {
        "name": "search-space-256",
        "revision": "",
        "language": language.name,
        "dimension": DIMENSION,
        "vector_unit": unit,
        "files": {},
        "versions": {name: version(name) for name in ("numpy", "onnxruntime", "scipy", "tokenizers", "PyStemmer")},
    }
    (out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    write_forms(out, language)


def write_forms(out: Path, language: Language) -> None:
    """Writes the forms of the tokenizer's words, and into `model.json` the digests of all files."""
    found = word_forms(load_space().words, language.stem)
    rows = (f"{stem} {endings}\n" for stem, endings in sorted(found.items()))
    (out / "forms.txt").write_text("".join(rows), "utf-8")
    files = sorted(path for path in out.iterdir() if path.suffix in {".npy", ".txt"})
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    manifest = json.loads((out / "model.json").read_text("utf-8"))
    manifest["revision"] = hashlib.sha256("".join(digests.values()).encode()).hexdigest()[:12]
    manifest["files"] = digests
    (out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
