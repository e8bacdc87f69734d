"""Writes the text of a page as plain HTML: paragraphs, phrases within them, and what stands in a line."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from infograph.source.conversion.marks import anchor_mark, clean, held_mark, hidden

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from infograph.source.conversion.page_parts import Attributes

_SCHEMES = frozenset(("", "http", "https", "mailto", "ftp", "tel"))
_SPACE = re.compile(r"[ \t\n\r\f\u200b]+")
_OPENS_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_TICKS = re.compile("`+")
_LINE_ENDS = re.compile(r"[\t\r\n\f]+")


@dataclass(slots=True)
class Phrase:
    """An element within a line that is open."""

    tag: str
    attributes: str = ""
    at: int = -1
    """Place in the output where it begins; -1 where it is not written."""


@dataclass(slots=True)
class TextWriter:
    """What was written of a page, and the block and phrases that are open."""

    base: str = ""
    """Address that links are relative to; empty for the page's own."""
    out: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    """Ids of the anchors, by the numbers of their marks."""
    held: list[str] = field(default_factory=list)
    """Texts that are put in as they are, by the numbers of their marks."""

    _open: list[str] = field(default_factory=list)
    """Kept elements that are open."""
    _phrases: list[Phrase] = field(default_factory=list)
    _written: int = 0
    """Number of phrases that are written in the open block."""
    _block: str = ""
    """Open block that holds text: `p`, a heading, a cell; empty for none."""
    _closings: list[tuple[int, int]] = field(default_factory=list)
    """Places of the emphasis that ends right before the next text, from its beginning to its end."""
    _starts: bool = True
    """Whether nothing was written in the line."""
    _space: bool = False
    """Whether a space comes before the next word."""
    _flat: int = 0
    """Depth of elements in which there are no blocks: headings, cells."""
    _pending: str = ""
    """Id of an empty element right before."""

    def _anchor(self, id_: str) -> str:
        self.ids.append(id_)
        return anchor_mark(len(self.ids) - 1)

    def _text(self, text: str) -> None:
        text = _SPACE.sub(" ", text)
        if text == " " or not text:
            self._space = self._space or bool(text)
            return
        self._pending = ""
        text = clean(text)
        if text[0] == " ":
            self._space, text = True, text[1:]
        trailing = text.endswith(" ")
        starts = self._starts or not self._block
        self._ready(text[0])
        linked = bool(self._phrases) and any(phrase.tag == "a" for phrase in self._phrases)
        self.out.append(html.escape(hidden(text.rstrip(" "), starts=starts, linked=linked), quote=False))
        self._space = trailing

    def _ready(self, first: str) -> None:
        """Opens a paragraph where no block is open, and the phrases that the text stands in.

        first: the first sign of the text
        """
        if not self._block:
            if self._open and self._open[-1] in ("ul", "ol"):  # text between items
                self.out.append("<li>")
                self._block = "li"
            else:
                self._block = "item" if self.out and self.out[-1] == "<li>" else "p"  # so that lists are no airier
                self.out.append("" if self._block == "item" else "<p>")
            self._starts, self._written, self._space = True, 0, False
        if self._space and not self._starts:
            self.out.append(" ")
        elif not self._starts and first.isalnum():
            self._drop_closings()
        several = len(self._phrases) - self._written > 1
        apart = self._starts or self._space or not self._joins("*" if several else first)
        self._space = False
        for phrase in self._phrases[self._written :]:
            phrase.at = -1
            if apart or phrase.tag == "a":
                phrase.at = len(self.out)
                self.out.append(f"<{phrase.tag}{phrase.attributes}>")
        self._written = len(self._phrases)
        self._starts = False
        self._closings.clear()

    def _joins(self, first: str) -> bool:
        """Whether emphasis cannot begin here in Markdown: in a word before a sign, or right after other emphasis."""
        return bool(self._closings) or (self.out[-1][-1:].isalnum() and not first.isalnum())

    def _drop_closings(self) -> None:
        """Takes back emphasis that cannot end here in Markdown: behind a sign and within a word."""
        for start, end in self._closings:
            if not self.out[end - 1][-1:].isalnum():
                self.out[start] = self.out[end] = ""

    def _close(self, phrase: Phrase) -> None:
        if phrase.at >= 0:
            if phrase.tag != "a":
                self._closings.append((phrase.at, len(self.out)))
            self.out.append(f"</{phrase.tag}>")

    def _end_block(self) -> None:
        """Ends the paragraph that is open; where there are no blocks, a space stands for the end."""
        if self._flat:
            self._space = True
            return
        if self._block:
            self._close_phrases()
            self.out.append("" if self._block == "item" else f"</{self._block}>")
        self._block, self._starts, self._space = "", True, False

    def _close_phrases(self) -> None:
        for phrase in reversed(self._phrases[: self._written]):
            self._close(phrase)
        self._written = 0

    def _break(self) -> None:
        if self._flat:
            self._space = True
        elif self._block and not self._starts:
            self._close_phrases()
            self.out.append("<br>")
            self._starts, self._space = True, False

    def _strong_line(self, text: str) -> None:
        """Writes a title in a line of its own."""
        if text and not self._flat:
            self.out.append(f"<p><strong>{html.escape(hidden(clean(text), starts=False), quote=False)}</strong></p>")

    def _end_phrase(self) -> None:
        phrase = self._phrases.pop()
        if self._written > len(self._phrases):
            self._close(phrase)
            self._written = len(self._phrases)

    def _address(self, href: str) -> str:
        """Returns an address that text may lead to, without what would end it in Markdown; empty for any other."""
        href = _LINE_ENDS.sub("", clean(href).strip()).replace(" ", "%20")
        try:
            if self.base:
                href = urljoin(self.base, href)
            scheme = urlsplit(href).scheme.lower()
        except ValueError:
            return ""
        if scheme not in _SCHEMES:
            return ""
        return href.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C").replace("`", "%60")

    def _code(self, node: LexborNode) -> None:
        text = " ".join(clean(node.text()).split())
        if text:
            self._pending = ""
            self._ready("`")
            if any(phrase.tag == "a" for phrase in self._phrases):  # the library would escape brackets in it
                self.out.append(self._hold(_code_span(text, cell=self._block in ("td", "th"))))
            else:
                self.out.append(f"<code>{html.escape(text, quote=False)}</code>")

    def _image(self, attributes: Attributes) -> None:
        source = self._address(attributes.get("src") or attributes.get("data-src") or "")
        alternative = " ".join(clean(attributes.get("alt") or "").split())
        if "emoji" in (attributes.get("class") or "") or not source:
            self._text(f" {alternative} " if alternative else "")
            return
        self._ready("!")
        words = html.escape(alternative.replace("[", "(").replace("]", ")"))
        self.out.append(f'<img src="{html.escape(source)}" alt="{words}">')

    def _formula(self, tex: str, display: bool) -> None:
        if not tex:
            return
        line = _OPENS_TAG.sub("< ", " ".join(clean(tex).split()))
        self._ready("$")
        self.out.append(self._hold(f"$${line}$$" if display else f"${line}$"))

    def _hold(self, text: str) -> str:
        self.held.append(text)
        return held_mark(len(self.held) - 1)


def _code_span(text: str, *, cell: bool) -> str:
    """Returns code as Markdown has it.

    cell: it stands in a cell of a table
    """
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence, space = "`" * (longest + 1), " " if "`" in (text[0], text[-1]) else ""
    return f"{fence}{space}{text.replace('|', chr(92) + '|') if cell else text}{space}{fence}"
