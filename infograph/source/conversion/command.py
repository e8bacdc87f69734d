"""Converts files by a command of the user's, and runs programs for converters."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence

from infograph.errors import ConfigError, DocumentError
from infograph.source.conversion.interface import ConversionOptions, Converted

_LONGEST_MESSAGE = 200
_LARGEST_OUTPUT = 50_000_000
"""Most bytes that a program may write."""


def convert_by_command(path: str, data: bytes, command: str, options: ConversionOptions) -> Converted:
    """Converts a file by a command of the user's: it gets the file on its standard input, or its path in the place of
    `{file}`, and writes Markdown. Raises ConfigError where it cannot be run, DocumentError where it fails."""
    arguments = shlex.split(command)
    if any("{file}" in argument for argument in arguments):
        suffix = os.path.splitext(path)[1]
        with tempfile.NamedTemporaryFile(suffix=suffix) as copy:  # the bytes that were read, whatever stands there now
            copy.write(data)
            copy.flush()
            arguments = [argument.replace("{file}", copy.name) for argument in arguments]
            written = output_of(path, arguments, b"", options.seconds)
    else:
        written = output_of(path, arguments, data, options.seconds)
    try:
        text = written.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise DocumentError(path, f"`{command}` wrote what is not UTF-8: {error.reason}") from None
    if "\0" in text:
        raise DocumentError(path, f"`{command}` wrote a NUL character, which is no Markdown")
    return Converted(text)


def output_of(path: str, arguments: Sequence[str], data: bytes, seconds: float) -> bytes:
    """Runs a program, without a shell, and returns what it writes. Raises ConfigError and DocumentError.

    data:    its standard input
    seconds: longest time
    """
    try:
        done = subprocess.run(arguments, input=data, capture_output=True, timeout=seconds, check=False)
    except OSError as error:
        raise ConfigError("source.convert", f"`{arguments[0]}` cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        reason = f"`{arguments[0]}` took longer than {seconds:g} seconds"
        raise DocumentError(path, reason, "Raise `source.convert_seconds`, or exclude the file") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-_LONGEST_MESSAGE:]
        raise DocumentError(path, f"`{arguments[0]}` ended with status {done.returncode}: {said}")
    if len(done.stdout) > _LARGEST_OUTPUT:
        raise DocumentError(path, f"`{arguments[0]}` wrote more than {_LARGEST_OUTPUT:,} bytes")
    return done.stdout
