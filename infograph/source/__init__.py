"""Reads a tree of files into documents and their blocks.

In: a folder, rules that tell which files are sources, and limits. Out: paths (`discovery`), a `Document` (`document`,
`textfile`) with its blocks (`blocks`), title and description (`overview`), and notices (`hidden`, `includes`).
Files are only read here, never written. Nothing here imports another stage or knows how a document is cut or indexed.
"""
