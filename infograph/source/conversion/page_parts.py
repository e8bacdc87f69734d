"""What the elements of a rendered page are: which are no text of it, which are notes, tabs, code, mathematics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Attributes = dict[str, str | None]

_DROPPED = """applet area audio base canvas col colgroup datalist dialog embed footer frame frameset head iframe input
    link map menu meta meter nav noframes noscript object option optgroup param progress script select source style svg
    template textarea title track video button"""
_PHRASES = """a abbr acronym bdi bdo big data dfn font ins label mark output q rp rt ruby small span strike sub sup time
    u var wbr picture"""
_NOISE_NAMES = """headerlink header-anchor hash-link anchor-link heading-anchor sl-anchor-link md-content__button
    md-source-file md-feedback md-tags breadcrumb breadcrumbs theme-doc-breadcrumbs theme-doc-toc-mobile
    theme-doc-footer theme-edit-this-page pagination-nav prev-next-area prev-next-footer toc table-of-contents tocbase
    td-toc edit-this-page edit-link editlink page-edit sr-only visually-hidden screen-reader-text clipboard copy
    copy-button btn-clipboard copybtn lineno linenos line-numbers line-numbers-wrapper linenodiv gutter skip-link
    rst-footer-buttons sphinxsidebar related giscus nav-chapters mobile-nav-chapters katex-html
    rightside hideme rustdoc-breadcrumbs"""

DROPPED = frozenset(_DROPPED.split())
"""Elements that hold no text of the page."""
INLINE = {"strong": "strong", "b": "strong", "em": "em", "i": "em", "cite": "em", "del": "del", "s": "del"}
"""Elements with a twin in Markdown."""
CODE = frozenset(("code", "tt", "samp", "kbd"))
PHRASES = frozenset(_PHRASES.split()).union(INLINE, CODE)
"""Elements within a line of text; all others begin a block."""

_NOISE_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "tooltip", "menu", "dialog", "toolbar"))
_NOISE = frozenset(_NOISE_NAMES.split())
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_PANEL = frozenset(("tab-pane", "tabbed-block", "tabs-content", "tab-content", "sd-tab-content"))
_NOTES = re.compile(
    r"(?:^|\s)(?:[\w-]*-)?(?:admonition|callout|custom-block|markdown-alert|starlight-aside|admonitionblock)(?=\s|$)"
    r"|(?:^|\s)(?:alert alert-|theme-admonition)"
)
_NOTE_TITLES = re.compile(
    r"(?:^|\s)(?:admonition-title|custom-block-title|markdown-alert-title|starlight-aside__title|callout-title"
    r"|admonition-?[Hh]eading\S*|alert-heading)(?=\s|$)"
)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s]?([A-Za-z0-9_+#.-]+)"
)
_NO_LANGUAGE = frozenset(("default", "none", "text", "plaintext", "notranslate", "nohighlight", "highlight", "hljs"))
_DELIMITED = re.compile(r"\\[\[(](.*)\\[\])]", re.DOTALL)
_LETTER = re.compile(r"[^\W_]")
SYMBOL_CLASSES = frozenset(("anchor", "permalink", "anchorlink", "heading-link", "headinglink", "direct-link"))


def is_left_out(tag: str, attributes: Attributes, classes: frozenset[str]) -> bool:
    """Whether an element is hidden, or one of navigation or controls."""
    if not attributes:
        return tag in DROPPED
    if tag in DROPPED or "data-pagefind-ignore" in attributes or not _NOISE.isdisjoint(classes):
        return True
    if tag == "a" and "src" in classes:  # rustdoc's link to the source
        return True
    role = attributes.get("role") or ""
    panel = role == "tabpanel" or not _PANEL.isdisjoint(classes)
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    if not hidden and (style := attributes.get("style")):
        hidden = _HIDDEN.search(style) is not None
    return role in _NOISE_ROLES or (hidden and not panel)


def is_note(tag: str, classes: str) -> bool:
    """Whether an element is a note apart from the text."""
    return (
        bool(classes) and tag in ("div", "aside", "section", "details", "blockquote") and bool(_NOTES.search(classes))
    )


def is_note_title(classes: str) -> bool:
    return bool(classes) and _NOTE_TITLES.search(classes) is not None


def is_of_asciidoc(table: LexborNode) -> bool:
    """Whether a table is how AsciiDoc lays out a note: an icon beside the text."""
    return table.parent is not None and "admonitionblock" in _classes(table.parent)


def icon_name(node: LexborNode) -> str:
    """Returns what an icon says, or what it is called where it is a picture."""
    picture = node.css_first("[title], [alt]")
    named = (picture.attributes.get("title") or picture.attributes.get("alt") or "") if picture is not None else ""
    return " ".join(node.text().split()) or named


def is_permalink(attributes: Attributes, classes: frozenset[str], text: str) -> bool:
    """Whether a link in a heading is only there to link to the heading."""
    if not (attributes.get("href") or "").startswith("#"):
        return False
    return not _LETTER.search(text) or (not SYMBOL_CLASSES.isdisjoint(classes) and len(text) < 3)


def tab_labels(node: LexborNode, classes: frozenset[str], role: str) -> list[str] | None:
    """Returns the labels in a list of tabs; None for any other element."""
    if role == "tablist":
        found = node.css("[role=tab]")
    elif "tabbed-labels" in classes or ("tabs" in classes and node.parent and "vp-code-group" in _classes(node.parent)):
        found = node.css("label")
    else:
        return None
    return [" ".join(label.text().split()) for label in found]


def is_tab_panel(node: LexborNode, classes: frozenset[str], role: str) -> bool:
    """Whether an element is what one tab shows."""
    if role == "tabpanel" or "tabbed-block" in classes:
        return True
    above = node.parent
    return node.tag == "div" and above is not None and "blocks" in _classes(above)


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def language_of(node: LexborNode) -> str:
    """Returns the language of a listing, as its attributes say, those of the code in it or of an element around it."""
    inner = node.css_first("code")
    around = [above for above in (node.parent, node.parent and node.parent.parent) if above is not None]
    for element in (inner, node, *around):
        if element is None:
            continue
        attributes = element.attributes
        for name in ("data-lang", "data-language"):
            if _usable(found := attributes.get(name) or ""):
                return found.lower()
        for match in _LANGUAGE.finditer(attributes.get("class") or ""):
            if _usable(match[1]):
                return match[1].lower()
    return ""


def _usable(language: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z0-9_+#.-]{1,30}", language)) and language.lower() not in _NO_LANGUAGE


def formula(node: LexborNode, tag: str, classes: frozenset[str]) -> tuple[str, bool] | None:
    """Returns the TeX of a formula and whether it is set apart; None where the element is no formula with its TeX."""
    if tag == "script":
        kind = node.attributes.get("type") or ""
        if kind.startswith("math/tex"):
            return node.text().strip(), "mode=display" in kind
        return None
    if not classes.isdisjoint(("arithmatex", "math")):
        delimited = _DELIMITED.fullmatch(node.text().strip())
        return (delimited[1].strip(), delimited[0][1] == "[") if delimited else None
    if tag != "math" and classes.isdisjoint(("katex", "katex-display", "MathJax")) and tag != "mjx-container":
        return None
    tex = node.css_first("annotation[encoding='application/x-tex']")
    if tex is None:
        return None
    above = node.parent
    display = "katex-display" in classes or node.attributes.get("display") in ("block", "true")
    display = display or (above is not None and "katex-display" in _classes(above))
    return tex.text().strip(), display
