"""The one definition of a search term, by which the index is keyed and into which a query is cut.

Any reader must cut a query exactly as the writer cut the text, so this uses only what every language has: Unicode
normalisation, Unicode categories, and fixed ranges. The rules, in order:

    1  Unicode NFKC.
    2  A word is a maximal run of letters, numbers, marks and `_` (Unicode L, N, M); an apostrophe (' or ’) between
       two of these belongs to the word and is removed, and a final `'s` is cut off. In languages where it stands
       between two words (`_ELIDING`: l'eau, dell'acqua) it is a space.
    3  Words joined by one `.`, `-` or `::` form a compound. A word splits at runs of `_` and at humps: between
       [a-z0-9] and [A-Z], and before the last capital of a run of capitals that two small letters follow.
    4  A compound of 2 to 8 parts gives its whole: all parts together, nothing between them. So does each of several
       joined words that has humps. Then come the parts themselves, those of one character left out.
    5  Lower case, the dotted capital of Turkish as `i`. A term without a decimal digit (Unicode Nd) is stemmed. Stop
       words (before stemming) give no term, but they do count as parts of a whole. Terms of more than 64 characters
       (before stemming) are left out.
    6  Runs in scripts without spaces (`_UNSPACED`) are cut out of words first and give each pair of neighbouring
       characters; a run of one gives that character. So that a query of one character finds it within a run, the index
       of a site in Chinese, Japanese or Korean also has each character that may be a word by itself (`_WORDS`).
    7  A heading of stop words and at most one other word (`How it works`, `What a build takes`) also gives a term by
       itself: its words, stemmed, with a colon before each. A query of that kind looks for this one, too.

`JsonSerializerContext` is found as itself (`jsonserializercontext`) and as `json`, `serializer`, `context`;
`use_state`, `useState` and `use-state` are one term. A query looks for the whole and for the parts: `Terms.parts`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import islice

LONGEST_TERM = 64
LONGEST_RUN = 128
"""Most marks on one letter that are kept."""
MOST_PARTS = 8

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Ranges of scripts without spaces: Thai and Lao, Burmese, Khmer, Japanese kana, Han, Hangul."""

_WORDS = "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Ranges of Han and Hangul characters, each of which may be a word."""
_WORDS_OF = frozenset({"ja", "ko", "zh"})
"""Languages whose sites are searched by single characters: in others these are quotations, not worth the bytes."""

_ELIDING = ("ca", "fr", "it")

RUN = re.compile(f"[{_UNSPACED}]+")
_ASCII_COMPOUND = re.compile(r"\w+(?:(?:[.'-]|::)\w+)*", re.ASCII)
_GAPS = bytes(code if code >= 128 or re.match(r"[\w.':-]", chr(code)) else ord(" ") for code in range(256))
"""Maps the bytes of UTF-8 so that white space is what ends every term."""
_OVERLAY = "\u0338"
"""The only mark that makes one character with a gap before it: `=` and this are `≠`."""
JOINTS = ".:'-"
"""Characters that join words inside a piece, and mean nothing at its ends."""
_JOINT = re.compile(r"[._-]+|::")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_DIGIT = re.compile(r"\d")
_APOSTROPHES = str.maketrans({"’": "'"})


@cache
def _marks() -> str:
    """Returns all marks of the basic plane. `re` has no class of them, so they are looked up once, in 10 ms."""
    return "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M")


@cache
def compound_pattern() -> re.Pattern[str]:
    """Returns the pattern of a compound in any script, as `_ASCII_COMPOUND` is that of ASCII."""
    word = rf"[\w{_marks()}]"
    return re.compile(rf"{word}+(?:(?:[.'-]|::){word}+)*")


@dataclass(frozen=True)
class Language:
    """The rules that depend on the language of a text. Name and stop words are written to the manifest."""

    name: str
    """ISO 639-1 code, which chooses the stemmer."""
    stem: Callable[[str], str] = field(compare=False)
    """Returns the stem of a lower-case word."""
    stop_words: frozenset[str] = frozenset()
    """Words that give no term, in lower case, without apostrophes."""

    @cached_property
    def unstemmed(self) -> Language:
        """Returns this language without stemming: words stay as they are."""
        return replace(self, stem=str)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one word or compound."""

    whole: str
    """The term of the whole; empty where it is too long, or a stop word."""
    parts: tuple[str, ...] = ()
    """The terms of its parts; empty for a plain word."""
    identifier: bool = field(default=False, compare=False)
    """Whether it is a compound as code has it: joined by anything but hyphens."""


def pieces(text: str) -> bytes:
    """Returns what is between the ASCII characters of a text that end every term, in UTF-8, separated by white space:
    its terms are those of its pieces. There are far fewer different pieces than words to cut.

    Bytes, since they are split at many times the speed of text that has a character beyond ASCII in it, as most have:
    a typographic apostrophe is enough.
    """
    if _OVERLAY in text:
        text = _normalised(text)
    return text.encode("utf-8", "surrogatepass").translate(_GAPS)


def bounded(text: str) -> str:
    """Removes the ends of the longest runs of marks. To normalise a run takes the square of its length (15 s for 200
    KB); a word of that length is too long for a term in any case."""
    if text.isascii() or len(text) <= LONGEST_RUN:
        return text
    kept = []
    run = 0
    for character in text:
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        if run <= LONGEST_RUN:
            kept.append(character)
    return "".join(kept)


def cut(text: str, language: Language) -> Iterator[Terms]:
    """Yields the terms of a text, in its order; a word without terms is skipped."""
    text = _normalised(text)
    if not text.isascii() and RUN.search(text):
        start = 0
        for run in RUN.finditer(text):
            yield from _spaced(text[start : run.start()], language)
            word = run[0]
            yield from (Terms(word[i : i + 2]) for i in range(max(1, len(word) - 1)))
            start = run.end()
        text = text[start:]
    yield from _spaced(text, language)


@cache
def _in_a_run() -> re.Pattern[str]:
    """Returns the pattern of single characters of runs. Made when it is first needed: it takes six milliseconds."""
    return re.compile(f"(?<=[{_UNSPACED}])[{_WORDS}]|[{_WORDS}](?=[{_UNSPACED}])")


def index_terms(text: str, language: Language) -> list[str]:
    """Returns the terms that the index has of a text: wholes and parts alike, and single characters of its runs."""
    found = [term for terms in cut(text, language) for term in (terms.whole, *terms.parts) if term]
    alone = language.name in _WORDS_OF and not text.isascii()
    return found + _in_a_run().findall(_normalised(text)) if alone else found


def written_terms(text: str, language: Language) -> list[tuple[str, str]]:
    """Returns `index_terms`, each with the lower-case word that it is the stem of; a term that is never stemmed is its
    own word."""
    forms = index_terms(text, language.unstemmed)
    if text.isascii():
        found = [(_stemmed(form, language), form) for form in forms]
    else:
        found = [(form if RUN.match(form) else _stemmed(form, language), form) for form in forms]
    return [one for one in found if one[0]]


def has_forms(term: str) -> bool:
    """Whether a term is a stem: neither of a script without spaces, nor with a digit."""
    if term.isascii() and term.isalpha():  # as most
        return True
    return not RUN.match(term) and not _DIGIT.search(term)


def _normalised(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)


HEADING_MARK = ":"
"""What stands before each word of the term of a whole heading; no other term has one."""


def heading_term(text: str, language: Language) -> str:
    """Returns the term of a whole heading, or query, of stop words and at most one other word; empty for any other, and
    where it is too long."""
    others = len(list(islice(cut(text, language), 2)))
    if others > 1:
        return ""
    text = _normalised(text)
    if language.name in _ELIDING:
        text = text.replace("'", " ")
    pattern = _ASCII_COMPOUND if text.isascii() else compound_pattern()
    words = [_stemmed(_lower(word.replace("'", "")), language) for word in pattern.findall(text)]
    term = "".join([f"{HEADING_MARK}{word}" for word in words])
    return term if len(words) > others and len(term) <= LONGEST_TERM else ""


def _spaced(text: str, language: Language) -> Iterator[Terms]:
    if language.name in _ELIDING:
        text = text.replace("'", " ")
    pattern = _ASCII_COMPOUND if text.isascii() else compound_pattern()
    for compound in pattern.findall(text):
        found = _terms(compound, language)
        if found.whole or found.parts:
            yield found


def _terms(compound: str, language: Language) -> Terms:
    if compound.endswith(("'s", "'S")):
        compound = compound[:-2]
    compound = compound.replace("'", "")
    words = [[word] if word.islower() else HUMP.split(word) for word in _JOINT.split(compound) if word]
    pieces = [_lower(piece) for word in words for piece in word]
    if len(pieces) == 1:
        return Terms(_simple(pieces[0], language))
    parts: list[str] = []
    for word in words:
        if 1 < len(word) < len(pieces):
            parts.append(_whole(word, language))
        parts += [_simple(_lower(piece), language) for piece in word if len(piece) > 1]
    return Terms(_whole(pieces, language), tuple(filter(None, parts)), "-" not in compound)


def _whole(pieces: Sequence[str], language: Language) -> str:
    whole = _lower("".join(pieces))
    return _stemmed(whole, language) if 2 <= len(pieces) <= MOST_PARTS and len(whole) <= LONGEST_TERM else ""


def _lower(text: str) -> str:
    """Lowers a text; the dotted capital of Turkish becomes the letter that is typed, not `i` and a dot."""
    return text.lower() if text.isascii() else text.lower().replace("i\u0307", "i")


def _simple(word: str, language: Language) -> str:
    return "" if word in language.stop_words or len(word) > LONGEST_TERM else _stemmed(word, language)


def _stemmed(word: str, language: Language) -> str:
    return language.stem(word) if word.isalpha() or not _DIGIT.search(word) else word


@lru_cache(maxsize=512)  # the writer asks for the terms of a page's chunks, and then for the names in them
def plain(markdown: str) -> str:
    """Removes what a reader of the page does not see: link targets, comments, tags. Only the writer uses it."""
    return UNSEEN.sub(" ", markdown)


UNSEEN = re.compile(
    r"<(?:!--.*?(?:-->|\Z)|(?:(?<!\w<)|/)[A-Za-z][^<>]{0,2000}>)"
    r"|\((?<=\]\()(?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"\n]*\")?\)",
    re.DOTALL,
)
"""Each alternative begins with a character of its own, which `re` looks for six times as fast as for a look-behind."""
