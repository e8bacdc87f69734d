"""A LlamaIndex retriever over a published tree.

from infograph.integrations.llama_index import InfographNodes

nodes = InfographNodes("https://example.org/docs/").retrieve("how do I clear the cache?")
"""

from __future__ import annotations

from infograph.client.client import TIMEOUT, Source
from infograph.client.embedded import Rerank
from infograph.errors import missing_extra
from infograph.integrations.tree_texts import FoundText, TreeTexts
from infograph.search.format.filters import Filters

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise missing_extra("llama-index", "infograph.integrations.llama_index", "needs llama-index-core", error) from None


class InfographNodes(BaseRetriever):
    """Finds the texts of a published tree that answer a question, as LlamaIndex nodes with their scores.

    similarity_top_k: number of nodes
    max_tokens:       passages in at most this many tokens, in place of so many chunks
    path, filters, rerank: see `infograph.client.query.SearchArguments`

    A node's id is the href of its chunk, its metadata that of `FoundText`. Raises ConfigError where `source` is no
    tree; a question that cannot be answered raises ClientError.
    """

    def __init__(
        self,
        source: Source,
        *,
        similarity_top_k: int = 5,
        max_tokens: int | None = None,
        path: str = "",
        filters: Filters | None = None,
        rerank: Rerank = None,
    ) -> None:
        self.similarity_top_k = similarity_top_k
        self._texts = TreeTexts(
            source, max_tokens=max_tokens, path=path, filters=filters, rerank=rerank, timeout=TIMEOUT
        )
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(found) for found in self._texts.find(query_bundle.query_str, self.similarity_top_k)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = await self._texts.find_awaited(query_bundle.query_str, self.similarity_top_k)
        return [_node(own) for own in found]


def _node(found: FoundText) -> NodeWithScore:
    # A model is shown where a text comes from; the rest is for programs.
    hidden = sorted(found.metadata.keys() - {"source", "page_title", "section_path"})
    node = TextNode(
        id_=found.id,
        text=found.text,
        metadata=dict(found.metadata),
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=found.score)
