"""Reads front matter: YAML between `---` fences or, as in Hugo, TOML between `+++` fences or a JSON object.

Every scalar stays the string that the author wrote: `no`, `1:30` and `2024-01-31` are text, as a title that
consists of a date is. What a generator builds is no error: a value that infograph cannot use is left out with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from infograph.errors import DocumentError
from infograph.formats.search_fields import MOST_VALUES, TEXT, SearchField, Values, typed
from infograph.model import ADDRESSES, RELATIONS
from infograph.source.front_yaml import DEPTH, joined_surrogates, read_yaml, refusal
from infograph.source.limits import SourceLimits
from infograph.text.inline import short_title
from infograph.text.lines import LINE_END, line_ends, unified

_FENCE = re.compile(rf"(---|\+\+\+)[ \t]*(?:{LINE_END.pattern})")
_CLOSE = {
    # Not `^`, which knows line feeds alone.
    fence: re.compile(rf"(?<=[\r\n]){re.escape(fence)}[ \t]*(?:{LINE_END.pattern}|\Z)")
    for fence in ("---", "+++")
}

_OPEN_OBJECT = re.compile(r"\{[ \t]*[\r\n]")
_CLOSED_OBJECT = re.compile(rf"[ \t]*(?:{LINE_END.pattern}|\Z)(?=[ \t]*(?:[\r\n]|\Z))")
"""The rest of the line after the last brace, before an empty line or the end of the file."""

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
    remarks: tuple[str, ...] = ()
    """What of it is left out although it is legal, in words."""
    stays: bool = False
    """Whether `infograph: {llm: false}` forbids to send the document to a language model."""
    fields: tuple[tuple[str, Values], ...] = ()
    """What it says of the fields that a search can be narrowed by, see `search.fields`."""


_TITLES = ("title", "linktitle")
"""Keys of a page's title, the best first: Hugo's `linkTitle` is its short form."""
_LISTS = ("keywords", "tags")
"""Keys whose text is a list with commas."""
_CREATED = ("created_at", "date")
"""Keys of the date of a document, the best first."""
_WANTED = frozenset({*_TITLES, "description", "keywords", "tags", "infograph", *ADDRESSES, *RELATIONS})
"""Keys that are read, in lower case: generators and authors differ in capitals."""


def front_matter(path: str, text: str, limits: SourceLimits, fields: Sequence[SearchField] = ()) -> FrontMatter:
    """Reads the front matter at the start of `text` (without a byte order mark); raises DocumentError.

    fields: whose values are taken as well

    A first line `---` with no closing fence below is a thematic break, and so are two such lines around plain text, or
    around a blank line and then a paragraph that is not lines of YAML with a generator's key, such as `title:`: neither
    is a front matter.
    """
    opening = _FENCE.match(text)
    if not opening:
        return _object(path, text, limits, fields)
    fence = opening[1]
    closing = _CLOSE[fence].search(text, opening.end())
    if not closing:
        return FrontMatter()
    inner = text[opening.end() : closing.start()]
    lines = unified(inner)
    if fence == "---" and _is_text(lines):
        return FrontMatter()
    _check_size(path, inner, limits, "Shorten it; if the first line is meant as a rule, write `***`")
    remarks: list[str] = []
    wanted = _WANTED.union(_CREATED, (spec.key for spec in fields)) if fields else _WANTED
    values = read_yaml(path, lines, wanted, remarks) if fence == "---" else _toml(path, lines)
    if values is None:
        return FrontMatter()
    found = _taken(text[: closing.end()], values, remarks)
    return replace(found, fields=_fields(path, values, fields, remarks), remarks=tuple(remarks)) if fields else found


def _is_text(inner: str) -> bool:
    """Whether lines between two rules are text: a blank line comes first, then no YAML with a generator's key."""
    apart = _APART.match(inner)
    if not apart or not inner.strip():
        return False
    rows = apart["first"].splitlines()
    return not (_KEY.search(apart["first"]) and all(map(_YAML_LINE.fullmatch, rows)))


def _object(path: str, text: str, limits: SourceLimits, fields: Sequence[SearchField]) -> FrontMatter:
    """Reads a JSON object whose braces stand on lines of their own and which an empty line follows.

    Anything else that begins with a brace is text.
    """
    if not _OPEN_OBJECT.match(text):
        return FrontMatter()
    import json  # only Hugo's pages pay for it

    twice: dict[str, None] = {}

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in pairs:
            if key in values:
                twice[key] = None
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
    remarks = [f"key `{key}` twice: the last one holds" for key in twice]
    texts = {key: _strings(path, value, 1) for key, value in values.items()}
    found = _taken(source, texts, remarks)
    return replace(found, fields=_fields(path, texts, fields, remarks), remarks=tuple(remarks)) if fields else found


def _check_size(path: str, source: str, limits: SourceLimits, hint: str) -> None:
    size = len(source.encode())
    if size > limits.front_matter:
        raise DocumentError(f"{path}:1", f"front matter of {size} bytes, more than {limits.front_matter}", hint)


def _taken(source: str, given: dict[str, Any], remarks: list[str]) -> FrontMatter:
    """Picks the values that infograph uses, whatever the case of their keys; one of another type gets a remark."""
    values: dict[str, Any] = {}
    for key, value in given.items():
        name = key.lower()
        if name in _WANTED and (name not in values or key == name):
            values[name] = value
    titles = [_line(values, key, remarks) for key in _TITLES]
    title = next(filter(None, titles), None)
    keywords = (*_list(values, "keywords", remarks), *_list(values, "tags", remarks))
    return FrontMatter(
        source=source,
        title=title and short_title(title),
        description=_line(values, "description", remarks),
        keywords=tuple(dict.fromkeys(keywords)),
        addresses=tuple((key, values[key]) for key in ADDRESSES if isinstance(values.get(key), str)),
        related=tuple(dict.fromkeys(text for key in RELATIONS for text in _texts(values.get(key)))),
        remarks=tuple(remarks),
        stays=_stays(values.get("infograph")),
    )


def _fields(
    path: str, given: dict[str, Any], fields: Sequence[SearchField], remarks: list[str]
) -> tuple[tuple[str, Values], ...]:
    """Takes the values of fields, whatever the case of their keys; what is none of a field's type gets a remark. Raises
    DocumentError for more of them than a document may have."""
    lower: dict[str, Any] = {}
    for key, value in given.items():
        if key.lower() not in lower or key == key.lower():
            lower[key.lower()] = value
    found = []
    for spec in fields:
        keys = _CREATED if spec.key == _CREATED[0] else (spec.key,)
        value = next((lower[key] for key in keys if lower.get(key) not in (None, "", [])), None)
        if value is None:
            continue
        listed = value if isinstance(value, list) else value.split(",") if _is_listed(spec, value) else [value]
        if len(listed) > MOST_VALUES:
            reason = f"`{spec.name}` has {len(listed):,} values, more than {MOST_VALUES:,}"
            raise DocumentError(f"{path}:1", reason, "Give fewer, or take it out of `search.fields`")
        try:
            if not all(isinstance(item, str) for item in listed):
                raise ValueError(f"is no {spec.type} or list of these")
            texts = tuple(filter(None, (" ".join(item.split()) for item in listed)))
            found.append((spec.name, typed(texts, spec.type)))
        except ValueError as error:
            remarks.append(f"`{spec.name}`: {error} and is not filtered by")
    return tuple(found)


def _is_listed(spec: SearchField, value: object) -> bool:
    return spec.type == TEXT and spec.key in _LISTS and isinstance(value, str)


def _stays(value: object) -> bool:
    said = value.get("llm") if isinstance(value, dict) else None
    return str(said).lower() in ("false", "no", "off") if said is not None else False


def _texts(value: object) -> Iterable[str]:
    """The texts of a value, which is one or a list of them, without outer spaces and empty ones."""
    some = value if isinstance(value, list | tuple) else [value]
    return filter(None, (text.strip() for text in some if isinstance(text, str)))


def _line(values: dict[str, Any], key: str, remarks: list[str]) -> str | None:
    """The string of a key with white space collapsed; None when missing or empty."""
    value = values.get(key, "")
    if not isinstance(value, str):
        remarks.append(f"`{key}` is no text and is not used")
        return None
    return " ".join(value.split()) or None


def _list(values: dict[str, Any], key: str, remarks: list[str]) -> Iterable[str]:
    """The strings of a list, or of a string with commas, with white space collapsed and empty ones left out."""
    value = values.get(key, ())
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, dict) or not all(isinstance(item, str) for item in value):
        remarks.append(f"`{key}` is no list of texts; what is no text of it is not used")
    items = () if isinstance(value, dict) else value
    return filter(None, (" ".join(item.split()) for item in items if isinstance(item, str)))


def _toml(path: str, source: str) -> dict[str, Any]:
    import tomllib  # only Hugo's pages pay for it

    try:
        values = tomllib.loads(source, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        # The opening fence is a line, too. What is missing at the end is missing before the closing one.
        line = int(place["line"]) + 1 if place and place["line"] else line_ends(source) + 1
        raise refusal(path, line, f"broken TOML front matter: {_TOML_PLACE.sub('', str(error))}") from None
    except RecursionError:
        raise refusal(path, 1, f"nesting deeper than {DEPTH} in the front matter") from None
    return {key: _strings(path, value, 1) for key, value in values.items()}


def _strings(path: str, value: Any, depth: int) -> Any:
    """Turns numbers, booleans and dates of TOML and JSON back into strings, and null into the empty string."""
    if depth > DEPTH:
        raise refusal(path, 1, f"nesting deeper than {DEPTH} in the front matter")
    if isinstance(value, dict):
        return {key: _strings(path, item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_strings(path, item, depth + 1) for item in value]
    if value is None:
        return ""
    said = joined_surrogates(str(value).lower() if isinstance(value, bool) else str(value))
    if said is None:
        raise refusal(path, 1, "half of a surrogate pair, or NUL, in the front matter")
    return said
