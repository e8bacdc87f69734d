"""A Haystack component that retrieves from a published tree.

from infograph.client.embedded import Rerank
from infograph.integrations.haystack import InfographDocuments

pipeline.add_component("retriever", InfographDocuments("https://example.org/docs/"))
"""

from __future__ import annotations

from typing import Any

from infograph.client.client import TIMEOUT
from infograph.errors import missing_extra
from infograph.integrations.tree_texts import FoundText, TreeTexts

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise missing_extra("haystack", "infograph.integrations.haystack", "needs haystack-ai", error) from None


@component
class InfographDocuments:
    """Finds the texts of a published tree that answer a question, as Haystack documents.

    source:     URL or folder of the tree
    top_k:      number of documents
    max_tokens: passages in at most this many tokens, in place of `top_k` chunks
    path, filters, rerank: see `infograph.client.query.SearchArguments`

    A document's id is the href of its chunk, its meta that of `FoundText`. Raises ConfigError where `source` is no
    tree; a question that cannot be answered raises ClientError.
    """

    def __init__(
        self,
        source: str,
        top_k: int = 5,
        max_tokens: int | None = None,
        path: str = "",
        filters: dict[str, Any] | None = None,
        rerank: bool | None = None,
    ) -> None:
        self._given = {
            "source": source,
            "top_k": top_k,
            "max_tokens": max_tokens,
            "path": path,
            "filters": filters,
            "rerank": rerank,
        }
        self._top_k = top_k
        self._texts = TreeTexts(
            source, max_tokens=max_tokens, path=path, filters=filters, rerank=rerank, timeout=TIMEOUT
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns what a pipeline is saved as."""
        return default_to_dict(self, **self._given)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> InfographDocuments:
        """Returns the component of a saved pipeline."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Returns the best documents for a question, under `documents`."""
        return {"documents": [_document(found) for found in self._texts.find(query, self._count(top_k))]}

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Returns the best documents for a question, under `documents`."""
        found = await self._texts.find_awaited(query, self._count(top_k))
        return {"documents": [_document(own) for own in found]}

    def _count(self, top_k: int | None) -> int:
        return self._top_k if top_k is None else top_k


def _document(found: FoundText) -> Document:
    return Document(id=found.id, content=found.text, meta=dict(found.metadata), score=found.score)
