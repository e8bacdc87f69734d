"""Full-text and meaning-aware search in static files.

In: chunks and their vectors. Out: the search bundle `_search/`, and answers read back from it.

format/     bytes and terms that writer and reader share
writing/    the bundle of a tree, and what changes of it
reading/    a query, the files it needs, the chunks it finds
ranking/    scores, reranking, diversity
addresses/  where site generators put a page and its headings

The package itself hands nothing on: a reader must never load the writer, so users name the module they need.
sample-docs/reference/formats/search-bundle.md describes the files; a reader of another language needs no more.
"""
