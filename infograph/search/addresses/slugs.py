"""The slugs of headings, as each family of generators makes them (see `anchors`, which names the sources)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def _in_word(sign: str) -> bool:
    """Whether a character is a letter, a mark, a digit or a connector such as `_`, as Unicode classes them."""
    kind = unicodedata.category(sign)
    return kind[0] in "LM" or kind in ("Nd", "Pc")


@lru_cache(maxsize=1 << 12)  # pages of one kind have the same headings
def github(text: str) -> str:
    """Slugs as github.com and github-slugger do: in lower case, without punctuation."""
    lowered = text.lower()
    kept = (s for s in lowered if s in " -" or _in_word(s) or unicodedata.category(s) == "Nl" or _circled(s))
    return "".join(kept).replace(" ", "-")


def _circled(sign: str) -> bool:
    """Whether a character is a letter in a circle or square: Unicode's property Alphabetic has these, its categories of
    letters do not."""
    return "Ⓐ" <= sign <= "ⓩ" or ("🄰" <= sign <= "🆉" and "LATIN CAPITAL LETTER" in unicodedata.name(sign, ""))


def python_markdown(text: str, ascii_only: bool) -> str:
    """Slugs as the `toc` extension does: characters outside ASCII are decomposed and left out, or kept."""
    if ascii_only:
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def pymdownx(text: str) -> str:
    """Slugs as `pymdownx.slugs.slugify(case="lower")` does: each space becomes a hyphen."""
    text = re.sub(r"</?[^>]*>", "", unicodedata.normalize("NFC", text)).strip().lower()  # what looks like a tag, too
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def _lower(text: str) -> str:
    """Lowers character by character, as Go does: no final sigma, and the dotted capital I loses its dot."""
    return "".join(sign.lower()[0] for sign in text)


def goldmark(text: str) -> str:
    """Slugs as Hugo's `github` does: letters, digits and `_`, no marks."""
    kept = (s for s in text if s in "_- " or (_in_word(s) and unicodedata.category(s)[0] in "LN"))
    return _lower("".join(kept)).replace(" ", "-")


def goldmark_ascii(text: str) -> str:
    """Slugs as Hugo's `github-ascii` does: letters lose their accents."""
    bare = "".join(sign for sign in unicodedata.normalize("NFD", text) if unicodedata.category(sign) != "Mn")
    return goldmark("".join(sign for sign in bare if sign.isascii()))


def blackfriday(text: str) -> str:
    """Slugs as Hugo's `blackfriday` does: letters and numbers, one hyphen for all characters between them."""
    words = "".join(sign if unicodedata.category(sign)[0] in "LN" else " " for sign in text)
    return _lower("-".join(words.split()))


def mdbook(text: str) -> str:
    """Slugs as mdBook does: everything alphanumeric is kept, each space of any kind becomes a hyphen."""
    lowered = re.sub(r"\s", "-", text.lower())
    return "".join(sign for sign in lowered if sign in "_-" or _alphanumeric(sign))


def _alphanumeric(sign: str) -> bool:
    """Whether a character is alphabetic to Unicode, or a number of any kind. Of the marks those that stand for vowels
    are alphabetic, which their combining class shows in nearly all cases."""
    kind = unicodedata.category(sign)
    if kind[0] != "M":
        return kind[0] in "LN" or _circled(sign)
    combining = unicodedata.combining(sign)
    return 10 <= combining <= 36 or (combining == 0 and not "\ufe00" <= sign <= "\ufe0f")


_STROKED = str.maketrans(
    dict(zip("øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ", "odhiltbbcdfklnpttyzgzlntjcszejqry", strict=True))
    | {"ß": "sz", "æ": "ae", "œ": "oe", "ȸ": "db", "ȹ": "qp"}
)
"""Letters that docutils writes in ASCII though Unicode does not decompose them."""


def docutils(text: str) -> str:
    """Slugs as docutils does: words of ASCII letters and digits, from the first letter on."""
    text = unicodedata.normalize("NFKD", text.lower().translate(_STROKED)).encode("ascii", "ignore").decode()
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", text))


_VITEPRESS_SIGNS = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'“”‘’<>,.?/]+""")


def vitepress(text: str) -> str:
    """Slugs as VitePress does: without marks, one hyphen for all that stands between words, `_` before a digit."""
    text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not "\u0300" <= sign <= "\u036f")
    text = _VITEPRESS_SIGNS.sub("-", re.sub(r"[\x00-\x1f]", "", text)).strip("-")
    return re.sub(r"^(\d)", r"_\1", re.sub(r"-{2,}", "-", text)).lower()
