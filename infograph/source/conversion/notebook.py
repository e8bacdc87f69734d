"""Converts Jupyter notebooks: cells of Markdown as they are, code as fences, outputs where they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import nbformat

from infograph.errors import DocumentError, Notice
from infograph.source.conversion.fences import fenced
from infograph.source.conversion.interface import ConversionOptions, Converted

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LONGEST_OUTPUT = 4_000
"""Most characters of one output that are kept."""
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,30}")


def convert_notebook(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a notebook of any version that nbformat reads. Raises DocumentError for a file that is none."""
    try:
        # As `nbformat.reads`, without its validation, which warns of cells that have no id, as most notebooks' do.
        notebook = nbformat.convert(nbformat.reader.reads(data.decode("utf-8")), 4)
        cells = list(notebook.cells)
        metadata = dict(notebook.metadata)
    except (UnicodeDecodeError, nbformat.reader.NotJSONError, nbformat.ValidationError) as error:
        raise DocumentError(path, f"not a notebook: {str(error)[:200]}", "Exclude it, or mend it") from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DocumentError(path, f"not a notebook: {type(error).__name__}: {str(error)[:200]}", "Exclude it") from None
    language = _language(metadata)
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    skipped = 0
    for number, cell in enumerate(cells, 1):
        parts = [part for part in _parts(cell, language, options.outputs) if part]
        skipped += sum("image" in kind for output in cell.get("outputs", ()) for kind in output.get("data", ()))
        if parts:
            places.append((len(lines), number))
            lines += [*"\n\n".join(parts).split("\n"), ""]
    title = metadata.get("title")
    notices: tuple[Notice, ...] = ()
    if skipped and options.outputs:
        notices = (Notice(path, "markup", f"{skipped} pictures among its outputs are not indexed", skipped),)
    return Converted(
        "\n".join(lines), title if isinstance(title, str) else None, unit="cell", places=tuple(places), notices=notices
    )


def _language(metadata: dict[str, Any]) -> str:
    for holder, name in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(holder)
        found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, str) and _LANGUAGE.fullmatch(found):
            return found
    return "python"


def _parts(cell: Any, language: str, outputs: bool) -> Iterator[str]:
    """Yields the Markdown of a cell and of its outputs."""
    source = _text(cell.get("source", "")).strip("\n")
    kind = cell.get("cell_type")
    if kind == "markdown":
        yield source
    elif source.strip():
        yield fenced(source, language if kind == "code" else "")
    if outputs:
        for output in cell.get("outputs", ()):
            text = _ESCAPES.sub("", _output(output)).strip("\n")
            if len(text) > _LONGEST_OUTPUT:
                text = f"{text[:_LONGEST_OUTPUT]}\n…"
            yield fenced(text, "") if text.strip() else ""


def _output(output: Any) -> str:
    """Returns the plain text of an output; empty for a picture, or what only a browser shows."""
    if output.get("output_type") == "error":
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    data = output.get("data", {})
    return _text(output.get("text") or (data.get("text/plain", "") if isinstance(data, dict) else ""))


def _text(value: Any) -> str:
    text = "".join(map(str, value)) if isinstance(value, list) else str(value)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
