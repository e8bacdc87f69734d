"""Texts to vectors: one interface (`base.py`), its models (`table.py`), what is remembered of them (`cache.py`)."""

from infograph.embedding.backends import identify, load

__all__ = ["identify", "load"]
