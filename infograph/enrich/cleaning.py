"""Text that a model wrote, made fit to be published: one line, no markup, no address that its source does not have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from infograph.words.texts import ANY_BYTE, pair_tables
from infograph.words.twins import neighbours

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|\[([^\[\]]*)\]\[[^\[\]]*\]")
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
_UNSEEN, _SPACES, _TAGS, _BRACKETS, _SLASHES, _COLONS, _DOTS, _BEYOND_ASCII = (1 << bit for bit in range(8))
"""What is seen of a text at a glance: control characters; two spaces, or one at its end; `<`; what stands between the
text of a link or an image and what it leads to; `//`, a colon, a dot, which addresses have; other characters."""
_SEEN = pair_tables(
    {
        _UNSEEN: (bytes(range(32)) + b"\x7f", ANY_BYTE),
        _SPACES: (b" ", b" \0"),
        _TAGS: (b"<", ANY_BYTE),
        _BRACKETS: (b"]", b"[("),
        _SLASHES: (b"/", b"/"),
        _COLONS: (b":", ANY_BYTE),
        _DOTS: (b".", ANY_BYTE),
        _BEYOND_ASCII: (bytes(range(128, 256)), ANY_BYTE),
    }
)
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
    """Whether `clean` leaves a text as it is but for its length: characters are composed and can be seen, spaces are
    single, and nothing is a sign of markup or of an address. Most of what models write is so."""
    try:
        seen = neighbours(text, _SEEN)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    if seen & (_UNSEEN | _SPACES | _TAGS | _BRACKETS) or text[:1] == " " or _may_hold_address(text, seen):
        return False
    return not seen & _BEYOND_ASCII or (text.isprintable() and unicodedata.is_normalized("NFC", text))


def all_plain(texts: Sequence[str]) -> bool:
    """Whether all texts are plain and none is empty; False where one is no text, and at times for some that are plain.

    They are looked at as a whole, which costs a fraction of looking at each: what makes a text not plain is in there,
    and an empty one among others, or a space at an edge, makes two spaces.
    """
    try:
        joined = " ".join(texts)
    except TypeError:
        return False
    return is_plain(joined) if joined else not texts


def has_sign(text: str) -> bool:
    """Whether a text may hold markup or an address."""
    seen = neighbours(text, _SEEN)
    return bool(seen & (_TAGS | _BRACKETS)) or _may_hold_address(text, seen)


def _may_hold_address(text: str, seen: int) -> bool:
    return (
        bool(seen & _SLASHES)
        or (bool(seen & _COLONS) and _COLON.search(text) is not None)
        or (bool(seen & _DOTS) and _DOT.search(text) is not None)
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
        if _may_hold_address(text, neighbours(text, _SEEN)):
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
    # Without slashes: two of them and what follows are an address.
    return (head.rpartition(" ")[0] or head).rstrip(" ,;:/") + "…"
