"""The documents of a run: which there are, what they were cut into, what is recorded of them and what is to ask."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from infograph.commands.enrich.request import EnrichRequest, Standing
from infograph.config.settings import Config, Settings
from infograph.enrich import breakpoints, communities
from infograph.enrich.images import DocumentImage
from infograph.enrich.sections import AskedText, DocumentSection, sections_of
from infograph.enrich.tasks import TASKS, EnrichTask
from infograph.errors import ConfigError, DocumentError, FormatError
from infograph.files.disk import digest_file, remove_private, write_durable
from infograph.formats.chunk_href import number_in_pack
from infograph.formats.enrichment import SUMMARIES, EnrichmentFile, EnrichmentRecord, render
from infograph.formats.names import PACK, unversioned
from infograph.model import Chunk, Document, placed, stem_of
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.plan import find_documents
from infograph.pipeline.steps.cut import setup_of
from infograph.pipeline.worker.cutter import Cutter
from infograph.pipeline.worker.shown_images import ShownImages
from infograph.pipeline.worker.tasks import Result
from infograph.progress import amount
from infograph.source.enrichment import enrichment_path, read_enrichment
from infograph.source.ignores import patterns_of_setting

OTHERS = (breakpoints.TASK, communities.TASK)
"""Tasks that are not asked of chunks, sections or images of a document, each by itself."""


@dataclass(slots=True)
class OpenDocument:
    """One document with its chunks and its records."""

    document: Document
    slices: Sequence[Chunk]
    """The chunks that the document was cut into."""
    chunks: Sequence[AskedText]
    """What is asked about: the chunks, or the sections."""
    file: EnrichmentFile
    records: dict[tuple[str, str], EnrichmentRecord]
    """Records that hold, by text and task."""
    to_ask: list[int] = field(default_factory=list)
    """Indices of chunks to ask about, one for each text."""
    standing: Standing = field(default_factory=Standing)
    dropped: int = 0
    """Records whose text is gone."""
    includes: bool = False
    """Whether it shows text of other files, so that its own bytes do not tell what its chunks say."""

    sections: Sequence[DocumentSection] = ()
    """The sections of the document, where they are asked about or summaries of them are recorded."""
    images: Sequence[DocumentImage] = ()
    """The images that it shows, where they are asked about or descriptions of them are recorded."""
    lost_images: Sequence[str] = ()
    """Why images of it are not asked about."""

    def said(self, index: int, task: str = "metadata") -> dict[str, object]:
        """Returns what a record says of a chunk."""
        record = self.records.get((self.chunks[index].readable_sha256, task))
        return dict(record.fields) if record else {}

    def summaries(self) -> list[str]:
        """Returns the summary that is recorded of each chunk; empty where none is."""
        records = (self.records.get((chunk.readable_sha256, "metadata")) for chunk in self.slices)
        return [str(record.fields.get("summary", "")) if record else "" for record in records]

    @property
    def texts(self) -> set[str]:
        """SHA-256 of the texts of its chunks and sections, and of its images."""
        asked: tuple[AskedText, ...] = (*self.slices, *self.sections, *self.images)
        return {passage.readable_sha256 for passage in asked}


class EnrichDocuments:
    """Reads, cuts and compares the documents of a tree, one at a time, and writes their records."""

    def __init__(self, settings: Settings, request: EnrichRequest, models: frozenset[str]) -> None:
        """models: whose records need not be made again; empty: any model's"""
        self._settings = settings
        self._request = request
        self._models = models
        self.tasks = tasks_of(settings.config.enrich.tasks)
        self.unit = unit_of(self.tasks)
        """What a record is of."""
        self._cutter = Cutter("enrich", setup_of(settings, "", dry=True))
        self.images = self._cutter.local_images
        """Reads the images of documents."""
        self._cutting = threading.Lock()
        self.chunking = cutting_key(settings.config)
        self._kept = patterns_of_setting(settings.config.llm.exclude, "llm.exclude")
        self._only = patterns_of_setting(request.only, "--only") if request.only else None

    def paths(self) -> list[str]:
        """Returns the documents to work on, sorted."""
        found = find_documents(self._settings).documents
        return [path for path in found if self._only is None or self._only(path, False)]

    def complete(self, path: str) -> Standing | None:
        """Returns how a document stands that is as its records say, so that it need not even be cut; None for others.

        Raises FormatError for a broken file of records.
        """
        request = self._request
        file = read_enrichment(self._settings.root, self._settings.enrichment, path)
        if file is None or request.force or not file.document or file.chunking != self.chunking or file.doubled():
            return None
        wanted = {task.name for task in self.tasks}
        held = [record for record in file.records if record.task in wanted]
        if not all(map(self._is_current, held)) or any(record.failed for record in held):
            return None
        if self.unit == "section" and not held:  # nobody has been asked yet, or there are none
            return None
        if self.unit == "image":  # whose files may have changed
            return None
        texts = file.sections if self.unit == "section" else file.texts
        if len(held) != texts * len(wanted) or (self._kept and self._kept(path, False)):
            return None
        if digest_file(self._settings.root / path) != file.document:
            return None
        pinned = len({record.text_sha256 for record in held if record.pinned})
        return Standing(chunks=texts, current=texts - pinned, pinned=pinned)

    def open(self, path: str) -> OpenDocument:
        """Reads and cuts a document and finds what is to ask of it. Raises DocumentError, FormatError."""
        settings = self._settings
        file = read_enrichment(settings.root, settings.enrichment, path)
        with self._cutting:
            document, included = self._cutter.included(self._cutter.read(path, Result(path)))
            cut = self._cutter.cut(document, file)
            chunks = cut.chunks
            wanted = self.unit == "image" or (file is not None and file.says_of_images)
            shown = self._cutter.images(cut) if wanted else ShownImages()
        file = file or EnrichmentFile(source=path.rpartition("/")[2])
        opened = OpenDocument(document, chunks, chunks, file, {}, includes=bool(included.files))
        opened.images, opened.lost_images = shown.distinct, shown.lost
        if self.unit == "section" or any(record.task == SUMMARIES for record in file.records):
            opened.sections = sections_of(chunks)
        if self.unit == "section":
            opened.chunks = opened.sections
        if self.unit == "image":
            opened.chunks = opened.images
        known, texts = file.by_text(), opened.texts
        opened.records = {key: record for key, record in known.items() if key[0] in texts or record.pinned}
        opened.dropped = len(known) - len(opened.records)
        self._compare(opened)
        return opened

    def _compare(self, opened: OpenDocument) -> None:
        at_home = opened.document.stays or bool(self._kept and self._kept(opened.document.path, False))
        standing = opened.standing
        seen: set[str] = set()
        for chunk in opened.chunks:
            text = chunk.readable_sha256
            if text in seen:
                continue
            seen.add(text)
            standing.chunks += 1
            held = [opened.records.get((text, task.name)) for task in self.tasks]
            if at_home or (isinstance(chunk, DocumentImage) and self._kept and self._kept(chunk.path, False)):
                standing.at_home += 1
            elif not (isinstance(chunk, DocumentImage) or chunk.readable.strip()):
                standing.current += 1
            elif all(record is not None and record.pinned for record in held):
                standing.pinned += 1
            else:
                self._judge(opened, chunk, held)

    def _judge(self, opened: OpenDocument, chunk: AskedText, held: Sequence[EnrichmentRecord | None]) -> None:
        standing, request = opened.standing, self._request
        loose = [record for record in held if record is not None and not record.pinned]
        if any(record.failed for record in loose):
            standing.failed += 1
            ask = request.retry_failed or request.force
        elif any(record is None for record in held):
            ask = True
        elif all(map(self._is_current, loose)):
            standing.current += 1
            ask = request.force
        else:
            standing.other += 1
            ask = True
        if ask:
            standing.to_ask += 1
            opened.to_ask.append(chunk.index)

    def _is_current(self, record: EnrichmentRecord) -> bool:
        if record.pinned:
            return True
        task = TASKS.get(record.task)
        if task is None or record.prompt != task.version:
            return False
        return not self._models or record.model in self._models

    def write(self, opened: OpenDocument, *, complete: bool) -> None:
        """Writes the records of a document, in the order of its chunks. Raises OutputError.

        complete: whether nothing is left to ask of it
        """
        place = {section.readable_sha256: section.first for section in reversed(opened.sections)}
        place |= {image.readable_sha256: image.first for image in opened.images}
        place |= {chunk.readable_sha256: chunk.index for chunk in reversed(opened.slices)}
        summed_up = any(task == SUMMARIES for _, task in opened.records)
        digest = opened.document.sha256
        complete = complete and not opened.includes
        records = [replace(r, chunk=place.get(r.text_sha256, r.chunk)) for r in opened.records.values()]
        file = EnrichmentFile(
            source=opened.file.source,
            document=digest if complete else "",
            chunking=self.chunking if complete else "",
            texts=len({chunk.readable_sha256 for chunk in opened.slices if chunk.readable.strip()}) if complete else 0,
            sections=len({section.readable_sha256 for section in opened.sections}) if complete and summed_up else 0,
            records=tuple(records),
            breakpoints=opened.file.breakpoints,
        )
        folder = self._settings.enrichment
        root, name = folder or self._settings.root, enrichment_path(opened.document.path, folder is not None)
        if records or file.breakpoints is not None:
            write_durable(root, name, render(file))
        elif opened.file.records:
            remove_private(root, name)


def cutting_key(config: Config) -> str:
    """Returns the key of how documents are cut and of what stands for their markup."""
    key, shortcodes = strategy_key(config), sorted(dict(config.markup.shortcodes).items())
    return f"{key}+{hashlib.sha256(repr(shortcodes).encode()).hexdigest()[:8]}" if shortcodes else key


def tasks_of(names: Sequence[str]) -> tuple[EnrichTask, ...]:
    """Returns the tasks of these names, in the order of the table. Raises ConfigError."""
    if unknown := [name for name in names if name not in TASKS]:
        raise ConfigError(
            "enrich.tasks", f"there is no task `{unknown[0]}`", f"Valid: {', '.join(TASKS)}, {', '.join(OTHERS)}"
        )
    if len(set(names)) > 1 and (apart := [name for name in names if not TASKS[name].of_chunks]):
        raise ConfigError("enrich.tasks", f"`{apart[0]}` is asked by itself", "Run it after the others.")
    return tuple(task for name, task in TASKS.items() if name in names)


def unit_of(tasks: Sequence[EnrichTask]) -> str:
    """Returns what tasks are asked of: `chunk`, `section` or `image`."""
    if any(task.images for task in tasks):
        return "image"
    return "section" if any(task.sections for task in tasks) else "chunk"


def chunk_of_href(documents: EnrichDocuments, href: str) -> tuple[OpenDocument, int]:
    """Returns the chunk that an href names, the smallest section that it is part of, or the first image that it shows.
    Raises ConfigError."""
    folder, _, name = href.strip("/").rpartition("/")
    topic = folder.removesuffix("_chunks").rstrip("/")
    number = number_in_pack(href)
    stem, _, digits = name.partition("#")[0].removesuffix(".md" if number is None else PACK).rpartition("-")
    if number is None and digits.isdigit():
        number = int(digits)
    stems = (stem, unversioned(stem))
    for path in documents.paths():
        above, own = placed(path)
        if above == topic and number is not None and stem_of(own) in stems:
            opened = documents.open(path)
            places = [s.index for s in opened.sections if s.first <= number < s.end]
            if documents.unit == "chunk" and number < len(opened.slices):
                places = [number]
            if documents.unit == "image":
                places = [image.index for image in opened.images if image.first == number][:1]
            if places:
                return opened, places[-1]
    hint = "Write it as index.json has it, from the root of the tree: guide/_chunks/start-0.md"
    what = f"chunk `{href}`" if documents.unit != "image" else f"image that the chunk `{href}` shows first"
    raise ConfigError("--show-payload", f"there is no {what}", hint)


def each_standing(
    documents: EnrichDocuments, problems: list[str], paths: Sequence[str] | None = None
) -> Iterator[tuple[str, Standing, OpenDocument | None]]:
    """Yields how each document stands, opened where something is to ask of it; what is wrong with one goes to
    `problems`.

    paths: those of the documents, where they were looked for already
    """
    for path in documents.paths() if paths is None else paths:
        try:
            known = documents.complete(path)
            if known is not None:
                yield path, known, None
                continue
            opened = documents.open(path)
            problems += _remarks(opened)
            yield path, opened.standing, opened
        except (DocumentError, FormatError) as error:
            problems.append(str(error))


def _remarks(opened: OpenDocument) -> Iterator[str]:
    """Yields what a person should hear about the records of a document."""
    path, texts = opened.document.path, opened.texts
    gone = [record for record in opened.records.values() if record.pinned and record.text_sha256 not in texts]
    if gone:
        counted = amount(len(gone), "pinned record")
        yield f"{path}: {counted} of a text that is gone, kept: {gone[0].text_sha256[:12]}…"
    for double in opened.file.doubled():
        text = double.text_sha256[:12]
        yield f"{path}: two records of task `{double.task}` for one text, {text}…: one is dropped"
    yield from (f"{path}: an image is not described: {lost}" for lost in opened.lost_images)
