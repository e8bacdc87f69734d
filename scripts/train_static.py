"""Fit the static token table behind `--model static`.

    python scripts/train_static.py --trees DIR --out infograph/embedding/models/static-256 [--cache DIR]
    python scripts/train_static.py --trees DIR --cache DIR --holdout kubeflow rust-book

DIR holds one folder for each documentation tree. Needs, beside infograph, `scipy` and `onnx`. On two cores
the texts take about fifteen minutes to embed (`--cache` keeps their vectors) and the fit two.

The recipe. A text's vector is the sum of its tokens' rows, so that fitting the rows W to the teacher's
vectors is a linear regression, solved in closed form:

1.  Texts: headings, link texts, sentences and 900-character windows of raw Markdown of every tree, each kind
    and tree up to a quota, so that no tree dominates; the choice is by SHA-256 of the text.
2.  Targets: MiniLM's vectors less their mean, scaled to length 1. The mean says "documentation", no more.
3.  Inputs: WordPiece counts, each row divided by the square root of the text's length in tokens.
4.  Prior: rows that are one linear map of what the teacher knows of a token by itself (its output for that
    token alone, its input embedding, rank in the vocabulary, kind, how common it is), the map fitted by ridge
    regression. It gives a token that the texts never show a row as good as one they do.
5.  Rows: ridge regression around that prior (conjugate gradients on the sparse normal equations).
6.  256 dimensions: principal axes of the targets, each divided by its spread to the power 0.25; then a
    fixed rotation, which spreads the variance so that one step size suits all columns; then int8.

`--holdout` fits on the other trees and prints how well headings find their own sections, and sentences the
rest of their window, in the trees left out: the constants below were chosen by that.
MRR there, mean over kubeflow and rust-book and both tasks: plain single-token vectors with SIF weights 24,
ridge towards zero 35, the prior alone 38, all steps 38.4; wordllama 0.4.0, 256 dimensions, 35.

Same trees, same package versions, same kind of processor: same bytes.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy loads it: how sums are split over threads changes their bits

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import numpy_helper
from scipy import sparse
from tokenizers import Tokenizer

from infograph.files.packaged import model_directory, tokenizer_file

Matrix = NDArray[np.float32]

QUOTA = {"heading": 4000, "link": 3000, "sentence": 20000, "window": 3000}
WINDOW = 900  # characters, about 220 tokens of Markdown
MAP_RIDGE = 400.0
ROW_RIDGE = 3.0
RARE = 1e-3  # a token this frequent counts half as rare: the constant of smooth inverse frequency weighting
DIMENSION = 256
WHITEN = 0.25
CLIP = 5.0  # int8 ends at this many standard deviations
SEED = 0

# ------------------------------------------------------------------------------------------------ texts

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\r?\n.*?\r?\n\1\r?\n", re.S)
FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.S | re.M)
COMMENT = re.compile(r"<!--.*?-->|\{/\*.*?\*/\}", re.S)
DIRECTIVE = re.compile(
    r"\{\{.*?\}\}|\{[#%*].*?\}|\[!\w+.*?\]"
    r"|^[ \t]*(?::{3,}|/{3,}|!!!|\?\?\?|===|import |export ).*$|^[ \t]*> \[!\w+\].*$",
    re.M | re.S,
)
LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()]*\)[^()]*)*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
TAG = re.compile(r"</?[A-Za-z][^<>]*>")
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.M)
ATTRIBUTES = re.compile(r"\{[^}]*\}")
MARK = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`|^[ \t>]*(?:[-*+]|\d+[.)])?[ \t]+|^[ \t]*>[ \t]*|\\(?=[\W_])", re.M)
BLOCK_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t>]*(?:[-*+]|\d+[.)])[ \t])|\n(?=[ \t]*\|)|\|")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`])")


def plain(markdown: str) -> str:
    """Returns text without its inline markup, on one line."""
    return " ".join(MARK.sub("", TAG.sub("", LINK.sub(r"\1", markdown))).split())


def prose(body: str) -> str:
    return COMMENT.sub("", FENCE.sub("\n\n", body))


def headings(body: str) -> list[str]:
    return [plain(ATTRIBUTES.sub("", heading)) for heading in HEADING.findall(prose(body))]


def links(body: str) -> list[str]:
    return [plain(link[1]) for link in LINK.finditer(prose(body)) if not link[0].startswith("!")]


def sentences(body: str) -> list[str]:
    """Yields sentences of at least four words that are mostly letters."""
    text = HEADING.sub("\n", DIRECTIVE.sub("\n\n", prose(body)))
    found = [part.strip(" |-:") for block in BLOCK_END.split(text) for part in SENTENCE_END.split(plain(block))]
    return [
        part
        for part in found
        if len(part) <= 400 and len(part.split()) >= 4 and sum(map(str.isalpha, part)) >= 0.6 * len(part)
    ]


def windows(body: str) -> list[str]:
    """Yields whole lines of raw Markdown up to WINDOW characters; the rest of a longer line is left out."""
    found: list[str] = []
    lines: list[str] = []
    size = 0
    for line in body.splitlines():
        if lines and size + len(line) > WINDOW:
            found.append("\n".join(lines))
            lines, size = [], 0
        lines.append(line[:WINDOW])
        size += len(line) + 1
    return [*found, "\n".join(lines)] if size > 200 else found


def bodies(tree: Path) -> Iterator[str]:
    for file in sorted(tree.rglob("*")):
        if file.suffix in {".md", ".mdx"} and file.is_file():
            yield FRONT_MATTER.sub("", file.read_text("utf-8-sig"))


def sample(tree: Path) -> dict[str, list[str]]:
    """Returns up to QUOTA texts of each kind, in an order that depends on the texts alone."""
    pools: dict[str, set[str]] = {kind: set() for kind in QUOTA}
    for body in bodies(tree):
        for kind, extract in (("heading", headings), ("link", links), ("sentence", sentences), ("window", windows)):
            pools[kind].update(text for text in extract(body) if sum(map(str.isalpha, text)) >= 3)
    return {
        kind: sorted(pool, key=lambda text: hashlib.sha256(text.encode()).digest())[: QUOTA[kind]]
        for kind, pool in pools.items()
    }


# ---------------------------------------------------------------------------------------------- teacher


class Teacher:
    """The packaged MiniLM, called with token ids: a word piece such as `##ing` cannot be passed as a text."""

    def __init__(self, cache: Path | None) -> None:
        self.weights = model_directory("all-MiniLM-L6-v2") / "model.onnx"
        self.tokenizer = Tokenizer.from_file(str(tokenizer_file()))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)
        self.session = onnxruntime.InferenceSession(str(self.weights), providers=["CPUExecutionProvider"])
        self.cache = cache

    def texts(self, texts: list[str]) -> Matrix:
        return self.ids([encoding.ids for encoding in self.tokenizer.encode_batch(texts)])

    def alone(self) -> Matrix:
        """Returns one vector for each token of the vocabulary by itself."""
        first, last = self.tokenizer.encode("").ids  # [CLS] and [SEP]
        return self.ids([[first, token, last] for token in range(self.tokenizer.get_vocab_size())])

    def ids(self, ids: list[list[int]]) -> Matrix:
        """Returns mean-pooled vectors of length 1, from the cache where it has them."""
        key = hashlib.sha256(json.dumps(ids).encode()).hexdigest()[:24]
        kept = self.cache / f"{key}.npy" if self.cache else None
        if kept and kept.exists():
            return np.asarray(np.load(kept, allow_pickle=False))
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        vectors = np.empty((len(ids), 384), np.float32)
        while order:
            batch = [order.pop()]
            length = len(ids[batch[0]])
            # One length a batch: without padding a vector depends on its own text alone.
            while order and len(ids[order[-1]]) == length and length * (len(batch) + 1) <= 2048:
                batch.append(order.pop())
            tokens = np.array([ids[i] for i in batch], np.int64)
            ones, zeros = np.ones_like(tokens), np.zeros_like(tokens)
            feed = {"input_ids": tokens, "attention_mask": ones, "token_type_ids": zeros}
            vectors[batch] = unit(self.session.run(None, feed)[0].mean(axis=1))
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, vectors)
        return vectors

    def input_embeddings(self) -> Matrix:
        parts = {part.name: part for part in onnx.load(str(self.weights)).graph.initializer}
        name = "embeddings.word_embeddings.weight"
        steps, scale = (numpy_helper.to_array(parts[name + end]) for end in ("_q", "_s"))
        return np.asarray(steps.astype(np.float32) * scale)


# -------------------------------------------------------------------------------------------------- fit


def unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def counts(tokenizer: Tokenizer, texts: Sequence[str]) -> sparse.csr_matrix:
    """Returns the counts of each token in each text: whole texts, no special tokens."""
    plain_tokenizer = Tokenizer.from_str(tokenizer.to_str())
    plain_tokenizer.no_truncation()
    ids = [encoding.ids for encoding in plain_tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]
    ends = np.cumsum([0, *map(len, ids)])
    flat = np.fromiter((token for row in ids for token in row), np.int32, ends[-1])
    shape = (len(ids), tokenizer.get_vocab_size())
    table = sparse.csr_matrix((np.ones(len(flat), np.float32), flat, ends), shape=shape)
    table.sum_duplicates()
    return table


def features(teacher: Teacher, frequency: Matrix) -> Matrix:
    """Returns the features of each token by itself, once plain and once weighted by how rare the token is."""

    def standard(columns: Matrix) -> Matrix:
        # Three of MiniLM's outputs are constant.
        return np.asarray((columns - columns.mean(0)) / np.maximum(columns.std(0), 1e-6))

    names = sorted(teacher.tokenizer.get_vocab().items(), key=lambda item: item[1])
    kinds = np.array([[n.startswith("##"), n.isdigit(), not n.strip("#").isalpha()] for n, _ in names], np.float32)
    rank = np.log1p(np.arange(len(names), dtype=np.float32))[:, None]  # the vocabulary is sorted by frequency
    known = [standard(teacher.alone()), standard(teacher.input_embeddings()), standard(rank), 2 * kinds]
    base = np.hstack([*known, np.full_like(rank, 2)])
    return np.hstack([base, base * (RARE / (RARE + frequency))[:, None]]).astype(np.float32)


def ridge_rows(inputs: sparse.csr_matrix, targets: Matrix, prior: Matrix, ridge: float) -> Matrix:
    """Returns argmin over W of |inputs W - targets|² + ridge |W - prior|².

    Computed by conjugate gradients with a diagonal preconditioner, every column at once, until the residual is 0.3%
    of the right-hand side.
    """
    turned = inputs.T.tocsr()
    diagonal = np.asarray(inputs.multiply(inputs).sum(0), np.float32).reshape(-1, 1) + np.float32(ridge)
    rows = prior.copy()
    right = turned @ targets
    residual = right - turned @ (inputs @ rows)
    enough = 0.003 * np.linalg.norm(right)
    step = residual / diagonal
    slope = (residual * step).sum(0)
    direction = step
    while np.linalg.norm(residual) > enough:
        image = turned @ (inputs @ direction) + np.float32(ridge) * direction
        length = slope / np.maximum((direction * image).sum(0), 1e-30)
        rows += length * direction
        residual -= length * image
        step = residual / diagonal
        before, slope = slope, (residual * step).sum(0)
        direction = step + slope / np.maximum(before, 1e-30) * direction
    return rows


def fit(teacher: Teacher, texts: list[str], vectors: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Returns rows in the teacher's 384 dimensions, the targets' mean, and the targets."""
    table = counts(teacher.tokenizer, texts)
    occurrences = np.asarray(table.sum(0), np.float64).ravel()
    lengths = np.maximum(np.asarray(table.sum(1)).ravel(), 1)
    inputs = (sparse.diags(lengths**-0.5) @ table).tocsr().astype(np.float32)
    mean = vectors.mean(0)
    targets = unit(vectors - mean)

    known = features(teacher, (occurrences / occurrences.sum()).astype(np.float32))
    seen = (inputs @ known).astype(np.float64)
    gram = seen.T @ seen + MAP_RIDGE * np.eye(seen.shape[1])
    prior = known @ np.linalg.solve(gram, seen.T @ targets).astype(np.float32)

    rows = ridge_rows(inputs, targets, prior, ROW_RIDGE)
    for name, token in teacher.tokenizer.get_vocab().items():
        if name.startswith("[") and name.endswith("]") and len(name) > 2:  # [CLS], [UNK], [unused7]: no meaning
            rows[token] = 0
    return rows, mean, targets


def reduce(rows: Matrix, targets: Matrix) -> Matrix:
    """Reduces to 256 dimensions: principal axes, partly whitened, then rotated."""
    variance, axes = np.linalg.eigh((targets.T @ targets).astype(np.float64))
    variance, axes = variance[::-1][:DIMENSION], axes[:, ::-1][:, :DIMENSION]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSION)])  # a solver may give either sign
    rotation, _ = np.linalg.qr(np.random.default_rng(SEED).normal(size=(DIMENSION, DIMENSION)))
    scaled = axes * (variance / variance[0]) ** (-WHITEN / 2)
    return np.asarray(rows.astype(np.float64) @ scaled @ rotation, np.float32)


def quantise(table: Matrix) -> NDArray[np.int8]:
    """Quantises with one step size for the whole table: it cancels out when a sum of rows is scaled to length 1."""
    return np.asarray(np.clip(np.rint(table * (127 / (CLIP * table.std()))), -127, 127), np.int8)


# ---------------------------------------------------------------------------------------------- holdout


def questions(tree: Path) -> Iterator[tuple[str, list[str], list[str], list[int]]]:
    """Yields the name of each task, its passages, its queries, and the right passage of each query."""
    sections: dict[str, str] = {}
    rests: list[str] = []
    asked: list[str] = []
    right: list[int] = []
    for body in bodies(tree):
        parts = re.split(r"(?m)^(#{1,6}[ \t]+.*)$", body)
        for heading, section in zip(parts[1::2], parts[2::2], strict=True):
            title, section = plain(ATTRIBUTES.sub("", heading.lstrip("#"))), section.strip()[:WINDOW]
            if len(section) >= 200 and len(title.split()) >= 3:
                sections.setdefault(title, section)
        for window in windows(body):
            flat = " ".join(window.split())
            inside = [part for part in sentences(window) if 6 <= len(part.split()) <= 25 and part in flat]
            if len(inside) >= 3:
                pick = inside[int(hashlib.sha256(window.encode()).hexdigest(), 16) % len(inside)]
                asked.append(pick)
                right.append(len(rests))
                flat = flat.replace(pick, "")
            rests.append(flat)
    yield "heading", list(sections.values()), list(sections), list(range(len(sections)))
    yield "sentence", rests, asked, right


def holdout(tokenizer: Tokenizer, table: NDArray[np.int8], trees: list[Path]) -> None:
    scores = []
    for tree in trees:
        for task, passages, asked, right in questions(tree):
            found, query = (unit(counts(tokenizer, texts) @ table.astype(np.float32)) for texts in (passages, asked))
            similar = query @ found.T
            rank = (similar > similar[np.arange(len(right)), right][:, None]).sum(1) + 1
            scores.append(100 * float((1 / rank).mean()))
            print(f"{tree.name:<16} {task:<9} {len(asked):>5} queries, MRR {scores[-1]:.1f}")
    print(f"mean MRR {np.mean(scores):.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True, help="folder with one folder for each tree")
    parser.add_argument("--out", type=Path, help="folder for table.npy and model.json")
    parser.add_argument("--cache", type=Path, help="folder that keeps the teacher's vectors")
    parser.add_argument("--full", type=Path, help="also write the 384-dimensional rows and the mean, .npz")
    parser.add_argument("--holdout", nargs="+", default=[], metavar="TREE", help="fit without these and score on them")
    args = parser.parse_args()
    if not (args.out or args.full or args.holdout):
        parser.error("nothing to do: give --out, --full or --holdout")

    teacher = Teacher(args.cache)
    trees = sorted(folder for folder in args.trees.iterdir() if folder.is_dir() and folder.name not in args.holdout)
    texts: list[str] = []
    parts: list[Matrix] = []
    used: dict[str, dict[str, int]] = {}
    for tree in trees:
        used[tree.name] = {}
        for kind, chosen in sample(tree).items():
            print(f"{tree.name}: {len(chosen)} of kind {kind}", file=sys.stderr, flush=True)
            used[tree.name][kind] = len(chosen)
            texts += chosen
            parts.append(teacher.texts(chosen))
    rows, mean, targets = fit(teacher, texts, np.concatenate(parts))
    table = quantise(reduce(rows, targets))

    if args.holdout:
        holdout(teacher.tokenizer, table, [args.trees / name for name in args.holdout])
    if args.full:
        np.savez(args.full, rows=rows, mean=mean)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        np.save(args.out / "table.npy", table)
        digest = hashlib.sha256((args.out / "table.npy").read_bytes()).hexdigest()
        manifest = {
            "name": "static-256",
            "revision": digest[:12],
            "dimension": DIMENSION,
            "max_tokens": 0,  # no limit
            "files": {"table.npy": digest},
            "tokenizer": "all-MiniLM-L6-v2",
            "teacher": {"name": "all-MiniLM-L6-v2", "sha256": hashlib.sha256(teacher.weights.read_bytes()).hexdigest()},
            "texts": used,
            "versions": {name: version(name) for name in ("numpy", "onnxruntime", "scipy", "tokenizers")},
        }
        (args.out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
