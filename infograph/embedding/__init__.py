"""Embeddings: texts to unit vectors, through a cache on disk.

In:  texts, a model's name, a cache folder.
Out: float32 vectors, and the name and revision of the model that made them.

`base.py` is the interface of every model, `backends.py` the table of models, `vectors.py` the way through the
cache, whose entries `cache_entry.py` encodes. Models load at their first text. Never import another stage here, nor
a heavy library at the top of a module: `identify` must stay cheap.
"""

from infograph.embedding.backends import identify, load

__all__ = ["identify", "load"]
