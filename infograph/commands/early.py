"""Results early: what `infograph watch` publishes while the model of a first build has minutes of work before it.

    build ─▶ SlowModel ─▶ build by `static` ─▶ edits: build by `static` … ─▶ all vectors are there ─▶ build
                      └─▶ BackgroundEmbedding fills the cache ─────────────────────┘

Every publication is that of a whole build, by the one model or the other: nothing in a tree is of both.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.build import build
from infograph.errors import ConfigError, FormatError, InfographError, ModelError
from infograph.execution.memory import give_back
from infograph.execution.spare import SpareWorker
from infograph.files.disk import read_file
from infograph.formats.names import SPEC
from infograph.pipeline.context import LONG, SlowModel
from infograph.pipeline.worker import WORKER
from infograph.progress import Reporter, clock_time
from infograph.search.writing.kept_state import KeptState

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.pipeline.background import BackgroundEmbedding
    from infograph.pipeline.summary import Summary

STATIC = "static"
"""Model that publishes first: it takes seconds."""
_WARNING = "warning: nothing is embedded in the background: {}"


class EarlyBuilds:
    """Builds of one watch, the first ones by `static` where the configured model would take long.

    One worker process is kept between them, see `SpareWorker`, and what the last one left of the search bundle.

    ring: called, from a thread, when there is something to build that no change of a source will tell of
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._spare = SpareWorker(WORKER)
        self._kept = KeptState()
        self._settings: Settings | None = None
        """Settings of the vectors that are made in the background."""
        self._background: BackgroundEmbedding | None = None
        self._embedded: frozenset[str] = frozenset()
        """SHA-256 of the files of which the background has put every vector into the cache."""
        self._patient = False
        """Whether builds wait for the model, however long it takes: its tree stands, or the background is of no use."""

    def build(self, settings: Settings, reporter: Reporter) -> Summary:
        """Builds the tree by the model of the settings, or for the time being by `static`; raises as `build` does."""
        if self._background is not None:
            if self._background.running and settings == self._settings:
                return self._built(_by_static(settings), reporter)
            self._end(settings, reporter)
        try:
            patience = math.inf if self._patient else _patience(settings)
            summary = self._built(settings, reporter, patience)
        except SlowModel as error:
            slow = error.with_traceback(None)  # whose frames hold all that the build had
        else:
            if self._settings is not None and self._settings.config.model == settings.config.model:
                reporter.say(f"published by {settings.config.model}: every vector is there")
            self._settings = None
            self._patient = settings.config.model != STATIC  # whose tree a model may find that the settings name next
            return summary
        if any(file.file_hash in self._embedded for file in slow.files):  # the cache keeps nothing
            return self._wait(settings, reporter)
        return self._publish_early(settings, reporter, slow)

    def _built(self, settings: Settings, reporter: Reporter, patience: float = math.inf) -> Summary:
        """Builds with what is kept from one build to the next; raises as `build` does."""
        return build(settings, reporter, patience=patience, spare=self._spare, kept=self._kept)

    def close(self) -> None:
        """Ends what works in the background, and the worker that waits. Vectors that were made stay in the cache, so
        that the next run goes on."""
        self._spare.close()
        self._kept.clear()
        self._end_background()

    def rest(self, settings: Settings) -> None:
        """Gives back what the last build needed of memory, and starts a worker for the next one, where none waits and
        it is on this machine that it will work."""
        give_back()
        if settings.config.ray is None:
            with contextlib.suppress(InfographError):  # the build that needs one says why there is none
                self._spare.prepare()

    def _end_background(self) -> None:
        if self._background is not None:
            self._background.close()
            self._background = None

    def _publish_early(self, settings: Settings, reporter: Reporter, slow: SlowModel) -> Summary:
        """Builds by `static` and lets the model work on in the background."""
        from infograph.pipeline.background import BackgroundEmbedding  # few first builds take long

        try:
            summary = self._built(_by_static(settings), reporter)
        except (ConfigError, ModelError):  # such as a fusion that was fitted to the model: then it cannot be without
            return self._wait(settings, reporter)
        try:
            self._background = BackgroundEmbedding(settings, slow.files, self._ring)
        except InfographError as error:
            reporter.say(_WARNING.format(error))
            return self._wait(settings, reporter)
        self._settings = settings
        reporter.say(
            f"published by {STATIC} for now: {settings.config.model} embeds {slow.missing:,} texts in the background, "
            f"in about {clock_time(slow.seconds)}; then the tree is published again. `--no-early` waits instead."
        )
        return summary

    def _wait(self, settings: Settings, reporter: Reporter) -> Summary:
        """Builds by the model, however long it takes, from now on."""
        self._patient = True
        return self.build(settings, reporter)

    def _end(self, settings: Settings, reporter: Reporter) -> None:
        """Ends what worked in the background, and says why it is of no use where it failed."""
        assert self._background is not None
        failure, whole = self._background.failure, not self._background.running and settings == self._settings
        self._embedded = self._background.hashes if whole else frozenset()
        self._end_background()
        if failure is None:
            return
        if not isinstance(failure, InfographError):
            raise failure
        self._patient = True
        reporter.say(_WARNING.format(failure))


def _by_static(settings: Settings) -> Settings:
    """Returns the settings of a build that has `--model static` and is the same otherwise."""
    return replace(settings, config=replace(settings.config, model=STATIC))


def _patience(settings: Settings) -> float:
    """Returns how many seconds a build may wait for the model: some where `static` may stand in for it, else any."""
    config = settings.config
    # What stands in an object store is not known here, and may be what the model made.
    if not config.watch.early or config.model == STATIC or config.ray is not None or settings.store is not None:
        return math.inf
    from infograph.embedding import identify

    published = _published_model(settings)
    return LONG if published is None or published == identify(STATIC)[0] else math.inf


def _published_model(settings: Settings) -> str | None:
    """Returns the name of the model that made the tree which stands there, `""` where that cannot be told; None for no
    tree."""
    from infograph.formats import topic_spec

    data = read_file(settings.out / SPEC)
    if data is None:
        return None
    try:
        return topic_spec.parse(SPEC, data).model.rpartition("@")[0]
    except FormatError:  # somebody else's, which the build will say
        return ""
