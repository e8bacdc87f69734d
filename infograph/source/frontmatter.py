"""Reads front matter: YAML between `---` fences or, as in Hugo, TOML between `+++` fences or a JSON object.

Every scalar stays the string that the author wrote: `no`, `1:30` and `2024-01-31` are text, as a title that
consists of a date is. Aliases, anchors, tags and merge keys are refused, so that 8 KB cannot become more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from infograph.errors import DocumentError
from infograph.model import ADDRESSES, RELATIONS
from infograph.source.limits import SourceLimits
from infograph.text.inline import short_title
from infograph.text.lines import LINE_END, line_ends, unified

if TYPE_CHECKING:
    import yaml

_DEPTH = 20
"""Deepest nesting of lists and mappings."""

_BOMB = re.compile(rf"(?:[\[{{][^\[\]{{}}]*){{{_DEPTH + 1}}}")
"""Matches brackets open at once in a number that PyYAML needs quadratic time for."""

_FENCE = re.compile(rf"(---|\+\+\+)[ \t]*(?:{LINE_END.pattern})")
_CLOSE = {
    # Not `^`, which knows line feeds alone.
    fence: re.compile(rf"(?<=[\r\n]){re.escape(fence)}[ \t]*(?:{LINE_END.pattern}|\Z)")
    for fence in ("---", "+++")
}

_OPEN_OBJECT = re.compile(r"\{[ \t]*[\r\n]")
_CLOSED_OBJECT = re.compile(rf"[ \t]*(?:{LINE_END.pattern}|\Z)(?=[ \t]*(?:[\r\n]|\Z))")
"""The rest of the line after the last brace, before an empty line or the end of the file."""

# What nearly every front matter consists of, read without the YAML parser, which takes a millisecond a page:
# `key: value` and `- item` lines whose values cannot mean anything else to YAML. A line that does not match sends
# the whole front matter to the parser.
_VALUE = r"""
    (?: (?P<plain> [^\s\#\-?:,\[\]{}&*!|>'"%@`=<~]                          # opens no other kind of value
                   (?: [^\s\#:] | (?<=\S)\# | :(?=\S) | [ ](?=[^\s\#]) )* )
      | "(?P<double>[^"\\]*)" | '(?P<single>[^']*)' )
    [ ]*"""
_PLAIN_KEY = re.compile(rf"(?P<key>[A-Za-z_][\w.-]*(?:[ ][\w.-]+)*):(?:[ ]+{_VALUE}|[ ]*)", re.VERBOSE | re.ASCII)
_PLAIN_ITEM = re.compile(rf"(?P<indent>[ ]*)-[ ]+(?:{_VALUE}|(?P<sign>[%?]))", re.VERBOSE | re.ASCII)
"""A list item. A lone `%` or `?` is no string in YAML and is read as one: Microsoft's docs have such aliases."""
_PLAIN_TEXT = re.compile("[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff]*")

_APART = re.compile(r"(?:[ \t]*\n)+(?:\#.*\n)*(?P<first>(?:[ \t]*\S.*\n)*)")
"""A blank line and the paragraph below it. Lines with `#` may stand between them: YAML has them for comments."""
_KEY = re.compile(r"""^[ \t]*["']?[a-z_][\w.-]*["']?[ \t]*:(?!\S)""", re.MULTILINE)
_YAML_LINE = re.compile(r"""[ \t]*(?:\#.*|-(?:[ ].*)?|["']?\w[^:\n]*:(?:[ \t].*)?|[\]}].*)|[ \t]+\S.*""")
"""A comment, item, key, end of a list, or the continuation of one of these."""

_TOML_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)\Z")
"""The place in a parser's error, which counts from the front matter's first line and not from the file's."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values that infograph takes from a front matter. All others are for the site generator."""

    source: str = ""
    """The exact text, fences included; empty when there is none."""
    title: str | None = None
    """The title, cut to the length of a heading's text."""
    description: str | None = None
    keywords: tuple[str, ...] = ()
    """`keywords`, then `tags`: lists, or strings with commas."""
    addresses: tuple[tuple[str, str], ...] = ()
    """Keys of `ADDRESSES` with their values, where these are text."""
    related: tuple[str, ...] = ()
    """Texts under the keys of `RELATIONS`, alone or in lists; generators put other things there, too."""
    stays: bool = False
    """Whether `infograph: {llm: false}` forbids to send the document to a language model."""


def front_matter(path: str, text: str, limits: SourceLimits) -> FrontMatter:
    """Reads the front matter at the start of `text` (without a byte order mark); raises DocumentError.

    A first line `---` with no closing fence below is a thematic break, and so are two such lines around plain text, or
    around a blank line and then a paragraph that is not lines of YAML with a generator's key, such as `title:`: neither
    is a front matter.
    """
    opening = _FENCE.match(text)
    if not opening:
        return _object(path, text, limits)
    fence = opening[1]
    closing = _CLOSE[fence].search(text, opening.end())
    if not closing:
        return FrontMatter()
    inner = text[opening.end() : closing.start()]
    lines = unified(inner)
    if fence == "---" and _is_text(lines):
        return FrontMatter()
    _check_size(path, inner, limits, "Shorten it; if the first line is meant as a rule, write `***`")
    values = _yaml(path, lines) if fence == "---" else _toml(path, lines)
    return FrontMatter() if values is None else _taken(path, text[: closing.end()], values)


def _is_text(inner: str) -> bool:
    """Whether lines between two rules are text: a blank line comes first, then no YAML with a generator's key."""
    apart = _APART.match(inner)
    if not apart or not inner.strip():
        return False
    rows = apart["first"].splitlines()
    return not (_KEY.search(apart["first"]) and all(map(_YAML_LINE.fullmatch, rows)))


def _object(path: str, text: str, limits: SourceLimits) -> FrontMatter:
    """Reads a JSON object whose braces stand on lines of their own and which an empty line follows.

    Anything else that begins with a brace is text.
    """
    if not _OPEN_OBJECT.match(text):
        return FrontMatter()
    import json  # only Hugo's pages pay for it

    twice: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in pairs:
            if key in values:
                twice.append(key)
            values[key] = value
        return values

    def no_json(constant: str) -> NoReturn:
        raise ValueError(constant)  # NaN and Infinity

    decoder = json.JSONDecoder(object_pairs_hook=mapping, parse_int=str, parse_float=str, parse_constant=no_json)
    try:
        values, end = decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return FrontMatter()
    closed = _CLOSED_OBJECT.match(text, end)
    if text[end - 2] not in "\r\n" or not closed:
        return FrontMatter()
    source = text[: closed.end()]
    _check_size(path, source, limits, "Shorten it; if it is no front matter, write text above it")
    if twice:
        raise _refusal(path, 1, f"key `{twice[0]}` twice in the front matter")
    return _taken(path, source, {key: _strings(path, value, 1) for key, value in values.items()})


def _refusal(path: str, line: int, reason: str) -> DocumentError:
    """The error for front matter that cannot be read, with the hint that fits all such errors."""
    hint = "Write each key once, with text (in quotes, where it has signs) or a list of texts"
    return DocumentError(f"{path}:{line}", reason, hint)


def _check_size(path: str, source: str, limits: SourceLimits, hint: str) -> None:
    size = len(source.encode())
    if size > limits.front_matter:
        raise DocumentError(f"{path}:1", f"front matter of {size} bytes, more than {limits.front_matter}", hint)


def _taken(path: str, source: str, values: dict[str, Any]) -> FrontMatter:
    """Picks the values that infograph uses; raises DocumentError for one of another type."""
    title = _line(path, values, "title")
    return FrontMatter(
        source=source,
        title=title and short_title(title),
        description=_line(path, values, "description"),
        keywords=tuple(dict.fromkeys((*_list(path, values, "keywords"), *_list(path, values, "tags")))),
        addresses=tuple((key, values[key]) for key in ADDRESSES if isinstance(values.get(key), str)),
        related=tuple(dict.fromkeys(text for key in RELATIONS for text in _texts(values.get(key)))),
        stays=_stays(values.get("infograph")),
    )


def _stays(value: object) -> bool:
    said = value.get("llm") if isinstance(value, dict) else None
    return str(said).lower() in ("false", "no", "off") if said is not None else False


def _texts(value: object) -> Iterable[str]:
    """The texts of a value, which is one or a list of them, without outer spaces and empty ones."""
    some = value if isinstance(value, list | tuple) else [value]
    return filter(None, (text.strip() for text in some if isinstance(text, str)))


def _line(path: str, values: dict[str, Any], key: str) -> str | None:
    """The string of a key with white space collapsed; None when missing or empty."""
    value = values.get(key, "")
    if not isinstance(value, str):
        raise _refusal(path, 1, f"`{key}` in the front matter is not a string")
    return " ".join(value.split()) or None


def _list(path: str, values: dict[str, Any], key: str) -> Iterable[str]:
    """The strings of a list, or of a string with commas, with white space collapsed and empty ones left out."""
    value = values.get(key, ())
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, dict) or not all(isinstance(item, str) for item in value):
        raise _refusal(path, 1, f"`{key}` in the front matter is not a list of strings")
    return filter(None, (" ".join(item.split()) for item in value))


def _yaml(path: str, source: str) -> dict[str, Any] | None:
    plain = _plain_yaml(source)
    return _full_yaml(path, source) if plain is None else plain


def _plain_yaml(source: str) -> dict[str, Any] | None:
    """Reads a mapping in which every line is a plain `key: value` or `- item`; None when a line is anything else."""
    if not _PLAIN_TEXT.fullmatch(source):
        return None
    values: dict[str, Any] = {}
    key, indent = None, None  # of the list that is open
    for line in source.split("\n"):
        if not line:
            continue
        if match := _PLAIN_KEY.fullmatch(line):
            if match["key"] in values:
                return None
            given = next((text for text in match.group("plain", "double", "single") if text is not None), None)
            values[match["key"]] = given or ""
            key, indent = match["key"] if given is None else None, None  # a list may follow where no value stands
        elif match := _PLAIN_ITEM.fullmatch(line):
            if key is None or indent not in (None, match["indent"]):
                return None
            if indent is None:
                values[key], indent = [], match["indent"]
            values[key].append(match["plain"] or match["sign"] or match["double"] or match["single"] or "")
        else:
            return None
    return values


def _full_yaml(path: str, source: str) -> dict[str, Any] | None:
    """Reads a mapping with the pure-Python parser of PyYAML; None for plain text.

    The C parser overflows its stack on deep nesting, and PyYAML's own constructors turn scalars into other
    types, so neither is used; the events also show every alias, anchor and tag before anything is built.
    """
    if bomb := _BOMB.search(source):
        line = line_ends(source, 0, bomb.start()) + 2
        raise _refusal(path, line, f"nesting deeper than {_DEPTH} in the front matter")
    import yaml  # 15 ms, and most trees never need it

    built = _Built()
    try:
        for event in yaml.parse(source, Loader=yaml.SafeLoader):
            if (reason := _not_allowed(event, built) or built.add(event)) is not None:
                raise _refusal(path, _line_of(source, event.start_mark), f"{reason} in the front matter")
    except yaml.MarkedYAMLError as error:
        line = _line_of(source, error.problem_mark or error.context_mark)
        raise _refusal(path, line, f"broken YAML front matter: {error.problem or error.context}") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow; it has no line
        reason = " ".join(str(error).split())
        raise _refusal(path, 1, f"broken YAML front matter: {reason}") from None
    if not built.documents or built.documents == [""]:  # nothing, or comments only
        return {}
    if isinstance(built.documents[0], dict):
        return built.documents[0]
    if isinstance(built.documents[0], str):
        return None
    raise _refusal(path, 2, "front matter that is a list, not `key: value` pairs")


def _not_allowed(event: yaml.Event, built: _Built) -> str | None:
    """Names the construct that makes a front matter more than it looks, or None."""
    import yaml

    if isinstance(event, yaml.AliasEvent):
        return f"alias `*{event.anchor}`"
    if isinstance(event, yaml.DocumentStartEvent) and built.documents:
        return "a second YAML document"
    if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
        return f"anchor `&{event.anchor}`"
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag not in (None, "!"):
        return f"tag `{event.tag}`"
    return None


class _Built:
    """Lists, mappings and strings, built from a parser's events."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        """The value of each YAML document."""
        self._open: list[list[Any] | dict[str, Any]] = [self.documents]
        """Collections that have not ended, the outermost first."""
        self._keys: list[str | None] = [None]
        """For each open mapping the key that waits for its value."""

    def add(self, event: yaml.Event) -> str | None:
        """Adds an event; returns why it cannot be added, or None."""
        import yaml

        if isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._keys.pop()
        if isinstance(event, yaml.ScalarEvent):
            text = _joined_surrogates(event.value)
            return "half of a surrogate pair, or NUL," if text is None else self._put(text)
        if isinstance(event, yaml.CollectionStartEvent):
            return self._put({} if isinstance(event, yaml.MappingStartEvent) else [])
        return None

    def _put(self, value: str | list[Any] | dict[str, Any]) -> str | None:
        """Puts a value into the innermost open collection."""
        parent, key = self._open[-1], self._keys[-1]
        if isinstance(parent, list):
            parent.append(value)
        elif key is None:
            return self._put_key(value, parent)
        else:
            parent[key] = value
            self._keys[-1] = None
        if isinstance(value, str):
            return None
        if len(self._open) > _DEPTH:
            return f"nesting deeper than {_DEPTH}"
        self._open.append(value)
        self._keys.append(None)
        return None

    def _put_key(self, key: str | list[Any] | dict[str, Any], parent: dict[str, Any]) -> str | None:
        """Makes a value the key that the mapping's next value belongs to."""
        if not isinstance(key, str):
            return "a key that is not a string"
        if key == "<<":
            return "merge key `<<`"
        if key in parent:
            return f"key `{key}` twice"
        self._keys[-1] = key
        return None


def _joined_surrogates(value: str) -> str | None:
    """Joins `\\ud83d\\ude00`, as JSON escapes an emoji, to one character; None for a lone surrogate or NUL."""
    if "\0" in value:
        return None
    if value.isascii():
        return value
    try:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None


def _line_of(source: str, mark: Any) -> int:
    """The 1-based line of a mark in the file, counting the opening fence; 1 without a mark.

    PyYAML's own line numbers count more characters as line ends.
    """
    return line_ends(source, 0, mark.index) + 2 if mark else 1


def _toml(path: str, source: str) -> dict[str, Any]:
    import tomllib  # only Hugo's pages pay for it

    try:
        values = tomllib.loads(source, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        # The opening fence is a line, too. What is missing at the end is missing before the closing one.
        line = int(place["line"]) + 1 if place and place["line"] else line_ends(source) + 1
        raise _refusal(path, line, f"broken TOML front matter: {_TOML_PLACE.sub('', str(error))}") from None
    except RecursionError:
        raise _refusal(path, 1, f"nesting deeper than {_DEPTH} in the front matter") from None
    return {key: _strings(path, value, 1) for key, value in values.items()}


def _strings(path: str, value: Any, depth: int) -> Any:
    """Turns numbers, booleans and dates of TOML and JSON back into strings, and null into the empty string."""
    if depth > _DEPTH:
        raise _refusal(path, 1, f"nesting deeper than {_DEPTH} in the front matter")
    if isinstance(value, dict):
        return {key: _strings(path, item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_strings(path, item, depth + 1) for item in value]
    if value is None:
        return ""
    said = _joined_surrogates(str(value).lower() if isinstance(value, bool) else str(value))
    if said is None:
        raise _refusal(path, 1, "half of a surrogate pair, or NUL, in the front matter")
    return said
