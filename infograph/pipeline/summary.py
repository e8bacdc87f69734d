"""The summary of a build, for a person or a program."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from infograph.config.origins import place_of
from infograph.config.settings import Settings
from infograph.errors import (
    KEPT_TABLE,
    LACKING,
    LEFT_ALONE,
    LEFT_OUT,
    REMARKS,
    UNMATCHED,
    DocumentError,
    InfographError,
    Notice,
)
from infograph.formats.names import LLMS, is_table, output_topic, topic_of
from infograph.pipeline.memory.state import State
from infograph.progress import amount
from infograph.source.discovery import Discovery
from infograph.source.enrichment import has_records
from infograph.source.ignores import patterns_of_setting

if TYPE_CHECKING:
    from infograph.pipeline.worker.tasks import Result


@dataclass(slots=True)
class Summary:
    """Counts, errors and notices of a build."""

    documents: int = 0
    topics: int = 0
    chunks: int = 0
    embedded: int = 0
    """Number of texts embedded by this build."""
    cached: int = 0
    """Number of chunks whose vector came from the cache, those of unchanged documents among them."""
    shared: int = 0
    """Number of chunks whose text also occurs elsewhere in the tree, and was embedded there."""
    written: int = 0
    """Number of files written."""
    removed: int = 0
    """Number of files removed."""
    bytes: int = 0
    """Number of bytes written."""
    seconds: float = 0.0
    stale: list[str] = field(default_factory=list)
    """Outputs that are not what a build would write, where the build only checks."""
    errors: list[InfographError] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def report(self, settings: Settings, found: Discovery, problems: Problems) -> None:
        """Fills in what a person should hear about."""
        failed = {path for path, _ in problems.errors}.union(n.path for n in problems.notices if n.kind == LEFT_OUT)
        self.documents = sum(path not in failed for path in found.documents)
        self.errors = [*found.errors, *(error for _, error in problems.errors)]
        if not found.documents and not found.errors:
            self.errors.append(nothing_found(settings))
        silenced = settings.config.silence
        self.notices = [n for n in (*found.notices, *problems.notices) if n.kind not in silenced]

    def failed(self, strict: bool) -> bool:
        """Whether the exit status is 1."""
        return bool(self.errors or self.stale or (strict and any(n.kind not in REMARKS for n in self.notices)))


def nothing_found(settings: Settings) -> DocumentError:
    """Returns the error of a tree without documents: a wrong folder or pattern is likelier than an empty site. Patterns
    of a project name folders of its sources; a rendered site is built beside them and has none of these."""
    include = settings.config.source.include
    if include:
        reason = f"holds no documents that `source.include` asks for: {place_of(settings, 'source.include')} is "
        reason += ", ".join(map(repr, include[:3])) + (f" and {len(include) - 3} more" if len(include) > 3 else "")
        hint = (
            "Patterns are of paths in the folder that is built. Name the folder that they are for, or give this one "
            "settings of its own: an infograph.toml in it, or `--config FILE`."
        )
        return DocumentError(str(settings.root), reason, hint)
    hint = (
        "Documents end in .md, .markdown or .mdx, without any in .html; `source.include`, `source.exclude` and "
        ".gitignore leave some out."
    )
    return DocumentError(str(settings.root), "holds no documents", hint)


@dataclass(slots=True)
class Problems:
    """Errors and notices of single files, including files that did not change since the last build."""

    errors: list[tuple[str, InfographError]] = field(default_factory=list)
    """Each error with the path of the file whose change may mend it."""
    notices: list[Notice] = field(default_factory=list)


def problems(
    last: State | None,
    documents: Iterable[str],
    results: Mapping[str, Result],
    topics: Iterable[str],
    tables: Iterable[tuple[str, InfographError]] = (),
) -> Problems:
    """Collects the problems of this build, and of the last one for documents and tables that did not change since.

    topics: topics whose authority tables were made again, or that are gone
    tables: path of each authority table that cannot be read, and why
    """
    found = Problems()
    if last is not None:
        kept = {path for path in documents if path not in results}
        if broken := {row[0] for row in last.errors if is_table(row[0])}:
            standing = {topic_of(path) for path in documents}.difference(topics)
            kept |= {path for path in broken if output_topic(path) in standing}
        found.errors = [(path, DocumentError(*rest)) for path, *rest in last.errors if path in kept]
        found.notices = [Notice(*row) for row in last.notices if row[0] in kept or _of_table(row, documents, topics)]
    for result in results.values():
        found.notices += result.notices
        if result.error is not None:
            found.errors.append((result.path, result.error))
    found.errors += tables
    found.errors.sort(key=lambda item: (item[0], str(item[1])))
    found.notices.sort(key=lambda notice: (notice.path, notice.kind))
    return found


def _of_table(row: Sequence[Any], documents: Iterable[str], topics: Iterable[str]) -> bool:
    """Whether a notice of the last build is about terms of an authority table that was not made again."""
    if row[1] != UNMATCHED:
        return False
    topic = output_topic(row[0])
    return topic not in topics and any(topic_of(path) == topic for path in documents)


def lacking(settings: Settings, unenriched: Mapping[str, int], enriched: Iterable[str], chunks: int) -> list[Notice]:
    """Returns a notice where a language model has said something of the tree and nothing of some of its chunks.

    unenriched: number of such chunks by document
    enriched:   documents with a file of what was said
    chunks:     number of all chunks
    """
    kept = patterns_of_setting(settings.config.llm.exclude, "llm.exclude")
    missing = sum(count for path, count in unenriched.items() if not (kept and kept(path, False)))
    if not missing or not has_records(settings.root, settings.enrichment, enriched):
        return []
    return [
        Notice("", LACKING, f"{missing:,} of {amount(chunks, 'chunk')} have none (run `infograph enrich`)", missing)
    ]


def outlived(paths: Iterable[str], documents: Iterable[str]) -> list[Notice]:
    """Returns a notice for each authority table among outputs that stays without its topic: a person must decide."""
    topics = {topic_of(path) for path in documents}
    message = "no document is left in its folder, but it has rows set by hand, so it stays: delete it, or move it along"
    gone = (path for path in paths if is_table(path) and output_topic(path) not in topics)
    return [Notice(path, KEPT_TABLE, message) for path in sorted(gone)]


def left_alone(root: Container[str]) -> list[Notice]:
    """Returns a notice where a tree's root has no `llms.txt` of ours, since somebody else's is there."""
    message = "stands there already and infograph did not write it: it is left alone"
    return [] if LLMS in root else [Notice(LLMS, LEFT_ALONE, message)]
