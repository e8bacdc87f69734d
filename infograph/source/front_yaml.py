"""Reads YAML front matter: mappings, lists and strings, with no more work than its bytes are worth.

Anchors and aliases are followed by reference, so what is named a thousand times is built once; nobody walks through
values that `frontmatter.py` does not take. Tags mean nothing, since every scalar stays a string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from infograph.errors import DocumentError
from infograph.text.lines import line_ends

if TYPE_CHECKING:
    import yaml

DEPTH = 20
"""Deepest nesting of lists and mappings."""

_BOMB = re.compile(rf"(?:[\[{{][^\[\]{{}}]*){{{DEPTH + 1}}}")
"""Matches brackets open at once in a number that PyYAML needs quadratic time for."""

_SMALL = 8_192
"""Characters up to which a front matter is parsed whole; of a longer one only what is asked for, since the parser takes
a second for 100 KB."""
_MOST_EVENTS = 50_000
"""Most scalars, aliases, beginnings and ends of collections that are taken from the parser: two seconds of work."""
_MOST_MERGED = 10_000
"""Most keys that merge keys may bring in: a chain of them grows with its square."""

_ENTRY = re.compile(
    r"""^(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<plain>[^\s#'"\-\[\]{}][^:\n]*?))[ \t]*:(?=\s|$)""",
    re.MULTILINE,
)
"""The key of an entry of the outermost mapping."""

# What nearly every front matter consists of, read without the YAML parser, which takes a millisecond a page:
# `key: value`, `key: [item, item]` and `- item` lines whose values cannot mean anything else to YAML. A line that does
# not match sends the whole front matter to the parser.
_VALUE = r"""
    (?: (?P<plain> [^\s\#\-?:,\[\]{}&*!|>'"%@`=<~]                          # opens no other kind of value
                   (?: [^\s\#:] | (?<=\S)\# | :(?=\S) | [ ](?=[^\s\#]) )* )
      | "(?P<double>[^"\\]*)" | '(?P<single>[^']*)' )
    [ ]*"""
_KEY = r"(?P<key>[A-Za-z_][\w.-]*(?:[ ][\w.-]+)*):"
_PLAIN_KEY = re.compile(rf"{_KEY}(?:[ ]+{_VALUE}|[ ]*)", re.VERBOSE | re.ASCII)
_LISTED = r"""
    (?: [^\s\#\-?:,\[\]{}&*!|>'"%@`=<~] (?: [^\s\#:?,\[\]{}] | [ ](?=[^\s\#:?,\[\]{}]) )*
      | "[^"\\]*" | '[^']*' )"""
_PLAIN_LIST = re.compile(
    rf"{_KEY}[ ]+\[[ ]*(?P<items>{_LISTED}(?:[ ]*,[ ]*{_LISTED})*)?[ ]*\][ ]*", re.VERBOSE | re.ASCII
)
_PLAIN_LISTED = re.compile(_LISTED, re.VERBOSE | re.ASCII)
_PLAIN_ITEM = re.compile(rf"(?P<indent>[ ]*)-[ ]+(?:{_VALUE}|(?P<sign>[%?]))", re.VERBOSE | re.ASCII)
"""A list item. A lone `%` or `?` is no string in YAML and is read as one: Microsoft's docs have such aliases."""
_PLAIN_TEXT = re.compile("[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff]*")


def refusal(path: str, line: int, reason: str) -> DocumentError:
    """The error for front matter that cannot be read, with the hint that fits all such errors."""
    hint = "Write each key once, with text (in quotes, where it has signs) or a list of texts"
    return DocumentError(f"{path}:{line}", reason, hint)


def read_yaml(path: str, source: str, wanted: frozenset[str], remarks: list[str]) -> dict[str, Any] | None:
    """Reads a mapping; None for text that is none. Raises DocumentError.

    wanted:  keys in lower case; of a long front matter the values of others may be left out
    remarks: gets what is left out of a legal front matter, in words
    """
    plain = _plain_yaml(source)
    if plain is not None:
        return plain
    return _full_yaml(path, source if len(source) <= _SMALL else _asked_for(source, wanted), remarks)


def _asked_for(source: str, wanted: frozenset[str]) -> str:
    """Keeps of a long front matter the entries that are asked for; blank lines stand in the place of the others.

    An entry with an anchor stays where something that is asked for may name it.
    """
    entries = list(_ENTRY.finditer(source))
    ends = [*(entry.start() for entry in entries[1:]), len(source)]
    parts = [source[: entries[0].start()] if entries else source]
    texts = [source[entry.start() : end] for entry, end in zip(entries, ends, strict=True)]
    named = [next(filter(None, entry.groups()), "").lower() for entry in entries]
    kept = [name in wanted or name == "<<" for name in named]
    aliased = any("*" in text for text, keep in zip(texts, kept, strict=True) if keep)
    for text, keep in zip(texts, kept, strict=True):
        parts.append(text if keep or (aliased and "&" in text) else "\n" * text.count("\n"))
    return "".join(parts)


def _plain_yaml(source: str) -> dict[str, Any] | None:
    """Reads a mapping in which every line is a plain `key: value`, `key: [item, item]` or `- item`; None when a line is
    anything else."""
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
        elif match := _PLAIN_LIST.fullmatch(line):
            if match["key"] in values:
                return None
            items = _PLAIN_LISTED.findall(match["items"] or "")
            values[match["key"]] = [item[1:-1] if item[0] in "\"'" else item for item in items]
            key = None
        elif match := _PLAIN_ITEM.fullmatch(line):
            if key is None or indent not in (None, match["indent"]):
                return None
            if indent is None:
                values[key], indent = [], match["indent"]
            values[key].append(match["plain"] or match["sign"] or match["double"] or match["single"] or "")
        else:
            return None
    return values


def _full_yaml(path: str, source: str, remarks: list[str]) -> dict[str, Any] | None:
    """Reads a mapping with the pure-Python parser of PyYAML; None for plain text and for a list.

    The C parser overflows its stack on deep nesting, and PyYAML's own constructors turn scalars into other
    types, so neither is used.
    """
    if bomb := _BOMB.search(source):
        line = line_ends(source, 0, bomb.start()) + 2
        raise refusal(path, line, f"nesting deeper than {DEPTH} in the front matter")
    import yaml  # 15 ms, and most trees never need it

    built = _Built()
    try:
        for count, event in enumerate(yaml.parse(source, Loader=yaml.SafeLoader)):
            reason = built.add(event) if count < _MOST_EVENTS else f"more than {_MOST_EVENTS} values"
            if reason is not None:
                raise refusal(path, _line_of(source, event.start_mark), f"{reason} in the front matter")
    except yaml.MarkedYAMLError as error:
        line = _line_of(source, error.problem_mark or error.context_mark)
        raise refusal(path, line, f"broken YAML front matter: {error.problem or error.context}") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow; it has no line
        reason = " ".join(str(error).split())
        raise refusal(path, 1, f"broken YAML front matter: {reason}") from None
    remarks += (f"key `{key}` twice: the last one holds" for key in built.twice)
    if not built.documents or built.documents == [""]:  # nothing, or comments only
        return {}
    return built.documents[0] if isinstance(built.documents[0], dict) else None


_Value = str | list[Any] | dict[str, Any]


class _Built:
    """Lists, mappings and strings, built from a parser's events."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        """The value of each YAML document."""
        self.twice: dict[str, None] = {}
        """Keys of the outermost mapping that stand there more than once."""
        self._open: list[list[Any] | dict[str, Any]] = [self.documents]
        """Collections that have not ended, the outermost first."""
        self._keys: list[str | None] = [None]
        """For each open mapping the key that waits for its value."""
        self._anchors: dict[str, _Value] = {}
        self._merged = 0
        """Number of keys that merge keys brought in."""

    def add(self, event: yaml.Event) -> str | None:
        """Adds an event; returns why it cannot be added, or None."""
        import yaml

        if isinstance(event, yaml.DocumentStartEvent) and self.documents:
            return "a second YAML document"
        if isinstance(event, yaml.CollectionEndEvent):
            self._keys.pop()
            return self._merge(self._open.pop())
        if isinstance(event, yaml.AliasEvent):
            known = self._anchors.get(event.anchor or "")
            return f"alias `*{event.anchor}` without its anchor" if known is None else self._put(known)
        value: _Value
        if isinstance(event, yaml.ScalarEvent):
            text = joined_surrogates(event.value)
            if text is None:
                return "half of a surrogate pair, or NUL,"
            value = text
        elif isinstance(event, yaml.CollectionStartEvent):
            value = {} if isinstance(event, yaml.MappingStartEvent) else []
        else:
            return None
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        if (reason := self._put(value)) is not None or isinstance(value, str):
            return reason
        if len(self._open) > DEPTH:
            return f"nesting deeper than {DEPTH}"
        self._open.append(value)
        self._keys.append(None)
        return None

    def _put(self, value: _Value) -> str | None:
        """Puts a value into the innermost open collection."""
        parent, key = self._open[-1], self._keys[-1]
        if isinstance(parent, list):
            parent.append(value)
        elif key is None:
            if not isinstance(value, str):
                return "a key that is not a string"
            if value in parent and len(self._open) == 2:
                self.twice[value] = None
            self._keys[-1] = value
        else:
            parent[key] = value
            self._keys[-1] = None
        return None

    def _merge(self, ended: list[Any] | dict[str, Any]) -> str | None:
        """Resolves the merge key of a mapping that has ended: its own keys come first."""
        if isinstance(ended, list) or "<<" not in ended:
            return None
        given = ended.pop("<<")
        for more in given if isinstance(given, list) else [given]:
            if isinstance(more, dict) and more is not ended:
                self._merged += len(more)
                if self._merged > _MOST_MERGED:
                    return f"merge keys that bring in more than {_MOST_MERGED} keys"
                for key, value in more.items():
                    ended.setdefault(key, value)
        return None


def joined_surrogates(value: str) -> str | None:
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
