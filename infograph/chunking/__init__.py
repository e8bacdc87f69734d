"""Chunking: a parsed document in, its chunks out.

In:  a `Document` with its Markdown blocks (or the lines of a large table), a strategy or a `Router`, and the functions
     that count tokens and embed texts (`StrategyTools`).
Out: `Chunk` values that tile the document, embedded texts of passages, warnings. All functions are pure.

    interface.py        what a strategy takes and returns
    registry.py         the table of strategies; routing.py chooses one for a document, classifier.py by its structure
    strategies/         one file for each strategy, on top of pieces/, tables/, code/ and subtitles.py
    chunker.py          cuts a document; large_tables.py cuts a table that is too large for memory
    chunks.py           makes chunks of pieces: slices, offsets, titles, hashes
    context.py          adds breadcrumbs, overlap, images.py and metadata.py to chunks
    chunk_passages.py   the parts of a chunk that a question is matched with
    tokens.py           the token counter

Never import another stage here, read or write a file, or let a strategy import the registry or another strategy.
"""
