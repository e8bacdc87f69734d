"""The addresses of rendered pages: URLs of pages, and ids of their headings, for each site generator.

In: a document's path, front matter and blocks, and the settings of the site. Out: URLs and ids. Never imported here:
any other part of search.
"""
