"""`infograph fit` from a tree to its files, and from these to a site that obeys them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from infograph import cli
from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.errors import ConfigError, FormatError
from infograph.evaluate.questions import Question, Span
from infograph.fit import fusion, run, tables
from infograph.fit.candidates import KINDS, SEED, SITE, gather, kind_of
from infograph.fit.learning import RIDGE
from infograph.progress import Silent
from infograph.search.format.fusion_model import read_fusion
from infograph.search.format.rerank_policy import read_rerank

WORDS = ("cache", "index", "topic", "chunk", "model", "query", "stripe", "folder", "vector", "page")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty pages and eighty questions about them."""
    root = tmp_path_factory.mktemp("fit")
    questions = []
    for number in range(40):
        first, second = WORDS[number % 10], WORDS[(number * 3 + 1) % 10]
        answer = f"The {first} number {number} belongs to the {second} of release {number * 7}."
        text = f"# Page {number}\n\nAbout the {first}.\n\n## The {second}\n\n{answer}\n\nMore on the {first}.\n"
        (root / f"page-{number}.md").write_text(text, "utf-8")
        start = text.index(answer)
        for kind, ask in enumerate(
            (f"What does {first} number {number} belong to?", f"{first} of release {number * 7}")
        ):
            gold = [{"file": f"page-{number}.md", "start": start, "end": start + len(answer)}]
            questions.append(json.dumps({"id": f"{number}-{kind}", "question": ask, "gold": gold}))
    (root / "questions.jsonl").write_text("\n".join(questions), "utf-8")
    return root


def invoke(tree: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli.main, ["fit", *arguments, str(tree), "--model", "static", "--cache", str(tree.parent / "cache"), "-q"]
    )


@pytest.mark.slow
def test_a_fusion_that_pays_no_better_is_not_written(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "fusion.json"
    found = invoke(tree, "fusion", "--predictor", "ridge", "--out", str(out))
    assert found.exit_code == 1, found.output
    assert "Ridge is not better than" in found.output and f"{out} is not written" in found.output
    assert not out.exists()
    for row in ("α = 0.3", "sum, as by default", "RRF", "Learned Ridge", "Oracle", "80 questions", "12 questions"):
        assert row in found.output


@pytest.mark.slow
def test_a_fusion_that_is_written_anyway_is_obeyed(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "fusion.json"
    found = invoke(tree, "fusion", "--predictor", "ridge", "--out", str(out), "--anyway")
    assert found.exit_code == 0 and f"wrote {out}" in found.output
    read = read_fusion("fusion.json", out.read_bytes())
    assert read.kind == "ridge" and len(read.weights) == 4 and read.about.startswith("Ridge")
    flags = {"out": str(tmp_path / "site"), "model": "static", "search.fusion": str(out)}
    build(load(str(tree), flags=flags, environment={}))
    manifest = json.loads((tmp_path / "site/_search/manifest.json").read_bytes())
    assert manifest["fusion"]["weights"] == list(read.weights)
    assert 0 < Client(tmp_path / "site", timeout=60).search("cache of release 70", rerank=True).confidence <= 1


@pytest.mark.slow
def test_boosted_trees_are_written_and_obeyed(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xgboost", reason="needs infograph[fit]")
    monkeypatch.setattr("infograph.fit.boosting.GRID", __import__("infograph.fit.boosting").fit.boosting.GRID[:1])
    out = tmp_path / "fusion.json"
    found = invoke(tree, "fusion", "--predictor", "xgboost", "--out", str(out), "--anyway")
    assert found.exit_code == 0, found.output
    assert "share of gain" in found.output and read_fusion("f", out.read_bytes()).trees
    assert len(out.read_bytes()) <= 60_000
    flags = {"out": str(tmp_path / "site"), "model": "static", "search.fusion": str(out)}
    build(load(str(tree), flags=flags, environment={}))
    answer = Client(tmp_path / "site", timeout=60).search("cache of release 70", rerank=True)
    assert answer.missing == {} and answer.hits


@pytest.mark.slow
def test_thresholds_reach_the_manifest(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "rerank.json"
    found = invoke(tree, "rerank", "--beta", "0.6", "--seconds", "1.2", "--out", str(out))
    assert found.exit_code == 0, found.output
    assert "by words alone" in found.output and "always" in found.output and "the look at the vectors" in found.output
    read = read_rerank("rerank.json", out.read_bytes())
    assert read.policy.fused is not None and read.policy.fused.beta == 0.6 and read.policy.fused.n >= 30
    flags = {"out": str(tmp_path / "site"), "model": "static", "search.rerank": str(out)}
    build(load(str(tree), flags=flags, environment={}))
    manifest = json.loads((tmp_path / "site/_search/manifest.json").read_bytes())
    assert manifest["rerank"]["fused"] == {"tau": read.policy.fused.tau, "beta": 0.6, "n": read.policy.fused.n}


@pytest.mark.slow
def test_the_table_has_every_row_and_both_candidates(tree: Path) -> None:
    settings = load(str(tree), flags={"model": "static", "cache": str(tree.parent / "cache")}, environment={})
    for source in (SITE, SEED):
        data = gather(settings, (), source, Silent())
        assert len(data.rows) == 80 and {row.kind for row in data.rows} == {"one span"}
        assert all(len(row.features) == 25 and len(row.vector) == 256 for row in data.rows)
        if source == SEED:  # those of the site are in the order of all that words count for, without a cosine
            assert all(row.head.words == sorted(row.head.words, reverse=True) for row in data.rows)
        most = 32 if source == SITE else 20
        assert all(len(row.exact) <= most for row in data.rows)
        assert sum(any(row.exact) for row in data.rows) >= 70
    report = fusion.fit(data, [RIDGE])
    text = tables.fusion_text(report, held_out=True)
    assert text.count("the best fixed") == 1 and "one span" in text
    better = replace(report, gain=(0.1, 0.05, 0.2), pays=True)
    assert better.pays and "is better than" in tables.verdict(better)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3, 6])
@pytest.mark.filterwarnings("error")
def test_too_few_questions_teach_nothing(tree: Path, tmp_path: Path, count: int) -> None:
    """They gave a table of "nan", and `--anyway` wrote what was learned of nothing."""
    some, out = tmp_path / "few.jsonl", tmp_path / "fitted.json"
    some.write_text("\n".join((tree / "questions.jsonl").read_text().splitlines()[:count]), "utf-8")
    asked = ("--questions", str(some), "--out", str(out))
    found = invoke(tree, "fusion", "--predictor", "ridge", "--anyway", *asked)
    assert found.exit_code == 1 and not out.exists() and "nan" not in found.output
    assert f"few.jsonl: too few questions to learn from: of {count} question" in found.output
    found = invoke(tree, "rerank", *asked)
    assert found.exit_code == 0, found.output
    assert "of fewer than 30 questions nothing is said of the look at the vectors" in found.output
    read = read_rerank("rerank.json", out.read_bytes())
    assert read.vectors is None and read.policy.fused is None and read.policy.words is None


def test_kinds_of_questions() -> None:
    one, other, far = Span("a.md", 0, 5), Span("a.md", 8, 9), Span("b.md", 0, 5)
    golds = ((one,), (one, other), (one, far))
    assert tuple(kind_of(Question("1", "?", gold)) for gold in golds) == KINDS


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("fusion", "--predictor", "magic"), "there is no predictor 'magic'"),
        (("fusion", "--predictor", "mlp"), "a site cannot publish an mlp"),
        (("fusion", "--candidates", "all"), "must be site or seed"),
        (("fusion", "--candidates", "seed", "--out", "x.json"), "a site fuses its own scores"),
    ],
)
def test_options_that_make_no_sense_are_refused(tree: Path, arguments: tuple[str, ...], reason: str) -> None:
    found = invoke(tree, *arguments)
    assert found.exit_code == 1 and reason in found.output


def test_a_missing_package_names_the_extra(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr("infograph.fit.extra.import_module", missing)
    with pytest.raises(ConfigError, match=r"needs xgboost .* Install it with: pip install 'infograph\[fit\]'"):
        run.fit_fusion(load(str(tree), environment={}), run.FusionRequest(), Silent())


@pytest.mark.parametrize(("setting", "command"), [("search.fusion", "fusion"), ("search.rerank", "rerank")])
def test_a_file_of_another_version_is_refused(tree: Path, tmp_path: Path, setting: str, command: str) -> None:
    place = tmp_path / "f.json"
    place.write_text('{"format": 9}')
    with pytest.raises(FormatError, match="its format is 9, and this release of infograph knows 1") as caught:
        load(str(tree), flags={setting: str(place)}, environment={})
    assert f"infograph fit {command}" in caught.value.hint
    place.write_text('{"format": 1, "model": 3}')
    with pytest.raises(FormatError):
        load(str(tree), flags={setting: str(place)}, environment={})
