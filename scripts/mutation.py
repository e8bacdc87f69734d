"""Mutation testing: a seeded sample of small faults, and the share of them that the tests notice.

    python scripts/mutation.py [--sample 200] [--seed 0] [--path infograph/index …]
    python scripts/mutation.py --known [WORD]

Each fault (mutant) is made in a copy of the tree, never in the tree itself. Of the tests of its module (`suite`) those
run on it that reach its statement, as coverage.py saw them do without it: first those in the file of the module's name,
then, should they notice nothing, the rest of its package's, and those of another package that are about it
(`WITNESSES`). Tests that are marked as slow take part, since CI runs them too, up to `SLOWEST` seconds each. Hypothesis
draws the same few examples each time and does not shrink them. A path may be a folder, a file or `file:line`, which
takes every mutant of the line: so are survivors run again. mutation-survivors.md says of those that were looked at why
they are no faults.

Mutants are cosmic-ray's, in the selection of Offutt and others ("An experimental determination of sufficient mutant
operators", 1996): one partner for an arithmetic operator, the border and the negation for a comparison, for a condition
its negation; numbers by one up and down; true and false, and and or, break and continue; loops that never begin,
exceptions not caught, decorators left out. cosmic-ray makes many more of the kind of `text // text`, which fails at the
first call and would flatter the share; so would what does not parse. What parses to the same is no fault. Left as they
are: annotations, protocols and what else is for type checkers only; `raise` statements (the texts of errors); `frozen`
and `slots` of a dataclass, which mypy enforces; `strict` of zip, an assertion; `cache` and `lru_cache` as decorators,
and the size of an lru_cache: what a function returns is the same whether it is remembered or not. Docstrings and other
strings have no mutants.

`--known` makes the faults of known_mutants.toml instead, which were found by hand, and runs the tests that it names for
each: all must notice theirs.

Status 1 where fewer than `--least` percent were noticed, or a known one was not. Needs Unix and
`pip install 'infograph[mutation,test]'`.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import hashlib
import json
import math
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "infograph"
KNOWN = ROOT / "scripts" / "known_mutants.toml"
PATHS = (
    "infograph/chunking",
    "infograph/client",
    "infograph/embedding/cache_entry.py",
    "infograph/embedding/vectors.py",
    "infograph/index",
    "infograph/pipeline/steps/publish.py",
    "infograph/search",
    "infograph/source",
)
SUITES = {
    # The models have nothing to do with the cache.
    "infograph/embedding/cache_entry.py": ("tests/faults/test_cache.py", "tests/embedding/test_vectors.py"),
    "infograph/embedding/vectors.py": (),
    # What stands after a build is seen in whole builds.
    "infograph/pipeline/steps/publish.py": ("tests/builds/test_incremental.py", "tests/builds/test_meanwhile.py"),
}
"""The tests beside that of the module's name, where they are not all of its package's."""
WITNESSES = {"search": ("tests/client/test_same_as_javascript.py", "tests/client/test_retrieve.py")}
"""Tests of other packages that are about a package: that both clients find the same, of what stands in `search`."""
SLOWEST = 30
"""Seconds of the longest test that is run on mutants."""
COPIED = ("infograph", "tests", "benchmarks", "sample-docs", "pyproject.toml", "README.md", "CHANGELOG.md")
PRELOADED = ("coverage", "hypothesis", "markdown_it", "numpy", "orjson", "pytest", "tokenizers", "yaml")
"""What takes long to import and is none of ours: each mutant's process is a fork of one that has it."""
PARTNERS = {
    "ReplaceBinaryOperator": "Add_Sub Sub_Add Mul_FloorDiv Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul RShift_LShift "
    "LShift_RShift BitOr_BitAnd BitAnd_BitOr BitXor_BitAnd",
    "ReplaceComparisonOperator": "Eq_NotEq NotEq_Eq Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Is_IsNot "
    "IsNot_Is",
    "ReplaceUnaryOperator": "Delete_Not Delete_USub Delete_Invert",
}
OTHERS = (
    "AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue "
    "ReplaceContinueWithBreak ExceptionReplacer NumberReplacer RemoveDecorator ZeroIterationForLoop"
)
OPERATORS = (*(f"{name}_{pair}" for name, pairs in PARTNERS.items() for pair in pairs.split()), *OTHERS.split())
MEMORY = 3 << 30
"""Bytes that a mutant's process may allocate."""
PATIENCE = 5
"""A mutant hangs that takes this many times as long as the tests do without it, …"""
STARTUP = 30
"""… and this many seconds more."""
EXAMPLES = 25
"""That hypothesis draws at most."""
TESTS_FAILED = 1
NO_TESTS = 5
"""pytest's exit statuses."""


@dataclass(frozen=True)
class Mutant:
    path: str
    """Relative to the tree."""
    line: int
    operator: str
    occurrence: int
    """Of what the operator replaces in the file, from 0."""

    def rank(self, seed: int) -> str:
        """Order of a sample: an edit to one file changes what is drawn from that file only."""
        return hashlib.sha256(f"{seed} {self.path} {self.operator} {self.occurrence}".encode()).hexdigest()


@dataclass(frozen=True)
class Known:
    """A fault made by hand: `old` stands once in the package, and the tests fail where `new` stands in its place."""

    name: str
    file: str
    """Where `old` was found."""
    old: str
    new: str
    tests: tuple[str, ...]


def known_mutants() -> list[Known]:
    """Those of known_mutants.toml. Raises ValueError where the text of one does not stand once in the package."""
    texts = {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in PACKAGE.rglob("*.py")}
    found = []
    for entry in tomllib.loads(KNOWN.read_text("utf-8"))["mutant"]:
        name, old, new, tests = entry["name"], entry["old"], entry["new"], tuple(entry["tests"])
        files = [file for file, text in texts.items() for _ in range(text.count(old))]
        if len(files) != 1 or old == new:
            raise ValueError(f"{name}: its text stands {len(files)} times in the package: mend {KNOWN.name}")
        if missing := [test for test in tests if not (ROOT / test).exists()]:
            raise ValueError(f"{name}: there is no {missing[0]}: mend {KNOWN.name}")
        found.append(Known(name, files[0], old, new, tests))
    return found


@functools.cache
def source_of(path: str) -> str:
    """The text of a file as it was when its mutants were first asked for: the tree may be worked on meanwhile."""
    return (ROOT / path).read_text("utf-8")


def mutants(path: str) -> list[Mutant]:
    """Every mutant of a file."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator

    source = source_of(path)
    lines = source.splitlines()
    left_out = list(_left_out(ast.parse(source)))
    operators = {name: get_operator(f"core/{name}")() for name in OPERATORS}
    seen: Counter[str] = Counter()
    found = []
    for node in ast_nodes(get_ast(source)):
        for name, operator in operators.items():
            for (line, column), (_, end_column) in operator.mutation_positions(node):
                at = line, len(lines[line - 1][:column].encode())
                # Of several exceptions cosmic-ray cannot replace one with a dot in its name.
                dotted = name == "ExceptionReplacer" and "." in lines[line - 1][column:end_column].strip(".")
                if not dotted and not any(begin <= at < end for begin, end in left_out):
                    found.append(Mutant(path, line, name, seen[name]))
                seen[name] += 1
    return found


def _left_out(tree: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a file has nothing to test: [begin, end) as (line, byte in it)."""
    for node in ast.walk(tree):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        if isinstance(node, ast.Raise) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            parts.append(node)
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases):
            parts.append(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("dataclass", "lru_cache", "zip"):
            parts += [keyword.value for keyword in node.keywords]
        for decorator in getattr(node, "decorator_list", ()):
            if ast.unparse(decorator).partition("(")[0] in ("cache", "lru_cache"):
                assert decorator.end_lineno is not None and decorator.end_col_offset is not None
                sign = decorator.col_offset - len("@")
                yield (decorator.lineno, sign), (decorator.end_lineno, decorator.end_col_offset)
        for part in parts:
            if isinstance(part, (ast.expr, ast.stmt)):
                assert part.end_lineno is not None and part.end_col_offset is not None
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


def mutated(mutant: Mutant) -> str:
    """The file with the fault in it."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = source_of(mutant.path)
    code = mutate_code(source, get_operator(f"core/{mutant.operator}")(), mutant.occurrence)
    assert isinstance(code, str), mutant
    return code


def is_program(mutant: Mutant) -> bool:
    """Whether the fault leaves another program: cosmic-ray takes the star of a signature for a multiplication, and a
    number that 1 is nothing beside for another one."""
    try:
        fault = ast.parse(mutated(mutant))
    except SyntaxError:
        return False
    return ast.dump(fault) != ast.dump(ast.parse(source_of(mutant.path)))


def change(mutant: Mutant) -> str:
    """`before → after`, of the lines that differ."""
    source = source_of(mutant.path)
    before, after = source.splitlines(), mutated(mutant).splitlines()
    for kind, *ranges in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            a, b, c, d = ranges
            return " → ".join(" ".join(" ".join(part).split()) for part in (before[a:b], after[c:d]))
    raise AssertionError(mutant)


def chosen(paths: Sequence[str]) -> list[Mutant]:
    """The mutants of folders, files and lines."""
    found = []
    for path in paths:
        name, _, line = path.partition(":")
        files = sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]
        for file in files:
            of_file = mutants(file.relative_to(ROOT).as_posix())
            found += [mutant for mutant in of_file if not line or mutant.line == int(line)]
    return found


@functools.cache
def test_files(package: str) -> list[Path]:
    """The test files of a package, relative to the root."""
    return [file.relative_to(ROOT) for file in (ROOT / "tests" / package).rglob("test_*.py")]


def suite(path: str) -> list[list[str]]:
    """The test files of a module: that of its name, then the others of its folder, then the others of its package."""
    module = Path(path).relative_to("infograph")
    mirror = Path("tests") / module.parent / f"test_{module.name}"
    found = {Path(file) for file in SUITES[path]} if path in SUITES else set(test_files(module.parts[0])) - {mirror}
    near = {file for file in found if file.parent == mirror.parent}
    others = set(map(Path, WITNESSES.get(module.parts[0], ())))
    steps = ({mirror} if (ROOT / mirror).exists() else set(), near, found - near, others)
    return [sorted(file.as_posix() for file in step) for step in steps if step]


def statement(mutant: Mutant) -> set[int]:
    """The lines of the innermost statement around a mutant; of one with a body, those before the body."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source_of(mutant.path))):
        if isinstance(node, ast.stmt | ast.excepthandler):
            begin = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
            end = node.body[0].lineno - 1 if hasattr(node, "body") else node.end_lineno or node.lineno
            lines = set(range(begin, max(begin, end) + 1))
            if mutant.line in lines and (not found or len(lines) <= len(found)):
                found = lines
    return found


class Bench:
    """A copy of the tree, in which one mutant after another is made and tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(
                    ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
                )
            else:
                shutil.copy2(ROOT / name, folder / name)
        self.output = folder / "output.txt"
        """What pytest said last."""
        self.clean: dict[str, Clean] = {}
        """By test file."""
        self._changes = 0

    def verdict(self, mutant: Mutant) -> str:
        """`killed`, `survived` or `timeout`. Raises SystemExit where the tests fail without a fault in the code."""
        lines = statement(mutant)
        before = (self.folder / mutant.path).read_text("utf-8")
        for files in suite(mutant.path):
            for file in files:
                if file not in self.clean:
                    self.clean[file] = self._observe(file)
            reaching = {file: self.clean[file].reaching(mutant.path, lines) for file in files}
            seconds = {test: took for tests in reaching.values() for test, took in tests.items()}
            if not seconds:
                continue
            ordered = sorted(filter(reaching.get, files), key=lambda file: sum(reaching[file].values()))
            self._write(mutant.path, mutated(mutant))
            try:
                status = self._pytest(ordered, STARTUP + PATIENCE * sum(seconds.values()), _Chosen(seconds))
            finally:
                self._write(mutant.path, before)
            if status != 0:
                return "timeout" if status is None else "killed"
        return "survived"

    def notices(self, mutant: Known) -> bool:
        """Whether the tests named for a fault fail with it. Raises SystemExit where they fail without it too."""
        limit = 600
        if status := self._pytest(mutant.tests, limit, _All()):
            sys.exit(f"{' '.join(mutant.tests)}: status {status} without a mutant")
        before = (self.folder / mutant.file).read_text("utf-8")
        self._write(mutant.file, before.replace(mutant.old, mutant.new))
        try:
            status = self._pytest(mutant.tests, limit, _All())
        finally:
            self._write(mutant.file, before)
        if status not in (0, TESTS_FAILED, None):
            sys.exit(f"{mutant.name}: {' '.join(mutant.tests)} cannot run: status {status}")
        return status != 0

    def _observe(self, file: str) -> Clean:
        """What the tests of a file do without a fault."""
        watch = _Watch(self.folder)
        if self._pytest([file], 3600, watch) not in (0, NO_TESTS):
            said = self.output.read_text("utf-8", "replace").splitlines()
            sys.exit("\n".join([f"the tests of {file} fail without a mutant:", *said[-40:]]))
        return watch.read()

    def _write(self, path: str, source: str) -> None:
        """A new time for each state: Python takes compiled code for that of a source by its time, in seconds."""
        self._changes += 1
        file = self.folder / path
        file.write_text(source, "utf-8")
        os.utime(file, (self._changes, self._changes))

    def _pytest(self, files: Sequence[str], limit: float, plugin: Any) -> int | None:
        """pytest's status; None when it had to be ended."""
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = self._in_child(files, plugin)
            finally:
                os._exit(status)
        deadline = time.monotonic() + limit
        while True:
            pid, wait_status = os.waitpid(child, os.WNOHANG)
            if pid:
                _end_group(child)
                return os.waitstatus_to_exitcode(wait_status)
            if time.monotonic() > deadline:
                _end_group(child)
                os.waitpid(child, 0)
                return None
            time.sleep(0.02)

    def _in_child(self, files: Sequence[str], plugin: Any) -> int:
        import pytest
        from hypothesis import Phase, settings

        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        os.environ["PYTHONPATH"] = str(self.folder)
        output = os.open(self.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        settings.register_profile("mutation", phases=[Phase.explicit, Phase.generate], database=None)
        settings.load_profile("mutation")
        infograph = find_spec("infograph")
        assert infograph is not None and infograph.origin == str(self.folder / "infograph" / "__init__.py")
        arguments = [
            "-n",
            "0",
            "-x",
            "-q",
            "-m",
            "slow or not slow",
            "-p",
            "no:cacheprovider",
            "--hypothesis-seed",
            "0",
        ]
        arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning", "--basetemp", str(self.folder / "temporary")]
        plugin.start()
        return int(pytest.main([*arguments, *files], plugins=[_Few(), plugin]))


@dataclass(frozen=True)
class Clean:
    """What the tests of a file do without a fault."""

    seconds: dict[str, float]
    """By test."""
    lines: dict[str, dict[int, list[str]]]
    """Which tests run a line, by file of infograph. `""` is none: imports, and what prepares several tests."""

    def reaching(self, path: str, lines: set[int]) -> dict[str, float]:
        """The tests that a fault in these lines can reach, with their seconds."""
        found = {test for line, tests in self.lines.get(path, {}).items() if line in lines for test in tests}
        quick = {test: took for test, took in self.seconds.items() if took <= SLOWEST}
        return {test: took for test, took in quick.items() if "" in found or test in found}


class _Few:
    """A plugin of pytest: hypothesis draws few examples, whatever a test asks for."""

    def pytest_collection_finish(self, session: Any) -> None:
        from hypothesis import settings

        asked = "_hypothesis_internal_use_settings"
        for test in {item.function for item in session.items if hasattr(item.function, asked)}:
            own = getattr(test, asked)
            setattr(test, asked, settings(own, max_examples=min(own.max_examples, EXAMPLES)))


class _Watch:
    """A plugin of pytest that notes which lines of infograph each test runs, and for how many seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "watched.json"
        self._seconds: dict[str, float] = {}

    def start(self) -> None:
        """Before pytest imports anything of infograph."""
        from coverage import Coverage

        self._coverage = Coverage(data_file=None, config_file=False, source=[str(self._folder / "infograph")])
        self._coverage.start()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Before the call its test begins to count, after it no longer."""
        if report.when == "call":
            self._seconds[report.nodeid] = report.duration
        self._coverage.switch_context(report.nodeid if report.when == "setup" else "")

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            Path(file).relative_to(self._folder).as_posix(): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }
        self._file.write_text(json.dumps([self._seconds, lines]))

    def read(self) -> Clean:
        seconds, lines = json.loads(self._file.read_text())
        return Clean(seconds, {path: {int(line): of for line, of in by.items()} for path, by in lines.items()})


class _All:
    """A plugin of pytest that changes nothing."""

    def start(self) -> None:
        """Nothing to prepare."""


class _Chosen:
    """A plugin of pytest that runs some of the tests, the quickest first."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds

    def start(self) -> None:
        """Nothing to prepare."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._seconds), key=lambda item: self._seconds[item.nodeid]
        )


def _end_group(leader: int) -> None:
    """Ends what a mutant's process leaves behind, or the process itself."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson, "Probable inference, the law of succession, and statistical inference")."""
    z = 1.959964
    share, weight = hits / total, 1 + z * z / total
    centre = (share + z * z / (2 * total)) / weight
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / weight
    return centre - half, centre + half


def run(sample: Sequence[Mutant], say: Callable[[str], None] = print) -> list[tuple[Mutant, str]]:
    """Each mutant with its verdict. Says those that nobody noticed as they come, and on stderr how far it is."""
    for name in PRELOADED:
        import_module(name)
    results = []
    with tempfile.TemporaryDirectory(prefix="infograph-mutation-") as folder:
        bench = Bench(Path(folder).resolve())
        for number, mutant in enumerate(sample, 1):
            verdict = bench.verdict(mutant)
            results.append((mutant, verdict))
            print(f"{number} of {len(sample)}: {verdict}: {mutant.path}:{mutant.line}", file=sys.stderr, flush=True)
            if verdict != "killed":
                say(f"{verdict}: {mutant.path}:{mutant.line}: {change(mutant)}")
    return results


def run_known(word: str) -> int:
    """Says of each fault made by hand whether its tests notice it; returns how many they do not."""
    found = [mutant for mutant in known_mutants() if word in mutant.name]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="infograph-mutation-") as folder:
        bench = Bench(Path(folder).resolve())
        for mutant in found:
            noticed = bench.notices(mutant)
            missed += not noticed
            print(f"{'noticed' if noticed else 'SURVIVED'}: {mutant.name} ({mutant.file})", flush=True)
    print(f"{len(found) - missed} of {len(found)} known mutants noticed")
    return missed


def report(results: Sequence[tuple[Mutant, str]], of: int) -> float:
    """Says the figures; returns the percentage of mutants that were noticed."""
    counts = Counter(verdict for _, verdict in results)
    noticed = len(results) - counts["survived"]
    low, high = wilson(noticed, len(results))
    parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("killed", "timeout", "survived"))
    print(f"{len(results)} of {of} mutants: {parts}")
    print(f"{noticed / len(results):.1%} noticed (95% interval {low:.1%} to {high:.1%})")
    return 100 * noticed / len(results)


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of a seeded sample.")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants (200); all, where there are fewer")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--path", nargs="+", default=list(PATHS), help="folders, files or file:line of infograph")
    parser.add_argument("--least", type=float, default=0, help="percent that must be noticed (0)")
    known = "the faults of known_mutants.toml instead of a sample; with a word, those that have it in their names"
    parser.add_argument("--known", nargs="?", const="", help=known)
    options = parser.parse_args()
    if options.known is not None:
        return int(run_known(options.known) > 0)
    if sys.platform == "win32" or not find_spec("cosmic_ray"):
        sys.exit("mutation.py needs Unix and cosmic-ray: pip install 'infograph[mutation,test]'")
    population = chosen(options.path)
    ordered = sorted(population, key=lambda mutant: mutant.rank(options.seed))
    sample = list(islice(filter(is_program, ordered), options.sample))
    if not sample:
        sys.exit("there is nothing to mutate")
    return int(report(run(sample), len(population)) < options.least)


if __name__ == "__main__":
    sys.exit(main())
