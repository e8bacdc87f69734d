"""Building blocks of the `code` strategy: grammars of programming languages, outlines of source files, long listings.

In:  source text, or the fences of a `DocumentLayout`.
Out: scopes with their names, lines and documentation; pieces. Never import a strategy here, nor tree-sitter at the top
of a module: it is an optional dependency.
"""
