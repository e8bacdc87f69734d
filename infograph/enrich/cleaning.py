"""Text that a model wrote, made fit to be published: one line, no markup, no address that its source does not have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|\[([^\[\]]*)\]\[[^\[\]]*\]")
_BETWEEN = re.compile(r"\][(\[]")
"""What stands between the text of a link or an image and what it leads to."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])[^<>]*>?")
_ELEMENTS = (
    "a|abbr|address|area|article|aside|audio|b|base|bdi|bdo|blockquote|body|br|button|canvas|caption|center|cite|code|col"
    "|colgroup|data|datalist|dd|del|details|dfn|dialog|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form"
    "|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|img|input|ins|kbd|label|legend|li|link|main|map|mark"
    "|marquee|math|menu|meta|meter|nav|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|pre|progress"
    "|q|rp|rt|ruby|s|samp|script|search|section|select|slot|small|source|span|strong|style|sub|summary|sup|svg|table"
    "|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|u|ul|var|video|wbr|xmp"
)
_TYPE = re.compile(rf"<(?!(?:{_ELEMENTS})>)\w[\w, ]*>", re.IGNORECASE)
"""Angle brackets that are no element of HTML: a type's parameter, a place in a command line."""
_RUNS = re.compile(
    r"\bdata:(?:[\w!#$&^.+-]+/|[;,](?=\S))[^\s<>\"'`]*"
    r"|\b(?:javascript|vbscript|file|blob):[^\s<>\"'`]+"
    r"|\b(javascript|vbscript):",
    re.IGNORECASE,
)
"""What a browser would run or read, never kept: `data:` where a media type, a parameter or the data follow (RFC 2397),
another scheme where anything follows. "Weather data: 15 degrees" and "in this file: config.toml" are prose. A script
may begin with a space: of "JavaScript: alert" the word stays, without its colon."""
_DOMAINS = "com|org|net|io|dev|ai|app|co|info|biz|xyz|ru|cn|de|uk|eu|us|me|gov|edu|sh|to|top|site|online"
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{0,63}:)?//[^\s<>\"'`]+"
    r"|\b(?:mailto|tel):[^\s<>\"'`]+"
    r"|\bwww\.[^\s<>\"'`]+"
    rf"|(?<![a-z0-9-])(?:[a-z0-9-]{{1,63}}\.){{1,16}}(?:{_DOMAINS})"
    r"\b(?:[:/?#][^\s<>\"'`]*)?",
    re.IGNORECASE,
)
_DOT = re.compile(rf"\.(?=\S)(?:(?<=www\.)\S|(?:{_DOMAINS})\b)", re.IGNORECASE)
_RUN_OR_WRITTEN_TO = ("javascript", "vbscript", "data", "file", "blob", "mailto", "tel")
_COLON = re.compile(f":(?:{'|'.join(f'(?<={name}:)' for name in _RUN_OR_WRITTEN_TO)})", re.IGNORECASE)
"""A dot and a colon as the above have them. A pattern that begins with a character without case is found fast."""
_SIGNS = bytes(
    ord(" ") if sign in b'"' else sign if 32 <= sign < 127 and sign not in b"<\\" else 10 for sign in range(256)
)
"""A table for `bytes.translate`: makes a space of each quote of a JSON text, and a line break of each byte that plain
text does not have. Characters that cannot be printed are among these, as JSON writes them with a backslash."""
_LOOKED_AT = 64
"""So many times the characters that are wanted are looked at: an answer may be a megabyte of nested markup."""
_LAST_SIGNS = ".,;:!?)]}*_"


def clean(text: str, most: int, source: str) -> str:
    """Returns a model's text as one line of at most `most` characters.

    Characters that nobody sees are removed, and so is what a browser could run and what a reader could follow: elements
    of HTML, links, and addresses that the source does not have.

    source: the text that the model was shown
    """
    return shortened(text if is_plain(text) else _cleaned(text, most, source), most)


def is_plain(text: str) -> bool:
    """Whether `clean` leaves a text as it is but for its length: visible ASCII in single spaces without a sign of
    markup and addresses. Most of what models write is."""
    return (
        text.isascii()
        and text.isprintable()
        and not has_sign(text)
        and "  " not in text
        and text[:1] != " "
        and text[-1:] != " "
    )


def all_plain(values: Sequence[object]) -> bool:
    """Whether all of some values, texts and lists of texts, are plain; at times also False for some that are.

    They are looked at together, as JSON: where quotes inside of a text are others, a text begins and ends with one, and
    no two brackets stand beside each other outside of a text as in a link.
    """
    import orjson  # a build in which nothing changed needs none

    try:
        data = orjson.dumps(values)
    except TypeError:  # half of a surrogate pair
        return False
    if b"\\" in data:
        data = data.replace(b'\\"', b"'")
    data = data.translate(_SIGNS)
    return b"\n" not in data and b"  " not in data and not has_sign(data.decode())


def has_sign(text: str) -> bool:
    """Whether a text may hold markup or an address."""
    return "<" in text or _BETWEEN.search(text) is not None or _may_hold_address(text)


def _may_hold_address(text: str) -> bool:
    return (
        ("/" in text and "//" in text)
        or (":" in text and _COLON.search(text) is not None)
        or _DOT.search(text) is not None
    )


def _cleaned(text: str, most: int, source: str) -> str:
    """Returns a text of any kind as one line; it may be longer than wanted, but not much."""
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode())
        text = "".join(
            " " if char in "\n\r\t\u2028\u2029" else char
            for char in text
            if char in "\n\r\t\u2028\u2029" or unicodedata.category(char) not in _INVISIBLE
        )
    text = text[: _LOOKED_AT * most]
    before = None if has_sign(text) else text
    while before != text:  # what is left of two that were put into each other is looked at again
        before = text
        if "[" in text:
            text = _IMAGE.sub(r"\1", text)
            text = _LINK.sub(lambda match: match[1] if match[1] is not None else match[2], text)
        if ":" in text:
            text = _RUNS.sub(r"\1", text)
        if "<" in text:
            text = _TAG.sub(lambda match: _if_known(match[0], source) if _TYPE.fullmatch(match[0]) else "", text)
        if _may_hold_address(text):
            text = _ADDRESS.sub(lambda match: _if_known(match[0], source), text)
    return " ".join(text.split())


def _if_known(found: str, source: str) -> str:
    """Returns what was found where the source has it, else nothing."""
    return found if found.rstrip(_LAST_SIGNS).casefold() in _folded(source) else ""


@lru_cache(maxsize=8)
def _folded(source: str) -> str:
    return source.casefold()


def shortened(text: str, most: int) -> str:
    """Returns a text cut at the end of a sentence, or else of a word, to at most `most` characters."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    end = max(head.rfind(". "), head.rfind("! "), head.rfind("? "))
    if end >= most // 2:
        return head[: end + 1]
    return (head.rpartition(" ")[0] or head).rstrip(" ,;:") + "…"
