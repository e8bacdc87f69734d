"""A LangChain retriever over a published tree.

from infograph.integrations.langchain import InfographRetriever

retriever = InfographRetriever(source="https://example.org/docs/", k=5)
documents = retriever.invoke("how do I clear the cache?")
"""

from __future__ import annotations

from typing import Any

from infograph.client.client import TIMEOUT
from infograph.client.embedded import Rerank
from infograph.errors import missing_extra
from infograph.integrations.tree_texts import FoundText, TreeTexts

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field, PrivateAttr
except ImportError as error:
    raise missing_extra("langchain", "infograph.integrations.langchain", "needs langchain-core", error) from None


class InfographRetriever(BaseRetriever):
    """Finds the texts of a published tree that answer a question, as LangChain documents.

    Their `page_content` is the text as a reader of the page sees it, their `id` the href of the chunk, and their
    metadata that of `FoundText`, with the `score`. Raises ConfigError where `source` is no tree; a question that cannot
    be answered raises ClientError.
    """

    source: str
    """URL or folder of the tree."""
    k: int = Field(default=5, ge=0)
    """Number of documents."""
    max_tokens: int | None = None
    """Passages in at most this many tokens, in place of `k` chunks."""
    path: str = ""
    """A folder of the source tree, or a document; empty for all."""
    filters: dict[str, Any] | None = None
    """Fields of hits and the values that they must have."""
    rerank: Rerank = None
    """Whether the site's model puts the first chunks in order; None: where the site says that it pays."""
    timeout: float = TIMEOUT
    """Seconds that a question may take."""
    cache: str | None = None
    """Folder in which downloaded files are kept."""
    _texts: TreeTexts = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        self._texts = TreeTexts(
            self.source,
            max_tokens=self.max_tokens,
            path=self.path,
            filters=self.filters,
            rerank=self.rerank,
            timeout=self.timeout,
            cache=self.cache,
        )

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return [_document(found) for found in self._texts.find(query, self.k if k is None else k)]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return [_document(found) for found in await self._texts.find_awaited(query, self.k if k is None else k)]


def _document(found: FoundText) -> Document:
    return Document(page_content=found.text, metadata={**found.metadata, "score": found.score}, id=found.id)
