"""Every odd file name, served by a real nginx, answers to the link in the index: 200 with the right bytes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest
from javascript import NODE, needs_node

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.config import load
from infograph.index.hal import IndexOptions
from infograph.model import SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
Publish = Callable[..., Path]

# Debian puts it where only root's PATH leads.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

STEMS = {
    "space": "a b",
    "spaces at the ends": " a ",
    "hash": "c#d",
    "question mark": "why?",
    "percent": "100%",
    "percent and digits": "%41%2f",
    "colon": "c:d",
    "scheme": "http:x",
    "plus": "a+b",
    "ampersand": "a&b",
    "apostrophe": "it's",
    "quotation mark": 'say "x"',
    "semicolon": "a;b",
    "equals": "a=b",
    "at": "@home",
    "tilde": "~user",
    "brackets": "[x](y){z}<w>",
    "star, bar, caret": "a*b|c^d`e",
    "accent": "caf\u00e9",
    "accent, decomposed": "the\u0301",
    "right to left": "\u05e9\u05dc\u05d5\u05dd",
    "direction override": "a\u202eb",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "leading dash": "-rf",
    "leading underscore": "_index",
    "backslash": "a\\b",
    "trailing dot": "end.",
    "dots": "...",
    "line break": "a\nb",
    "very long": "x" * 240,
    "prototype": "__proto__",
}

REFUSED = {"line break", "dots"}
"""Discovery refuses a name that would break lines of the files that name it; one with a dot in front is hidden."""

pytestmark = [
    pytest.mark.skipif(NGINX is None, reason="needs nginx: apt-get install nginx-light"),
    pytest.mark.skipif(os.name == "nt", reason="needs a file system that takes any name"),
]

CONFIG = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{}}
http {{
  access_log off; default_type application/octet-stream; types {{ application/json json; text/markdown md; }}
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  server {{ listen 127.0.0.1:{port}; root "{root}"; add_header Access-Control-Allow-Origin *; }}
}}
"""


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def nginx(workplace: Path, listening: Callable[..., AbstractContextManager[str]]) -> Iterator[str]:
    """A server over `workplace/site`."""

    def command(port: int) -> list[str]:
        (workplace / "nginx.conf").write_text(CONFIG.format(port=port, root=workplace / "site"))
        return [str(NGINX), "-p", str(workplace), "-e", "error.log", "-c", "nginx.conf"]

    with listening(command) as url:
        yield url


def odd_tree(root: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish, base: str) -> None:
    """Odd names for documents, and one odd folder with an odd folder in it."""
    shutil.rmtree(root, ignore_errors=True)
    documents = [make_source(f"{stem}.md", 2) for stem in STEMS.values()]
    specs = [
        make_spec("", *documents),
        make_spec("od:d #1", make_source("c:d.md", 2)),
        make_spec("od:d #1/100% \u05e9", make_source("a?.md", 2), related=["od:d #1"]),
    ]
    publish(root, specs, IndexOptions(base_url=base))


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "base-url"])
def test_every_link_answers_with_its_bytes(
    workplace: Path, nginx: str, make_spec: MakeSpec, make_source: MakeSource, publish: Publish, absolute: bool
) -> None:
    root = workplace / "site"
    odd_tree(root, make_spec, make_source, publish, nginx if absolute else "")
    report = check(nginx)
    assert report.problems == ()
    assert report.warnings == ()
    assert report.chunks == 2 * (len(STEMS) + 2)
    # The check uses its own rules for addresses; a client that has none of them must arrive at the same files.
    start = f"{nginx}index.json"
    with httpx2.Client() as client:
        links = client.get(start).json()["_links"]
        for link, stem in zip(links["source"], STEMS.values(), strict=True):
            assert link["name"] == stem
            reply = client.get(urljoin(start, link["href"]))
            assert (reply.status_code, reply.content) == (200, (root / f"{stem}.md").read_bytes()), link


@pytest.mark.slow
def test_a_build_of_odd_names(workplace: Path, nginx: str, quick: object) -> None:
    root = workplace / "site"
    shutil.rmtree(root, ignore_errors=True)
    stems = [stem for name, stem in STEMS.items() if name not in REFUSED]
    for folder in ("", "od:d #1", "od:d #1/100% \u05e9"):
        (root / folder).mkdir()
        for stem in stems:
            (root / folder / f"{stem}.md").write_text(f"# {stem or 'nothing'}\n\nPage in `{folder}`.\n", "utf-8")
    (root / "a\nb.md").write_text("# Refused\n")
    summary = build(load(str(root), environment={}))
    assert [error.reason for error in summary.errors] == ["a control character in the file's name"]
    report = check(nginx)
    assert report.problems == ()
    assert report.chunks == summary.chunks == 3 * len(stems)


@needs_node
def test_node_s_fetch_gets_the_same_bytes(
    workplace: Path, nginx: str, make_spec: MakeSpec, make_source: MakeSource, publish: Publish
) -> None:
    assert NODE is not None
    root = workplace / "site"
    odd_tree(root, make_spec, make_source, publish, "")
    script = str(Path(__file__).with_name("fetch.mjs"))
    run = subprocess.run([NODE, script, f"{nginx}index.json"], capture_output=True, timeout=600, check=True)
    seen = list(json.loads(run.stdout).values())
    expected = [root / "_chunks" / f"{stem}-{index}.md" for stem in STEMS.values() for index in range(2)]
    expected += [root / f"{stem}.md" for stem in STEMS.values()]
    assert seen == [[200, hashlib.sha256(path.read_bytes()).hexdigest()] for path in expected]


def test_the_folder_itself_checks_out(
    tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish
) -> None:
    odd_tree(tmp_path, make_spec, make_source, publish, "")
    report = check(str(tmp_path))
    assert report.problems == report.warnings == ()
