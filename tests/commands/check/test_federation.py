"""A check of a federation: its own files, and what its sites are beside what the manifest says of them."""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from infograph.cli import main
from infograph.commands.check.federation import check_federation
from infograph.commands.check.findings import FederationCheck, Problem
from infograph.commands.check.target import CheckLimits
from infograph.commands.federate.run import federate
from infograph.errors import ConfigError

SITES = ("apples", "pears", "stones")


@pytest.fixture(scope="session")
def made(small_sites: Path, once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        shutil.copytree(small_sites, folder / "sites")
        federate(str(folder / "sites"), [str(folder / "sites" / name) for name in SITES])

    return once("small-federation", make) / "sites"


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A folder with a federation of three sites, to be damaged."""
    shutil.copytree(made, tmp_path / "sites")
    return tmp_path / "sites"


def said(report: FederationCheck) -> list[tuple[str, str]]:
    return [(problem.url, problem.kind) for problem in report.problems]


def edit(root: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((root / "federation.json").read_bytes())
    change(manifest)
    (root / "federation.json").write_text(json.dumps(manifest))


class Quiet(SimpleHTTPRequestHandler):
    origin = "*"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def end_headers(self) -> None:
        if self.origin:
            self.send_header("Access-Control-Allow-Origin", self.origin)
        super().end_headers()


class Closed(Quiet):
    origin = ""


@contextlib.contextmanager
def serving(root: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_one_as_it_was_made_is_right(made: Path) -> None:
    report = check_federation(str(made))
    own = [made / "federation.json", *(made / "_federation").iterdir()]
    manifests = [made / name / "_search/manifest.json" for name in SITES]
    assert (report.problems, report.warnings, report.external) == ((), (), 0)
    assert [site.id for site in report.sites] == list(SITES)
    assert (report.files, report.bytes) == (len(own) + 3, sum(path.stat().st_size for path in (*own, *manifests)))
    assert (report.pages, report.chunks) == (3, sum(site.chunks for site in report.sites))
    assert check_federation(str(made / "federation.json")).as_dict() == {
        **report.as_dict(),
        "target": str(made / "federation.json"),
    }


def test_the_command_knows_a_federation(root: Path) -> None:
    """It said that there is no index.json."""
    run = CliRunner().invoke(main, ["check", str(root)])
    assert (run.exit_code, run.stdout.splitlines()[-1]) == (0, "ok")
    assert "3 sites, 3 pages" in run.stdout
    shutil.rmtree(root / "pears")
    run = CliRunner().invoke(main, ["check", str(root), "--json"])
    found = json.loads(run.stdout)
    assert (run.exit_code, found["ok"]) == (1, False)
    (problem,) = found["problems"]
    assert problem["url"] == "pears/_search/manifest.json"
    assert "the site pears: there is no such folder. Publish it again" in problem["message"]


@pytest.mark.parametrize("option", ["--sites", "--local"])
def test_its_options_are_of_no_use_for_one_tree(root: Path, option: str) -> None:
    run = CliRunner().invoke(main, ["check", str(root / "pears"), option])
    assert run.exit_code == 2
    assert f"{option} does nothing: " in run.stderr


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON"),
        (b"[]", "not the manifest of a federation"),
        (b'{"federation":99}', "its format is 99"),
        (b'{"federation":1}', "Make it again: `infograph federate`"),
    ],
)
def test_the_form_of_its_manifest(root: Path, data: bytes, reason: str) -> None:
    (root / "federation.json").write_bytes(data)
    report = check_federation(str(root))
    assert said(report) == [("federation.json", "format")]
    assert reason in report.problems[0].message


def test_its_own_files_have_the_bytes_of_their_names(root: Path) -> None:
    shard, word = next((root / "_federation").glob("p-*.z")), next((root / "_federation").glob("w-*.z"))
    shard.write_bytes(shard.read_bytes()[:-1])
    word.unlink()
    (root / "_federation" / "p-0123456789abcdef.z").write_bytes(b"")
    report = check_federation(str(root))
    assert said(report) == [(f"_federation/{shard.name}", "hash"), (f"_federation/{word.name}", "missing")]
    assert [(own.url, own.kind) for own in report.warnings] == [("_federation/p-0123456789abcdef.z", "orphan")]


def test_no_manifest(tmp_path: Path) -> None:
    assert said(check_federation(str(tmp_path / "federation.json"))) == [("federation.json", "missing")]
    with pytest.raises(ConfigError, match="neither a folder nor"):
        check_federation(str(tmp_path / "none" / "federation.json"))


def _published_anew(root: Path) -> None:
    shutil.rmtree(root / "pears/_search")
    shutil.copytree(root / "stones/_search", root / "pears/_search")


def test_a_site_that_was_published_anew_is_a_warning(root: Path) -> None:
    _published_anew(root)
    report = check_federation(str(root))
    assert report.ok
    (warning,) = report.warnings
    assert (warning.url, warning.kind) == ("pears/_search/manifest.json", "publication")
    assert "the site pears: was published after the federation" in warning.message
    assert "`infograph federate`" in warning.message


def _cut(root: Path) -> None:
    (root / "pears/_search/manifest.json").write_bytes(b"{")


def _web_page(root: Path) -> None:
    (root / "pears/_search/manifest.json").write_bytes(b"<!doctype html><title>Not found</title>")


def _other_language(root: Path) -> None:
    path = root / "pears/_search/manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"language": "de"}))


def _federation_itself(root: Path) -> None:
    shutil.rmtree(root / "pears")
    shutil.copytree(root / "stones", root / "pears/stones")
    federate(str(root / "pears"), [str(root / "pears/stones")])


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (_cut, "format", "not JSON"),
        (_web_page, "web-page", "answers with a web page"),
        (_other_language, "inconsistent", "its language is de, and that of the federation en"),
        (_federation_itself, "missing", "It is itself a federation: name the sites that it is made of"),
    ],
)
def test_a_site_that_does_not_fit_in(root: Path, change: Callable[[Path], None], kind: str, message: str) -> None:
    change(root)
    report = check_federation(str(root))
    assert said(report) == [("pears/_search/manifest.json", kind)]
    assert message in report.problems[0].message
    assert "pears" in report.problems[0].message


def test_numbers_of_the_manifest(root: Path) -> None:
    edit(root, lambda manifest: manifest["sites"][1].update(chunks=99))
    report = check_federation(str(root))
    assert said(report) == [("federation.json", "inconsistent"), ("pears/_search/manifest.json", "inconsistent")]
    assert "its sites have " in report.problems[0].message
    assert "and 1 chunks, the federation says 1 and 99" in report.problems[1].message


def test_an_address_that_leads_back_is_refused(root: Path) -> None:
    edit(root, lambda manifest: manifest["sites"][1].update(href="http://localhost/pears/"))
    report = check_federation(str(root))
    assert said(report) == [("http://localhost/pears/", "address")]
    assert "the address of pears: stands for the folder of the federation" in report.problems[0].message


def test_sites_of_the_web_are_asked_or_not(root: Path, small_sites: Path) -> None:
    with serving(small_sites) as url:
        edit(root, lambda manifest: manifest["sites"][1].update(href=f"{url}pears/"))
        shutil.rmtree(root / "pears")
        report = check_federation(str(root))
        assert (said(report), report.warnings, report.external) == ([], (), 0)
        edit(root, lambda manifest: manifest["sites"][1].update(href=f"{url}plums/"))
        report = check_federation(str(root))
        assert said(report) == [(f"{url}plums/_search/manifest.json", "missing")]
        report = check_federation(str(root), local=True)
        assert (said(report), report.external) == ([], 1)
        assert "1 site elsewhere not asked" in str(report)
    report = check_federation(str(root))
    assert said(report) == [(f"{url}plums/_search/manifest.json", "no-reply")]


def test_one_of_the_web_is_as_in_its_folder(root: Path) -> None:
    with serving(root) as url:
        report, folder = check_federation(f"{url}federation.json"), check_federation(str(root))
        assert (report.files, report.bytes, report.sites) == (folder.files, folder.bytes, folder.sites)
        assert (report.problems, report.warnings) == ((), ())
        with serving(root, Closed) as other:
            edit(root, lambda manifest: manifest["sites"][1].update(href=f"{other}pears/"))
            report = check_federation(f"{url}federation.json")
            assert [(own.url, own.kind) for own in report.warnings] == [(f"{other}pears/_search/manifest.json", "cors")]


def test_whole_sites(root: Path) -> None:
    """Each as a check of it alone, its files named from the federation on."""
    next((root / "stones").rglob("_chunks/*.md")).write_bytes(b"changed")
    assert check_federation(str(root)).ok
    report = check_federation(str(root), whole=True)
    assert [(kind, url.partition("/")[0]) for url, kind in said(report)] == [("hash", "stones")]
    assert report.problems[0].linked_from.startswith("stones/")
    trees = [site.tree for site in report.sites]
    assert [tree is not None and tree.chunks for tree in trees] == [site.chunks for site in report.sites]
    assert report.files > 3 * 40


def test_what_is_not_looked_at_in_time_is_said(made: Path) -> None:
    report = check_federation(str(made), limits=CheckLimits(total_seconds=0.0))
    assert {kind for _, kind in said(report)} == {"unfinished"}
    assert isinstance(report.problems[0], Problem)
