"""Finds what a reader of the rendered page does not see: markup that is for a site generator or for a browser.

The text of a page stays as it is; an edit says what stands in the place of each mark: nothing, or what it shows.
Code is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from infograph.model import Block, Document
from infograph.source import myst
from infograph.source.include_syntax import attributes
from infograph.source.markup_names import (
    ADMONITIONS,
    BLOCK_TAGS,
    INLINE_TAGS,
    SHOWN_VALUES,
    TITLE_FIRST,
)
from infograph.text.edits import TextEdit, in_order
from infograph.text.inline import BADGE, SHIELDS
from infograph.text.lines import line_starts, unified_in_place

_HIDDEN = myst.HIDDEN
"""Stands for each character of code, so that no pattern matches there and offsets stay."""


@dataclass(frozen=True, slots=True)
class ReadableRules:
    """What a site's own shortcodes stand for."""

    shortcodes: Mapping[str, str] = field(default_factory=dict)
    """Name of a shortcode to what stands in its place: a text with `{0}` and `{name}` for its values, `keep` for the
    shortcode as it is written, `drop` for nothing, not even the text between its two tags."""


NO_RULES = ReadableRules()
"""The rules where the configuration has none."""


def readable_edits(body: str, blocks: tuple[Block, ...], rules: ReadableRules = NO_RULES) -> tuple[TextEdit, ...]:
    """Returns the edits of a page's body, in order."""
    if not any(sign in body for sign in _SIGNS):
        return ()
    text, found = _without_code(unified_in_place(body), blocks)
    if not found and not any(sign in text for sign in _SIGNS):
        return ()
    if "`" in text:
        text = _CODE_SPAN.sub(lambda match: _HIDDEN * len(match[0]), text)
    for sign, pattern, replacement in _RULES:
        if sign in text and (pattern is not _SHORTCODE_PAIR or "drop" in rules.shortcodes.values()):
            for match in pattern.finditer(text):
                shown = replacement(match, body, rules)
                if shown is not None:
                    found.append(TextEdit(match.start(), match.end(), shown))
    return tuple(_whole_line(text, edit) for edit in _joined(text, in_order(found)))


def as_seen(document: Document, blocks: tuple[Block, ...], rules: ReadableRules = NO_RULES) -> Document:
    """Returns a document with the edits of its markup beside those of its includes, which are resolved. What a file was
    converted to has none: it is what a reader saw."""
    edits = readable_edits(document.body, blocks, rules) if blocks and document.origin is None else ()
    return replace(document, edits=in_order((*document.edits, *edits))) if edits else document


_ICON_SETS = (":material-", ":octicons-", ":fontawesome-", ":simple-")
_SIGNS = ("{", ")=", "<", "///", "8<-", "!!!", "???", "===", ":::", "[!", "import ", "export ", "![", *_ICON_SETS)
"""Signs of which every mark has one: a page without any is its own text."""

# Begins with a literal tick, so that the search skips from one to the next.
_CODE_SPAN = re.compile(r"(`(?<!``)`*+)(?:[^`\n]++|\n(?!\s*\n)|(?!\1(?!`))`++)*?(?<!`)\1(?!`)")


def _without_code(text: str, blocks: tuple[Block, ...]) -> tuple[str, list[TextEdit]]:
    """The text with code hidden, and the edits of fences that hold none. What an admonition or tab of MkDocs holds is
    indented, and no code."""
    starts = line_starts(text)
    parts, at = [], 0
    edits: list[TextEdit] = []
    for start, end in _code(text, starts, blocks):
        hidden = [(start, end)]
        if myst.is_directive(text, start):
            found, hidden = myst.directive(text, start, end)
            edits += found
        for first, last in hidden:
            parts += [text[at:first], "\n".join([_HIDDEN * len(line) for line in text[first:last].split("\n")])]
            at = last
    text = "".join((*parts, text[at:])) if parts else text
    return _blanked(text, edits), edits


def _blanked(text: str, edits: Iterable[TextEdit]) -> str:
    """The text with spaces in the place of a directive's marks, whose ticks open no code span."""
    parts, at = [], 0
    for start, end, _ in sorted(edits):
        parts += [text[at:start], "\n".join([" " * len(line) for line in text[max(at, start) : end].split("\n")])]
        at = max(at, end)
    return "".join((*parts, text[at:])) if parts else text


_OPENS_INDENTED = re.compile(r"\s*(?:!!!|\?\?\?\+?|===\+?!?)[ \t]*[\"\w]")


def _code(text: str, starts: list[int], blocks: Iterable[Block]) -> Iterator[tuple[int, int]]:
    boxed = False
    for block in blocks:
        start, end = starts[block.start], starts[block.end]
        if block.kind == "fence" or (block.kind == "code" and not boxed):
            yield start, end
        elif block.kind == "code":
            yield from ((start + m.start(), start + m.end()) for m in _INDENTED_FENCE.finditer(text[start:end]))
        elif block.children:
            yield from _code(text, starts, block.children)
        boxed = (boxed and block.kind == "code") or (
            block.kind == "paragraph" and _OPENS_INDENTED.match(text, start, end) is not None
        )


_INDENTED_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:.*?\n)??[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)


def _joined(text: str, edits: Iterable[TextEdit]) -> Iterator[TextEdit]:
    """Yields the edits; those between which nothing but white space of one line stands, as one."""
    last: TextEdit | None = None
    for edit in edits:
        if last is not None and not (last.text or edit.text) and not text[last.end : edit.start].strip(" \t"):
            last = TextEdit(last.start, edit.end, "")
            continue
        if last is not None:
            yield last
        last = edit
    if last is not None:
        yield last


def _whole_line(text: str, edit: TextEdit) -> TextEdit:
    """The edit; where nothing is left of its lines, their end goes, too, and else a space that stood beside it."""
    start, end, shown = edit
    if shown:
        return edit
    begin = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    last = len(text) if after < 0 else after
    before, rest = text[begin:start], text[end:last]
    if not before.strip(" \t") and not rest.strip(" \t"):
        return TextEdit(begin, min(last + 1, len(text)), "")
    if not rest:
        return TextEdit(begin + len(before.rstrip(" \t")), end, "")
    return TextEdit(start - (before[-1:] == rest[0] == " "), end, "")


Replacement = Callable[[re.Match[str], str, ReadableRules], "str | None"]


def _nothing(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    return ""


def _title(kind: str, title: str) -> str:
    """What stands in the place of a box's first line."""
    title = title.replace("**", "").strip().strip("\"'")
    if not title and kind.lower() in ADMONITIONS:
        title = kind.replace("-", " ").capitalize()
    return f"**{title}**" if title else ""


def _box(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    """A box whose opener names its kind and title."""
    groups = match.groupdict()
    title = next((body[slice(*match.span(name))] for name in ("bracketed", "title") if groups.get(name)), "")
    shown = _title(groups["kind"] or groups.get("plain") or "", title)
    return f"{match['indent']}{shown}" if shown else ""


def _alert(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    title = body[slice(*match.span("title"))]
    kind = match["kind"].lower()
    shown = _title(kind, title) if kind not in ("div", "video") else ""
    return f"{match['quote']}{shown}" if shown else match["quote"].rstrip()


def _learn_image(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    return attributes(match["options"]).get("alt-text", "")


def _tag(match: re.Match[str], body: str, rules: ReadableRules) -> str | None:
    """A tag of HTML or of a component; None for what only looks like one."""
    name, rest = match["name"], body[slice(*match.span("rest"))]
    lower = name.lower()
    if lower in INLINE_TAGS:
        return ""
    if lower in BLOCK_TAGS and name == lower:
        if lower == "img":
            return _alt(rest)
        return " " if lower in ("br", "td", "th", "li", "dt", "dd", "p", "option") else ""
    if name[0].isupper() and (match["close"] or rest.rstrip().endswith("/") or f"</{name}" in body):
        if match["close"]:
            return ""
        if lower in ("img", "image"):
            return _alt(rest)
        values = attributes(rest)
        return " ".join(f"**{values[key]}**" for key in SHOWN_VALUES if values.get(key, "").strip())
    return None


def _alt(rest: str) -> str:
    values = attributes(rest)
    return "" if re.search(SHIELDS, values.get("src", "")) else values.get("alt", "")


def _shortcode(match: re.Match[str], body: str, rules: ReadableRules) -> str | None:
    """A shortcode of Hugo; within the target of a link it is a link."""
    name = match["name"].lower()
    if body[match.start() - 1 : match.start()] in ("(", '"', "'", "="):
        return None
    rest = body[slice(*match.span("rest"))]
    pattern = rules.shortcodes.get(match["name"], rules.shortcodes.get(name))
    if pattern == "keep":
        return None
    if match["close"]:
        return ""
    values = attributes(rest)
    plain = [a or b or c for a, b, c in _POSITIONAL.findall(_NAMED.sub(" ", rest))]
    if pattern is not None and pattern != "drop":
        return _filled(pattern, values, plain)
    if pattern == "drop" or name in ("ref", "relref", "comment"):
        return ""
    shown = [values[key] for key in SHOWN_VALUES if values.get(key)]
    if not shown and name in TITLE_FIRST and plain:
        shown = plain[:1]
    if not shown and name in ("figure", "img", "image", "imgproc") and values.get("alt"):
        shown = [values["alt"]]
    if not shown and name in ADMONITIONS:
        kind = values.get("type") or (plain[0] if plain and plain[0].lower() in ADMONITIONS else name)
        shown = [kind.replace("-", " ").capitalize()] if kind.lower() in ADMONITIONS and kind.lower() != "alert" else []
    return " ".join(f"**{' '.join(text.split())}**" for text in shown)


_NAMED = re.compile(r"[\w-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"']+)")
_POSITIONAL = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s\"'/]+)")


def _filled(pattern: str, values: Mapping[str, str], plain: list[str]) -> str:
    """The user's pattern with the values of a shortcode; a value that it lacks is empty."""

    def value(match: re.Match[str]) -> str:
        key = match[1]
        return (plain[int(key)] if int(key) < len(plain) else "") if key.isdigit() else values.get(key, "")

    return re.sub(r"\{([\w-]+)\}", value, pattern)


def _dropped(match: re.Match[str], body: str, rules: ReadableRules) -> str | None:
    """A pair of shortcodes with the text between, where the user wants neither."""
    return "" if rules.shortcodes.get(match["name"]) == "drop" else None


def _statement(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    return _title(match["name"], "") if match["name"] in ADMONITIONS else ""


_ATTRIBUTE_LIST = re.compile(
    r"\{(?::[^{}\n]{0,300}|[ \t]*[#.][A-Za-z_][^{}\n]{0,300}|/\*[^\n]{0,500}?\*/"
    r"|(?<=[)\]`*_\ue000]\{)[ \t]*[\w-]+=[\"'\w][^{}\n]{0,300})\}"
)
# Boxes have the groups `indent`, `kind` and `title`, each empty where the syntax has none.
_LINE = r"^(?P<indent>[ \t]*)"
_END = r"(?=[ \t]*$)"
_SLASHES = re.compile(
    rf"{_LINE}/{{3,}}(?![/\w])(?:[ \t]*(?P<kind>[A-Za-z][\w-]*))?(?:[ \t]*\|[ \t]*(?P<title>[^\n]+?))?{_END}",
    re.MULTILINE,
)
_MARKED_BOX = re.compile(
    rf"{_LINE}(?:!!!|\?\?\?\+?)[ \t]*(?P<kind>[A-Za-z][\w-]*)(?:[ \t]+[\w-]+)*"
    rf"(?:[ \t]+(?P<title>\"[^\"\n]*\"|'[^'\n]*'))?{_END}",
    re.MULTILINE,
)
_TAB = re.compile(
    rf"{_LINE}===[+!]*(?P<kind>)[ \t]+(?P<title>\"[^\"\n]+\"|'[^'\n]+'){_END}",
    re.MULTILINE,
)
_COLONS = re.compile(
    rf"{_LINE}:{{3,}}[ \t]*(?:\{{[.\s]*(?:callout-)?(?P<kind>[A-Za-z][\w-]*)[^{{}}\n]*\}}|(?P<plain>[A-Za-z][\w-]*))?"
    r"(?:\[(?P<bracketed>[^\]\n]+)\])?(?:[ \t]+(?P<title>[^\s{:=][^\n={}:]*?))?"
    rf"(?:[ \t]*\{{[^{{}}\n]*\}}|[ \t]+[\w-]+=[^\n]*)?[ \t]*:*{_END}",
    re.MULTILINE,
)
_LEARN_IMAGE = re.compile(r"^[ \t]*:{3}image[ \t](?P<options>[^\n]*?):{3}(?:[ \t]*$)?", re.MULTILINE)
_LEARN_MARK = re.compile(r"^[ \t>]*:{3}[ \t]*(?:moniker|zone|row|column|image|no-loc)(?:-end)?\b[^\n]*$", re.MULTILINE)
_ALERT = re.compile(
    r"^(?P<quote>[ \t]*>[ \t>]*)\[!(?P<kind>[A-Za-z-]+)(?:[ \t][^\]\n]*)?\][+-]?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE
)
_COMMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|\{/\*.{0,5000}?\*/\}|\{%-?\s*comment\s*-?%\}.{0,50000}?\{%-?\s*endcomment\s*-?%\}",
    re.DOTALL,
)
_RAW_ELEMENT = re.compile(r"<(?P<name>script|style|svg|math)\b[^<>]*>.*?</(?P=name)\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[A-Za-z][\w.-]*)(?P<rest>(?:\s(?:[^<>{}\"']|\"[^\"]*\"|'[^']*'"
    r"|\{(?:[^{}]|\{[^{}]*\}){0,2000}\}){0,400}?)?/?)>"
)
_FRAGMENT = re.compile(r"^[ \t]*</?>[ \t]*$", re.MULTILINE)
_FROM = r"from[ \t]*[\"'][^\"'\n]+[\"']"
_MODULE = re.compile(
    rf"^(?:import\b[^\n;]*\b{_FROM}|import[ \t]*[\"'][^\"'\n]+[\"']|import[ \t]*\{{[^{{}}]{{0,1000}}\}}[ \t]*{_FROM}"
    r"|export[ \t]+(?:const|default|\*|\{)[^\n]*);?[ \t]*$",
    re.MULTILINE,
)
_SHORTCODE_PAIR = re.compile(
    r"\{\{[<%]\s*(?P<name>[\w./-]+)[^{}]*[>%]\}\}.*?\{\{[<%]\s*/\s*(?P=name)\s*[>%]\}\}", re.DOTALL
)
_SHORTCODE = re.compile(
    r"\{\{[<%]\s*(?P<close>/)?\s*(?P<name>[A-Za-z][\w./-]*)"
    r"(?P<rest>(?:[^{}>%\"`]|\"[^\"]*\"|`[^`]*`|[>%](?!\}\})){0,600}?)/?\s*[>%]\}\}"
)
_STATEMENT = re.compile(r"\{%[-~+]?\s*(?P<name>\w+)(?:[^%]|%(?!\})){0,2000}?%\}", re.DOTALL)
_VALUE = re.compile(
    r"\{\{(?<![$\w]\{\{)-?\s*(?:site|page|layout|include|theme|product|config|params|data|\.Site|\.Params|\.Page)\."
    r"[\w.\[\]\"'| :,-]*?-?\}\}"
)
_ICON = re.compile(r":(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}\n]*\})?[ \t]?")
_LOST_INCLUDE = re.compile(
    r"\{\*[ \t]+[^{}\n]+\*\}|\{![ \t]*[^\s!{}][^{}\n]*!\}|^[ \t]*-+8<-+(?:[ \t]+[^\n]*)?$", re.MULTILINE
)
_LOST_LEARN_INCLUDE = re.compile(
    r"\[!(?:include|code(?:-[\w-]+)?)[ \t]*\[[^\]\n]*\][ \t]*\([^)\n]*\)[ \t]*\]", re.IGNORECASE
)
"""An include that was not resolved, which its notice says: a reader would see its text."""
_XREF = re.compile(r"<xref:(?P<name>[^<>\s?%]+)[^<>\s]*>", re.IGNORECASE)


def _role(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    return myst.role_text(match["role"], body[slice(*match.span("code"))])


def _reference(match: re.Match[str], body: str, rules: ReadableRules) -> str:
    return match["name"]


_RULES: tuple[tuple[str, re.Pattern[str], Replacement], ...] = (
    ("<!--", _COMMENT, _nothing),
    ("{/*", _COMMENT, _nothing),
    ("{%", _COMMENT, _nothing),
    ("<", _RAW_ELEMENT, _nothing),
    ("{{", _SHORTCODE_PAIR, _dropped),
    ("{{", _SHORTCODE, _shortcode),
    ("{{", _VALUE, _nothing),
    ("{%", _STATEMENT, _statement),
    ("![", BADGE, _nothing),
    ("///", _SLASHES, _box),
    ("!!!", _MARKED_BOX, _box),
    ("???", _MARKED_BOX, _box),
    ("===", _TAB, _box),
    (":::image", _LEARN_IMAGE, _learn_image),
    (":::", _LEARN_MARK, _nothing),
    (":::", _COLONS, _box),
    *((sign, _LOST_INCLUDE, _nothing) for sign in ("{*", "{!", "8<-")),
    ("[!", _LOST_LEARN_INCLUDE, _nothing),
    ("[!", _ALERT, _alert),
    ("import ", _MODULE, _nothing),
    ("export ", _MODULE, _nothing),
    ("<xref:", _XREF, _reference),
    ("<", _TAG, _tag),
    *((sign, _FRAGMENT, _nothing) for sign in ("<>", "</>")),
    (f"}}{_HIDDEN}", myst.ROLE, _role),
    (")=", myst.TARGET, _nothing),
    ("{", _ATTRIBUTE_LIST, _nothing),
    *((sign, _ICON, _nothing) for sign in _ICON_SETS),
)
"""The sign without which a page has none of a kind of mark, the pattern of the mark, and what a reader sees of it.
Where two overlap, the first one holds."""
