"""Full-text and meaning-aware search in static files.

In: chunks and their vectors. Out: the search bundle `_search/`, and answers read back from it. Never imported here:
another stage, the pipeline, or anything that reads or writes files by itself.

format/     bytes and terms that writer and reader share
writing/    the bundle of a tree, and what changes of it
reading/    a query, the files it needs, the chunks it finds
ranking/    scores, reranking, diversity
addresses/  where site generators put a page and its headings

The package itself exports nothing, so that a reader never loads the writer: import the module that has the name.
sample-docs/reference/formats/search-bundle.md describes the files; a reader in another language needs no more.
"""
