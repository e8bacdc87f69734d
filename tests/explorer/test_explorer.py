"""The explorer in Chromium, over the sample docs and pages that attack. EXPLORER_SHOTS keeps the pictures."""

from __future__ import annotations

import functools
import gzip
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest
from javascript import NODE, needs_node

from infograph import web
from infograph.build import build
from infograph.config import load
from infograph.enrich.tasks import CAPTION, ENTITIES, METADATA
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, digest_of, render
from infograph.formats.marks import is_marked
from infograph.formats.names import CLIENT, SEARCH_BOX, is_published

HERE = Path(__file__).parent
SAMPLE_DOCS = HERE.parents[1] / "sample-docs"
WHOLE = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, WHOLE)), None)
LARGEST_BOX = 12 * 1024
"""Bytes of the search box as a visitor loads it, compressed: with the texts of one language, the client apart."""
LARGEST = 25 * 1024
"""Bytes of the modules that a view loads beside the client, each compressed by itself as a web server does it."""

in_chromium = [
    needs_node,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
    pytest.mark.skipif(
        not (HERE / "node_modules").is_dir(), reason="needs the npm packages: npm ci --prefix tests/explorer"
    ),
]


def _payloads() -> ModuleType:
    spec = importlib.util.spec_from_file_location("payloads", HERE / "payloads.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def published(folder: Path, docs: Path, **more: str) -> Path:
    """A tree built from these docs, with the search bundle and what a browser reads."""
    site = folder / "site"
    flags = {"out": str(site), "cache": str(folder / "cache"), "model": "static", **more}
    build(load(str(docs), flags=flags, environment={}))
    return site


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacked")
    shutil.copytree(SAMPLE_DOCS, folder / "docs")
    _payloads().write(folder / "docs" / "attack")
    return published(folder, folder / "docs")


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("german")
    (folder / "docs").mkdir()
    (folder / "docs" / "haus.md").write_text("# Ein Haus bauen\n\nWer ein Haus baut, braucht Geduld.\n", "utf-8")
    (folder / "docs" / "fenster.md").write_text("# Fenster putzen\n\nEin Fenster wird geputzt.\n", "utf-8")
    return published(folder, folder / "docs", **{"keywords.language": "de"})


def of_machines(folder: Path, more: str) -> Path:
    """A site of pages that have one word in common, and what each says besides."""
    (folder / "docs").mkdir()
    for number in range(3):
        (folder / "docs" / f"page-{number}.md").write_text(f"# part {number}\n\nA machine. {more}\n", "utf-8")
    return published(folder, folder / "docs")


@pytest.fixture(scope="module")
def unlinked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return of_machines(tmp_path_factory.mktemp("unlinked"), "")


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return of_machines(tmp_path_factory.mktemp("linked"), "See [another](page-1.md).")


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("versions")
    for version in ("9.1", "10.0", "9.2"):
        page = folder / "docs" / "only" / version / "lamps.md"
        page.parent.mkdir(parents=True)
        page.write_text("# Turning lamps on\n\nTo turn a lamp on, press its switch until there is light.\n", "utf-8")
    (folder / "docs" / "only" / "other.md").write_text("# Other lamps\n\nOther lamps turn by themselves.\n", "utf-8")
    return published(folder, folder / "docs")


@pytest.fixture(scope="module")
def with_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("names"), SAMPLE_DOCS, **{"graph.entities": "terms"})


@pytest.fixture(scope="module")
def in_packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With names, and with chunks that share files."""
    more = {"graph.entities": "terms", "site.generator": "html", "chunks.files": "pack"}
    return published(tmp_path_factory.mktemp("packs"), SAMPLE_DOCS, **more)


@pytest.fixture(scope="module")
def with_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("pages"), SAMPLE_DOCS, **{"site.generator": "html"})


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose text and image models have described, and one of which nobody said anything."""
    folder = tmp_path_factory.mktemp("described")
    docs, image = folder / "docs", b"GIF89a" + struct.pack("<HH", 40, 40)
    text = "# A pump\n\nThe pump turns gears, as one sees here:\n\n![The pump](img/pump.png)\n"
    (docs / "img").mkdir(parents=True)
    (docs / "img" / "pump.png").write_bytes(image)
    (docs / "pump.md").write_text(text, "utf-8")
    (docs / "plain.md").write_text("# A lathe\n\nThe lathe has no picture.\n", "utf-8")
    fields = {
        "title": "A pump and its gears",
        "summary": "How a pump moves water.",
        "questions": ["What does the pump turn?"],
        "entities": [{"name": "pump", "type": "TECH"}],
    }
    description = {"alt": "A pump", "description": "A pump whose two gears turn each other."}
    records = (
        EnrichmentRecord(digest_of(text), METADATA.name, METADATA.version, "a-reader", fields=fields),
        EnrichmentRecord(sha256(image).hexdigest(), CAPTION.name, CAPTION.version, "a-seer", fields=description),
    )
    (docs / "_enrichment").mkdir()
    (docs / "_enrichment" / "pump.json").write_bytes(render(EnrichmentFile("pump.md", records=records)))
    return published(folder, docs)


@pytest.fixture(scope="module")
def stating(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages that name three firms, and what a model said of these."""
    folder = tmp_path_factory.mktemp("stating")
    docs = folder / "docs"
    (docs / "_enrichment").mkdir(parents=True)
    names = ("Alpha Works", "Beta Mill", "Gamma Yard")
    rows = [(names[0], "is owned by", names[1]), (names[1], "sells to", names[2])]
    for stem in ("one", "two"):
        text = f"# Page {stem}\n\nThe firms {', '.join(names)} are old, says page {stem}.\n"
        (docs / f"{stem}.md").write_text(text, "utf-8")
        fields = {
            "entities": [{"name": name, "type": "ORG", "description": f"Firm {name}."} for name in names],
            "relations": [dict(zip(("source", "relation", "target"), row, strict=True)) for row in rows],
        }
        records = (EnrichmentRecord(digest_of(text), ENTITIES.name, ENTITIES.version, "a-reader", fields=fields),)
        (docs / "_enrichment" / f"{stem}.json").write_bytes(render(EnrichmentFile(f"{stem}.md", records=records)))
    return published(folder, docs, **{"graph.entities": "records"})


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(os.environ.get("EXPLORER_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder.absolute()


Browse = Callable[[str, Path], None]


@pytest.fixture
def in_browser(shots: Path) -> Browse:
    """in_browser(script, site): runs one of the scripts beside this file over a site, in the whole browser: the one
    without a window is the same engine."""
    return functools.partial(_in_browser, browser=str(CHROMIUM), shots=shots)


def _in_browser(script: str, site: Path, browser: str, shots: Path) -> None:
    assert NODE is not None
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", str(HERE / script)],
        env=os.environ | {"SITE": str(site), "SHOTS": str(shots), "CHROMIUM": browser},
        capture_output=True,
        timeout=1000,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout + run.stderr


class TestInChromium:
    pytestmark = in_chromium

    @pytest.mark.slow
    def test_what_one_does(self, in_browser: Browse, sample_site: Path) -> None:
        in_browser("explorer.test.mjs", sample_site)

    @pytest.mark.slow
    def test_the_same_where_chunks_share_files(self, in_browser: Browse, in_packs: Path) -> None:
        in_browser("explorer.test.mjs", in_packs)

    @pytest.mark.slow
    def test_the_first_page_its_map_and_the_page_that_asks(self, in_browser: Browse, sample_site: Path) -> None:
        in_browser("start.test.mjs", sample_site)

    @pytest.mark.slow
    def test_versions_of_a_page(self, in_browser: Browse, versions: Path) -> None:
        in_browser("versions.test.mjs", versions)

    @pytest.mark.slow
    def test_names_that_belong_together(self, in_browser: Browse, with_names: Path) -> None:
        in_browser("names.test.mjs", with_names)

    @pytest.mark.slow
    def test_names_where_chunks_share_files(self, in_browser: Browse, in_packs: Path) -> None:
        in_browser("names.test.mjs", in_packs)

    @pytest.mark.slow
    def test_what_models_said_of_names(self, in_browser: Browse, stating: Path) -> None:
        in_browser("stated.test.mjs", stating)

    @pytest.mark.slow
    def test_what_models_said(self, in_browser: Browse, described: Path) -> None:
        in_browser("enriched.test.mjs", described)

    @pytest.mark.slow
    def test_a_site_in_german(self, in_browser: Browse, german: Path) -> None:
        in_browser("german.test.mjs", german)

    @pytest.mark.slow
    def test_how_it_looks(self, in_browser: Browse, sample_site: Path, shots: Path) -> None:
        in_browser("looks.test.mjs", sample_site)
        assert len(list(shots.glob("*.png"))) >= 33

    @pytest.mark.slow
    def test_what_a_search_reads(
        self, in_browser: Browse, unlinked: Path, linked: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        in_browser("reads.test.mjs", unlinked)
        monkeypatch.setenv("LINKED", "1")
        in_browser("reads.test.mjs", linked)

    @pytest.mark.slow
    def test_markdown(self, in_browser: Browse, sample_site: Path) -> None:
        in_browser("markdown.test.mjs", sample_site)

    @pytest.mark.slow
    def test_the_search_box(self, in_browser: Browse, with_pages: Path) -> None:
        in_browser("search-box.test.mjs", with_pages)

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
    @pytest.mark.slow
    def test_the_search_box_over_pages_that_attack(self, in_browser: Browse, attacked: Path) -> None:
        in_browser("search-box-payloads.test.mjs", attacked)

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
    @pytest.mark.slow
    def test_pages_that_attack(self, in_browser: Browse, attacked: Path) -> None:
        in_browser("payloads.test.mjs", attacked)


def test_what_is_published_is_what_lies_in_the_package() -> None:
    files = web.files()
    assert list(files) == sorted(files)
    assert {
        "infograph.js",
        "infograph-search.js",
        "explorer.html",
        "infograph/infograph.js",
        "infograph/explorer/explorer.css",
    } <= files.keys()
    assert not [name for name in files if name.split("/")[0].startswith(("_", ".")) or name.endswith(".py")]
    package = HERE.parents[1] / "infograph" / "web"
    sources = [*package.glob("*.js"), *package.glob("box/*.js"), *package.glob("explorer/*.js")]
    in_package = {path.name: path.read_text("utf-8") for path in sources}
    modules = {Path(name).name: data for name, data in files.items() if name.endswith(".js") and name != CLIENT}
    modules[CLIENT] = files[f"infograph/{CLIENT}"]
    joined = "".join(in_package.pop(name) for name in web.SEARCH_MODULES)
    in_package[CLIENT] = re.sub(r"^(?:import [^;]* from [^;]*|export \{[^}]*\});\n", "", joined, flags=re.MULTILINE)
    assert modules.keys() == in_package.keys()
    from_joined = re.compile(rf'"(\.\.?)/(?:{"|".join(web.SEARCH_MODULES)})"')
    for name, data in modules.items():
        lines = map(str.lstrip, from_joined.sub(rf'"\1/{CLIENT}"', in_package[name]).splitlines())
        code = [line for line in lines if line and not line.startswith(("/*", "*", "//"))]
        assert [line for line in data.decode().splitlines()[1:] if line] == code
    assert all(is_published(name) and is_marked(data) for name, data in files.items())


def test_every_address_in_what_is_published_leads_to_what_is_published() -> None:
    files = web.files()
    for name, data in files.items():
        text = data.decode()
        folder = name.rpartition("/")[0]
        found = re.findall(
            r'(?:from |import\()"(\.{1,2}/[^"]+)"|(?:src|href)="(infograph/[^"]+)"|url\("([^"]+)"\)', text
        )
        for address in filter(None, (part for parts in found for part in parts)):
            assert os.path.normpath(f"{folder}/{address}").lstrip("/") in files, f"{name}: {address}"


def test_the_page_has_no_script_and_no_style_of_its_own() -> None:
    page = web.files()["explorer.html"].decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)|https?://", page)
    (policy,) = re.findall(r'content="(default-src[^"]+)"', page)
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives.pop("trusted-types") == "'none'"
    assert directives.pop("require-trusted-types-for") == "'script'"
    assert set(directives.values()) == {"'none'", "'self'"}
    assert [name for name, value in directives.items() if value == "'none'"] == [
        "default-src",
        "base-uri",
        "form-action",
    ]


def test_the_page_says_first_which_modules_every_view_needs() -> None:
    """A module that is found only when another was read comes a round trip later."""
    files = web.files()
    page = files["explorer.html"].decode()
    said = set(re.findall(r'rel="modulepreload" href="([^"]+)"', page))
    needed = {"infograph/graph.js", "infograph/infograph.js"}  # the topics of the tree need it at once
    waiting = ["infograph/explorer/explorer.js", *needed]
    while waiting:
        name = waiting.pop()
        found = re.findall(r'^(?:import|\} from|export) .*?"(\.{1,2}/[^"]+)";$', files[name].decode(), re.MULTILINE)
        new = {os.path.normpath(f"{os.path.dirname(name)}/{other}") for other in found} - needed
        needed |= new
        waiting += new
    assert said == needed


def test_the_name_of_the_site_stands_in_the_page_as_text() -> None:
    attack = '</title><script src="x">&\n 1'
    page = web.files(None, attack, f"It says {attack}")["explorer.html"].decode()
    shown = "&lt;/title&gt;&lt;script src=&quot;x&quot;&gt;&amp; 1"
    assert page.count(f">{shown}<") == 3
    assert page.count(f">It says {shown}</p>") == 1
    assert "Explorer<" not in page
    assert web.files()["explorer.html"].decode().count(">Explorer<") == 3


def test_no_module_makes_elements_from_markup() -> None:
    for name, data in web.files().items():
        assert not re.search(
            rb"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", data
        ), name


@pytest.mark.parametrize("view", ["start", "topic", "results", "chunk", "names", "ask"])
def test_what_a_view_loads_is_small(view: str) -> None:
    folder = HERE.parents[1] / "infograph" / "web" / "explorer"
    loaded: dict[str, int] = {}
    waiting = ["explorer.js", f"{view}.js"]
    while waiting:
        name = waiting.pop()
        text = (folder / name).read_bytes()
        loaded[name] = len(gzip.compress(text, 9))
        imported = re.findall(r'^(?:import|\} from|export) .*?"\./([^"]+)";$', text.decode(), re.MULTILINE)
        waiting += [other for other in imported if other not in loaded]
    assert sum(loaded.values()) <= LARGEST, loaded


def test_the_search_box_is_small_and_loads_modules_that_there_are() -> None:
    files = web.files()
    languages = [len(gzip.compress(data, 9)) for name, data in files.items() if name.startswith("infograph/box/")]
    assert len(gzip.compress(files[SEARCH_BOX], 9)) + max(languages) <= LARGEST_BOX
    text = files[SEARCH_BOX].decode()
    names = " ".join(re.findall(r'const (?:MODULES|MORE) = "([a-z ]+)"', text)).split()
    assert len(names) == 8
    assert {f"infograph/{name}.js" for name in names} <= files.keys()
    assert "import(new URL(" in text
    assert not re.search(r"^import |https?://(?!www\.w3\.org/2000/svg)", text, re.MULTILINE)


def test_every_language_of_the_search_box_has_every_text() -> None:
    folder = HERE.parents[1] / "infograph" / "web"
    box = (folder / SEARCH_BOX).read_text("utf-8")

    def texts_of(code: str) -> dict[str, str]:
        return {key: json.loads(said) for key, said in re.findall(r'^  (\w+): (".*"),$', code, re.MULTILINE)}

    english = texts_of(box.partition("const ENGLISH")[2].partition("};")[0])
    (listed,) = re.findall(r'const LANGUAGES = "([a-z ]+)"', box)
    languages = {path.stem: texts_of(path.read_text("utf-8")) for path in folder.glob("box/*")}
    known = {"de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh", "ar"}
    assert {*languages, "en"} == set(listed.split()) >= known
    assert [key for key in english if f"texts.{key}" not in box and f'"{key}"' not in box] == []

    def places(said: str) -> list[str]:
        return sorted(re.findall(r"\{\w\}", said))

    for name, texts in languages.items():
        assert texts.keys() == english.keys() and all(texts.values()), name
        for key, said in texts.items():
            assert places(said) == places(english[key]), f"{name}: {key}"
            assert said != english[key] or len(said) < 12, f"{name}: {key} is not translated"
