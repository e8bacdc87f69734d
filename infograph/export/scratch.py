"""A table on disk for what has to be looked up while rows are made, so that memory stays flat."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any

from infograph.errors import FormatError, OutputError
from infograph.formats.names import SEARCH

RowValues = Sequence[Any]


class Scratch:
    """An SQLite database in a temporary file, gone when it is closed. Every method may raise OutputError, as where the
    disk is full, and FormatError for rows that contradict each other.

    tables: statements that make its tables
    """

    def __init__(self, *tables: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="infograph-")
        with self._named():
            self._database = sqlite3.connect(os.path.join(self._folder.name, "scratch.db"), isolation_level=None)
            # Nobody reads it after a crash, so nothing waits for the disk.
            for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN", *tables):
                self._database.execute(statement)

    def put(self, statement: str, rows: Iterable[RowValues]) -> None:
        """Runs a statement for each row of values."""
        with self._named():
            self._database.executemany(statement, rows)

    def do(self, statement: str) -> None:
        """Runs a statement."""
        with self._named():
            self._database.execute(statement)

    def all(self, statement: str, values: RowValues = ()) -> list[Any]:
        """Returns the rows that a statement finds."""
        with self._named():
            return self._database.execute(statement, values).fetchall()

    def one(self, statement: str, values: RowValues = ()) -> Any:
        """Returns the first row that a statement finds; None without one."""
        with self._named():
            return self._database.execute(statement, values).fetchone()

    def each(self, statement: str) -> Iterator[Any]:
        """Yields the rows that a statement finds, as they are read."""
        with self._named():
            yield from self._database.execute(statement)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.IntegrityError, OverflowError) as error:
            raise FormatError(SEARCH, f"its files contradict each other: {error}", "Build the site again") from error
        except sqlite3.Error as error:
            hint = "Make room there, or set TMPDIR to a folder with more."
            raise OutputError(self._folder.name, f"the temporary table cannot be kept: {error}", hint) from error

    def __enter__(self) -> Scratch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._database.close()
        self._folder.cleanup()
