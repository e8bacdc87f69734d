"""Reduces the content of a page to plain HTML: flat paragraphs, lists, tables, listings, and marks for the rest.

One pass without recursion over the elements, whatever their number and depth. Only elements that are named here are
written, with attributes made here: nothing that a page holds goes through as markup.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from infograph.source.conversion import page_parts as parts
from infograph.source.conversion.marks import anchor_mark, clean, held_mark, hidden

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DEEPEST = 24
"""Nested lists, quotes and tables that are kept; what lies deeper is written as if it did not."""
_SCHEMES = frozenset(("", "http", "https", "mailto", "ftp", "tel"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_KEPT = frozenset(("ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tfoot", "tr"))
"""Elements that are written as they are, where they may stand."""
_INSIDE = {"li": ("ul", "ol"), "tr": ("table", "thead", "tbody", "tfoot"), "td": ("tr",), "th": ("tr",)}
_CELLS = frozenset(("td", "th"))
_LISTING_TABLES = frozenset(("highlighttable", "rouge-table", "lntable", "hljs-ln"))
_SPACE = re.compile(r"[ \t\n\r\f\u200b]+")

_LINE_ENDS = re.compile(r"[\t\r\n\f]+")


@dataclass(slots=True)
class _Phrase:
    """An element within a line that is open."""

    tag: str
    attributes: str = ""


@dataclass(slots=True)
class Walk:
    """The state of one pass."""

    base: str = ""
    """Address that links are relative to; empty for the page's own."""
    out: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    """Ids of the anchors, by the numbers of their marks."""
    held: list[str] = field(default_factory=list)
    """Texts that are put in as they are, by the numbers of their marks."""
    flattened: int = 0
    """Number of elements that were nested too deep."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Number of elements of kinds that may hold text which is lost: frames."""
    heading: str = ""
    """Text of the first heading of level 1."""

    _open: list[str] = field(default_factory=list)
    """Kept elements that are open."""
    _phrases: list[_Phrase] = field(default_factory=list)
    _written: int = 0
    """Number of phrases that are written in the open block."""
    _block: str = ""
    """Open block that holds text: `p`, a heading, a cell; empty for none."""
    _starts: bool = True
    """Whether nothing was written in the line."""
    _space: bool = False
    """Whether a space comes before the next word."""
    _flat: int = 0
    """Depth of elements in which there are no blocks: headings, cells."""
    _pending: str = ""
    """Id of an empty element right before."""
    _labels: list[list[str]] = field(default_factory=list)
    """Labels of tabs whose panels are still to come."""

    def take(self, node: LexborNode) -> None:
        """Writes an element of the page and all in it."""
        stack: list[LexborNode | tuple[str, str]] = [node]
        while stack:
            step = stack.pop()
            if isinstance(step, tuple):
                self._leave(*step)
                continue
            tag = step.tag
            if tag == "-text":
                self._text(step.text_content or "")
                continue
            if not tag or tag[0] in "-!":  # a comment, a doctype
                continue
            end = self._enter(step, tag)
            if end is None:
                continue
            if end[0]:
                stack.append(end)
            child = step.last_child
            while child is not None:
                stack.append(child)
                child = child.prev
        self._end_block()

    # ---- elements ----------------------------------------------------------------------------------------------

    def _enter(self, node: LexborNode, tag: str) -> tuple[str, str] | None:
        """Begins an element. Returns how it ends, with an empty name where nothing is to be done then; None where its
        content is not to be looked at."""
        attributes: parts.Attributes = node.attributes
        named = attributes.get("class") or ""
        classes = frozenset(named.split()) if named else frozenset()
        if (tag in ("script", "math", "mjx-container", "span", "div")) and (
            found := parts.formula(node, tag, classes)
        ) is not None:
            self._formula(*found)
            return None
        if parts.is_left_out(tag, attributes, classes):
            if tag in ("iframe", "frame", "object", "embed"):
                self.dropped[tag] = self.dropped.get(tag, 0) + 1
            return None
        if tag in ("header", "aside") and not self._belongs(node, tag, named):
            return None
        if tag in parts.PHRASES:
            return self._enter_phrase(node, tag, attributes, classes)
        if tag in _HEADINGS:
            return self._enter_heading(node, tag, attributes)
        if tag == "img":
            self._image(attributes)
            return None
        if tag == "br":
            self._break()
            return None
        return self._enter_block(node, tag, attributes, named, classes)

    def _belongs(self, node: LexborNode, tag: str, classes: str) -> bool:
        """Whether a header or an aside is content: it holds the page's heading, or is a note."""
        if tag == "aside":
            return parts.is_note(tag, classes) or node.css_matches("h1")
        return node.css_first("h1, h2") is not None

    def _enter_block(
        self, node: LexborNode, tag: str, attributes: parts.Attributes, named: str, classes: frozenset[str]
    ) -> tuple[str, str] | None:
        role = attributes.get("role") or ""
        labels = parts.tab_labels(node, classes, role)
        if labels is not None:
            self._labels.append(labels[::-1])
            return None
        if tag == "pre":
            self._listing(node)
            return None
        if tag == "hr":
            self._end_block()
            if not self._flat:
                self.out.append("<hr>")
            return None
        self._end_block()
        self._note_id(attributes)
        if parts.is_tab_panel(node, classes, role) and self._labels:
            label = self._labels[-1].pop() if self._labels[-1] else ""
            if not self._labels[-1]:
                self._labels.pop()
            self._strong_line(label)
        if parts.is_note(tag, named) and not (self._open and self._open[-1] == "note"):
            return self._keep("blockquote", "note")
        if tag == "summary" or tag == "dt" or parts.is_note_title(named):
            return self._enter_term(attributes, tag)
        if tag == "table" and (not _LISTING_TABLES.isdisjoint(classes) or role == "presentation"):
            return "flat-table", ""
        if tag in _CELLS:
            return self._enter_cell(tag, attributes)
        if tag in _KEPT:
            return self._keep(tag, tag, attributes)
        return "block", ""

    def _keep(self, tag: str, name: str, attributes: parts.Attributes | None = None) -> tuple[str, str]:
        """Begins an element that is written as it is, if it stands where it may and not too deep."""
        if self._flat or not self._may(name):
            return "block", ""
        if len(self._open) >= DEEPEST:
            self.flattened += 1
            return "block", ""
        start = (attributes or {}).get("start") or ""
        own = f' start="{int(start)}"' if tag == "ol" and re.fullmatch("[0-9]{1,9}", start) else ""
        self.out.append(f"<{tag}{own}>")
        self._open.append(name)
        return "kept", tag

    def _may(self, name: str) -> bool:
        """Whether an element may stand in the one that is open: an item in a list, a row in a table."""
        above = self._open[-1] if self._open else ""
        if name in _INSIDE:
            return above in _INSIDE[name]
        if name in ("thead", "tbody", "tfoot"):
            return above == "table"
        return above not in ("table", "thead", "tbody", "tfoot", "tr")

    def _enter_cell(self, tag: str, attributes: parts.Attributes) -> tuple[str, str]:
        if self._flat or not self._may(tag):
            return "block", ""
        span = attributes.get("colspan") or ""
        own = f' colspan="{span}"' if re.fullmatch(r"[2-9]|[1-4][0-9]", span) else ""
        return self._begin(tag, own)

    def _enter_heading(self, node: LexborNode, tag: str, attributes: parts.Attributes) -> tuple[str, str]:
        self._end_block()
        if self._flat or (self._open and self._open[-1] in ("table", "thead", "tbody", "tfoot", "tr")):
            return "block", ""
        if tag == "h1" and not self.heading:
            self.heading = " ".join(clean(node.text()).split())
        id_ = attributes.get("id") or _inner_id(node) or _section_id(node) or self._pending
        self._pending = ""
        end = self._begin(tag, "")
        return ("heading", id_) if id_ else end

    def _enter_term(self, attributes: parts.Attributes, tag: str) -> tuple[str, str]:
        """Begins a line that is a title without being a heading: a term, a summary, the title of a note."""
        if self._flat:
            return "block", ""
        id_ = attributes.get("id") or ""
        self._flat += 1
        self._phrases.append(_Phrase("strong"))
        return "term", id_ if tag == "dt" else ""

    def _begin(self, tag: str, attributes: str) -> tuple[str, str]:
        """Begins an element in which there are no blocks."""
        self.out.append(f"<{tag}{attributes}>")
        self._block, self._starts, self._space, self._written = tag, True, False, 0
        self._flat += 1
        return "flat", tag

    def _leave(self, how: str, name: str) -> None:
        """Ends an element as `_enter` said."""
        if how == "phrase":
            self._end_phrase()
        elif how in ("flat", "heading"):
            self._close_phrases()
            if how == "heading":
                self.out.append(self._anchor(name))
            self.out.append(f"</{self._block}>")
            self._block, self._space = "", False
            self._flat -= 1
        elif how == "term":
            if name and self._block:
                self._close_phrases()
                self.out.append(self._anchor(name))
            self._end_phrase()
            self._flat -= 1
            self._end_block()
        elif how == "kept":
            self._end_block()
            self.out.append(f"</{name}>")
            self._open.pop()
        elif how != "flat-table":
            self._end_block()

    def _anchor(self, id_: str) -> str:
        self.ids.append(id_)
        return anchor_mark(len(self.ids) - 1)

    def _note_id(self, attributes: parts.Attributes) -> None:
        self._pending = ""

    # ---- text --------------------------------------------------------------------------------------------------

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
        self._ready()
        self.out.append(html.escape(hidden(text.rstrip(" "), starts=starts), quote=False))
        self._space = trailing

    def _ready(self) -> None:
        """Opens a paragraph where no block is open, and the phrases that the text stands in."""
        if not self._block:
            if self._open and self._open[-1] in ("ul", "ol"):  # text between items
                self.out.append("<li>")
                self._block = "li"
            else:
                self.out.append("<p>")
                self._block = "p"
            self._starts, self._written, self._space = True, 0, False
        if self._space and not self._starts:
            self.out.append(" ")
        self._space = False
        for phrase in self._phrases[self._written :]:
            self.out.append(f"<{phrase.tag}{phrase.attributes}>")
        self._written = len(self._phrases)
        self._starts = False

    def _end_block(self) -> None:
        """Ends the paragraph that is open; where there are no blocks, a space stands for the end."""
        if self._flat:
            self._space = True
            return
        if self._block:
            self._close_phrases()
            self.out.append(f"</{self._block}>")
        self._block, self._starts, self._space = "", True, False

    def _close_phrases(self) -> None:
        for phrase in reversed(self._phrases[: self._written]):
            self.out.append(f"</{phrase.tag}>")
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

    # ---- phrases -----------------------------------------------------------------------------------------------

    def _enter_phrase(
        self, node: LexborNode, tag: str, attributes: parts.Attributes, classes: frozenset[str]
    ) -> tuple[str, str] | None:
        if node.first_child is None and tag in ("a", "span"):
            self._pending = attributes.get("id") or attributes.get("name") or self._pending
            return None
        if tag in parts.CODE and not node.css_first("pre"):
            self._code(node)
            return None
        if tag == "a":
            return self._enter_link(node, attributes, classes)
        own = parts.INLINE.get(tag, "")
        if own and all(phrase.tag != own for phrase in self._phrases):
            self._phrases.append(_Phrase(own))
            return "phrase", own
        return "", ""

    def _enter_link(
        self, node: LexborNode, attributes: parts.Attributes, classes: frozenset[str]
    ) -> tuple[str, str] | None:
        href = attributes.get("href") or ""
        if self._block in _HEADINGS and href.startswith("#"):
            return None if parts.is_permalink(attributes, classes, node.text()) else ("", "")
        if href.startswith("#") and parts.is_permalink(attributes, classes, node.text()):
            return None if node.text().strip() else ("", "")
        address = self._address(href)
        if not address or any(phrase.tag == "a" for phrase in self._phrases):
            return "", ""
        self._phrases.append(_Phrase("a", f' href="{html.escape(address)}"'))
        return "phrase", "a"

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

    def _end_phrase(self) -> None:
        phrase = self._phrases.pop()
        if self._written > len(self._phrases):
            self.out.append(f"</{phrase.tag}>")
            self._written = len(self._phrases)

    def _code(self, node: LexborNode) -> None:
        text = " ".join(clean(node.text()).split())
        if text:
            self._pending = ""
            self._ready()
            self.out.append(f"<code>{html.escape(text, quote=False)}</code>")

    def _image(self, attributes: parts.Attributes) -> None:
        source = self._address(attributes.get("src") or attributes.get("data-src") or "")
        alternative = " ".join(clean(attributes.get("alt") or "").split())
        if "emoji" in (attributes.get("class") or "") or not source:
            self._text(f" {alternative} " if alternative else "")
            return
        self._ready()
        words = html.escape(alternative.replace("[", "(").replace("]", ")"))
        self.out.append(f'<img src="{html.escape(source)}" alt="{words}">')

    def _formula(self, tex: str, display: bool) -> None:
        if not tex:
            return
        line = " ".join(clean(tex).split())
        self.held.append(f"$${line}$$" if display else f"${line}$")
        self._ready()
        self.out.append(held_mark(len(self.held) - 1))

    # ---- listings ----------------------------------------------------------------------------------------------

    def _listing(self, node: LexborNode) -> None:
        if self._flat or (self._open and self._open[-1] in ("table", "thead", "tbody", "tfoot", "tr")):
            self._space = True
            self._code(node)
            self._space = True
            return
        self._end_block()
        text = _listing_text(node).strip("\n")
        if text.strip():
            language = parts.language_of(node)
            own = f' class="language-{language}"' if language else ""
            self.out.append(f"<pre><code{own}>{html.escape(text, quote=False)}\n</code></pre>")


def _listing_text(node: LexborNode) -> str:
    """Returns the text of a listing, without numbers of lines and buttons."""
    found: list[str] = []
    stack = [node]
    while stack:
        step = stack.pop()
        tag = step.tag
        if tag == "-text":
            found.append(step.text_content or "")
            continue
        if tag == "br":
            found.append("\n")
        if not tag or tag[0] in "-!" or step.first_child is None:
            continue
        attributes = step.attributes
        if step is not node and parts.is_left_out(tag, attributes, frozenset((attributes.get("class") or "").split())):
            continue
        child = step.last_child
        while child is not None:
            stack.append(child)
            child = child.prev
    return clean("".join(found)).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")


def _inner_id(node: LexborNode) -> str:
    """Returns the id of an element in a heading, or the name of an anchor in it."""
    found = node.css_first("[id], a[name]")
    while found is not None and found.mem_id == node.mem_id:
        return ""
    return (found.attributes.get("id") or found.attributes.get("name") or "") if found is not None else ""


def _section_id(node: LexborNode) -> str:
    """Returns the id of the section that begins with a heading."""
    above = node.parent
    before = node.prev
    while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
        before = before.prev
    if above is None or before is not None or above.tag not in ("section", "div", "header"):
        return ""
    return above.attributes.get("id") or ""
