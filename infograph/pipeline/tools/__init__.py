"""Runs the stages as single tools, each on the files that the one before wrote.

    chunk     documents                        ─▶ _chunks/*.md
    keywords  chunk files, front matter        ─▶ _keywords/words.md
    topic     chunk files, words.md, qa-pairs  ─▶ topic-spec.md
    index     topic-spec.md, chunk files       ─▶ index.json, _schema/, llms.txt, _search/

In: settings, and the part of the tree that is selected. Out: files, published as a build publishes them, and a summary.
Never: what a build remembers is neither read nor written.

Run in this order they leave the bytes that `build` leaves. What a person changed in between is kept:
`index` takes an edited `topic-spec.md`, `topic` an edited `words.md`. With a `TreeSelection` each makes the files of a
part of the tree, reads what the whole tree says of it (ids, relations, frequencies), and leaves the rest alone.
"""

from infograph.pipeline.tools.chunks import chunk
from infograph.pipeline.tools.indexes import index
from infograph.pipeline.tools.specifications import topic
from infograph.pipeline.tools.tables import keywords

__all__ = ["chunk", "index", "keywords", "topic"]
