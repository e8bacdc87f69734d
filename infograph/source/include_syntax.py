"""Finds includes that name a file: those of MkDocs, FastAPI, DocFX, Sphinx, MyST, mdBook, Docusaurus and Jekyll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from infograph.source.include_slices import WHOLE, Selection, line_ranges

Options = dict[str, str]


@dataclass(frozen=True, slots=True)
class Include:
    """One include: a range of a text, the file that it names, and what of the file it takes."""

    start: int
    end: int
    target: str
    """Path as written."""
    selection: Selection = WHOLE
    fenced: bool = False
    """Whether code is shown in a fence that the include itself makes."""
    language: str = ""
    """Language of that fence; empty where the file's suffix says it."""
    indent: str = ""
    """White space before the include, which stands before each of its lines."""


_SNIPPET = re.compile(
    r"(?<![;-])-++8<-++[ \t]++(?:\"(?P<double>[^\"\n]{1,500})\"|'(?P<single>[^'\n]{1,500})')"
    r"|^[ \t]*+-++8<-++\r?\n(?P<block>(?:[^\n]{0,500}\n){1,200}?)[ \t]*+-++8<-++\r?$",
    re.MULTILINE,
)
_SNIPPET_PART = re.compile(r"(?P<path>.+?)(?::(?P<part>\d[\d:,]*|:\d+|[A-Za-z][\w-]*))?")

_VARIANT = re.compile(r"\{\*[ \t]++(?P<path>[^\s{}*]+)(?P<options>[^{}\n]*?)[ \t]*\*\}")
_VARIANT_LINES = re.compile(r"\bln\[([\d:, -]+)\]")
_MARKDOWN_INCLUDE = re.compile(r"\{!>?[ \t]*(?P<path>[^\s!{}|]+)[^{}\n]*?!\}")

_MDBOOK = re.compile(
    r"(?<!\\)\{\{#(?:rustdoc_include|include|playground)[ \t]+(?P<path>[^\s{}:]+)(?::(?P<part>[^\s{}]*))?[^{}\n]*\}\}"
)
_DOCFX = re.compile(
    r"\[!(?P<kind>include|code(?:-(?P<language>[\w-]+))?)[ \t]*\[[^\]\n]{0,500}\][ \t]*\((?P<path>[^)\s?#]{1,500}+)"
    r"(?:\?(?P<query>[^)\s#]{0,200}+))?(?:#(?P<fragment>[^)\s]{0,200}+))?[^)\n]{0,200}\)[ \t]*\]",
    re.IGNORECASE,
)
_LEARN_CODE = re.compile(r"^[ \t]*:::[ \t]*code[ \t](?P<options>[^\n]{1,500}?):::[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,}|:{3,})\{(?P<name>literalinclude|include)\}[ \t]+"
    r"(?P<path>[^\n]+?)[ \t]*\n"
    r"(?P<options>(?:[ \t]*:[\w-]+:[^\n]*\n|[ \t]*\n){0,40})(?P=indent)(?P=fence)[ \t]*$",
    re.MULTILINE,
)
_OPTION = re.compile(r"^[ \t]*:([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_TAG = re.compile(
    r"(?<!\{)\{%-?\s*+(?P<name>include-markdown|include_relative|include_cached|include)\s++"
    r"(?:\"(?P<double>[^\"\n]{1,500})\"|'(?P<single>[^'\n]{1,500})'|(?P<bare>[\w./-]{1,500}))"
    r"(?P<options>(?:[^%]|%(?!\})){0,2000}?)%\}"
)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+))")
_SHORTCODE = re.compile(
    r"\{\{[<%][ \t]*(?:include|readfile|read-file|include-file|code-include|includecode|code_file|codefile)[ \t]+"
    r"(?P<options>[^{}\n]{1,300}?)[ \t]*/?[%>]\}\}"
)
_IMPORT = re.compile(
    r"^import[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+from[ \t]+(?P<quote>[\"'])(?P<raw>!{0,2}raw-loader!)?"
    r"(?P<path>\.[^\"'\n]+)(?P=quote)[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_RAW_USE = re.compile(r"<CodeBlock\b[^<>]*>\s*\{\s*([A-Za-z_]\w*)\s*\}\s*</CodeBlock>|\{\s*([A-Za-z_]\w*)\s*\}")
_PARTIAL_USE = re.compile(r"<([A-Za-z_]\w*)\b[^<>]*/>")


def find_includes(text: str) -> Iterator[Include]:
    """Yields the includes of a text, those of one syntax after those of another.

    text: with line feeds for all line ends, see `unified_in_place`
    """
    for trigger, find in _FINDERS:
        if trigger in text:
            yield from (_indented(text, include) for include in find(text))


def attributes(text: str) -> Options:
    """The options of a tag: `name="value"`, in quotes or not."""
    return {name: double or single or bare for name, double, single, bare in _ATTRIBUTE.findall(text)}


def _indented(text: str, include: Include) -> Include:
    before = text[text.rfind("\n", 0, include.start) + 1 : include.start]
    return replace(include, indent=before if before and not before.strip() else "")


def _snippets(text: str) -> Iterator[Include]:
    for match in _SNIPPET.finditer(text):
        if match["block"] is None:
            yield _snippet(match.start(), match.end(), match["double"] or match["single"])
            continue
        # Each file of a block replaces its own line; the marks around them go with the first and the last one.
        at, lines = match.start("block"), match["block"].splitlines(keepends=True)
        named = [
            n for n, line in enumerate(lines) if (path := line.strip()) and not path.startswith(";") and " " not in path
        ]
        for number, line in enumerate(lines):
            if number in named:
                start = match.start() if number == named[0] else at
                end = match.end() if number == named[-1] else at + len(line.rstrip("\n"))
                yield _snippet(start, end, line.strip())
            at += len(line)


def _snippet(start: int, end: int, named: str) -> Include:
    match = _SNIPPET_PART.fullmatch(named)
    assert match
    part = match["part"] or ""
    if not part:
        return Include(start, end, named)
    if part[0].isalpha():
        return Include(start, end, match["path"], Selection(section=part))
    return Include(start, end, match["path"], Selection(lines=line_ranges(part, ":", ",")))


def _variants(text: str) -> Iterator[Include]:
    for match in _VARIANT.finditer(text):
        lines = _VARIANT_LINES.search(match["options"])
        selection = Selection(lines=line_ranges(lines[1], ":", ",")) if lines else Selection()
        yield Include(match.start(), match.end(), match["path"], selection, fenced=True)


def _markdown_includes(text: str) -> Iterator[Include]:
    return (Include(match.start(), match.end(), match["path"]) for match in _MARKDOWN_INCLUDE.finditer(text))


def _mdbook(text: str) -> Iterator[Include]:
    for match in _MDBOOK.finditer(text):
        part = match["part"] or ""
        numbers = re.fullmatch(r"(\d*)(?::(\d*))?", part)
        if part and numbers is None:
            selection = Selection(anchor=part.partition(":")[0])
        elif part and numbers:
            first = int(numbers[1] or 1)
            last = first if numbers[2] is None else int(numbers[2]) if numbers[2] else None
            selection = Selection(lines=((first, last),))
        else:
            selection = Selection(anchors=True)
        yield Include(match.start(), match.end(), match["path"], selection)


def _docfx(text: str) -> Iterator[Include]:
    for match in _DOCFX.finditer(text):
        if match["kind"].lower() == "include":
            yield Include(match.start(), match.end(), match["path"])
            continue
        query, fragment = attributes((match["query"] or "").replace("&", " ")), match["fragment"] or ""
        yield Include(
            match.start(), match.end(), match["path"], _docfx_part(query, fragment), True, match["language"] or ""
        )


def _docfx_part(query: Options, fragment: str) -> Selection:
    if found := re.fullmatch(r"[lL](\d+)(?:-[lL]?(\d+))?", fragment):
        return Selection(lines=((int(found[1]), int(found[2] or found[1])),))
    if fragment or query.get("name"):
        return Selection(region=fragment or query["name"])
    if "range" in query:
        return Selection(lines=line_ranges(query["range"], "-", ","))
    if "start" in query or "end" in query:
        first, last = query.get("start", "1"), query.get("end", "")
        return Selection(lines=line_ranges(f"{first}-{last}", "-", ","))
    return Selection()


def _learn_code(text: str) -> Iterator[Include]:
    for match in _LEARN_CODE.finditer(text):
        options = attributes(match["options"])
        if source := options.get("source", ""):
            selection = _docfx_part({"name": options.get("id", ""), **options}, "")
            yield Include(match.start(), match.end(), source, selection, True, options.get("language", ""))


def _directives(text: str) -> Iterator[Include]:
    for match in _DIRECTIVE.finditer(text):
        options = dict(_OPTION.findall(match["options"]))
        lines = line_ranges(options["lines"], "-", ",") if "lines" in options else ()
        if not lines and ("start-line" in options or "end-line" in options):
            first, last = options.get("start-line") or "0", options.get("end-line", "")
            lines = line_ranges(f"{int(first) + 1 if first.isdigit() else 1}-{last}", "-", ",")
        selection = Selection(
            lines=lines,
            after=options.get("start-after", ""),
            before=options.get("end-before", ""),
            at=options.get("start-at", ""),
            until=options.get("end-at", ""),
            scope=options.get("pyobject", ""),
            dedent="dedent" in options,
        )
        literal = match["name"] == "literalinclude" or "literal" in options or "code" in options
        language = options.get("language") or options.get("code") or ""
        start = match.start() + len(match["indent"])
        yield Include(start, match.end(), match["path"], selection, literal, language)


def _tags(text: str) -> Iterator[Include]:
    for match in _TAG.finditer(text):
        options = attributes(match["options"])
        selection = Selection(after=options.get("start", ""), before=options.get("end", ""))
        target = match["double"] or match["single"] or match["bare"]
        if match["bare"] and not target.lower().endswith((".md", ".markdown")):
            continue  # a template of Jekyll's, which makes HTML of its parameters
        yield Include(match.start(), match.end(), target, selection)


def _shortcodes(text: str) -> Iterator[Include]:
    for match in _SHORTCODE.finditer(text):
        options = attributes(match["options"])
        named = re.match(r"\"([^\"]+)\"|'([^']+)'|([^\s=\"']+)(?=\s|$)", match["options"])
        target = options.get("file") or options.get("path") or (named and (named[1] or named[2] or named[3])) or ""
        if target:
            yield Include(match.start(), match.end(), target, fenced="code" in match[0])


def _imports(text: str) -> Iterator[Include]:
    """Yields the uses of imported text: `{Name}` of a raw file, `<Name />` of a partial page. A name that is imported
    twice, which no compiler takes, is the first."""
    raw: dict[str, re.Match[str]] = {}
    partial: dict[str, re.Match[str]] = {}
    for match in _IMPORT.finditer(text):
        if match["raw"]:
            raw.setdefault(match["name"], match)
        elif match["path"].lower().endswith((".md", ".mdx", ".markdown")):
            partial.setdefault(match["name"], match)
    for imported, uses in ((raw, _RAW_USE), (partial, _PARTIAL_USE)):
        for use in uses.finditer(text) if imported else ():  # once for all names, of which there may be thousands
            own = imported.get(use[use.lastindex or 1])
            if own is not None and own.end() <= use.start():
                yield Include(use.start(), use.end(), own["path"], fenced=imported is raw)


_FINDERS: tuple[tuple[str, Callable[[str], Iterator[Include]]], ...] = (
    ("8<-", _snippets),
    ("{*", _variants),
    ("{!", _markdown_includes),
    ("{{#", _mdbook),
    ("[!", _docfx),
    (":::", _learn_code),
    ("include}", _directives),
    ("{%", _tags),
    ("{{", _shortcodes),
    ("import ", _imports),
)
"""The literal without which a text has no include of a kind, and what finds them."""
