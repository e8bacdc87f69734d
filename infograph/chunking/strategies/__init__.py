"""Chunking strategies, one file each: a frozen dataclass of options that cuts a `DocumentLayout` into pieces.

In:  a `DocumentLayout` and `StrategyTools`.
Out: a `Cutting`, pieces that tile the document and warnings.

A new strategy is a file here and a line in `chunking/registry.py`. A strategy may import `pieces`, `tables`, `code`,
`subtitles`, `interface` and `tokens`; never the registry, its callers or another strategy.
"""
