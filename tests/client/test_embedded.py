"""A search that goes by the build's own model, of another package or a server, and clients that can ask it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from javascript import CLIENT, NODE, run_node
from moody_model import PLUGIN

from infograph import embedding
from infograph.build import build
from infograph.cli import main
from infograph.client import Client, ClientError
from infograph.client.embedded import model_embedder
from infograph.commands.check.crawl import check
from infograph.config import load
from infograph.config.settings import EmbeddingSettings
from infograph.errors import ConfigError, ModelError
from infograph.execution.guarded_embedder import ModelStuck
from infograph.plugins.entry_points import EMBEDDERS
from infograph.search.format.search_space import LONGEST_OWN, load_space

pytestmark = pytest.mark.usefixtures("in_this_process", "example")

LETTERS = "letters@eb1662b2a688"
WORDS = ("abba", "cddc", "effe", "ghhg", "ijji", "kllk", "moom")
SCRIPT = """
const [module, url, given] = process.argv.slice(1);
const { Client } = await import(module);
const client = new Client(url, { timeout: 60000 });
const found = [];
for (const [query, vector] of JSON.parse(given)) {
  const asked = [];
  const rerank = (text, model) => (asked.push(model), vector);
  const answer = await client.search(query, { rerank }).catch((error) => ({ hits: [], code: error.code }));
  found.push([answer.code ?? "", asked, answer.hits.map(({ href, score }) => [href, score])]);
}
console.log(JSON.stringify(found));
"""


def page(number: int) -> str:
    """A page that says one thing of every one, and of the others as often as its number."""
    parts = (
        f"## Of {word}\n\nA common word. {' '.join([word] * (number + place))}\n" for place, word in enumerate(WORDS)
    )
    return f"# Page {number}\n\n" + "\n".join(parts)


def made(folder: Path, vectors: str = "own", pages: int = 6, **flags: Any) -> Path:
    docs = folder / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    for number in range(pages):
        (docs / f"p{number}.md").write_text(page(number))
    flags = {"out": str(folder / "site"), "model": "letters", "search.vectors": vectors, "cache": str(folder)} | flags
    build(load(str(docs), flags=flags, environment={}))
    return folder / "site"


def manifest(site: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((site / "_search/manifest.json").read_bytes())
    return found


def test_the_bundle_has_the_vectors_of_the_builds_own_model(tmp_path: Path) -> None:
    own = manifest(made(tmp_path / "own"))["vectors"]
    assert (own["model"], own["dimension"], own["rerank"]) == (LETTERS, 64, False)
    packaged = manifest(made(tmp_path / "packaged", "packaged"))["vectors"]
    assert packaged["model"].startswith("static-256@") and packaged["dimension"] == 256


def test_both_clients_ask_it_and_put_the_best_in_the_same_order(tmp_path: Path, fault_server_module: Any) -> None:
    site = made(tmp_path)
    embed = model_embedder("letters")
    queries = ["common word", "a word of abba", "moom kllk common", "effe"]
    with Client(site) as client:
        plain = [client.search(query, rerank=False).hits for query in queries]
        ours = [client.search(query, rerank=embed).hits for query in queries]
        assert [[hit.href for hit in hits] for hits in ours] != [[hit.href for hit in hits] for hits in plain]
        assert client.pages("effe", rerank=embed).hits and client.retrieve("effe", 200, rerank=embed).passages
        longer = client.search(queries[0], rerank=lambda query, model: [7 * own for own in embed(query, model)])
        assert [hit.href for hit in longer.hits] == [hit.href for hit in ours[0]], "of length 7, in the same direction"
    if NODE is None:
        pytest.skip("needs Node.js")
    cases = [(query, list(embed(query, LETTERS))) for query in queries]
    cases += [("effe", []), ("effe", [0.0] * 64), ("effe", [None] * 64), ("effe", [1.0] * 9)]
    with fault_server_module.running(site) as server:
        found = run_node(SCRIPT, CLIENT, f"{server.url}site/", json.dumps(cases))
    for hits, (code, asked, theirs) in zip(ours, found, strict=False):
        assert (code, asked) == ("", [LETTERS])
        assert theirs == [[hit.href, pytest.approx(hit.score, abs=1e-9)] for hit in hits]
    assert [code for code, _, _ in found[len(queries) :]] == ["unknown", "unknown", "unknown", ""]


@pytest.mark.parametrize("given", [[], [0.0, 0.0], [float("nan")], [float("inf")], "no", None, [[1.0]]])
def test_what_is_no_vector_is_an_error(tmp_path: Path, given: Any) -> None:
    with Client(made(tmp_path, pages=2)) as client:
        with pytest.raises(ClientError, match="has to give a vector") as caught:
            client.search("effe", rerank=lambda query, model: given)
        assert (caught.value.code, caught.value.place) == ("unknown", "rerank")


def test_what_a_function_raises_goes_back_to_the_caller(tmp_path: Path) -> None:
    def broken(query: str, model: str) -> list[float]:
        raise ConnectionError(f"no server for {model}")

    with Client(made(tmp_path, pages=2)) as client:
        with pytest.raises(ConnectionError, match=f"no server for {LETTERS}"):
            client.search("effe", rerank=broken)
        answer = client.search("effe", rerank=lambda query, model: [1.0] * 9)
        assert answer.hits and "maps vectors of 64 numbers, not of 9" in " ".join(answer.missing.values())
        with pytest.raises(ClientError, match="which is no model of this release"):
            client.search("effe", rerank=True)
        assert client.search("effe").hits, "without a word where nobody asked"


def test_a_function_that_hangs_ends_the_call_in_time(tmp_path: Path) -> None:
    ends = threading.Event()
    with Client(made(tmp_path, pages=2), timeout=0.3) as client, pytest.raises(ClientError) as caught:
        client.search("effe", rerank=lambda query, model: [1.0] if ends.wait(60) else [])
    ends.set()
    assert caught.value.code == "timeout"


def test_a_model_that_dies_ends_a_call_and_not_its_process(install: Any) -> None:
    install("moody", {EMBEDDERS: {"moody": "moody:Moody"}}, PLUGIN)
    embed = model_embedder("moody")
    with pytest.raises(ModelStuck, match=r"model `moody`: took its worker process down \(status 7\)"):
        embed("dying", "moody@0123456789ab")
    assert list(embed("well", "moody@0123456789ab")) == [1, 0, 0, 0]


@pytest.mark.slow
def test_a_model_that_hangs_ends_a_call_in_time(install: Any) -> None:
    """It loops in C with the interpreter's lock: no thread of this process could stop it."""
    install("moody", {EMBEDDERS: {"moody": "moody:Moody"}}, PLUGIN)
    embed = model_embedder("moody", EmbeddingSettings(batch_seconds=2.0))
    with pytest.raises(ModelStuck, match=r"model `moody`: was not heard of for 2 seconds"):
        embed("looping", "moody@0123456789ab")


def test_another_model_is_refused(tmp_path: Path) -> None:
    with (
        Client(made(tmp_path, pages=2)) as client,
        pytest.raises(ClientError, match=f"embedded with '{LETTERS}', and not with static-256@"),
    ):
        client.search("effe", rerank=model_embedder("static"))


def test_an_edit_gives_the_bytes_of_a_build_from_nothing(tmp_path: Path, snapshot: Callable[[Path], Any]) -> None:
    site = made(tmp_path / "a", pages=4)
    (tmp_path / "a/docs/p1.md").write_text("# Page 1\n\nOther words.\n")
    flags = {"out": str(site), "model": "letters", "search.vectors": "own", "cache": str(tmp_path / "a")}
    build(load(str(tmp_path / "a/docs"), flags=flags, environment={}))
    fresh = flags | {"out": str(tmp_path / "fresh")}
    build(load(str(tmp_path / "a/docs"), flags=fresh, environment={}))
    names = {path.name: path.read_bytes() for path in (tmp_path / "fresh/_search").iterdir()}
    assert {name: (site / "_search" / name).read_bytes() for name in names} == names
    assert not check(str(site)).problems


def test_the_first_chunk_tells_how_long_vectors_are(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/empty.md").write_text("")
    with Client(made(tmp_path, pages=0)) as client:
        assert client.search("effe").hits == ()
    with Client(made(tmp_path, pages=2)) as client:
        assert client.search("effe", rerank=model_embedder("letters")).hits


def test_a_command_line_names_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = made(tmp_path)
    monkeypatch.chdir(tmp_path)
    with Client(site) as client:
        ours = [asdict(hit)["href"] for hit in client.search("moom kllk common", rerank=model_embedder("letters")).hits]
    run = CliRunner().invoke(main, ["search", str(site), "moom kllk common", "--embed-with", "letters", "--json"])
    assert run.exit_code == 0, run.output
    assert [hit["href"] for hit in json.loads(run.stdout)["hits"]] == ours
    wrong = CliRunner().invoke(main, ["search", str(site), "moom", "--embed-with", "letters", "--no-rerank"])
    assert wrong.exit_code == 2 and "--embed-with does nothing with --no-rerank" in wrong.output
    wrong = CliRunner().invoke(main, ["ask", str(site), "moom", "--embed-with", "lettres"])
    assert wrong.exit_code == 1 and "`lettres`" in wrong.output


def test_packaged_models_have_their_map_whatever_is_set(tmp_path: Path) -> None:
    own = manifest(made(tmp_path, model="static"))["vectors"]
    assert own["model"].startswith("static-256@") and own["dimension"] == 256


def test_what_cannot_be_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no 'others'"):
        load(str(tmp_path), flags={"search.vectors": "others"}, environment={})
    with pytest.raises(ModelError, match=f"have {LONGEST_OWN + 1:,} numbers, and search keeps {LONGEST_OWN:,} at most"):
        load_space().map("own", LONGEST_OWN + 1)
    assert embedding.identify("letters") == ("letters", "eb1662b2a688")
