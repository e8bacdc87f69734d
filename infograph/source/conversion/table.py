"""The table of converters: which suffix has which, and what it needs."""

from __future__ import annotations

from collections.abc import Sequence

from infograph.errors import ConfigError, missing_extra
from infograph.model import MARKDOWN, OTHERS, RENDERED
from infograph.source.conversion.interface import Convert, Converter


def _page() -> Convert:
    from infograph.source.conversion.page import convert_page

    return convert_page


def _rst() -> Convert:
    from infograph.source.conversion.rst import convert_rst

    return convert_rst


def _notebook() -> Convert:
    from infograph.source.conversion.notebook import convert_notebook

    return convert_notebook


def _asciidoc() -> Convert:
    from infograph.source.conversion.asciidoc import convert_asciidoc

    return convert_asciidoc


def _pdf() -> Convert:
    from infograph.source.conversion.pdf import convert_pdf

    return convert_pdf


def _docx() -> Convert:
    from infograph.source.conversion.docx import convert_docx

    return convert_docx


def by_command(command: str) -> Converter:
    """Returns the converter that a command of the user's is."""

    def load() -> Convert:
        from infograph.source.conversion.command import convert_by_command

        return lambda path, data, options: convert_by_command(path, data, command, options)

    return Converter(f"command {command}", 1, load)


def _left_out_by_name(path: str) -> str:
    from infograph.source.conversion.page_head import left_out_by_name  # few trees have pages

    return left_out_by_name(path)


_PAGE = Converter("html", 3, _page, "html", ("html-to-markdown", "selectolax"), _left_out_by_name)

_RST = Converter("rst", 3, _rst, "rst", ("docutils", "html-to-markdown", "selectolax"))
_NOTEBOOK = Converter("notebook", 1, _notebook, "notebooks", ("nbformat",))
_ASCIIDOC = Converter("asciidoc", 3, _asciidoc, "html", ("html-to-markdown", "selectolax"))
_PDF = Converter("pdf", 1, _pdf, "pdf", ("pypdfium2",))
_DOCX = Converter("docx", 2, _docx, "docx", ("mammoth", "html-to-markdown", "selectolax"))

CONVERTERS: dict[str, Converter] = {
    **dict.fromkeys(RENDERED, _PAGE),
    ".rst": _RST,
    ".ipynb": _NOTEBOOK,
    **dict.fromkeys((".adoc", ".asciidoc"), _ASCIIDOC),
    ".pdf": _PDF,
    ".docx": _DOCX,
}
"""Converter of the files with a suffix."""

READABLE = (*MARKDOWN, *OTHERS, *CONVERTERS)
"""Suffixes of files that can be documents."""

NAMED = (*CONVERTERS, ".org", ".tex", ".textile", ".odt", ".rtf", ".doc", ".pptx", ".epub")
"""Suffixes of files that a person would call documents, so that a build says that it does not read them."""


def suffix_of(name: str, suffixes: Sequence[str]) -> str:
    """Returns which of the suffixes a name ends in; empty for none."""
    lower = name.lower()
    return next((suffix for suffix in suffixes if lower.endswith(suffix)), "")


def loaded(converter: Converter, place: str) -> Convert:
    """Returns the function of a converter. Raises ConfigError, which names the extra, where its package is missing."""
    try:
        return converter.load()
    except ImportError as error:
        if not converter.extra:
            raise
        reason = f"to read it needs {' and '.join(converter.packages)}"
        raise missing_extra(converter.extra, place, reason, error) from error


def unreadable(suffix: str, place: str) -> ConfigError:
    """The error for a pattern that asks for files of a kind that nothing reads."""
    hint = f"Readable are {', '.join(READABLE)}; `source.convert` names a command for another kind."
    return ConfigError(place, f"files that end in `{suffix}` cannot be read", hint)
