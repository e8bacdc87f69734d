"""Files that commands convert."""

from __future__ import annotations

import shlex
import sys

import pytest

from infograph.errors import ConfigError, DocumentError
from infograph.source.conversion.command import convert_by_command
from infograph.source.conversion.interface import ConversionOptions


def run(program: str, data: bytes = b"text", *arguments: str, seconds: float = 30) -> str:
    command = shlex.join([sys.executable, "-c", program, *arguments])
    return convert_by_command("a.org", data, command, ConversionOptions(seconds=seconds)).text


def test_standard_input_and_the_place_of_a_file() -> None:
    assert run("import sys; print('# ' + sys.stdin.read())") == "# text\n"
    assert run("import sys; print(open(sys.argv[1]).read(), sys.argv[1][-4:])", b"it", "{file}") == "it .org\n"


def test_no_shell_is_involved() -> None:
    assert run("import sys; print(sys.argv[1])", b"", "$(echo x); `y`") == "$(echo x); `y`\n"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import sys; sys.exit('it is broken')", "ended with status 1: it is broken"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "not UTF-8"),
        ("import sys; sys.stdout.buffer.write(b'\\0')", "NUL"),
        ("import time; time.sleep(60)", "took longer than 0.5 seconds"),
    ],
)
def test_commands_that_fail_cost_the_file(program: str, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        run(program, seconds=0.5)


def test_commands_that_are_not_there() -> None:
    with pytest.raises(ConfigError, match=r"source\.convert: `no-such-program` cannot be run"):
        convert_by_command("a.org", b"", "no-such-program", ConversionOptions())
