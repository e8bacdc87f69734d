"""The writer of the search bundle: from pages and their vectors to the bytes of every file of `_search/`.

In: the pages of a tree that are new or changed, and the state of the last bundle. Out: the bundle's files as bytes, and
its state. Never imported here: reading, or anything that writes files; and no client imports this package.
"""
