"""Settings: where they come from, which comes first, and what is said of wrong ones."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import infograph.config
from infograph.cli import main
from infograph.config import Config, Settings, describe, key_names, load
from infograph.config.origins import FLAGS_ONLY, IN_TABLES
from infograph.config.settings import RANGES
from infograph.config.starter import starter, write_starter
from infograph.errors import ConfigError

RUN_MODES = {"config_file", "as_json", "quiet", "check", "docs", "force", "help"}
"""Parameters of `build` that say how it runs, not what it makes."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with docs, and the working directory in it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(project: Path, text: str, *, flags: dict[str, Any] | None = None, **environment: str) -> Settings:
    (project / "infograph.toml").write_text(text)
    return load("docs", flags=flags, environment=environment)


class TestPrecedence:
    def test_flag_environment_file_default(self, project: Path) -> None:
        text = 'model = "file"\njobs = 3\nstrict = true\n'
        settings = configure(
            project, text, flags={"model": "flag", "jobs": None}, INFOGRAPH_MODEL="env", INFOGRAPH_JOBS="5"
        )
        assert (settings.config.model, settings.config.jobs, settings.config.strict) == ("flag", 5, True)
        assert settings.config.strategy == Config().strategy

    def test_a_flag_can_take_back_what_the_file_says(self, project: Path) -> None:
        settings = configure(
            project, "strict = true\n[stripe]\nfactor = 4\n", flags={"strict": False, "stripe.factor": ""}
        )
        assert not settings.config.strict
        assert settings.config.stripe.factor is None

    def test_nested_settings_from_the_environment(self, project: Path) -> None:
        settings = configure(
            project,
            "",
            INFOGRAPH_LIMITS_SECONDS="2.5",
            INFOGRAPH_SOURCE_EXCLUDE="a/, *.tmp.md",
            INFOGRAPH_STRIPE_FACTOR="4",
            INFOGRAPH_SOURCE_GITIGNORE="no",
        )
        assert settings.config.limits.seconds == 2.5
        assert settings.config.source.exclude == ("a/", "*.tmp.md")
        assert settings.config.stripe.factor == 4
        assert settings.config.source.gitignore is False

    def test_tables_keep_their_rows_in_order(self, project: Path) -> None:
        text = '[routes]\n"b/" = "fixed"\n"a/" = "auto"\n[strategies.structural]\nmaximum = 9\nlevels = [1, 2]\n'
        config = configure(project, text).config
        assert config.routes == (("b/", "fixed"), ("a/", "auto"))
        assert config.strategies == (("structural", (("maximum", 9), ("levels", (1, 2)))),)
        assert hash(config) == hash(configure(project, text).config)
        config = configure(project, text, INFOGRAPH_ROUTES='{"c/" = "code"}', INFOGRAPH_STRATEGIES="").config
        assert (config.routes, config.strategies) == ((("c/", "code"),), ())

    def test_pyproject(self, project: Path) -> None:
        (project / "pyproject.toml").write_text(
            '[tool.infograph]\nmodel = "here"\n[tool.infograph.limits]\nbytes = 7\n'
        )
        settings = load("docs", environment={})
        assert (settings.config.model, settings.config.limits.bytes) == ("here", 7)
        (project / "infograph.toml").write_text('model = "first"\n')
        assert load("docs", environment={}).config.model == "first"

    @pytest.mark.parametrize(
        "text",
        [
            '[ tool . infograph ]\nmodel = "here"',
            '[tool."infograph"]\nmodel = "here"',
            '[tool]\ninfograph.model = "here"',
            '[tool]\ninfograph = { model = "here" }',
            'tool.infograph.model = "here"',
        ],
    )
    def test_every_spelling_of_the_table(self, project: Path, text: str) -> None:
        (project / "pyproject.toml").write_text(text)
        settings = load("docs", environment={})
        assert (settings.config.model, settings.file) == ("here", project / "pyproject.toml")

    @pytest.mark.parametrize(
        "text",
        [
            "[tool.other]\n",
            'tool = "infograph"\n',
            '[project]\nname = "infograph"\n',
            '# [tool.infograph]\n[build-system]\nrequires = ["infograph"]\n',
            "[broken",
        ],
    )
    def test_a_pyproject_of_another_project_is_passed_over(self, project: Path, text: str) -> None:
        (project / "docs/pyproject.toml").write_text(text)
        (project / "infograph.toml").write_text('model = "above"\n')
        assert load("docs", environment={}).config.model == "above"

    def test_nothing_above_the_repository_is_read(self, project: Path) -> None:
        (project / "docs/.git").mkdir()
        assert configure(project, 'model = "above"\n').config == Config()


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "named", "nearest"),
        [
            ('modle = "x"', "modle", "model"),
            ("[limits]\nsecond = 1", "limits.second", "limits.seconds"),
            ('[source]\nexcluded = "x"', "source.excluded", "source.exclude"),
            ("seconds = 1", "seconds", "limits.seconds"),
            ("[keyword]\nper_topic = 1", "keyword", "keywords"),
            ('MODEL = "x"', "MODEL", "model"),
            ("[Limits]\nseconds = 1", "Limits", "limits"),
            ("[watch]\nDEBOUNCE = 1", "watch.DEBOUNCE", "watch.debounce"),
            ('[index]\nBase-URL = "/"', "index.Base-URL", "index.base_url"),
        ],
    )
    def test_an_unknown_key_names_the_nearest(self, project: Path, text: str, named: str, nearest: str) -> None:
        with pytest.raises(ConfigError) as caught:
            configure(project, text)
        assert str(caught.value).startswith(f"{project / 'infograph.toml'}: `{named}` is not a setting")
        assert f"`{nearest}" in str(caught.value)

    def test_a_key_like_no_other_lists_all(self, project: Path) -> None:
        with pytest.raises(ConfigError, match=r"The settings are: docs, out, .*limits\.seconds"):
            configure(project, "xyzzy = 1")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("jobs = '2'", "`jobs` must be a whole number, not '2'"),
            ("jobs = true", "`jobs` must be a whole number, not True"),
            ("jobs = 1.5", "`jobs` must be a whole number"),
            ("model = 1", "`model` must be a string, not 1"),
            ("strict = 'yes'", "`strict` must be true or false"),
            ("limits = 3", "`limits` must be a table, not 3"),
            ("[source]\nexclude = [1]", "`source.exclude` must be a list of strings"),
            ("[limits]\nseconds = 0", "`limits.seconds` must lie between 0.001 and 86,400, not 0.0"),
            ("[search]\nmax_files = 3", "`search.max_files` must lie between 16 and 1,000,000, not 3"),
            ("jobs = -1", "`jobs` must lie between 0 and 1,024, not -1"),
            ("[stripe]\nfactor = 0", "`stripe.factor` must lie between 1 and"),
            ("[prompts]\nthreshold = 2", "`prompts.threshold` must lie between -1 and 1"),
            ("[index]\ntechnical_baseline = 'second'", "must be title or first-code"),
            ('routes = "a"', "`routes` must be a table, not 'a'"),
            ("[chunks]\noverlap = -1", "`chunks.overlap` must lie between 0 and"),
            ("[watch]\ndebounce = inf", "`watch.debounce` must lie between 0 and 86,400, not inf"),
            ("[watch]\ndebounce = 1e12", "`watch.debounce` must lie between 0 and 86,400, not 1000000000000.0"),
            ("[watch]\nrescan = nan", "`watch.rescan` must lie between 0.001 and 86,400, not nan"),
            ("[limits]\nseconds = 99999999999", "`limits.seconds` must lie between"),
            ("[limits]\nseconds = 1e300", "`limits.seconds` must lie between"),
            ("[keywords]\nper_topic = 9223372036854775808", "`keywords.per_topic` must lie between 1 and"),
            ("[limits]\nseconds = 1" + 400 * "0", "`limits.seconds` must lie between"),
            ("jobs = 1" + 5000 * "0", "is not valid TOML"),
            ("[limits\n", "is not valid TOML"),
            ("model = '\ud800'".encode("utf-8", "surrogatepass"), "is not valid TOML"),
        ],
    )
    def test_wrong_values(self, project: Path, text: str | bytes, said: str) -> None:
        (project / "infograph.toml").write_bytes(text.encode() if isinstance(text, str) else text)
        with pytest.raises(ConfigError, match=re.escape(said)) as caught:
            load("docs", environment={})
        assert caught.value.place == str(project / "infograph.toml")

    @pytest.mark.parametrize(
        "text", ["[tool]\ninfograph = 3", "[[tool.infograph]]", "[tool.infograph", "tool.infograph = 3"]
    )
    def test_a_pyproject_whose_table_is_none(self, project: Path, text: str) -> None:
        (project / "pyproject.toml").write_text(text)
        with pytest.raises(ConfigError, match=r"`tool\.infograph` must be a table, not|is not valid TOML") as caught:
            load("docs", environment={})
        assert caught.value.place == str(project / "pyproject.toml")

    def test_the_place_is_where_the_value_came_from(self, project: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            configure(project, "jobs = 2", flags={"jobs": -1})
        assert str(caught.value) == "--jobs: `jobs` must lie between 0 and 1,024, not -1"
        with pytest.raises(ConfigError, match=r"^--max-files: `search\.max_files` must be a whole number"):
            configure(project, "", flags={"search.max_files": "few"})
        with pytest.raises(ConfigError, match=r"^mkdocs\.yml: `jobs` must lie"):
            load("docs", flags={"jobs": -1}, flags_from="mkdocs.yml", environment={})
        with pytest.raises(ConfigError) as caught:
            configure(project, "", INFOGRAPH_JOBS="many")
        assert str(caught.value) == "INFOGRAPH_JOBS: 'many' is not a value for it"
        with pytest.raises(ConfigError, match=r"^INFOGRAPH_LIMITS_SECONDS: `limits\.seconds` must lie"):
            configure(project, "", INFOGRAPH_LIMITS_SECONDS="0")
        with pytest.raises(ConfigError, match="INFOGRAPH_ROUTES: is not valid TOML"):
            configure(project, "", INFOGRAPH_ROUTES="a=b")

    def test_a_table_that_is_none(self, project: Path) -> None:
        for name, meant in (("sorce", "source"), ("chunk", "chunks"), ("serch", "search")):
            (project / "infograph.toml").write_text(f"[{name}]\n")
            with pytest.raises(ConfigError, match=f"Did you mean `{meant}`"):
                load("docs", environment={})

    @pytest.mark.parametrize("name", sorted(FLAGS_ONLY))
    def test_a_flag_that_is_no_setting(self, project: Path, name: str) -> None:
        said = f"setting. It is a flag of the command line only: `--{name.replace('_', '-')}`."
        with pytest.raises(ConfigError) as caught:
            configure(project, f"{name} = true")
        assert str(caught.value) == f"{project / 'infograph.toml'}: `{name}` is not a {said}"
        variable = f"INFOGRAPH_{name.upper()}"
        with pytest.raises(ConfigError) as caught:
            configure(project, "", **{variable: "1"})
        assert str(caught.value) == f"{variable}: is not the name of a {said}"

    def test_flags_that_are_no_settings_are_known(self) -> None:
        """`eval`, `enrich` and `questions` build nothing: what they take is about questions."""
        options = {
            option.removeprefix("--").replace("-", "_")
            for name, command in main.every().items()
            if name not in ("eval", "enrich", "questions")
            and "config_file" in {parameter.name for parameter in command.params}
            for parameter in command.params
            for option in parameter.opts
            if option.startswith("--")
        }
        known = {part for name in key_names() for part in (name, name.partition(".")[0])}
        assert {name for name in options if IN_TABLES.get(name, name) not in known} == FLAGS_ONLY

    def test_a_variable_that_is_no_setting(self, project: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            configure(project, "", INFOGRAPH_MODLE="static", INFOGRAPHER="somebody else's")
        assert str(caught.value) == ("INFOGRAPH_MODLE: is not the name of a setting. Did you mean `INFOGRAPH_MODEL`?")
        with pytest.raises(ConfigError, match=r"INFOGRAPH_model: is .* Did you mean `INFOGRAPH_MODEL`"):
            configure(project, "", INFOGRAPH_model="static")
        with pytest.raises(ConfigError, match="INFOGRAPH_: is not the name of a setting"):
            configure(project, "", INFOGRAPH_="1")

    @pytest.mark.parametrize(
        ("text", "both"),
        [
            ('[index]\nbase-url = "/a/"\nbase_url = "/b/"', "`index.base-url` and `index.base_url`"),
            ('[index]\nbase_url = "/a/"\nbase-url = "/a/"', "`index.base_url` and `index.base-url`"),
            ("[search]\nmax_files = 20\nmax-files = 30", "`search.max_files` and `search.max-files`"),
        ],
    )
    def test_a_setting_in_two_spellings(self, project: Path, text: str, both: str) -> None:
        with pytest.raises(ConfigError) as caught:
            configure(project, text)
        file = project / "infograph.toml"
        assert str(caught.value) == f"{file}: {both} are the same setting. Leave one of them out."

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("https://example.org/docs/", "names no part of the path. Write it like `https://"),
            ("/docs", "names no part of the path"),
            ("https://example.org/{file}", "there is no part `{file}`. Valid: `{path}`"),
            ("https://example.org/{path}?at={line}", "there is no part `{line}`"),
            ("https://example.org/{}", "there is no part `{}`"),
        ],
    )
    def test_where_sources_are_published_has_the_path_in_it(self, project: Path, address: str, said: str) -> None:
        with pytest.raises(ConfigError, match=re.escape(f"`index.source_url`: {said}")) as caught:
            configure(project, f'[index]\nsource_url = "{address}"')
        assert caught.value.place == str(project / "infograph.toml")

    def test_places_that_are_not_there(self, project: Path) -> None:
        with pytest.raises(ConfigError, match=r"nowhere: does not exist\. Name the folder"):
            load("nowhere", environment={})
        (project / "file").touch()
        with pytest.raises(ConfigError, match="file: is not a directory"):
            load("file", environment={})
        with pytest.raises(ConfigError, match=r"my\.toml: there is no such file"):
            load("docs", file="my.toml", environment={})


class TestStarter:
    def test_without_its_comment_signs_it_says_the_defaults(self, project: Path) -> None:
        text = re.sub(r"^#(\w+ = )", r"\1", starter(), flags=re.MULTILINE)
        assert set(_flat(tomllib.loads(text))) == set(key_names())
        assert configure(project, text).config == Config()

    def test_as_written_it_changes_nothing(self, project: Path) -> None:
        assert write_starter(".") == Path("infograph.toml")
        assert load("docs", environment={}).config == Config()
        with pytest.raises(ConfigError, match="is there already"):
            write_starter(".")

    def test_every_setting_has_its_meaning(self) -> None:
        lines = starter().splitlines()
        for name in key_names():
            at = next(n for n, line in enumerate(lines) if line.startswith(f"#{name.rpartition('.')[2]} = "))
            assert lines[at - 1].startswith("# ")


def _flat(table: dict[str, Any], prefix: str = "") -> list[str]:
    names: list[str] = []
    for key, value in table.items():
        names += _flat(value, f"{prefix}{key}.") if value and isinstance(value, dict) else [prefix + key]
    return names


def test_every_flag_is_a_setting() -> None:
    for name in ("build", "watch", "chunk", "keywords", "topic", "index"):
        parameters = {IN_TABLES.get(str(p.name), str(p.name)) for p in main.every()[name].params}
        assert parameters - RUN_MODES <= set(key_names())


def test_every_number_has_its_range() -> None:
    numbers = {name: value for name, value in describe() if type(value) in (int, float)}
    assert set(RANGES) == numbers.keys() | {"stripe.factor"}
    for name, number in numbers.items():
        least, most = RANGES[name]
        assert least <= number <= most, name


@pytest.mark.parametrize("first", ["infograph.config", "infograph.config.reading", "infograph.config.starter"])
def test_load_is_the_function_whatever_is_imported_first(first: str) -> None:
    code = (
        f"import {first}, infograph.config.reading\nfrom infograph.config import load\nprint(load.__name__, type(load))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["load", "<class", "'function'>"]
    assert not {name for name in infograph.config.__all__ if importlib.util.find_spec(f"infograph.config.{name}")}


def test_defaults_are_described() -> None:
    assert dict(describe())["limits.seconds"] == 10.0
    assert dataclasses.is_dataclass(Config)
