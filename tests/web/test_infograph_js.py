"""infograph.js under Node.js: the answers of the Python reader, and a server with every fault."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest
from javascript import NODE, needs_node

from infograph.client import Client
from infograph.formats.marks import is_marked
from infograph.formats.names import CLIENT, SEARCH_BOX, WEB_FOLDER
from infograph.search.format.encoding import hash32
from infograph.text.language import stemmer, stop_words
from infograph.web import SEARCH_MODULES, files

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "infograph" / "web"
SLIP_MODULES = ("slips.js", "dictionary.js", "order.js")
"""What a page that only searches loads beside `SEARCH_MODULES`, for a word that the site does not have."""
LARGEST = 13 * 1024 + 512
"""Bytes of all of them as they are published, each compressed by itself as a web server does it."""

ENDINGS = [
    "s",
    "ed",
    "eed",
    "ing",
    "ly",
    "edly",
    "eedly",
    "ingly",
    "ied",
    "ies",
    "sses",
    "us",
    "y",
    "e",
    "l",
    "ll",
    "ation",
    "ational",
    "tional",
    "ization",
    "izer",
    "ator",
    "alism",
    "aliti",
    "alli",
    "fulness",
    "ousli",
    "ousness",
    "iveness",
    "iviti",
    "biliti",
    "bli",
    "ogi",
    "logi",
    "ogist",
    "li",
    "entli",
    "enci",
    "anci",
    "lessli",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
]
"""Those that the stemmer's steps look for."""


def _module(name: str) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


update_queries, fault_server = _module("update_queries"), _module("fault_server")


@pytest.fixture(scope="module")
def site(once: Callable[..., Path]) -> Path:
    """The sample docs, built with the static model, with a search bundle."""
    return once("sample-in-small-shards", update_queries.make_site) / "site"


@pytest.fixture(scope="module")
def servers(site: Path) -> Iterator[dict[str, str]]:
    """Addresses of a server with faults and of one that must never be asked, for the scripts' environment."""
    with (
        fault_server.running(site) as elsewhere,
        fault_server.running(site, elsewhere.url) as server,
    ):
        yield {"SERVER": server.url, "ELSEWHERE": elsewhere.url, "LINKS": " ".join(fault_server.LINKS)}


def node_test(script: str, environment: dict[str, str]) -> None:
    assert NODE is not None
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", str(HERE / script)],
        env=os.environ | environment,
        capture_output=True,
        timeout=600,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_the_python_reader_gives_the_answers_of_the_fixture(site: Path) -> None:
    expected = json.loads(update_queries.FIXTURE.read_text("utf-8"))
    found = json.loads(json.dumps(update_queries.answers(site)))
    assert update_queries.differences(expected, found) == [], f"If that is right, run: {update_queries.COMMAND}"


@pytest.mark.slow
@needs_node
def test_terms_stems_and_hashes(tmp_path: Path) -> None:
    """Over the shared vectors, and stems of made-up words with every ending that the algorithm knows."""
    stem, chance = stemmer("en"), random.Random(1)
    roots = sorted(word.replace("'", "") for word in stop_words("en")) + [
        "".join(chance.choices("aeiouybcdlmnprstvwx", k=chance.randint(1, 7))) for _ in range(2000)
    ]
    words = sorted({root + ending for root in roots for ending in chance.sample(ENDINGS, 5)} | set(roots))
    words += ["skies", "sky", "news", "early", "exceed", "proceed", "dying", "evening", "later", "pasted", "universal"]
    texts = ["", "a", "cache", "naïve", "東京", "\U0001f44d", *words[:50]]
    stems = {"words": [[word, stem(word)] for word in words], "hashes": [[text, hash32(text)] for text in texts]}
    (tmp_path / "stems.json").write_text(json.dumps(stems), "utf-8")
    node_test("vectors.test.mjs", {"STEMS": str(tmp_path / "stems.json")})


@needs_node
@pytest.mark.parametrize("share", ["some", pytest.param("all", marks=pytest.mark.slow)])
def test_answers(servers: dict[str, str], share: str) -> None:
    """Of the fixture's answers each sixth, or all."""
    node_test("answers.test.mjs", servers | {"SHARE": share})


@pytest.mark.slow
@needs_node
def test_faults(servers: dict[str, str]) -> None:
    node_test("faults.test.mjs", servers)


@pytest.mark.slow
@needs_node
def test_hostile_bundles() -> None:
    node_test("hostile.test.mjs", {})


@needs_node
@pytest.mark.parametrize("kind", ["commonjs", "module", None])
def test_node_imports_it_whatever_the_project_is(tmp_path: Path, manual: Path, kind: str | None) -> None:
    """From a tree in a project whose `package.json` says that a `.js` is CommonJS, which `infograph.js` is not."""
    shutil.copytree(manual, tmp_path / "site")
    (tmp_path / "package.json").write_text(json.dumps({"type": kind} if kind else {}))
    code = """
        const names = process.argv.slice(2).map((name) => import(name));
        for (const { Client } of await Promise.all(names)) console.log(typeof Client.prototype.search);
    """
    modules = ["./site/infograph.mjs", "./site/infograph/infograph.js"]
    if kind == "module":
        modules.append("./site/infograph.js")
    (tmp_path / "main.mjs").write_text(code)
    run = subprocess.run(
        [str(NODE), "main.mjs", *modules], cwd=tmp_path, capture_output=True, check=False, text=True, encoding="utf-8"
    )
    assert (run.stdout.split(), run.stderr, run.returncode) == (["function"] * len(modules), "", 0)


def test_what_a_page_loads_to_search_is_small() -> None:
    published = files()
    loaded = [CLIENT, *(f"{WEB_FOLDER}/{name}" for name in (CLIENT, *SLIP_MODULES))]
    sizes = {path: len(gzip.compress(published[path], 9)) for path in loaded}
    assert sum(sizes.values()) <= LARGEST, sizes


def test_search_loads_no_other_module() -> None:
    for modules, base in ((SEARCH_MODULES, ()), (SLIP_MODULES, SEARCH_MODULES)):
        for name in modules:
            for line in (WEB / name).read_text("utf-8").splitlines():
                if line.startswith(("import ", "export {", "export *")) and " from " in line:
                    assert line.split('"./')[1].rstrip('";') in (*modules, *base), f"{name}: {line}"


def test_joined_modules_come_after_those_that_they_import_and_share_no_name() -> None:
    declared: list[str] = []
    known: list[str] = []
    for name in SEARCH_MODULES:
        text = (WEB / name).read_text("utf-8")
        imported = re.findall(r'^import [^;]* from "\./([^"]+)";', text, re.MULTILINE)
        assert set(imported) <= set(known), name
        known.append(name)
        for found in re.findall(
            r"^(?:export )?(?:async )?(?:class|function\*?|const|let) ([^=({]+)", text, re.MULTILINE
        ):
            declared += re.findall(r"\w+", found.partition(" extends ")[0])
    assert len(declared) == len(set(declared)) > 30
    joined = files()[f"{WEB_FOLDER}/{CLIENT}"].decode()
    assert not re.search(r"^import |^export \{| as ", joined, re.MULTILINE)
    assert all(joined.count(f" {name}") for name in declared)


def test_a_page_is_given_the_client_and_its_error() -> None:
    assert files()[CLIENT].decode().splitlines()[1:] == [
        'export { Client, InfographError } from "./infograph/infograph.js";'
    ]


@pytest.mark.parametrize("path", [path for path in files() if path.endswith((".js", ".css"))])
def test_what_is_published_has_no_comments_but_whose_it_is(path: str) -> None:
    first, *lines = files()[path].decode().splitlines()
    assert is_marked(first.encode())
    assert not any(line.lstrip().startswith(("/*", "*/", "//")) for line in lines)


def test_what_is_published_names_every_module() -> None:
    package = json.loads((WEB / "package.json").read_text("utf-8"))
    modules = {path.name for path in WEB.iterdir() if path.suffix in {".js", ".ts"}}
    # The box belongs to a published tree; a theme that shows it is a folder.
    assert sorted(package["files"]) == sorted(modules - {SEARCH_BOX} | {"docusaurus"})
    assert package.get("dependencies", {}) == {}


@needs_node
def test_options_are_those_of_the_client_in_python_and_of_the_types() -> None:
    code = f"import({json.dumps((WEB / 'options.js').as_uri())}).then((m) => console.log(JSON.stringify(m.OPTIONS_OF)))"
    found = json.loads(subprocess.run([str(NODE), "-e", code], capture_output=True, check=True, text=True).stdout)
    for call, names in found.items():
        _, _, *own = signature(getattr(Client, call)).parameters  # without the client, and what is asked
        assert sorted(names) == sorted([*own, "signal", "timeout"]), call
        assert sorted(names) == sorted(typed_options(call)), call
    (others,) = {tuple(typed_options(call)) for call in client_methods("d.ts") - {*found, "refresh"}}
    assert others == ("signal", "timeout")
    page = (HERE.parents[1] / "sample-docs/guide/searching.md").read_text("utf-8")
    table = page.partition("| Option of `search` and `pages` |")[2].partition("\n\n")[0]
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE)))
    assert sorted(listed) == sorted(found["search"])


def test_methods_are_those_of_the_types() -> None:
    assert client_methods("js") == client_methods("d.ts") > {"search", "retrieve", "refresh"}


def test_what_the_package_exports_has_types() -> None:
    exports = json.loads((WEB / "package.json").read_text("utf-8"))["exports"]
    for name, said in exports.items():
        if name != "./docusaurus":  # a theme, which is no code to call
            types = (WEB / said["types"]).read_text("utf-8")
            code = (WEB / said["default"]).read_text("utf-8")
            public = set(re.findall(r"^export (?:async )?(?:function|class) (\w+)", types, re.MULTILINE))
            assert all(re.search(rf"^export [^=(]*\b{own}\b", code, re.MULTILINE) for own in public)
            assert public or name == "./stats"


def client_methods(kind: str) -> set[str]:
    """Names of the methods of the client, by its code or by its types."""
    text = (WEB / f"infograph.{kind}").read_text("utf-8")
    (body,) = re.findall(r"^export class Client \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^  (?:async )?(\w+)\(", body, re.MULTILINE)) - {"constructor"}


def typed_options(call: str) -> list[str]:
    """Options of a method, by the types."""
    text = re.sub(r"/\*.*?\*/", "", (WEB / "infograph.d.ts").read_text("utf-8"), flags=re.DOTALL)
    (arguments,) = re.findall(rf"^  {call}\((.*?)\): Promise", text, re.MULTILINE | re.DOTALL)
    return named_by_type(text, arguments.rpartition("options?: ")[2])


def named_by_type(text: str, said: str) -> list[str]:
    """Names of the fields of a type: of an interface with those it extends, a choice of them, or some in braces."""
    found = re.findall(r"(\w+)\??:", "".join(re.findall(r"\{([^}]*)\}", said)))
    found += re.findall(r'"(\w+)"', "".join(re.findall(r"Pick<([^>]*)>", said)))
    for name in re.findall(r"\b[A-Z]\w+Options\b", re.sub(r"Pick<[^>]*>", "", said)):
        ((parents, body),) = re.findall(rf"interface {name}\s([^{{]*)\{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        found += [*re.findall(r"^  (\w+)\??:", body, re.MULTILINE), *named_by_type(text, parents)]
    return found


@pytest.mark.slow
@pytest.mark.skipif(
    NODE is None or not (HERE / "node_modules").is_dir(), reason="needs the npm packages: npm ci --prefix tests/web"
)
def test_the_types_are_those_of_the_code() -> None:
    assert NODE is not None
    compiler = HERE / "node_modules" / "typescript" / "bin" / "tsc"
    command = [NODE, str(compiler), "--project", str(HERE / "tsconfig.json")]
    run = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout
