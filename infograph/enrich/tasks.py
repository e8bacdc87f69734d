"""The table of what a model can be asked of chunks, sections and images; several tasks of chunks are one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infograph.enrich.fields import DROPPED_ENTITIES, DROPPED_RELATIONS, FieldSpec
from infograph.formats.enrichment import CAPTIONS, SUMMARIES


@dataclass(frozen=True, slots=True)
class EnrichTask:
    """Something to ask of each chunk, or of each section."""

    name: str
    version: str
    """Version of its prompt; another one makes earlier records old."""
    fields: tuple[FieldSpec, ...]
    document: bool = False
    """Whether the model must see the whole document."""
    long: bool = False
    """Whether its answer is longer than others: it may have as many tokens as one about a whole document."""
    full: bool = False
    """Whether its answer alone takes the tokens of one, so that with other tasks it is longer than others."""
    sections: bool = False
    """Whether it is asked of the document and its sections, and not of chunks."""
    images: bool = False
    """Whether it is asked of the images that the document shows, and not of chunks."""

    @property
    def of_chunks(self) -> bool:
        """Whether it is asked of chunks."""
        return not (self.sections or self.images)

    def own_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the fields of an answer that are of this task, as a record has them."""
        own = {spec.name: values[spec.name] for spec in self.fields if spec.name in values}
        if "unverified" in values and "keywords" in own:
            own["unverified"] = values["unverified"]
        kinds = {spec.kind for spec in self.fields}
        if "entities" in kinds and "entities" in own:  # in an answer that describes them, too
            own["entities"] = [{"name": one["name"], "type": one["type"]} for one in own["entities"]]
        if "described" in kinds:
            own |= {name: values[name] for name in (DROPPED_ENTITIES, DROPPED_RELATIONS) if name in values}
        return own


METADATA = EnrichTask(
    "metadata",
    "metadata-1",
    (
        FieldSpec("title", "text", 80, "a title of 3 to 8 words for this chunk, not for the page"),
        FieldSpec(
            "summary",
            "text",
            500,
            "one or two sentences, 30 to 60 words, that say what only this chunk says, and do not repeat how it begins",
        ),
        FieldSpec("keywords", "texts", 60, "5 to 8 terms of the field that occur in it, none generic", 1, 8),
        FieldSpec(
            "entities",
            "entities",
            80,
            "up to 12 names in it, each with a type: PERSON, ORG, LOC, TECH, CONCEPT, EVENT or METRIC",
            0,
            12,
            required=False,
        ),
        FieldSpec("questions", "texts", 160, "2 or 3 questions that a user would ask and this chunk answers", 1, 3),
        FieldSpec("key", "key", 80, "{granularity}"),
        FieldSpec(
            "related_keys",
            "keys",
            80,
            "0 to 3 of the known keys that this chunk refers to, exactly as they are written; none of your own",
            0,
            3,
            required=False,
        ),
    ),
)
CONTEXT = EnrichTask(
    "context",
    "context-1",
    (
        FieldSpec(
            "context",
            "text",
            480,
            "2 to 4 sentences, at most 100 words, that say where this chunk stands in its document, what it is about "
            "and how it relates to what is around it, so that a search finds it",
        ),
    ),
    document=True,
)
QUERIES = EnrichTask(
    "queries",
    "queries-1",
    (
        FieldSpec(
            "queries",
            "texts",
            100,
            "4 to 6 searches, 2 to 8 words each, that users type who need this chunk and do not know its words: "
            "synonyms, symptoms, tasks, the terms of neighbouring tools",
            1,
            6,
        ),
    ),
)
PROPOSITIONS = EnrichTask(
    "propositions",
    "propositions-1",
    (
        FieldSpec(
            "propositions",
            "propositions",
            240,
            "the facts that the text states, at most 12, the most useful ones; none of code and tables. Each `claim` "
            "is one sentence with one claim that can be understood alone: pronouns and abbreviations resolved by names "
            "that the text or its headings have, numbers, dates and names exactly as they are there. Its `source` are "
            "the words of the text that say so, copied exactly, in a row",
            0,
            12,
        ),
    ),
    long=True,
)
ENTITIES = EnrichTask(
    "entities",
    "entities-1",
    (
        FieldSpec(
            "entities",
            "described",
            80,
            "up to 10 names that stand in the chunk, those first that other pages may have, too: products, people, "
            "organisations, places, commands, settings, files, functions, terms with a meaning of their own; no "
            "everyday words. `name` exactly as the chunk writes it, in full; `type`: PERSON, ORG, LOC, TECH, CONCEPT, "
            "EVENT or METRIC; `description`: what the chunk says that it is, one phrase of at most 120 characters, or "
            "empty",
            0,
            10,
        ),
        FieldSpec(
            "relations",
            "relations",
            80,
            "up to 10 statements of the chunk about two of these entities, none that it does not make: `source` and "
            "`target` are names in `entities`, written as there; `relation` is what the source is or does to the "
            "target, a few words that can be read between them, as in “is a setting of”, at most 60 characters",
            0,
            10,
        ),
    ),
    full=True,
)
SUMMARY = EnrichTask(
    SUMMARIES,
    "summaries-1",
    (
        FieldSpec(
            "summary",
            "text",
            700,
            "two to four sentences, at most 90 words, that say what the section as a whole is about and what a reader "
            "finds in it; of the whole document the same",
        ),
    ),
    document=True,
    sections=True,
)
CAPTION = EnrichTask(
    CAPTIONS,
    "captions-1",
    (
        FieldSpec(
            "alt",
            "text",
            160,
            "one plain phrase that stands in the place of the image for somebody who cannot see it, without “image of”",
        ),
        FieldSpec(
            "description",
            "text",
            600,
            "two to four sentences, at most 80 words, that say what the image shows and what a reader is to learn from "
            "it: what the parts of a diagram are and how they are connected, what the axes and the course of a chart "
            "are, which page and which controls a screenshot shows; words in the image that matter, as they are there",
        ),
    ),
    images=True,
)

TASKS = {task.name: task for task in (METADATA, CONTEXT, QUERIES, PROPOSITIONS, ENTITIES, SUMMARY, CAPTION)}
"""Every task by name."""

GRANULARITIES = {
    "specific": "its specific subtopic in 2 to 5 words, lower case, never one word and never the topic of the page; a "
    "known key where the chunk goes on with what had that key",
    "broad": "its broad topic in 2 to 5 words, lower case, never one word; a known key wherever one fits",
}
"""What is said of keys, by `enrich.granularity`."""


def fields_of(tasks: Sequence[EnrichTask]) -> tuple[FieldSpec, ...]:
    """Returns the fields of an answer that serves several tasks: of those with one name the last, which says more."""
    return tuple({spec.name: spec for task in tasks for spec in task.fields}.values())


def joint_name(tasks: Sequence[EnrichTask]) -> str:
    """Returns the name of a request that serves several tasks."""
    return "+".join(task.name for task in tasks)


def joint_version(tasks: Sequence[EnrichTask]) -> str:
    """Returns the version of its prompt."""
    return "+".join(task.version for task in tasks)
