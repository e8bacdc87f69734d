"""`infograph bench`: queries of a file, what they cost, and bounds as the exit status."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infograph.cli import main
from infograph.commands.bench import BenchQuery, BenchRequest, read_queries, run_queries
from infograph.errors import ConfigError, FormatError
from infograph.progress import Silent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bench")
    (root / "docs").mkdir()
    (root / "docs/cats.md").write_text("# Cats\n\nA cat purrs.\n")
    (root / "docs/dogs.md").write_text("# Dogs\n\nA dog barks.\n")
    arguments = ["build", str(root / "docs"), "--out", str(root / "site"), "--model", "static", "-q"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    return root / "site"


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    lines = [
        "purrs",
        "",
        json.dumps({"question": "who barks?", "gold": [{"file": "dogs.md", "start": 0, "end": 4}]}),
        json.dumps({"question": "who purrs?", "gold": [{"file": "dogs.md"}]}),
    ]
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(lines))
    return path


def bench(site: Path, queries: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["bench", str(site), "--queries", str(queries), "-k", "1", "--no-rerank", *options])


def test_lines_are_queries_and_objects_are_questions(queries: Path) -> None:
    dogs = frozenset({"dogs.md"})
    assert read_queries(str(queries)) == [
        BenchQuery("purrs"),
        BenchQuery("who barks?", dogs),
        BenchQuery("who purrs?", dogs),
    ]


def test_a_cold_client_reads_all_again_and_a_warm_one_only_what_is_new(site: Path, queries: Path) -> None:
    asked = read_queries(str(queries))
    warm = run_queries(BenchRequest(target=str(site), k=1, rerank=False), asked, Silent())
    cold = run_queries(BenchRequest(target=str(site), k=1, rerank=False, cold=True), asked, Silent())
    assert warm.hit == cold.hit == 0.5
    assert warm.with_gold == 2
    for name in ("requests", "bytes"):
        assert warm.figures[name]["p50"] < cold.figures[name]["p50"]
        assert warm.figures[name]["most"] == warm.figures[name]["p99"] <= cold.figures[name]["most"]
    assert cold.stages.keys() >= {"manifest", "search", "computing"}
    assert sum(cold.stages.values()) == pytest.approx(cold.figures["milliseconds"]["mean"])


def test_bounds_are_the_exit_status(site: Path, queries: Path) -> None:
    kept = bench(site, queries, "--max-ms", "1e9", "--max-requests", "99", "--max-bytes", "999999", "--min-hit", ".5")
    assert (kept.exit_code, kept.stderr.count("warning")) == (0, 0)
    broken = bench(site, queries, "--max-ms", "0", "--max-requests", "1", "--max-bytes", "1", "--min-hit", ".6")
    assert broken.exit_code == 1
    for option in ("--max-ms 0", "--max-requests 1", "--max-bytes 1", "hit@1 is 0.500, below --min-hit 0.6"):
        assert option in broken.stderr
    said = json.loads(bench(site, queries, "--json", "--max-bytes", "1").stdout)
    assert len(said["exceeded"]) == 1
    assert said["queries"] == 3


def test_hits_cannot_be_bounded_without_gold(site: Path, tmp_path: Path) -> None:
    (tmp_path / "q").write_text("purrs")
    run = bench(site, tmp_path / "q", "--min-hit", "0")
    assert run.exit_code == 1
    assert "no query of the file has `gold`" in run.stderr


def test_a_query_without_an_answer_is_named(site: Path, queries: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(site, tmp_path / "broken")
    for path in broken.glob("_search/p-*"):
        path.unlink()
    run = bench(broken, queries)
    assert run.exit_code == 1
    assert run.stderr.count("no answer to") == 3
    assert "hit@1: 0.000 of 2" in run.stdout


@pytest.mark.parametrize("options", [(), ("--cold",), ("--json",)])
def test_a_place_that_is_no_tree_is_one_error(queries: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """Each query said it, and a table without numbers stood above that."""
    said = "_search/manifest.json: there is no such file in "
    run = bench(tmp_path, queries, *options)
    assert run.exit_code == 1
    assert run.stderr.count(said) == 1 and "wrote to, with `search.enabled`?" in run.stderr
    assert run.stdout == "" or said.startswith(json.loads(run.stdout)["errors"][0]["place"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no queries"),
        ("{", ":1: is not JSON"),
        ('purrs\n{"gold": []}', ":2: `question`"),
        ('{"question": "x", "gold": ["a.md"]}', ":1: `gold`"),
    ],
)
def test_a_malformed_file_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "q").write_text(text)
    with pytest.raises(FormatError, match=reason):
        read_queries(str(tmp_path / "q"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_queries(str(tmp_path / "none"))


def test_a_cold_client_has_no_cache(site: Path, queries: Path) -> None:
    run = bench(site, queries, "--cold", "--cache", "x")
    assert run.exit_code == 2
