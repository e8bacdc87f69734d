"""Converts reStructuredText: docutils reads it, and what it makes of it is converted as a page is.

Roles and directives of Sphinx, which docutils does not know, give their text. Fields above all else are about the file,
as Sphinx has it, and no part of its text: the title and the description among them are the document's. No file is
included, and nothing of the file is passed on as HTML.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import io, nodes
from docutils.core import publish_doctree, publish_parts
from docutils.parsers.rst import Directive, directives, roles

from infograph.errors import DocumentError, Notice
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.page import convert_page

_TITLED = re.compile(r"(?s)^(.*?)\s*<[^<>]+>$")
_NOTES = {
    "seealso": "See also",
    "todo": "To do",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
"""Directives that are notes, and what a reader sees of their names."""
_LISTINGS = ("code", "code-block", "sourcecode", "testcode", "doctest", "ipython", "prompt")
_SILENT = ("toctree", "index", "currentmodule", "py:currentmodule", "highlight", "tabularcolumns", "literalinclude")
_PLAIN = ("ref", "doc", "term", "abbr", "numref", "guilabel", "menuselection", "rfc", "pep")
"""Roles whose text is no code."""
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "halt_level": 5,
    "report_level": 5,
    "syntax_highlight": "none",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "math_output": "LaTeX",
    "doctitle_xform": False,
    "initial_header_level": "1",
    "line_length_limit": 100_000,
}


class _AnyOption(dict[str, Any]):
    """Options of a directive: any name, with any value."""

    def __getitem__(self, key: str) -> Any:
        return str

    def __bool__(self) -> bool:
        return True


class _Note(Directive):
    """A directive whose content is a note."""

    has_content = True
    option_spec = _AnyOption()
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        given, said = " ".join(self.arguments), ""
        if self.name.startswith(("version", "deprecated")):  # as Sphinx has it, a text may follow
            given, said = [*given.split(None, 1), "", ""][:2]
        note = nodes.admonition("", nodes.title("", f"{_NOTES[self.name]} {given}".strip()), classes=["note"])
        if said:
            note += nodes.paragraph("", "", *self.state.inline_text(said, self.lineno)[0])
        self.state.nested_parse(self.content, self.content_offset, note)
        return [note]


class _Listing(Directive):
    """A directive whose content is a listing."""

    has_content = True
    option_spec = _AnyOption()
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        language = self.arguments[0] if self.arguments else ""
        text = "\n".join(self.content)
        return [nodes.literal_block(text, text, classes=["code", f"highlight-{language}"] if language else ["code"])]


class _Silent(Directive):
    """A directive that shows nothing of its own."""

    has_content = True
    option_spec = _AnyOption()
    optional_arguments = 100
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        return []


class _Unknown(Directive):
    """Any other directive: its argument as a title, then its content."""

    has_content = True
    option_spec = _AnyOption()
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        if self.arguments:
            found.append(nodes.paragraph("", "", nodes.strong("", " ".join(self.arguments[0].split()))))
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        return [*found, *body.children]


def _role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = ()) -> Any:
    """Gives the text of a role: `:ref:\\`title <target>\\`` its title, `:func:` its name as code."""
    text = nodes.unescape(text)
    titled = _TITLED.match(text)
    shown = titled[1] if titled else text.lstrip("~!")
    kind = name.rpartition(":")[2]
    plain = titled is not None or kind in _PLAIN
    return [nodes.inline("", shown) if plain else nodes.literal("", shown)], []


_OWN: dict[str, type[Directive]] = {
    **dict.fromkeys(_NOTES, _Note),
    **dict.fromkeys(_LISTINGS, _Listing),
    **dict.fromkeys(_SILENT, _Silent),
}


class _Degrading:
    """Has docutils take every role and directive that it does not know, while it reads one file.

    What others have registered in this process, as Sphinx does, is not asked.
    """

    def __enter__(self) -> _Degrading:
        self._registered = directives._directives, roles._roles
        directives._directives, roles._roles = {}, {}
        self._role, self._directive = roles.role, directives.directive
        found_role, found_directive = self._role, self._directive

        def role(name: str, *rest: Any) -> Any:
            found, messages = found_role(name, *rest)
            return (found, messages) if found else (_role, [])

        def directive(name: str, *rest: Any) -> Any:
            if name in _OWN:
                return _OWN[name], []
            found, messages = found_directive(name, *rest)
            return (found, messages) if found else (_Unknown, [])

        roles.role, directives.directive = role, directive
        return self

    def __exit__(self, *error: object) -> None:
        roles.role, directives.directive = self._role, self._directive
        directives._directives, roles._roles = self._registered


def convert_rst(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a file of reStructuredText. Raises DocumentError for one that docutils cannot read at all."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: {error.reason} at byte {error.start}"
        raise DocumentError(path, reason, "Save the file as UTF-8") from None
    try:
        with _Degrading():
            document = publish_doctree(text, settings_overrides=_SETTINGS)
            fields = _fields_taken(document)
            parts = publish_parts(
                document, source_class=io.DocTreeInput, reader="doctree", writer="html5", settings_overrides=_SETTINGS
            )
    except (Exception, SystemExit) as error:
        reason = f"docutils cannot read it: {type(error).__name__}: {str(error)[:200]}"
        raise DocumentError(path, reason, "Mend it, or exclude it") from error
    page = f"<main>{parts['html_body']}</main>"
    found = convert_page(path, page.encode(), options)
    lost = text.count(".. include::") + text.count(".. literalinclude::") + text.count(".. raw::")
    notices = (Notice(path, "markup", "files that it includes and raw parts are not indexed", lost),) if lost else ()
    return Converted(found.text, fields.get("title"), fields.get("description"), notices=notices)


def _fields_taken(document: nodes.document) -> dict[str, str]:
    """Takes the fields above all else out of a document, but for those that docutils knows, as the author and the date.
    Returns their texts, each on one line, by their names in lower case."""
    found = {}
    for field in [own for above in document.findall(nodes.docinfo) for own in above if isinstance(own, nodes.field)]:
        name, body = (" ".join(part.astext().split()) for part in field)
        found[name.lower()] = body
        above = field.parent
        above.remove(field)
        if not len(above):
            above.parent.remove(above)
    return found
