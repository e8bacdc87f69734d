"""The search bundle: chunks and vectors in, `_search/` as names and bytes out; and its reader.

SearchPage, vectors ─index_page▶ PageIndex … ─bundle▶ files, manifest last ─Reader▶ hits
                                     └─update▶ the same, from the last build's SearchState

The files are described in sample-docs/reference/formats/search-bundle.md: a reader of another language needs no more.
"""

from infograph.search.bundle import Bundle, SearchOptions, bundle, state_key, update
from infograph.search.page import PageIndex, SearchChunk, SearchPage, index_page, page_blocks, snippet_of
from infograph.search.reader import Reader
from infograph.search.results import Hit
from infograph.search.state import SearchState, load_state
from infograph.search.table import TermTable, load_table
from infograph.search.terms import Language

__all__ = [
    "Bundle",
    "Hit",
    "Language",
    "PageIndex",
    "Reader",
    "SearchChunk",
    "SearchOptions",
    "SearchPage",
    "SearchState",
    "TermTable",
    "bundle",
    "index_page",
    "load_state",
    "load_table",
    "page_blocks",
    "snippet_of",
    "state_key",
    "update",
]
