"""The reader of the search bundle: from a query to the hits that answer it.

In: a query, and the contents of the files that it asks for by name. Out: hits, words and remarks. Never imported here:
writing, or anything that opens files or sockets: the caller reads files, see `fetching.py` and `dialogue.py`. numpy is
imported only where the caller has a vector.
"""
