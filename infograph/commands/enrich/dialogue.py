"""The questions about one document, one after the other: each is told what the ones before were answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from infograph.commands.enrich.documents import OpenDocument
from infograph.commands.enrich.request import EnrichOutcome
from infograph.config.settings import Settings
from infograph.enrich.fields import DROPPED_ENTITIES, DROPPED_RELATIONS, FieldSpec
from infograph.enrich.images import DocumentImage
from infograph.enrich.prompts import Manners, Prompt, Scene, chunk_prompt, group_prompt, image_prompt, section_prompt
from infograph.enrich.rolling import RollingKeys, keys_before
from infograph.enrich.sections import AskedText, DocumentSection
from infograph.enrich.tasks import EnrichTask, fields_of, joint_name, joint_version
from infograph.enrich.verdict import judge
from infograph.errors import DocumentError
from infograph.formats.enrichment import EnrichmentRecord
from infograph.formats.names import CHUNKS, chunk_name, join
from infograph.llm.asking import Checked, ModelQuestion
from infograph.llm.wire import Call, ImagePart
from infograph.remote.redaction import Redactor
from infograph.source.local_images import ImageLostError, LocalImages

Said = Mapping[int, Mapping[str, Any]]
"""Fields by the index of the chunk."""

_TYPICAL = 3
"""Tokens of an answer, as a share of the most its fields can have, the other way round."""


@dataclass(frozen=True, slots=True)
class EnrichDialogue:
    """How documents are asked about in a run."""

    settings: Settings
    tasks: tuple[EnrichTask, ...]
    model: str
    redactor: Redactor
    images: LocalImages
    """Reads the images that are asked about."""
    apart: bool = False
    """Whether no question may depend on the answer to another one, as in a batch."""

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """The fields of an answer."""
        return fields_of(self.tasks)

    @property
    def by_document(self) -> bool:
        """Whether one call is about all chunks of a document: the context of chunks alone always is, since each call
        would send the whole document again."""
        if self.of_images:
            return False
        alone = all(task.document for task in self.tasks)
        return self.settings.config.enrich.unit == "document" or alone

    def groups(self, opened: OpenDocument) -> Iterator[Sequence[int]]:
        """Yields the chunks of each call."""
        size = self._group_size() if self.by_document and self._fits(opened) else 1
        for at in range(0, len(opened.to_ask), size):
            yield opened.to_ask[at : at + size]

    def _fits(self, opened: OpenDocument) -> bool:
        """Whether the endpoint can read the whole document at once."""
        size = sum(len(chunk.readable) for chunk in opened.slices)
        return size <= self.settings.config.llm.context_tokens * 3 * 0.75

    def _group_size(self) -> int:
        each = sum(spec.longest for spec in self.fields) // 4
        return max(1, self.settings.config.llm.document_output_tokens * _TYPICAL // (2 * each))

    def question(self, opened: OpenDocument, indices: Sequence[int], found: Counter[str]) -> ModelQuestion[Said]:
        """Returns the question about some chunks of a document.

        found: counts what was redacted
        """
        keys = RollingKeys() if self.apart else self._keys(opened, indices[0])
        scene = Scene(
            title=opened.document.title or opened.chunks[0].title,
            chunks=opened.chunks,
            key_lines=keys.lines() if self.settings.config.enrich.rolling else (),
            previous=str(opened.said(indices[0] - 1).get("summary", "")) if indices[0] and not self.apart else "",
            summaries=opened.summaries() if self.of_sections else (),
        )
        shown = keys.names if self.settings.config.enrich.rolling else frozenset()
        check = partial(self._check, scene=scene, indices=indices, keys=shown)
        return self._made(opened, indices, scene, check, found, 1.0)

    def _keys(self, opened: OpenDocument, index: int) -> RollingKeys:
        """Returns the rolling dictionary before a chunk, from the records of all before it."""
        given = ((chunk.index, str(opened.said(chunk.index).get("key", ""))) for chunk in opened.chunks[:index])
        return keys_before(given, index)

    def _check(self, text: str, scene: Scene, indices: Sequence[int], keys: frozenset[str]) -> Checked[Said]:
        language, noun = self.settings.config.keywords.language, "section" if self.of_sections else "chunk"
        found, violations = judge(text, self.fields, scene, indices, keys, language, noun)
        return Checked(found or None, violations)

    @property
    def of_sections(self) -> bool:
        """Whether sections are asked about, and not chunks."""
        return any(task.sections for task in self.tasks)

    @property
    def of_images(self) -> bool:
        """Whether images are asked about, and not chunks."""
        return any(task.images for task in self.tasks)

    def _made(
        self,
        opened: OpenDocument,
        indices: Sequence[int],
        scene: Scene,
        check: partial[Checked[Said]],
        found: Counter[str],
        share: float,
    ) -> ModelQuestion[Said]:
        llm, enrich = self.settings.config.llm, self.settings.config.enrich
        counted: Counter[str] = Counter()
        manners = Manners(
            tasks=self.tasks,
            granularity=enrich.granularity,
            rolling=enrich.rolling and not (self.apart and len(indices) == 1),
            context_tokens=llm.context_tokens,
            redact=lambda text: self.redactor.redact(text, counted),
        )
        prompt: Prompt
        if self.of_images:
            prompt = image_prompt(scene, indices[0], manners)
        elif self.of_sections:
            prompt = section_prompt(scene, indices, manners, share)
        elif len(indices) == 1:
            prompt = chunk_prompt(scene, indices[0], manners, share)
        else:
            prompt = group_prompt(scene, indices, manners, share)
        found.update(counted)
        several = len(self.tasks) > 1
        long = len(indices) > 1 or any(task.long or (task.full and several) for task in self.tasks)
        call = Call(
            model=self.model,
            system=prompt.system,
            shared=prompt.shared,
            text=prompt.text,
            schema=prompt.schema,
            max_tokens=llm.document_output_tokens if long else llm.max_output_tokens,
            temperature=llm.temperature,
            images=self._parts(opened.chunks[indices[0]]),
        )
        shorter = None
        if share == 1.0 and not self.of_images:
            shorter = partial(self._made, opened, indices, scene, check, Counter(), 0.4)
        return ModelQuestion(
            task=joint_name(self.tasks),
            prompt_version=joint_version(self.tasks),
            name=href_of(opened, indices[0]),
            call=call,
            check=check,
            shorter=shorter,
        )

    def _parts(self, asked: AskedText) -> tuple[ImagePart, ...]:
        """Returns the image that is asked about. Raises DocumentError where it is not what was found any more."""
        if not isinstance(asked, DocumentImage):
            return ()
        try:
            data = self.images.read(asked.path)
        except ImageLostError as error:
            raise DocumentError(asked.path, str(error)) from None
        part = ImagePart(asked.media_type, data, asked.width * asked.height)
        if part.sha256 != asked.readable_sha256:
            raise DocumentError(asked.path, "has changed since it was found", "Run the command again.")
        return (part,)

    def take(self, opened: OpenDocument, indices: Sequence[int], said: Said, model: str, failed: str) -> int:
        """Puts what was said into the document's records; returns the number of chunks that nothing valid was said of,
        whose earlier records stay.

        failed: why, where nothing was said at all
        """
        missing = 0
        for index in indices:
            values = said.get(index)
            missing += values is None
            for task in self.tasks:
                place = (opened.chunks[index].readable_sha256, task.name)
                held = opened.records.get(place)
                own = task.own_of(values) if values is not None else {}
                if held is not None and (held.pinned or (not own and not held.failed)):
                    continue
                opened.records[place] = EnrichmentRecord(
                    text_sha256=place[0],
                    task=task.name,
                    prompt=task.version,
                    model=model,
                    chunk=index,
                    fields=own,
                    failed="" if own else failed or "no valid entry for this chunk",
                )
        return missing

    def remark(self, said: Said, outcome: EnrichOutcome) -> None:
        """Counts the chunks that were to get a key and got none of two to five words, and what the texts of chunks do
        not have of what was said of them."""
        if any(spec.kind == "key" for spec in self.fields):
            outcome.keyless += sum("key" not in values for values in said.values())
        for values in said.values():
            outcome.phantoms += len(values.get(DROPPED_ENTITIES, ()))
            outcome.lost_relations += len(values.get(DROPPED_RELATIONS, ()))


def href_of(opened: OpenDocument, index: int) -> str:
    """Returns the path of a chunk's file: of a section's first chunk, of the first one that shows an image."""
    passage = opened.chunks[index]
    first = passage.first if isinstance(passage, DocumentSection | DocumentImage) else index
    return join(opened.document.topic, f"{CHUNKS}/{chunk_name(opened.document.stem, first)}")
