"""The guide in sample-docs/ against the code: whatever can be looked up must be there, and be true."""

from __future__ import annotations

import ast
import json
import re
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import pytest
import yaml

from infograph import cli
from infograph.chunking.metadata import NAMES
from infograph.chunking.routing import CLASSES
from infograph.config import describe, load
from infograph.errors import KINDS, InfographError
from infograph.formats import chunk_file as chunkfile
from infograph.formats import keyword_table as words
from infograph.formats import topic_spec as specfile
from infograph.formats.index_json import index_schema
from infograph.index.stripes import stripe_factor, stripe_order
from infograph.search.format.question_hash import THRESHOLD, hash_feature, simhash, words_of
from infograph.text.language import stemmer, stop_words

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "sample-docs"
PAGES = sorted(DOCS.rglob("*.md"))
LINKING = [*PAGES, ROOT / "README.md", ROOT / "CHANGELOG.md"]
PACKAGE = "".join(path.read_text("utf-8") for path in sorted((ROOT / "infograph").rglob("*.py")))
"""All of its code."""

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^()\s]+)\)")
_RULE = re.compile(r"\|[|\- ]+\|")
_SPAN = re.compile(r"`([^`]+)`")


@cache
def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def section(text: str, heading: str) -> str:
    """What stands below a heading, up to the next one of its level or above."""
    level = heading.index(" ")
    match = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{level}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"there is no heading {heading!r}"
    return match[1]


def rows(text: str) -> Iterator[list[str]]:
    """The cells of every table row; heads and rules left out."""
    lines = [line for line in _FENCE.sub("", text).split("\n") if line.startswith("|")]
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        if not _RULE.fullmatch(line) and not _RULE.fullmatch(after):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def spans(text: str) -> list[str]:
    """The code spans of a text; fences left out."""
    return _SPAN.findall(_FENCE.sub("", text))


def fences(language: str, *pages: Path) -> list[Any]:
    return [
        pytest.param(textwrap.dedent(match["code"]), id=f"{path.relative_to(ROOT)}:{number}")
        for path in pages or LINKING
        for number, match in enumerate(_FENCE.finditer(path.read_text("utf-8")))
        if match["language"] == language
    ]


# ---- the command line ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(cli.main.commands))
def test_command_is_documented_with_every_option_and_no_other(name: str) -> None:
    command = cli.main.every()[name]
    below = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    options = {
        flag
        for own in below
        for parameter in own.params
        if isinstance(parameter, click.Option)
        for flag in (*parameter.opts, *parameter.secondary_opts)
    }
    text = section(page("reference/cli.md"), f"## infograph {name}")
    documented = {span.split()[0] for row in rows(text) for span in spans(row[0]) if span.startswith("-")}
    assert documented == options


def test_quick_reference_lists_every_command_with_its_arguments() -> None:
    text = section(page("reference/cli.md"), "## Quick reference")
    documented = {spans(row[0])[0] for row in rows(text)}
    expected = set()
    for name, command in cli.main.every().items():
        pieces = command.collect_usage_pieces(click.Context(command))
        expected.add(" ".join(["infograph", name, *(piece for piece in pieces if piece != "[OPTIONS]")]))
    assert documented == expected


@pytest.mark.parametrize("code", fences("sh"))
def test_shell_examples_use_commands_and_options_that_exist(code: str) -> None:
    for line in code.split("\n"):
        for call in re.findall(r"(?:^|&& |run: )(?:\S*/)?infograph ([^#&|]+)", line):
            name, *arguments = call.split()
            if name == "--version":
                continue
            command = cli.main.every()[name]
            if isinstance(command, click.Group):
                command = command.commands[arguments.pop(0)]
            known = {flag for p in command.params for flag in (*p.opts, *p.secondary_opts)}
            assert {word.partition("=")[0] for word in arguments if word.startswith("-")} <= known, line


# ---- settings -----------------------------------------------------------------------------------------------


def test_every_setting_is_documented_with_its_default_and_variable() -> None:
    documented = {}
    for row in rows(page("reference/configuration.md")):
        if len(row) == 3:  # a class of pages
            continue
        name, default, variable, meaning = row
        documented[spans(name)[0]] = (default, spans(variable)[0])
        assert meaning.endswith("."), name
    expected = {
        name: (
            "unset" if default is None else f"`{json.dumps(list(default) if isinstance(default, tuple) else default)}`",
            "INFOGRAPH_" + name.replace(".", "_").upper(),
        )
        for name, default in describe()
    }
    assert documented == expected


def test_classes_of_pages_are_documented_with_their_strategies() -> None:
    table = [row for row in rows(section(page("reference/configuration.md"), "## Strategies")) if len(row) == 3]
    assert {spans(name)[0]: spans(strategy)[0] for name, _, strategy in table} == CLASSES


@pytest.mark.parametrize("code", fences("toml"))
def test_configuration_examples_are_valid(code: str, tmp_path: Path) -> None:
    values = tomllib.loads(code)
    file = tmp_path / ("pyproject.toml" if "tool" in values else "infograph.toml")
    file.write_text(code, "utf-8")
    (tmp_path / "docs").mkdir()
    assert load(str(tmp_path / "docs"), file=str(file), environment={}).file == file


def test_every_extra_for_users_is_documented() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    documented = {spans(row[0])[0] for row in rows(section(page("guide/install.md"), "## Extras"))}
    assert documented == extras.keys() - {"test", "lint", "fuzz", "mutation", "bench"}


# ---- formats ------------------------------------------------------------------------------------------------


def _properties(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from _properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _properties(value)


def test_every_key_of_the_index_is_documented() -> None:
    text = page("reference/formats/index-json.md")
    documented = {word for span in spans(text) for word in re.split(r"[.\[\], ]+", span)}
    assert set(_properties(index_schema())) - documented == set()


def test_keys_of_chunk_files_are_documented_in_their_order() -> None:
    text = section(page("reference/formats/chunk-files.md"), "## Front matter")
    assert [spans(row[0])[0] for row in rows(text)] == list(chunkfile._KEYS)


def test_facts_that_can_be_asked_for_are_documented() -> None:
    facts = [spans(row[0])[0] for row in rows(section(page("reference/formats/chunk-files.md"), "## Facts"))]
    assert {"chunk_id" if name == "id" else name for name in NAMES} <= set(facts)
    assert facts == sorted(facts)


def test_columns_of_tables_are_documented() -> None:
    assert [spans(row[0])[0] for row in rows(page("reference/formats/keyword-tables.md"))] == list(words._COLUMNS)
    documented = set(spans(page("reference/formats/topic-specifications.md")))
    for columns in (specfile._METADATA, specfile._SOURCES, specfile._KEYWORDS, specfile._RELATED, specfile._CHUNKS):
        assert set(columns) - documented == set()


def test_kinds_of_problems_and_warnings_are_documented() -> None:
    documented = set(spans(page("guide/troubleshooting.md") + page("reference/cli.md")))
    written = set(re.findall(r'otice\([\w.]+, "([a-z-]+)"', PACKAGE))
    assert written <= set(KINDS), "a kind that `silence` does not take"
    notices = written | set(KINDS)
    modules = (ROOT / "infograph/commands/check").glob("*.py")
    checks = "\n".join(module.read_text("utf-8") for module in sorted(modules))
    problems = set(re.findall(r'(?:roblem|Broken)\(.*?"([a-z-]+)"', checks))
    assert {"symlink", "unresolved-include"} <= notices
    assert {"hash", "hidden", "orphan"} <= problems
    assert (notices | problems) - documented == set()


def test_quoted_reasons_are_those_of_the_code() -> None:
    package = re.sub(r'"\s*\n\s*f?"', "", PACKAGE)  # adjacent literals are one
    text = page("guide/troubleshooting.md")
    quoted = [span for row in rows(text) for span in spans(row[0])[:1] if " " in span]
    assert len(quoted) > 25
    for reason in quoted:
        for part in re.split(r"\s*…\s*", reason):
            assert part.rstrip(":,") in package, f"no message says {part!r}"


# ---- examples that can be followed by hand ------------------------------------------------------------------


def _run(name: str, *, containing: str) -> dict[str, Any]:
    code = next(p.values[0] for p in fences("python", DOCS / name) if containing in str(p.values[0]))
    names: dict[str, Any] = {}
    exec(compile(str(code), name, "exec"), names)
    return names


def test_example_of_stripes() -> None:
    text = page("guide/stripes.md")
    table = list(rows(section(text, "## An example")))
    values = next(row for row in table if row[0] == "Similarity")[1:]
    similarities = {chunk: float(value) for chunk, value in enumerate(values, 1)}
    order = stripe_order(list(similarities.items()), stripe_factor(len(similarities)))
    documented = re.search(r"`stripe_order` is `(\[[\d, ]+\])`", text)
    assert documented
    assert json.loads(documented[1]) == order
    assert _run("guide/stripes.md", containing="def stripe_order")["stripe_order"](similarities) == order
    dealt = [int(number) for row in table if row[0].isdigit() and "," in row[2] for number in row[2].split(",")]
    assert dealt == order


def test_table_of_stripe_factors() -> None:
    text = section(page("guide/stripes.md"), "## The rule")
    head = re.search(r"\| Chunks to order \|(.*)\|", text)
    assert head
    (factors,) = rows(text)
    assert [int(f) for f in factors[1:]] == [stripe_factor(int(n)) for n in head[1].split("|")]


def test_example_of_a_score() -> None:
    numbers = re.search(r"([\d.]+) × ([\d.]+) × ([\d.]+) × ([\d.]+) = ([\d.]+)", page("guide/keywords.md"))
    assert numbers
    *factors, score = map(float, numbers.groups())
    product = 1.0
    for factor in factors:
        product *= factor
    assert product == score


def test_question_hashes_can_be_computed_from_the_page_alone() -> None:
    text = page("reference/formats/question-hashes.md")
    listed = set(section(text, "## English stop words").partition("```text\n")[2].partition("```")[0].split())
    assert listed == {word.replace("'", "") for word in stop_words("en")}
    turning = {spans(name)[0]: words.split() for name, words in rows(section(text, "## Turning words"))}
    assert turning == {name: sorted(words) for name, words in words_of("en").turning.items()}
    names = _run("reference/formats/question-hashes.md", containing="def question_hash")
    stem = stemmer("en")
    values = list(rows(section(text, "## Test values")))
    features = [row for row in values if len(row) == 2]
    questions = [row for row in values if len(row) == 3]
    assert features and questions
    for feature, value in features:
        assert int(spans(value)[0], 16) == hash_feature(spans(feature)[0].encode())
    for question, _, value in questions:
        digits = int(spans(value)[0], 16)
        assert digits == simhash(question, words_of("en")) == names["question_hash"](question, stem, listed, turning)
    for question in ("What's a “stripe”?", "How do I?", "Why isn't it never built?", "x", "Ünïcödé ２ naïve Café"):
        assert names["question_hash"](question, stem, listed, turning) == simhash(question, words_of("en"))
    assert names["matches"](0, 2**THRESHOLD - 1)
    assert not names["matches"](0, 2 ** (THRESHOLD + 1) - 1)


@pytest.mark.parametrize("code", fences("python"))
def test_python_examples_compile(code: str) -> None:
    assert ast.parse(code).body, "an example shows something"


@pytest.mark.parametrize("code", fences("json"))
def test_json_examples_parse(code: str) -> None:
    assert json.loads(code)


@pytest.mark.parametrize("code", fences("yaml"))
def test_yaml_examples_parse(code: str) -> None:
    assert yaml.safe_load(code)


def test_example_of_a_chunk_file_has_the_form_of_one() -> None:
    code = next(str(p.values[0]) for p in fences("markdown", DOCS / "reference/formats/chunk-files.md"))
    with pytest.raises(InfographError, match="sha256"):  # everything before the checksum of an invented text is read
        chunkfile.parse("guide/_chunks/how-it-works-3.md", code.encode())


# ---- links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", LINKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = _FENCE.sub("", path.read_text("utf-8"))
    for match in _LINK.finditer(text):
        target, _, anchor = match["target"].partition("#")
        if "://" in target:
            continue
        file = (path.parent / unquote(target)) if target else path
        assert file.exists(), f"{path.name}: {match['target']}"
        if anchor:
            assert anchor in _anchors(file.read_text("utf-8")), f"{path.name}: {match['target']}"


def _anchors(text: str) -> set[str]:
    """The anchors that code hosts and generators give to headings."""
    headings = re.findall(r"^#+ +(.*)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_can_be_reached_from_the_start() -> None:
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        path = waiting.pop().resolve()
        if path in reached:
            continue
        reached.add(path)
        for match in _LINK.finditer(path.read_text("utf-8")):
            target = match["target"].partition("#")[0]
            if target.endswith(".md") and "://" not in target:
                waiting.append(path.parent / target)
    assert reached == {path.resolve() for path in PAGES}
