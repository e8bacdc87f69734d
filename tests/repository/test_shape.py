"""The house as it is kept: small functions, one name for one thing, tests where the code is, docstrings that stand
by themselves."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "infograph"
MODULES = sorted(PACKAGE.rglob("*.py"))
PROGRAMS = sorted(path for name in ("benchmarks", "fuzz", "scripts") for path in (ROOT / name).rglob("*.py"))
"""Python files outside of the package and its tests."""

MOST_PARAMETERS = 7
MOST_LINES = 60
AT_THE_ROOT = {"__init__.py", "__main__.py", "build.py", "cli.py", "errors.py", "model.py", "progress.py"}

DATA = {"config/settings.py", "formats/index_json.py"}
"""Modules whose docstrings are published: as the starter configuration, and as descriptions in a schema."""
PUBLISHED = {
    "Of the generator `pattern`: an address under `url` with the parts {path}, {route}, {dir}, {name} and {slug}.",
}
"""First lines in other modules that the starter configuration shows."""
FRAGMENTS = re.compile(
    r"(Of (?!course)|Its |Theirs\b|Their |Those\b|These\b|The same\b|As above\b|Whose\b|Whoever\b|Whatever\b|Nobody\b|"
    r"Somebody\b|Such an? |Likewise\b|Ditto\b|And |Or |But |None of |Neither\b)"
)
"""How a docstring begins that is clear only to who has read the lines above it."""
RIDDLES = re.compile(r"\b(nobody|whoever|is to be had|are to be had|theirs|such a one|of one that)\b", re.IGNORECASE)

OF_NO_PACKAGE = {
    "builds": "whole builds: what changed, what failed, what happens meanwhile",
    "clients": "HAL clients of others",
    "explorer": "the page in a browser",
    "faults": "processes that are killed and disks that fail",
    "fuzz": "fuzz/",
    "repository": "what this repository promises: its documents, scripts, workflows and shape",
    "threats": "what SECURITY.md promises",
}
OF_NO_MODULE = {
    "search/format/test_numbers.py": "the numbers that published bytes follow from",
    "integrations/test_retrievers.py": "the retrievers of other frameworks",
    "chunking/test_contract.py": "what every strategy promises",
    "chunking/test_chunk_files.py": "chunk files of every strategy, read back",
    "web/test_docusaurus_links.py": "links from pages of Docusaurus to their Markdown",
    "web/test_npm_package.py": "the package that `npm pack` makes of the client's folder",
    "client/test_faults.py": "the client over a server that does everything wrong",
    "client/test_filters_everywhere.py": "both clients, the command line and agents with filters",
    "client/test_fused_sites.py": "both clients over sites with a fusion of their own",
    "client/test_every_budget.py": "the budget of contexts, by the true tokenizer",
    "client/test_every_option.py": "both clients with every option, two thousand queries",
    "client/test_graph_search.py": "both clients along the graph of entities",
    "client/test_languages.py": "both clients over sites in other languages",
    "client/test_own_model.py": "the client and the model of a site",
    "client/test_published_anew.py": "the client while a site is published",
    "client/test_same_as_javascript.py": "the client and infograph.js",
    "embedding/test_contract.py": "what every model promises",
    "integrations/test_action.py": "action.yml",
    "integrations/test_generators.py": "generators of sites around a build",
    "integrations/test_hosts.py": "web servers that hosts run",
    "integrations/test_pre_commit.py": ".pre-commit-hooks.yaml",
    "integrations/test_search_box_on_sites.py": "the search box on sites of each generator, in a browser",
    "llm/test_real_model.py": "what asks a language model, against a real one",
    "search/addresses/test_anchors_built.py": "anchors, as generators of sites make them",
    "search/format/test_format_page.py": "the page of the format in the reference",
    "search/ranking/test_exact.py": "the ranking against benchmarks/exact_ranking.py",
    "search/reading/test_imports.py": "what a reader loads",
    "search/writing/test_update.py": "a bundle kept up to date is one made anew",
    "web/test_infograph_js.py": "infograph.js",
}
"""Tests of several modules, or of files that are no Python."""


@functools.cache
def nodes(module: Path) -> list[ast.AST]:
    """All nodes of a module, itself first."""
    return list(ast.walk(ast.parse(module.read_text("utf-8"))))


@functools.cache
def functions(module: Path) -> list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """Functions of a module, each with the line above it."""
    lines = module.read_text("utf-8").splitlines()
    found = []
    for node in nodes(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append((node, lines[first - 2].strip() if first > 1 else ""))
    return found


def where(module: Path, node: ast.AST) -> str:
    return f"{module.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 1)} {getattr(node, 'name', '')}".strip()


def docstrings(module: Path) -> Iterator[tuple[str, str]]:
    """Each docstring of a module, those of fields and constants too, by where it stands."""
    for node in nodes(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield where(module, node), text
            for named, said in zip(node.body, node.body[1:], strict=False):
                is_text = isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
                if is_text and isinstance(named, ast.Assign | ast.AnnAssign) and isinstance(said.value.value, str):
                    yield where(module, said), said.value.value


def test_no_function_takes_more_than_a_handful() -> None:
    """What travels together is a dataclass, or a model where it is a schema."""
    found = []
    for module in MODULES:
        for node, _ in functions(module):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if sum(argument.arg not in ("self", "cls") for argument in arguments) > MOST_PARAMETERS:
                found.append(where(module, node))
    assert found == []


def test_no_function_is_longer_than_a_page_without_a_reason() -> None:
    found = []
    for module in [*MODULES, *PROGRAMS]:
        for node, above in functions(module):
            if (node.end_lineno or 0) - node.lineno >= MOST_LINES and not re.match(r"# Long: \w+", above):
                found.append(where(module, node))
    assert found == []


def test_no_two_classes_have_one_public_name() -> None:
    """Aliases of types and type variables count too."""
    places = defaultdict(list)
    for module in MODULES:
        for node in cast(ast.Module, nodes(module)[0]).body:
            for name in _types_named(node):
                places[name].append(where(module, node))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def _types_named(node: ast.stmt) -> list[str]:
    """Names that a statement gives to types, by their spelling: `CamelCase`, neither `_Private` nor `CONSTANT`."""
    if isinstance(node, ast.ClassDef):
        return [] if node.name.startswith("_") else [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    elif sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias):
        targets = [node.name]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if re.fullmatch(r"[A-Z][A-Za-z0-9]+", name) and not name.isupper()]


def test_code_is_as_the_formatter_leaves_it() -> None:
    mark = "# fmt: " + "skip"
    files = [*MODULES, *PROGRAMS, *(ROOT / "tests").rglob("*.py")]
    assert [str(path) for path in files if "node_modules" not in path.parts and mark in path.read_text("utf-8")] == []


def test_the_root_of_the_package_holds_what_everything_shares() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == AT_THE_ROOT


def test_tests_lie_where_their_code_lies() -> None:
    """tests/x/test_y.py is of infograph/x/y.py; a folder tests/x/y, too."""
    tests = [path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")]
    found = []
    for path in tests:
        if "node_modules" in path.parts or path.parts[0] in OF_NO_PACKAGE or path.as_posix() in OF_NO_MODULE:
            continue
        module = PACKAGE / path.parent / path.name.removeprefix("test_")
        folder = PACKAGE / path.parent
        if not (module.exists() or module.with_suffix("").is_dir() or folder.with_suffix(".py").exists()):
            found.append(path.as_posix())
    assert found == []
    assert [name for name in OF_NO_MODULE if not (ROOT / "tests" / name).exists()] == []
    assert [name for name in OF_NO_PACKAGE if not (ROOT / "tests" / name).is_dir() or (PACKAGE / name).exists()] == []


@pytest.mark.parametrize("package", sorted({module.relative_to(PACKAGE).parts[0] for module in MODULES}))
def test_a_docstring_is_clear_by_itself(package: str) -> None:
    found = []
    for module in MODULES:
        name = module.relative_to(PACKAGE)
        if name.parts[0] == package and name.as_posix() not in DATA:
            for place, text in docstrings(module):
                first = text.strip().splitlines()[0]
                if (FRAGMENTS.match(first) or RIDDLES.search(first)) and first not in PUBLISHED:
                    found.append(f"{place}: {first}")
    assert found == []


def packages() -> Iterator[tuple[Path, str]]:
    """Folder and docstring of each package below the root."""
    for module in MODULES:
        if module.name == "__init__.py" and module.parent != PACKAGE:
            yield module.parent, ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""


def test_each_package_says_what_goes_in_what_comes_out_and_what_it_never_does() -> None:
    silent = []
    for folder, text in packages():
        words = set(re.findall(r"\w+", text.lower()))
        silent += [f"{folder.name}: {word}" for word in ("in", "out", "never") if word not in words]
    assert silent == []


def test_each_module_that_a_package_names_exists() -> None:
    """By its place in the package, or by its whole path below the root of the package or of the repository."""
    missing = []
    for folder, text in packages():
        for name in re.findall(r"(?<![\w./])(?:\w+/)*\w+\.py\b", text):
            if not any((base / name).is_file() for base in (folder, PACKAGE, ROOT)):
                missing.append(f"{folder.relative_to(ROOT).as_posix()}: {name}")
    assert missing == []
