"""Values that pass between stages: frozen, slotted dataclasses, without behaviour beyond derived views.

Only `Block`, of which a megabyte has ten thousand, is a named tuple: as immutable, and made in a third of the time.

Document ─parse▶ Block… ─chunk▶ Chunk… ─embed▶ vectors ─topic▶ TopicSpec ─index▶ index.json
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from infograph.errors import Notice
from infograph.text.edits import TextEdit, edited
from infograph.text.lines import line_ends

if TYPE_CHECKING:
    from infograph.text.units import PlacedUnit

Fact = str | int | float | tuple[str, ...]
"""A value in the metadata of a chunk."""
Facts = tuple[tuple[str, Fact], ...]
"""Metadata of a chunk: names and values, sorted by name."""
SaidOfChunk = Mapping[str, Fact | Sequence[str]]
"""What a language model said of a chunk, by the names of its fields. Several texts are a tuple, or a list where they
were read from JSON."""

ENRICHED = "enriched_"
"""How the names of metadata begin that a language model wrote; `enriched_by` names the model."""

MARKDOWN = (".md", ".markdown", ".mdx")
"""Suffixes of Markdown files, compared without regard to case. Only Markdown has front matter and blocks."""
LANGUAGES = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "typescript": (".ts", ".mts", ".cts"),
    "tsx": (".tsx",),
    "java": (".java",),
    "go": (".go",),
    "rust": (".rs",),
}
"""Programming languages whose syntax is known, and the suffixes of their files."""
CODE = tuple(suffix for suffixes in LANGUAGES.values() for suffix in suffixes)
"""Suffixes of source code."""
TABLES = (".csv", ".tsv")
"""Suffixes of tables."""
TRANSCRIPTS = (".vtt", ".srt")
"""Suffixes of transcripts."""
OTHERS = (*CODE, *TABLES, *TRANSCRIPTS)
"""Suffixes of text files that are documents only where the configuration includes them."""
RENDERED = (".html", ".htm", ".xhtml")
"""Suffixes of rendered pages."""

ADDRESSES = ("id", "parse_number_prefixes", "permalink", "slug", "url")
"""Names in a front matter that decide over the address of the rendered page, for one generator or another."""

RELATIONS = ("next", "parent", "prerequisites", "prev", "previous", "related", "see_also", "seealso")
"""Names in a front matter whose values are other pages."""


def is_markdown(name: str) -> bool:
    """Whether the text of a document of this name or path is Markdown, from the start or by conversion."""
    return not name.lower().endswith(OTHERS)


def is_converted(name: str) -> bool:
    """Whether a document of this name or path is read as the Markdown that it is converted to."""
    return not name.lower().endswith((*MARKDOWN, *OTHERS))


def placed(path: str) -> tuple[str, str]:
    """Returns the topic that a document belongs to, and its name there, which joined are its path.

    The topic is the document's folder. The page `guide/setup/index.html`, whose address is `guide/setup/`, is a
    document of `guide` as it would be if it were called `setup`: its name there is `setup/index.html`.
    """
    folder, _, name = path.rpartition("/")
    if folder and name[:6].lower() == "index." and _INDEX.fullmatch(name):
        above, _, own = folder.rpartition("/")
        return above, f"{own}/{name}"
    return folder, name


_INDEX = re.compile(r"index\.x?html?", re.IGNORECASE)


def stem_of(name: str) -> str:
    """Key of a document within its topic: the file name of a Markdown page without its extension, the folder of an
    `index.html`, the whole name of any other file, so that `util.py`, `util.ts` and `util.md` have three.

    name: as `placed` returns it
    """
    folder, slash, last = name.rpartition("/")
    if slash:
        return folder
    short = name.lower().endswith(MARKDOWN) or _INDEX.fullmatch(name)
    return last.rpartition(".")[0] or name if short else name


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of the places in a file that was converted to Markdown. Lines are 0-based lines of the body."""

    converter: str
    """Name of the converter."""
    language: str = ""
    """Language that the file says it is in, as it says it; empty where it says nothing."""
    anchors: tuple[tuple[int, str], ...] | None = None
    """Lines with the ids that a rendered page has there, in order; None for a file that is no rendered page."""
    unit: str = ""
    """What places are counted in: `line`, `page` or `cell`."""
    places: tuple[tuple[int, int], ...] = ()
    """Lines from which on the text comes from another place, and the 1-based number of that, in order."""
    notices: tuple[Notice, ...] = ()
    """What was lost by the conversion."""
    left_out: str = ""
    """Why the file is no document after all, such as a page that only leads to another; empty for a document."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file, decoded. `prefix + body` is the file's text."""

    path: str
    """Posix path relative to the source root, as the file system spells it."""
    sha256: str
    """SHA-256 of the file's bytes, 64 hex digits."""
    prefix: str
    """Text before the body: byte order mark and front matter with its fences; often empty."""
    body: str
    """Text after the prefix, line ends as in the file. The chunks of a document tile it."""
    title: str | None = None
    """Title in the front matter."""
    description: str | None = None
    """Description in the front matter."""
    keywords: tuple[str, ...] = ()
    """Keywords in the front matter."""
    addresses: tuple[tuple[str, str], ...] = ()
    """Names and values in the front matter that `ADDRESSES` lists."""
    related: tuple[str, ...] = ()
    """Pages that the front matter names under one of `RELATIONS`: paths, URLs or titles."""
    remarks: tuple[str, ...] = ()
    """What of the front matter is left out although it is legal, in words."""
    edits: tuple[TextEdit, ...] = ()
    """What a reader sees in the place of ranges of the body: the text of includes, and nothing for markup."""
    origin: Origin | None = None
    """Where the text comes from that a file was converted to; then `prefix + body` is this text, not the file's."""
    stays: bool = False
    """Whether the front matter forbids to send the document to a language model."""
    fields: tuple[tuple[str, tuple[str | int | float, ...]], ...] = ()
    """What the front matter says of the fields that a search can be narrowed by: names and values."""

    @property
    def name(self) -> str:
        """Name of the document within its topic, see `placed`."""
        return placed(self.path)[1]

    @property
    def stem(self) -> str:
        """Key of the document within its topic."""
        return stem_of(self.name)

    @property
    def first_line(self) -> int:
        """Line of the file in which the body begins, 1-based."""
        return line_ends(self.prefix) + 1

    @property
    def topic(self) -> str:
        """Posix path of the folder that the document belongs to, see `placed`; the empty string is the root."""
        return placed(self.path)[0]


class Block(NamedTuple):
    """One block of Markdown as a range of lines.

    The top-level blocks of a body tile its lines: blank lines belong to the block before them (those at
    the very start, to the first block).
    """

    kind: str
    """Kind of the block: `heading`, `paragraph`, `fence`, `code`, `table`, `list`, `item`, `quote`, `html`, `rule`,
    `row`, `other`."""
    start: int
    """First line of the block, 0-based, in the body."""
    end: int
    """Line after the block's last one."""
    level: int = 0
    """Heading level 1 to 6; 0 for every other kind."""
    text: str = ""
    """Text of a heading without its markup; info string of a fence."""
    children: tuple[Block, ...] = ()
    """Items of a list, blocks of an item or a quote, rows of a table (the first two lines are its header)."""


class KeyedRows(NamedTuple):
    """Neighbouring rows of a table that have the same value in the column by which rows are grouped."""

    table: int
    """Which table of the document."""
    key: str
    """The value; empty of the table's header."""
    start: int
    """Offset of the first character, in the text of the chunk or piece."""
    end: int
    """Offset after the last one."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of one document. Joining the `text` of its chunks gives the document's body."""

    document: str
    """Path of the document."""
    index: int
    """Place in the document, from 0."""
    count: int
    """Number of chunks of the document."""
    title: str
    """The chunk's own heading, or that of the section it belongs to."""
    section_path: tuple[str, ...]
    """Headings above the chunk's start, its own first heading included."""
    text: str
    """Exact slice of the document's body."""
    embed_text: str
    """Text that is embedded: the breadcrumb, then the slice as a reader sees it, with table headers and fence openers
    repeated where a block had to be cut."""
    lines: tuple[int, int]
    """First and last line in the source file, 1-based, inclusive."""
    bytes: tuple[int, int]
    """Half-open byte range in the source file."""
    counted: int | None
    """Tokens of `readable`, by the strategy's declared tokenizer; None where they were not counted. Read `tokens`."""
    is_code: bool
    """More than half of the lines lie inside fences."""
    chunk_type: str
    """Family of the strategy: `structural`, …"""
    sha256: str
    """SHA-256 of `text` in UTF-8, 64 hex digits."""
    continues: bool = False
    """The chunk begins inside a block that had to be cut."""
    parents: tuple[tuple[int, int], ...] = ()
    """Larger units that the chunk is part of, nearest first: each a half-open range of the document's chunks."""
    facts: Facts = ()
    """Further metadata: times and speakers of a transcript, columns of a table, …"""
    edits: tuple[TextEdit, ...] = ()
    """What a reader sees in the place of ranges of `text`, see `Document.edits`."""
    keyed: tuple[KeyedRows, ...] = field(default=(), compare=False)
    """The rows of tables that have a key, in order; files of chunks do not say so, see `with_row_keys`."""

    @property
    def readable(self) -> str:
        """The slice as a reader sees it: includes resolved, and without markup for a generator."""
        return edited(self.text, self.edits)

    @property
    def readable_sha256(self) -> str:
        """SHA-256 of `readable` in UTF-8, 64 hex digits: what is said of a text holds for one that reads the same."""
        if not self.edits:
            return self.sha256
        return hashlib.sha256(self.readable.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def tokens(self) -> int:
        """Number of tokens. Raises ValueError where they were not counted, so that no file and no sum has a wrong
        one."""
        if self.counted is None:
            raise ValueError(f"{self.document}: the tokens of chunk {self.index} were not counted")
        return self.counted


_values_of = attrgetter(*Chunk.__slots__)
_EMBED_TEXT, _FACTS = map(Chunk.__slots__.index, ("embed_text", "facts"))


def described(chunk: Chunk, embed_text: str, facts: Facts) -> Chunk:
    """A chunk with another embedded text and other metadata. A build has so many chunks that `dataclasses.replace`,
    which takes twice as long, shows."""
    values = list(_values_of(chunk))
    values[_EMBED_TEXT], values[_FACTS] = embed_text, facts
    return Chunk(*values)


def enriched_of(facts: Facts) -> SaidOfChunk:
    """What a language model said, among the metadata of a chunk, under names without the common beginning."""
    return {said: value for name, value in facts if (said := _said_name(name))}


@lru_cache(maxsize=256)  # a build has few names and many chunks
def _said_name(name: str) -> str:
    """The name of metadata without the beginning of what a language model said; empty where it has another."""
    return name[len(ENRICHED) :] if name.startswith(ENRICHED) else ""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword with its score."""

    name: str
    score: float
    """Authority in the topic's table; rounded in a chunk's list, see `whole_score`."""


def whole_score(score: float) -> int:
    """A score as the nearest whole number. Halves are rounded up, where `round` takes them to the even one."""
    return math.floor(score + 0.5)


@dataclass(frozen=True, slots=True)
class KeywordRow:
    """One row of a topic's authority table, `_keywords/words.md`."""

    term: str
    type: str
    """Kind of the term: `word`, `compound` or `code`."""
    count: int
    """Number of occurrences in the topic."""
    header: float
    """Header multiplier: 1.5 in an H1, 1.25 in an H2, 1.1 deeper; compounds only, otherwise 1."""
    globality: float
    """Global multiplier: 2.0 in fewer than 10% of topics, 1.5 in fewer than 25%, otherwise 1."""
    score: float
    """Authority of the term."""
    pinned: bool = False
    """The row was set by hand and survives a rebuild."""


@dataclass(frozen=True, slots=True)
class SpecChunk:
    """One chunk in a topic specification: everything that an index says of it."""

    index: int
    title: str
    section_path: tuple[str, ...]
    is_code: bool
    tokens: int
    sha256: str
    similarity_conceptual: float
    """Cosine to the document's chunk 0, rounded to 6 places."""
    similarity_technical: float | None = None
    """Cosine to the technical baseline; None where the document has none."""
    keywords: tuple[Keyword, ...] = ()
    prompt_hashes: tuple[int, ...] = ()
    """64-bit SimHashes of the questions this chunk answers, ascending."""
    enriched: SaidOfChunk = field(default_factory=dict)
    """What a language model said of it, by the names of its fields; `by` names the model."""


@dataclass(frozen=True, slots=True)
class SpecSource:
    """One document of a topic specification."""

    name: str
    """File name within the topic."""
    title: str
    sha256: str
    """SHA-256 of the file, its first 16 hex digits."""
    chunks: tuple[SpecChunk, ...]
    baseline_technical: int | None = None
    """Index of the technical baseline; the conceptual one is always 0."""
    version: str = ""
    """Version in the names of its chunk files; empty where these are not versioned."""
    units: tuple[PlacedUnit, ...] = ()
    """Units of the document that do not follow from its chunks, see `infograph.text.units`."""

    @property
    def stem(self) -> str:
        """Key of the document within its topic."""
        return stem_of(self.name)


@dataclass(frozen=True, slots=True)
class RelatedTopic:
    """An edge to another topic."""

    id: str
    title: str
    similarity: float
    """Cosine of the two topics' mean vectors, rounded to 6 places."""
    shared: tuple[Keyword, ...] = ()
    """Keywords both topics have, with the lower of the two scores."""


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """Specification of a topic, as `topic-spec.md` has it: all that its index is made from."""

    id: str
    """Posix path of the topic's folder; the empty string is the root."""
    title: str
    description: str
    chunking: str
    """Cache key of the chunking strategy."""
    model: str
    """`name@revision` of the embedding model."""
    sources: tuple[SpecSource, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    related: tuple[RelatedTopic, ...] = ()


class UserTable(tuple[tuple[str, Any], ...]):
    """A table whose keys the user chooses: its rows in their order, tables within it likewise."""


@dataclass(frozen=True, slots=True)
class Site:
    """How the documents are rendered: the generator, and those of its settings that decide over addresses."""

    generator: str = "auto"
    """What renders the documents: `mkdocs`, `docusaurus`, `hugo`, `sphinx`, `mdbook`, `vitepress`, `starlight`,
    `jekyll`, `github`, `html` (a page beside each document) or `pattern`. `auto` is the one whose configuration lies at
    the sources or above them, within the repository; it also gives the other settings here that are left out. Where
    there is none, results lead to chunks."""
    url: str = ""
    """Where the source root is published, the generator's own prefix included: `https://example.org/docs/`. Empty:
    addresses are relative to that place."""
    home: str = ""
    """Hugo: where `url` in a front matter begins, when that is not at `url`: the `baseURL`."""
    directory_urls: bool | None = None
    """MkDocs (`use_directory_urls`), Sphinx (the `dirhtml` builder), Jekyll (`permalink: pretty`): `page/` instead of
    `page.html`; VitePress (`cleanUrls`): `page`. Left out, MkDocs has it and the others have not."""
    trailing_slash: bool | None = None
    """Docusaurus: `trailingSlash`."""
    number_prefixes: bool = True
    """Docusaurus: `01-` before the names of files and folders is taken off (`numberPrefixParser`)."""
    ugly_urls: bool = False
    """Hugo: `uglyURLs`."""
    lower_paths: bool = True
    """Hugo: paths in lower case; false with `disablePathToLower`."""
    smart_punctuation: bool = True
    """Hugo (`typographer`), mdBook (`smart-punctuation`): `--` in a heading is a dash and no part of its id."""
    slugs: str = ""
    """How ids are made of headings, when not in the generator's usual way. MkDocs: `ascii`, `unicode` or
    `pymdownx` (the `slugify` of the `toc` extension). Hugo: `github`, `github-ascii` or `blackfriday`
    (`autoHeadingIDType`). Plain HTML and patterns: the name of a generator."""
    pattern: str = ""
    """Of the generator `pattern`: an address under `url` with the parts {path}, {route}, {dir}, {name} and {slug}."""
    name: str = ""
    """Name of the site: what the explorer is called, and the title of the tree where no document at its root gives
    one."""
    roots: UserTable = field(default_factory=UserTable)
    """Folders of the sources that are published elsewhere than they lie, and where: an address below `url`, or a whole
    one, as in `"blog/" = "news/"`. The longest folder counts; a document outside of them all has no page."""
    blogs: tuple[str, ...] = ()
    """Docusaurus: those of `roots` that hold the posts of a blog."""


class Mention(NamedTuple):
    """One name of an entity in a chunk."""

    name: str
    """The name as it is written there."""
    kind: str
    """What was taken for a name: `name`, `code`, `compound`, `tag` or `title`, or the type that a model gave."""
    times: int
    """How often it stands in the chunk."""


class Stated(NamedTuple):
    """What a chunk states of two of its entities, as a language model says."""

    chunk: int
    """Place of the chunk."""
    source: str
    relation: str
    target: str


@dataclass(frozen=True, slots=True)
class SaidOfEntities:
    """What a language model said of the entities of a document."""

    described: tuple[tuple[int, str, str], ...] = ()
    """Place of a chunk, name of an entity, and what the chunk says that it is."""
    stated: tuple[Stated, ...] = ()
    models: tuple[str, ...] = ()
    """Names of the models."""


@dataclass(frozen=True, slots=True)
class DocumentEntities:
    """The entities that one document names: the input of the graph, by whatever means they were found."""

    chunks: tuple[tuple[Mention, ...], ...]
    """The names in each chunk."""
    sentences: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The sentence of each chunk with most names, and the places of these among the chunk's; empty where there is
    none."""
    acronyms: tuple[tuple[str, str], ...] = ()
    """Short forms that the document defines, each with what is spelled out."""
    left_out: int = 0
    """Names beyond the most that a chunk may have."""
    title: str = ""
    """The name that its title gives, which stands in its first chunk; empty for a title that is none."""
    said: SaidOfEntities = SaidOfEntities()


LinkedPages = Mapping[str, Sequence[tuple[int, str, str]]]
"""By path of a document, what it leads to: the chunk that shows a link, the path of the document behind it, and how it
shows: `link`, `relation`, `title` or `identifier`."""
