"""What a person sees in the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from infograph.client import Progress
from infograph.commands.console import Console, DownloadMeter, print_summary
from infograph.config import Settings, load
from infograph.errors import DocumentError, Notice
from infograph.pipeline.summary import Summary
from infograph.progress import Silent, TimeLeft, amount


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load(str(tmp_path), environment={})


def test_plain_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    with console.phase("chunk", "3 documents") as advance:
        advance(0.5)
    console.say("a word")
    assert capsys.readouterr() == ("", "chunk: 3 documents\na word\n")
    quiet = Console(quiet=True)
    with quiet.phase("chunk", "3 documents") as advance:
        advance(1.0)
    quiet.say("a word")
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal_but_not_in_ci(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("CI", raising=False)
    with Console().phase("embed", "9 texts") as advance:
        for share in (0.0, 0.25, 0.25, 1.0):
            advance(share)
    assert "embed  9 texts" in capsys.readouterr().err
    monkeypatch.setenv("CI", "1")
    with Console().phase("embed", "9 texts"):
        pass
    assert capsys.readouterr().err == "embed: 9 texts\n"


def test_the_bar_tells_the_time_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("CI", raising=False)
    now = [100.0]
    monkeypatch.setattr("infograph.commands.console.TimeLeft", lambda: TimeLeft(lambda: now[0]))
    with Console().phase("embed", "9 texts") as advance:
        for second in range(1, 11):
            now[0] += 1
            advance(second / 100)
    err = capsys.readouterr().err
    assert "1:30 min left" in err
    assert "left" not in err.rpartition("100%")[2]


def test_many_problems_are_listed_and_then_counted(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    summary = Summary(
        errors=[DocumentError("a.md:3", "is bad", "Mend it.")],
        notices=[Notice(f"{n}.md", "symlink", "is not followed") for n in range(1, 31)],
        stale=[f"{n}/index.json" for n in range(1, 31)],
        bytes=1_234_567,
        written=1,
        documents=1,
    )
    print_summary(settings, summary, quiet=False)
    out, err = capsys.readouterr()
    assert "error: a.md:3: is bad. Mend it." in err
    assert "warning: symlink: 30 in 30 files" in err and "… and 27 more (--json lists all)" in err
    assert "30 outputs stale:" in err
    assert out == (
        "1 document · 0 topics · 0 chunks · 0 embedded · 0 cached\n"
        "1 file written, 0 removed · 1.2 MB · 0.0 s · 1 error\n"
    )
    print_summary(settings, summary, quiet=True)
    out, err = capsys.readouterr()
    assert out == "" and "error: a.md:3" in err and "warning" not in err


def test_errors_of_one_reason_are_said_once(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    errors = [DocumentError(f"{n}.rs", "needs a grammar", "Install it.") for n in range(1, 101)]
    other = DocumentError("a.md:3", "is bad")
    print_summary(settings, Summary(errors=[errors[0], other, *errors[1:]]), quiet=True)
    assert capsys.readouterr().err == (
        "error: 100 times: needs a grammar. Install it.\n  1.rs\n  2.rs\n  3.rs\n  … and 97 more (--json lists all)\n"
        "error: a.md:3: is bad\n"
    )


def test_the_names_of_files_command_no_terminal(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\nerror: b\x1b[2J.md"
    errors = [DocumentError(f"{n}{name}", "is bad") for n in range(2)]
    summary = Summary(errors=[*errors, DocumentError(name, "is worse")], notices=[Notice(name, "symlink", "is one")])
    summary.stale = [name]
    print_summary(settings, summary, quiet=False)
    _, err = capsys.readouterr()
    assert err.count("a\\nerror: b\\x1b[2J.md") == 5
    assert "\x1b" not in err and len(err.splitlines()) == 8


def test_every_stale_output_is_named(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    stale = [*(f"_search/{n}" for n in range(100)), "guide/_chunks/intro-0.md"]
    for quiet in (False, True):
        print_summary(settings, Summary(stale=stale), quiet=quiet)
        assert capsys.readouterr().err == "101 outputs stale:\n" + "".join(f"  {path}\n" for path in stale)


def test_warnings_that_fail_a_build_are_listed_further(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strict = load(str(tmp_path), environment={}, flags={"strict": True})
    notices = [Notice(f"{n}.md", "symlink", "is not followed") for n in range(1, 31)]
    print_summary(strict, Summary(notices=notices), quiet=True)
    err = capsys.readouterr().err
    assert "  20.md: is not followed" in err and "… and 10 more (--json lists all)" in err


def test_amounts() -> None:
    assert [amount(n, "file") for n in (0, 1, 2, 3667)] == ["0 files", "1 file", "2 files", "3,667 files"]
    with Silent().phase("x", "y") as advance:
        advance(1.0)
    Silent().say("nothing")


class TestDownloadMeter:
    class Stream(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.isatty = lambda: terminal  # type: ignore[method-assign]

    @pytest.mark.parametrize("terminal", [True, False])
    def test_it_speaks_only_once_it_takes_long(self, terminal: bool) -> None:
        stream, now = self.Stream(terminal), [0.0]
        meter = DownloadMeter(stream, lambda: now[0])
        for second in (0.5, 1.0, 1.4):
            now[0] = second
            meter.update(Progress(1, 9, 1000))
        meter.clear()
        assert stream.getvalue() == ""

    def test_on_a_terminal_it_is_one_line(self) -> None:
        stream, now = self.Stream(True), [0.0]
        meter = DownloadMeter(stream, lambda: now[0])
        for second in (2.0, 2.05, 3.0):
            now[0] = second
            meter.update(Progress(int(second), 1200, 2_500_000))
        meter.clear()
        first, second_, end = stream.getvalue().split("\r")[1:4]
        assert (first, second_) == ("2 of 1,200 files read, 2.5 MB", "3 of 1,200 files read, 2.5 MB")
        assert end == " " * len(first) and "\n" not in stream.getvalue()

    def test_elsewhere_it_is_a_line_now_and_then(self) -> None:
        stream, now = self.Stream(False), [0.0]
        meter = DownloadMeter(stream, lambda: now[0])
        for tick in range(300):
            now[0] = tick / 10
            meter.update(Progress(tick, 300, 0))
        meter.clear()
        assert len(stream.getvalue().splitlines()) == 3 and "\r" not in stream.getvalue()
