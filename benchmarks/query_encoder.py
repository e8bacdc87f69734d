"""What a small net in place of the model gives a search without a model: question vectors from the packaged table.

    python benchmarks/query_encoder.py --questions DIR --trees DIR [--sets NAME …] [--model NAME] [--cache DIR]
        [--texts 40000] [--epochs 12]

Needs `pip install 'infograph[eval,sentence-transformers]'` (PyTorch). Sets and chunks as in `feedback.py`.

The net is one that a browser could load: the rows of a question's word pieces in the packaged table (256 numbers each),
one head of attention among them, a weighted mean, and a layer beside a straight map to the model's 384 numbers: 197,000
weights, 197 KB as bytes. `map` is the straight map alone. Both learn the model's vectors of headings, headings made
questions, and sentences of three to twenty words, drawn from the trees kubeflow, powershell-docs, react-dev and
rust-book: no text of a set that they are judged on. Each chunk gets

    map, net     weight × the cosine of its vector to the question's, as the net has it
    model        25 × the cosine of the question's own vector

and for each set the weight that is best on all other sets is judged on it; none at all is among them. In brackets the
95% interval: questions drawn again, each set counting alike. `way` is the share of the way from the words to the model
that is gone, `like` the mean cosine of the net's vectors of the questions to the model's.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from feedback import Case, Scores  # first: it sets how tokenizers run
from quality import PAGES, SPANS
from rerank_constants import Values, means, shown

import numpy as np  # isort: skip
import torch
from numpy.typing import NDArray
from torch import nn

from infograph import embedding
from infograph.config import Config
from infograph.embedding.base import Embedder
from infograph.embedding.static import _load_table
from infograph.text.wordpiece import load_tokenizer

TREES = ("kubeflow", "powershell-docs", "react-dev", "rust-book")
WEIGHTS = (0.0, 2.5, 5.0, 10.0, 15.0, 20.0, 25.0)
FORMS = ("{}", "how to {}", "what is {}", "{} example")
"""A heading as it may be asked for."""
MOST_PIECES = 32
HEAD, HIDDEN, ROW, SPACE = 48, 64, 256, 384
SEED = 17

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]


class Net(nn.Module):
    """The small net; without `deep` the straight map of the mean row."""

    def __init__(self, table: Vectors, *, deep: bool) -> None:
        super().__init__()
        self.rows = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=True)
        self.deep = deep
        self.straight = nn.Linear(ROW, SPACE)
        self.asks, self.keys = nn.Linear(ROW, HEAD), nn.Linear(ROW, HEAD)
        self.values, self.back = nn.Linear(ROW, HIDDEN), nn.Linear(HIDDEN, ROW)
        self.share = nn.Linear(ROW, 1)
        self.inner, self.outer = nn.Linear(ROW, HIDDEN), nn.Linear(HIDDEN, SPACE)

    def forward(self, pieces: torch.Tensor) -> torch.Tensor:
        """Vectors of length 1 of texts given as numbers of their pieces, filled up with -1."""
        there = pieces >= 0
        rows = self.rows(pieces.clamp(min=0))
        if not self.deep:
            return self._unit(self.straight((rows * there[..., None]).sum(1) / there.sum(1, keepdim=True)))
        scores = self.asks(rows) @ self.keys(rows).transpose(1, 2) / HEAD**0.5
        mixed = scores.masked_fill(~there[:, None, :], -1e9).softmax(-1) @ self.values(rows)
        rows = rows + self.back(mixed)
        shares = self.share(rows)[..., 0].masked_fill(~there, -1e9).softmax(-1)
        mean = (shares[..., None] * rows).sum(1)
        return self._unit(self.straight(mean) + self.outer(torch.relu(self.inner(mean))))

    @staticmethod
    def _unit(vectors: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(vectors, dim=-1)


def numbers(texts: Sequence[str]) -> torch.Tensor:
    """The pieces of each text, filled up with -1."""
    found = [
        one.ids[:MOST_PIECES] or [0] for one in load_tokenizer().encode_batch(list(texts), add_special_tokens=False)
    ]
    made = np.full((len(found), max(map(len, found))), -1, np.int64)
    for row, ids in zip(made, found, strict=True):
        row[: len(ids)] = ids
    return torch.from_numpy(made)


def mined(trees: Path, count: int) -> list[str]:
    """Headings, headings as questions, and sentences of trees that no set is made of, as many from each."""
    draw, found = random.Random(SEED), []
    for name in TREES:
        own: set[str] = set()
        for path in sorted((trees / name).rglob("*.md*")):
            text = re.sub(r"```.*?```|<[^>]*>|\]\([^)]*\)|[\[*`|]", " ", path.read_text("utf-8", "replace"), flags=re.S)
            for line in text.splitlines():
                if heading := re.match(r"#+ +(.+)", line):
                    own.update(form.format(heading[1].strip(" #")) for form in FORMS)
                else:
                    parts = re.split(r"(?<=[.?!:]) ", line.strip())
                    own.update(part for part in parts if 3 <= len(part.split()) <= 20)
        found += draw.sample(sorted(own), min(len(own), count // len(TREES)))
    draw.shuffle(found)
    return found


def trained(net: Net, texts: Sequence[str], wanted: Vectors, epochs: int) -> Net:
    """The net, with the weights that are best on a twentieth of the texts, which teach it nothing."""
    torch.manual_seed(SEED)
    pieces, goal = numbers(texts), torch.from_numpy(wanted)
    held = len(texts) // 20
    steps = torch.optim.AdamW([one for one in net.parameters() if one.requires_grad], lr=2e-3, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(steps, epochs)
    best, kept = -1.0, {}
    for _ in range(epochs):
        order = held + torch.randperm(len(texts) - held)
        for batch in torch.split(order, 256):
            loss = (1 - (net(pieces[batch]) * goal[batch]).sum(1)).mean()
            steps.zero_grad()
            loss.backward()
            steps.step()
        rate.step()
        with torch.no_grad():
            like = float((net(pieces[:held]) * goal[:held]).sum(1).mean())
        if like > best:
            best, kept = like, {name: one.clone() for name, one in net.state_dict().items()}
    net.load_state_dict(kept)
    print(f"{'net' if net.deep else 'map'}: cosine to the model on {held} texts held back {best:.3f}", flush=True)
    return net


def encoder(net: Net) -> Encode:
    def encode(texts: Sequence[str]) -> Vectors:
        with torch.no_grad():
            found: Vectors = net(numbers(texts)).numpy()
        return found

    return encode


def of_set(case: Case, encode: Encode) -> tuple[dict[float, Values], float]:
    """What each weight gives, and how like the questions' vectors are to the model's."""
    queries = encode([question.text for question in case.asked])
    cosines = queries @ case.vectors.T
    like = float((queries * case.queries).sum(1).mean())

    def scores(weight: float) -> list[Scores]:
        return [words + weight * own for words, own in zip(case.words, cosines, strict=True)]

    return {weight: case.table(scores(weight)) for weight in WEIGHTS}, like


def judged(found: Mapping[str, list[dict[float, Values]]], distance: Values, way: str) -> None:
    """Prints what the weights chosen by the other sets give, over all sets and on each."""
    chosen = {}
    for name in found:
        others = [own for other, own in found.items() if other != name]
        chosen[name] = max(WEIGHTS, key=lambda weight: means([[one[weight] for one in own] for own in others])[0])
    gains = [[one[chosen[name]] - one[0.0] for one in own] for name, own in found.items()]
    print(f"{way:<8}{shown(gains)}  way {(means(gains) / distance).round(2)}  weights {chosen}")
    for name, own in zip(found, gains, strict=True):
        print(f"  {name:<12} {shown([own])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees")
    parser.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    parser.add_argument("--model", default=Config().model, help="embedding model")
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    parser.add_argument("--texts", type=int, default=40_000)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    if len(args.sets) < 2:
        parser.error("one set has no others that choose its weight")

    model: Embedder = embedding.load(args.model)
    texts = mined(args.trees, args.texts)
    wanted = np.asarray(model.embed(texts), np.float32)
    table = _load_table().astype(np.float32)
    table /= float(np.abs(table).max())
    print(f"{len(texts)} texts to learn from", flush=True)
    encoders = {
        name: encoder(trained(Net(table, deep=name == "net"), texts, wanted, args.epochs)) for name in ("map", "net")
    }
    found: dict[str, dict[str, list[dict[float, Values]]]] = {name: {} for name in encoders}
    goal: dict[str, list[Values]] = {}
    for name in args.sets:
        with tempfile.TemporaryDirectory() as folder:
            case = Case(name, args, Path(folder))
        own = "fastapi" if name.startswith("fastapi-") else name
        row = f"{name:<18}"
        for way, encode in encoders.items():
            values, like = of_set(case, encode)
            found[way].setdefault(own, []).append(values)
            row += f" {way} like {like:.3f}"
        goal.setdefault(own, []).append(case.model() - values[0.0])
        print(
            row, f"words {values[0.0].mean(axis=0).round(3)}, model {goal[own][-1].mean(axis=0).round(3)}", flush=True
        )
    distance = means(list(goal.values()))
    print(f"\nMRR@10, hit@5, nDCG@10 beside words alone\nmodel   {shown(list(goal.values()))}")
    for name, own in goal.items():
        print(f"  {name:<12} {shown([own])}")
    for way, of_way in found.items():
        judged(of_way, distance, way)


if __name__ == "__main__":
    main()
