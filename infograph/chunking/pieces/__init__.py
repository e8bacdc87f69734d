"""Building blocks of strategies for prose: sentences, units that are not cut further, and ways to group them.

In:  a `DocumentLayout`, a token limit, a token counter.
Out: offsets, `Unit` and `ChunkPiece` values. Never import a strategy, `tables` or `code` here.
"""
