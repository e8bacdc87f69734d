"""What every tool does around its core: the lock, staging, publication, removal of what is no longer made."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps

from infograph.config.origins import naming_origins
from infograph.config.places import refuse_store
from infograph.config.selection import EVERYTHING, TreeSelection
from infograph.config.settings import Settings
from infograph.errors import DocumentError
from infograph.files.disk import write_private
from infograph.files.stamps import Stamp
from infograph.formats.names import CHUNKS, OUTPUT_MARK, output_topic, topic_of
from infograph.pipeline.chunk_names import is_chunk_of
from infograph.pipeline.kept import aged, led_to, read_kept
from infograph.pipeline.memory.topics import TopicGraph
from infograph.pipeline.ours import find_outputs
from infograph.pipeline.plan import find_documents, refuse_documents_in_out
from infograph.pipeline.staging import Output, Stage, Staged, in_order
from infograph.pipeline.steps import publish
from infograph.pipeline.summary import Summary, nothing_found
from infograph.pipeline.tables import holds_pins
from infograph.progress import Reporter, Silent, amount
from infograph.text.language import check_language


@dataclass(slots=True)
class ToolRun:
    """State of one run of one tool: the files that it stages, and its report."""

    settings: Settings
    reporter: Reporter
    stage: Stage
    selection: TreeSelection
    documents: frozenset[str] = frozenset()
    """The documents of the tree, once they are listed."""
    staged: list[Staged] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)
    """Paths of the outputs that belong to the tree after the run."""
    tables_read: dict[str, Stamp] = field(default_factory=dict)
    """Path of each authority table that was looked at for pinned rows, and its stamp before."""
    summary: Summary = field(default_factory=Summary)

    def know(self, documents: Sequence[str]) -> None:
        """Takes the documents of the tree. Raises DocumentError where none of them is selected."""
        self.documents = frozenset(documents)
        if self.selection.path and not any(map(self.selection.has, documents)):
            reason = f"holds none of the {amount(len(documents), 'document')} of {self.settings.root}, and is none"
            raise DocumentError(self.selection.path, reason, "See `source.include`, `source.exclude` and ignore files.")

    def makes(self, topic: str) -> bool:
        """Whether the files of a topic are to be made."""
        return self.selection.has_topic(topic, self.documents)

    def owns(self, path: str) -> bool:
        """Whether an output belongs to the selected part of the tree."""
        if not is_chunk(path):
            return self.makes(output_topic(path))
        if self.selection.path in self.documents:
            return is_chunk_of(self.selection.path, path)
        return self.selection.has(topic_of(topic_of(path)))

    def left_over(self, outputs: Iterable[str]) -> Iterator[str]:
        """Yields the outputs of the selected part that are no longer made and may go. Table and specification of a
        topic with a document that could not be read stay: nothing says that it has changed."""
        places = [error.place.partition(":")[0] for error in self.summary.errors]
        broken = {topic_of(topic_of(place) if is_chunk(place) else place) for place in places}
        for path in outputs:
            if self.owns(path) and (is_chunk(path) or output_topic(path) not in broken):
                yield path

    def put(self, target: str, data: bytes) -> None:
        self.expected.add(target)
        item = self.stage.put(target, data)
        if item is not None:
            self.staged.append(item)


Tool = Callable[..., Summary]
"""Takes Settings, a Reporter or None, and a TreeSelection; returns what was done."""


def tool(
    owns: Callable[[str], bool],
) -> Callable[[Callable[[ToolRun], None]], Tool]:
    """Makes a tool of its core: lock, staging, publication and removal of what is no longer made are the same for all.

    owns: whether an output, told by its path, is this tool's to remove
    """

    def decorate(core: Callable[[ToolRun], None]) -> Tool:
        @wraps(core)
        @naming_origins
        def run(settings: Settings, reporter: Reporter | None = None, selection: TreeSelection = EVERYTHING) -> Summary:
            started = time.monotonic()
            reporter = reporter or Silent()
            check_language(settings.config.keywords.language)
            refuse_store(settings, core.__name__)
            refuse_documents_in_out(settings)
            output = Output(settings.out)
            with output.locked(on_wait=reporter.say):
                if not settings.in_place:
                    write_private(settings.out, OUTPUT_MARK, b"")
                old = find_outputs(settings.out)
                output.open_stage()
                try:
                    work = ToolRun(settings, reporter, Stage(settings.out, "main", output.build), selection)
                    core(work)
                    output.secure(work.staged)
                    if not settings.in_place:
                        work.expected |= _kept(work)
                    left_over = work.left_over(path for path in old - work.expected if owns(path))
                    removed = sorted(path for path in left_over if not holds_pins(settings.out, path))
                    publish.refuse_foreign(settings.out, work.staged)
                    work.staged = publish.without_edited(settings.out, work.staged, work.tables_read, reporter)
                    output.publish(in_order(work.staged, settings.out), removed)
                    if not settings.in_place:
                        _forget_standing(settings)
                finally:
                    output.close_stage()
            summary = work.summary
            summary.written, summary.removed = len(work.staged), len(removed)
            summary.bytes += work.stage.written
            summary.seconds = time.monotonic() - started
            return summary

        return run

    return decorate


def _kept(run: ToolRun) -> set[str]:
    """Returns what stays for readers of earlier publications, as after a build, and writes it down where another index
    is about to be published. What that one leads to, too, is taken out again by `_forget_standing`."""
    out = run.settings.out
    old, before = read_kept(out), led_to(out, run.settings.config.index.base_url)
    if not publish.publishes(run.staged):
        return before.union(*old)
    dropped = {path for path in before if not holds_pins(out, path)}
    older = aged(dropped, old, run.expected, published=True)
    publish.note_kept(out, older)
    return {path for path in before if is_chunk(path)}.union(*older)


def _forget_standing(settings: Settings) -> None:
    """Takes what the published index leads to out of what is written down as kept."""
    standing = led_to(settings.out, settings.config.index.base_url)
    publish.note_kept(settings.out, aged((), read_kept(settings.out), standing, published=False))


def documents_of(run: ToolRun) -> Sequence[str]:
    """Returns the documents of the tree. Raises DocumentError when there is none: a slip in a pattern must wipe
    nothing."""
    found = find_documents(run.settings)
    if not found.documents:
        raise found.errors[0] if found.errors else nothing_found(run.settings)
    run.know(found.documents)
    run.summary.errors += [error for error in found.errors if run.selection.has(error.place)]
    run.summary.notices += [notice for notice in found.notices if run.selection.has(notice.path)]
    return found.documents


def is_chunk(path: str) -> bool:
    """Whether an output is a chunk file, or a pack of some."""
    return f"/{CHUNKS}/" in f"/{path}"


def count(run: ToolRun, graph: TopicGraph) -> None:
    """Counts in the summary what was made."""
    made = [record for name, record in graph.topics.items() if run.makes(name)]
    run.summary.documents = sum(len(record.documents) for record in made)
    run.summary.topics = len(made)
    run.summary.chunks = sum(record.chunks for record in made)
