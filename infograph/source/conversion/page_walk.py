"""Reduces the content of a page to plain HTML: flat paragraphs, lists, tables, listings, and marks for the rest.

One pass without recursion over the elements, whatever their number and depth. Only elements that are named here are
written, with attributes made here: nothing that a page holds goes through as markup.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from infograph.source.conversion import page_parts as parts
from infograph.source.conversion.marks import GAP_MARK, START_MARK, clean
from infograph.source.conversion.page_text import Phrase, TextWriter

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DEEPEST = 24
"""Nested lists, quotes and tables that are kept; what lies deeper is written as if it did not."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_ANY_HEADING = "h1, h2, h3, h4, h5, h6"
_KEPT = frozenset(("ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tfoot", "tr"))
"""Elements that are written as they are, where they may stand."""
_INSIDE = {"li": ("ul", "ol"), "tr": ("table", "thead", "tbody", "tfoot"), "td": ("tr",), "th": ("tr",)}
_CELLS = frozenset(("td", "th"))
_LISTING_TABLES = frozenset(("highlighttable", "rouge-table", "lntable", "hljs-ln"))


@dataclass(slots=True)
class Walk(TextWriter):
    """Writes the elements of a page."""

    flattened: int = 0
    """Number of elements that were nested too deep."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Number of elements of kinds that may hold text which is lost: frames."""
    heading: str = ""
    """Text of the first heading of level 1."""

    _labels: list[list[str]] = field(default_factory=list)
    """Labels of tabs whose panels are still to come."""
    _numbers: dict[int, int] = field(default_factory=dict)
    """Numbers that items of ordered lists in cells had last, by the list."""

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
        if (classes and tag in ("span", "div")) or tag in ("script", "math", "mjx-container"):
            found = parts.formula(node, tag, classes)
            if found is not None:
                self._formula(*found)
                return None
        if parts.is_left_out(tag, attributes, classes):
            if tag in ("iframe", "frame", "object", "embed"):
                self.dropped[tag] = self.dropped.get(tag, 0) + 1
            return None
        if tag == "span" and "literal" in classes:  # docutils
            self._code(node)
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
        labels = parts.tab_labels(node, classes, role) if attributes else None
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
        self._pending = ""
        if self._labels and parts.is_tab_panel(node, classes, role):
            label = self._labels[-1].pop() if self._labels[-1] else ""
            if not self._labels[-1]:
                self._labels.pop()
            self._strong_line(label)
        in_note = self._open[-1:] == ["note"]
        if parts.is_note(tag, named) and not in_note:
            return self._keep("blockquote", "note")
        if (tag == "summary" and not node.css_first(_ANY_HEADING)) or tag == "dt" or parts.is_note_title(named):
            return self._enter_term(attributes, tag)
        if in_note and tag == "td" and "icon" in classes:  # AsciiDoc
            self._strong_line(parts.icon_name(node))
            return None
        lays_out = role == "presentation" or (in_note and parts.is_of_asciidoc(node))
        if tag == "table" and (lays_out or not _LISTING_TABLES.isdisjoint(classes)):
            return "flat-table", ""
        if tag in _CELLS:
            return self._enter_cell(tag, attributes)
        if (
            tag == "li" and self._block in _CELLS and node.first_child is not None
        ):  # a cell has the text of a list alone
            self._text(self._item_mark(node))
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
        if tag == "blockquote" and self.out and self.out[-1] not in ("<li>", "<blockquote>"):
            self.out.append(f"<p>{GAP_MARK}</p>")
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

    def _item_mark(self, item: LexborNode) -> str:
        """Returns what stands before an item of a list where no list can: its number, or a dot."""
        above = item.parent
        if above is None or above.tag != "ol":
            return "• "
        number = self._numbers.get(above.mem_id, 0) + 1
        self._numbers[above.mem_id] = number
        return f"({number}) "

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
        self._phrases.append(Phrase("strong"))
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
            if self._block in _HEADINGS and self.out[-1].endswith("#"):  # which would close the heading
                self.out[-1] = f"{self.out[-1][:-1]}{START_MARK}#"
            if how == "heading" and not self._starts:
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
            self._phrases.append(Phrase(own))
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
        self._phrases.append(Phrase("a", f' href="{html.escape(address)}"'))
        return "phrase", "a"

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
        if tag == "code" and step.prev is not None and step.prev.tag == "code":  # another listing, or another line
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
    if found is not None and found.mem_id == node.mem_id:
        return ""
    return (found.attributes.get("id") or found.attributes.get("name") or "") if found is not None else ""


def _section_id(node: LexborNode) -> str:
    """Returns the id of the section that begins with a heading."""
    above = node.parent
    before = node.prev
    while before is not None and _is_nothing(before):
        before = before.prev
    if above is None or before is not None or above.tag not in ("section", "div", "header"):
        return ""
    return above.attributes.get("id") or ""


def _is_nothing(node: LexborNode) -> bool:
    """Whether a node is white space, or an element that is left out."""
    tag = node.tag or ""
    if tag == "-text":
        return not (node.text_content or "").strip()
    attributes = node.attributes
    return tag[:1] != "-" and parts.is_left_out(tag, attributes, frozenset((attributes.get("class") or "").split()))
