"""Finds the content of a rendered page among its navigation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MARKED = "[data-pagefind-body]"
"""Elements that an author named as content: all of them are."""

_THEMES = (
    "article.md-content__inner",  # Material for MkDocs
    ".theme-doc-markdown",  # Docusaurus
    ".vp-doc",  # VitePress
    "article.bd-article",  # PyData Sphinx theme
    "article#furo-main-content",  # Furo
    "[itemprop=articleBody]",  # Read the Docs
    "div.body[role=main]",  # Sphinx: alabaster, classic
    "#content > main",  # mdBook
    ".td-content",  # Docsy
    "article.book-article",  # Hugo Book
    "div[role=main] .section",  # older Sphinx themes
    ".markdown-body",  # GitHub
)
"""The content in known themes, where `main` or `article` holds more than it."""

_GENERAL = ("main", "[role=main]", "article", "#main-content", "#content", "body")


def content_of(page: LexborHTMLParser) -> Sequence[LexborNode]:
    """Returns the elements that hold the content, in order, none inside another; empty for a page without a body."""
    if marked := page.css(_MARKED):
        return _outermost(marked)
    for selector in _THEMES:
        if first := page.css_first(selector):
            return (first,)
    for selector in _GENERAL:
        if found := page.css(selector):
            if selector == "article":
                return _outermost(found)
            return (_only_article(found[0]),)
    return ()


def _only_article(node: LexborNode) -> LexborNode:
    """Returns the article that an element consists of but for what stands around it; the element itself where it has
    none or several, or where its heading is not in the article."""
    articles = node.css("article")
    if len(articles) != 1 or (node.css_first("h1") and not articles[0].css_first("h1")):
        return node
    return articles[0]


def _outermost(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    known = {node.mem_id for node in nodes}
    found = []
    for node in nodes:
        above = node.parent
        while above is not None and above.mem_id not in known:
            above = above.parent
        if above is None:
            found.append(node)
    return found
