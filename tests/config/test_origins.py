"""What a stage finds wrong with a setting is said with the place that gave it: file and key, flag or variable."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from infograph.build import build
from infograph.cli import main
from infograph.config import load
from infograph.config.origins import flag_of, place_of, variable_of
from infograph.errors import ConfigError
from infograph.pipeline import tools


@pytest.fixture
def docs(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(tmp_path / "docs", {"a.md": "# A\n\nA page.\n"})


WRONG = {
    'strategy = "fixd"': "strategy: there is no `fixd`. Did you mean `fixed`?",
    'strategy = "fixed"\n[strategies.fixed]\nwidow = 3': "strategies.fixed: there is no option `widow`",
    "[strategies.fixed]\nwindow = '3'": "strategies.fixed: `window` must be a whole number, not '3'",
    "[strategies.structural]\nmaximum = 0": "strategies.structural: minimum 100 and maximum 0 characters",
    "[strategies.semantic-250-750]\nminimum = 900": "strategies.semantic-250-750: minimum 900, deeper",
    "[strategies.fixd]\nwindow = 3": "strategies: there is no `fixd`. Did you mean `fixed`?",
    "[strategies]\nfixed = 3": "strategies.fixed: must be a table of options, not 3",
    '[routes]\n"a/" = "fixd"': "routes: `a/`: there is no `fixd`. Did you mean `fixed`?",
    '[routes]\n"!" = "fixed"': "routes: `!` is not a gitignore pattern",
    '[source]\nexclude = ["!"]': "source.exclude: not a gitignore pattern",
    '[chunks]\nmetadata = ["ids"]': "chunks.metadata: there is no `ids`",
    '[keywords]\nlanguage = "xx"': "keywords.language: 'xx' is not a known ISO 639-1 code",
    '[site]\ngenerator = "hugs"': "site.generator: there is no `hugs`",
}


@pytest.mark.parametrize("text", WRONG)
def test_the_file_and_the_key_are_named(docs: Path, quick, text: str) -> None:
    file = docs.parent / "infograph.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        build(load(str(docs), environment={}))
    assert str(caught.value).startswith(f"{file}: {WRONG[text]}")


@pytest.mark.parametrize("tool", [tools.chunk, tools.keywords, tools.topic])
def test_by_every_tool(docs: Path, quick, tool: Callable[..., object]) -> None:
    file = docs.parent / "infograph.toml"
    file.write_text('strategy = "fixd"\n[keywords]\nlanguage = "xx"\n')
    with pytest.raises(ConfigError, match=f"^{re.escape(str(file))}: keywords"):
        tool(load(str(docs), environment={}))


@pytest.mark.parametrize("arguments", [["build"], ["chunk"]])
def test_a_flag_is_named_as_it_was_written(docs: Path, quick, arguments: list[str]) -> None:
    (docs.parent / "infograph.toml").write_text('strategy = "structural"\n')
    for given, said in {
        "fixd": "--strategy: there is no `fixd`. Did you mean `fixed`?",
        "structural:maximum=0": "--strategy: there is no `structural:maximum=0`. Options of `structural`",
    }.items():
        result = CliRunner().invoke(main, [*arguments, str(docs), "--strategy", given])
        assert result.exit_code == 1 and f"error: {said}" in result.stderr.splitlines()[-1]


def test_eval_names_the_strategy_that_it_was_given(docs: Path, quick) -> None:
    pytest.importorskip("bm25s")
    file = docs.parent / "infograph.toml"
    file.write_text("")
    for given, said in {
        "fixd": "--strategy fixd: there is no `fixd`",
        "structural:maximum=0": "--strategy structural:maximum=0: minimum 100 and maximum 0",
        "structural:max=0": "--strategy structural:max=0: there is no option `max`. Did you mean `maximum`?",
    }.items():
        result = CliRunner().invoke(main, ["eval", str(docs), "--strategy", given])
        assert result.exit_code == 1 and result.stderr.startswith(f"error: {said}")
    file.write_text("[strategies.fixed]\nwindow = 0\n")
    for given in ("fixed", "structural:maximum=900"):  # the option is the file's
        result = CliRunner().invoke(main, ["eval", str(docs), "--strategy", given])
        assert result.stderr.startswith(f"error: {file}: strategies.fixed: overlap")


def test_a_variable_is_named(docs: Path, quick) -> None:
    with pytest.raises(ConfigError, match=r"^INFOGRAPH_STRATEGY: there is no `fixd`"):
        build(load(str(docs), environment={"INFOGRAPH_STRATEGY": "fixd"}))
    settings = load(str(docs), environment={"INFOGRAPH_STRATEGIES": "{fixed = {widow = 1}}"})
    with pytest.raises(ConfigError, match=r"^INFOGRAPH_STRATEGIES: strategies\.fixed: there is no option `widow`"):
        build(settings)


def test_the_last_that_gave_it_is_named(docs: Path) -> None:
    (docs.parent / "infograph.toml").write_text('strategy = "a"\nmodel = "b"\n[chunks]\nprefix = "c"\n')
    flags = {"strategy": "d", "out": None}
    settings = load(str(docs), flags=flags, environment={"INFOGRAPH_MODEL": "e", "INFOGRAPH_STRATEGY": "f"})
    assert settings.origins == {
        "strategy": "--strategy",
        "model": "INFOGRAPH_MODEL",
        "chunks.prefix": str(docs.parent / "infograph.toml"),
    }
    assert place_of(settings, "strategies.fixed") == "strategies.fixed", "nobody gave it"
    assert place_of(settings, "--retriever") == "--retriever"


def test_what_flags_and_variables_are_called() -> None:
    assert (flag_of("search.max_files"), flag_of("out")) == ("--max-files", "--out")
    assert (variable_of("search.max_files"), variable_of("out")) == ("INFOGRAPH_SEARCH_MAX_FILES", "INFOGRAPH_OUT")


def test_elsewhere_than_on_the_command_line_the_key_is_named_too(docs: Path, quick) -> None:
    settings = load(str(docs), flags={"strategy": "fixd"}, flags_from="mkdocs.yml", environment={})
    with pytest.raises(ConfigError, match=r"^mkdocs\.yml: strategy: there is no `fixd`"):
        build(settings)
