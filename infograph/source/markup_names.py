"""Names in the markup of site generators: admonitions, shortcodes, elements of HTML."""

from __future__ import annotations

ADMONITIONS = frozenset(
    (
        *("abstract", "admonition", "alert", "announcement", "attention", "bug", "callout", "caution", "check"),
        *("danger", "deprecated", "example", "experimental", "fail", "failure", "help", "hint", "important", "info"),
        *("info-box", "information", "later", "missing", "modification", "new", "note", "notice", "pitfall"),
        *("question", "quote", "remark", "remember", "seealso", "success", "summary", "tip", "tldr", "todo"),
        *("versionadded", "versionchanged", "warning", "wip"),
    )
)
"""Kinds of boxes. Without a title, a box is called by its kind."""

QUIET_SHORTCODES = frozenset(
    (
        *("anchor", "asciinema", "audio", "badge", "blocks", "br", "btn", "button", "cards", "carousel", "clear"),
        *("column", "columns", "comment", "contenttable", "figure", "footer", "gallery", "github-link", "hr"),
        *("icon", "image", "img", "imgproc", "include-html", "lead", "link", "mermaid", "param-link", "pdf"),
        *("picture", "progress", "ref", "relref", "row", "screenshot", "section", "section-index", "siteurl"),
        *("spacer", "swatch", "toc", "tooltip", "tweet", "video", "vimeo", "x", "youtube"),
    )
)
"""Shortcodes of which no text is lost: links, images, players, layout, and those whose text stands in the page."""

TITLE_FIRST = frozenset(
    (*("accordion", "collapse", "details", "dropdown", "expand", "step", "tab", "tab-item", "tabitem"),)
)
"""Shortcodes whose first value without a name is a title."""

SHOWN_VALUES = (
    "header",
    "heading",
    "title",
    "subtitle",
    "label",
    "caption",
    "summary",
    "text",
    "description",
    "content",
)
"""Parameters of shortcodes and components whose values a reader sees, in that order."""

INLINE_TAGS = frozenset(
    (
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i"),
        *("ins", "kbd", "mark", "meter", "nobr", "output", "q", "rp", "rt", "ruby", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
"""Elements within a sentence."""

BLOCK_TAGS = frozenset(
    (
        *("address", "article", "aside", "audio", "blockquote", "body", "br", "button", "canvas", "caption"),
        *("center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "embed", "fieldset"),
        *("figcaption", "figure", "footer", "form", "frame", "frameset", "g", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("head", "header", "hgroup", "hr", "html", "iframe", "img", "input", "label", "legend", "li", "link"),
        *("main", "map", "menu", "meta", "nav", "noframes", "noscript", "object", "ol", "optgroup", "option", "p"),
        *("param", "path", "picture", "pre", "progress", "search", "section", "select", "slot", "source", "summary"),
        *("table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "title", "tr", "track", "ul"),
        *("video"),
    )
)
"""Elements that stand for a block, or for something that is no text."""
