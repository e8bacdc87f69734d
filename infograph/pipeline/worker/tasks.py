"""The setup that a worker process gets for a build, and its result for one document: both go through its pipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import ChunkSettings, EmbeddingSettings, MarkupSettings
from infograph.errors import InfographError, Notice
from infograph.files.stamps import Stamp
from infograph.formats.search_fields import SearchField
from infograph.model import Site, UserTable
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.staging import Staged
from infograph.pipeline.worker.elsewhere import Elsewhere
from infograph.source.conversion.interface import ConversionOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Kind
    from infograph.pipeline.worker.topic_files import Manner
    from infograph.search.writing.page_index import PageIndex


@dataclass(frozen=True, slots=True)
class Setup:
    """What all tasks of a worker have in common."""

    root: Path
    out: Path
    strategy: str
    routes: UserTable
    options: UserTable
    chunks: ChunkSettings
    enriched: bool
    """Whether anything is recorded of any document by a language model."""
    enrichment: Path | None
    """Folder of these records, see `Settings.enrichment`."""
    unverified: str
    """What becomes of what a model named and the text does not, see `enrich.unverified`."""
    source_version: str | None
    limit_bytes: int
    limit_blocks: int
    language: str
    technical_baseline: str
    build: str
    """Name of the build's staging folder, see `Output.build`."""
    versioned: bool = False
    """Whether the names of chunk files have the version of their bytes, see `names.named_by`."""
    model: str = ""
    """Model that the worker embeds with; where it is empty, the texts to embed are in the results."""
    files_only: bool = False
    """Whether chunk files are made and nothing else: the results have neither records nor texts."""
    vectors_of: frozenset[str] = frozenset()
    """Topics whose vectors are in the results too, so that their questions can be matched to them."""
    manner: Manner | None = None
    """How the files of topics are made, for a worker that makes them too."""
    search: str = ""
    """Model whose vectors search compares; empty where documents are not indexed for search."""
    site: Site = field(default_factory=Site)
    """The rendered site that search results lead to."""
    search_enriched: tuple[str, ...] = ()
    """Fields of a language model's records whose words find a chunk."""
    fields: tuple[SearchField, ...] = ()
    """Fields that a search can be narrowed by."""
    created: tuple[tuple[str, int], ...] = ()
    """Path and day of the last commit of each document, see `Settings.created`."""
    entities: str = "off"
    """What entities are made from that are in the results, see `graph.entities`; `off`: there are none."""
    markup: MarkupSettings = field(default_factory=MarkupSettings)
    """What stands in the place of includes and shortcodes."""
    repository: Path | None = None
    """The folder that includes may not leave; None for the tree itself."""
    dry: bool = False
    """Whether nothing is written, and results only say what would change."""
    elsewhere: Elsewhere | None = None
    """What a worker compares its machine with, where it may be another one."""
    conversion: ConversionOptions = field(default_factory=ConversionOptions)
    """How files of other kinds become Markdown."""
    cache: Path | None = None
    """Folder of the cache that conversions are kept in; None for none."""


@dataclass(frozen=True, slots=True)
class EmbedTexts:
    """Task to embed texts. Its answer is their vectors, [texts, dimension], or the error of the model."""

    model: str
    options: EmbeddingSettings
    texts: list[str]
    kind: Kind


@dataclass(slots=True)
class Result:
    """Result of cutting one document."""

    path: str
    stamp: Stamp | None = None
    """Stamp of the bytes that were read; None when they may still change under the same stamp."""
    error: InfographError | None = None
    notices: list[Notice] = field(default_factory=list)
    chunks: int = 0
    version: str = ""
    """Version in the names of its chunk files; empty where these are not versioned."""
    unenriched: int = 0
    """Chunks of which no language model said anything."""
    sha256: str = ""
    """SHA-256 of the document, where its record was made and is held elsewhere."""
    record: DocumentRecord | None = None
    embed_texts: list[str] = field(default_factory=list)
    """Texts to embed, one a chunk; empty where the worker has embedded them."""
    digests: bytes = b""
    """What tells apart the texts that the worker has embedded, see `digests_of`."""
    vectors: NDArray[np.float32] | None = None
    """The chunks' vectors, for a topic of `Setup.vectors_of`."""
    staged: list[Staged] = field(default_factory=list)
    written: int = 0
    """Bytes of chunk files staged."""
    page: PageIndex | None = None
    """The document as search indexes it; without vectors where the worker has embedded nothing."""
    included: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the files that its includes looked for, see `Included.files`, and of the images that are described."""
    entities: bytes = b""
    """The packed record of its entities, see `pack_entities`; empty where none is asked for."""
