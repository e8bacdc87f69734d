"""Runs `infograph enrich --task communities`: asks once a community of the built graph, and records the answer."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from infograph.client import Client, ClientError
from infograph.commands.cases import CasesRun
from infograph.commands.enrich.estimate import Estimate
from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.enrich.communities import TASK, VERSION, AskedCommunity, community_prompt, judged
from infograph.errors import ConfigError, DocumentError
from infograph.files.disk import read_output, write_durable
from infograph.formats.community_records import CommunityRecord, render
from infograph.formats.index_json import OWN_RELATIONS
from infograph.formats.names import COMMUNITIES, GRAPH, join
from infograph.llm.asking import Asker, Checked, ModelQuestion
from infograph.llm.wire import Call
from infograph.progress import Reporter
from infograph.search.format.graph_layout import LATEST
from infograph.source.document import read_document
from infograph.source.enrichment import community_records, community_records_path

_ANSWER_TOKENS = 220
"""Tokens that an answer is expected to have."""
_SOURCE = re.compile(r"^source: (.*)$", re.MULTILINE)
_HINT = 'Build it first, with `graph.entities = "terms"`.'


class CommunityRun:
    """One run, a call for each community without a record that holds."""

    def __init__(self, settings: Settings, request: EnrichRequest, reporter: Reporter) -> None:
        """Raises ConfigError for options that would do nothing, FormatError for broken records."""
        given = {"--only": request.only, "--batch": request.batch, "--log-calls": request.log_calls}
        for name, value in given.items():
            if value:
                raise ConfigError(name, f"does nothing with `{TASK}`, which is asked once a community", "Leave it out.")
        self.outcome = EnrichOutcome(unit="community")
        self._settings, self._request = settings, request
        self._run = CasesRun(settings, reporter, self.outcome)
        self._records = community_records(settings.root, settings.enrichment)
        self._now = dict[str, CommunityRecord]()
        """Records as they are after the run."""

    def run(self) -> EnrichOutcome:
        """Asks, and writes the records. Raises InfographError."""
        cases = self._cases()
        outcome = self.outcome
        try:
            if cases:
                self._run.ask(TASK, cases, self._one, fresh=self._request.force or self._request.retry_failed)
        finally:
            if self._now != self._records:
                folder = self._settings.enrichment
                name = community_records_path(folder is not None)
                write_durable(folder or self._settings.root, name, render(self._now.values()))
        tally = self._run.tally
        outcome.repaired, outcome.retried, outcome.seconds = tally.repaired, tally.retried, tally.seconds
        outcome.unanswered = len(cases) - outcome.enriched - outcome.failed
        return outcome

    def estimate(self) -> Estimate:
        """Counts what a run would ask."""
        questions = [self._question(own, self._run.model or "MODEL") for own in self._cases().values()]
        self._run.estimate(questions, [_ANSWER_TOKENS] * len(questions))
        own = self.outcome
        spent = (own.calls, own.cached, own.input_tokens, own.output_tokens, own.cost)
        return Estimate(TASK, own.unit, own.standing, *spent, own.redacted, own.problems)

    def _cases(self) -> dict[str, AskedCommunity]:
        """Returns the communities to ask about, by id; counts how all of them stand."""
        standing = self.outcome.standing
        cases: dict[str, AskedCommunity] = {}
        stays = _Stays(self._settings)
        with Client(self._settings.out) as client:
            for file in self._files():
                known = self._records.get(file["id"])
                standing.chunks += 1
                if known is not None:
                    self._now[file["id"]] = known
                if known is not None and known.pinned:
                    standing.pinned += 1
                elif known is not None and self._holds(known):
                    standing.current += 1
                else:
                    asked = self._opened(client, file)
                    if asked is None or any(self._run.keeps(path) or stays(path) for path in asked.files):
                        standing.at_home += 1
                    else:
                        standing.other += known is not None and not known.failed
                        standing.failed += known is not None and bool(known.failed)
                        standing.to_ask += 1
                        cases[asked.id] = asked
        self.outcome.dropped = len(self._records.keys() - self._now.keys())
        most = self._request.limit
        return dict(list(cases.items())[:most])

    def _holds(self, known: CommunityRecord) -> bool:
        if self._request.force or (known.failed and self._request.retry_failed):
            return False
        model = self._run.model
        return known.prompt == VERSION and (not model or known.model in (model, self._run.llm.fallback_model))

    def _files(self) -> Iterator[Mapping[str, Any]]:
        """Yields the files of the communities of the built tree, from the top. Raises ConfigError where there are
        none."""
        top = self._file(posixpath.basename(COMMUNITIES))
        latest = top.get("_links", {}).get(LATEST) if top else None
        if latest:
            top = self._file(str(latest["href"]))
        if top is None:
            raise ConfigError(str(self._settings.out), "has no graph, so there are no communities to ask about", _HINT)
        waiting = [top]
        while waiting:
            file = waiting.pop(0)
            if "id" in file:
                yield file
            for link in file.get("_links", {}).get(f"{OWN_RELATIONS}:community", ()):
                below = self._file(str(link["href"]))
                if below is not None:
                    waiting.append(below)

    def _file(self, name: str) -> Mapping[str, Any] | None:
        """Reads a file of the graph; None for one that is gone or damaged."""
        data = read_output(self._settings.out / join(GRAPH, name))
        try:
            value = json.loads(data or b"null")
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    def _opened(self, client: Client, file: Mapping[str, Any]) -> AskedCommunity | None:
        """Returns what a model is shown of a community; None where its chunks cannot be read, or share no name."""
        passages, files = [], []
        for link in file["_links"].get("item", ()):
            href = posixpath.normpath(posixpath.join(GRAPH, str(link["href"])))
            try:
                chunk = client.read(href)
            except ClientError as error:
                self.outcome.problems.append(f"{file['id']}: {error}")
                return None
            passages.append(chunk.readable)
            files.append(_document_of(href, chunk.front_matter))
        names = tuple(file["entities"])
        related = tuple((names[first], names[second]) for first, second, _ in file["relations"])
        stated = tuple((names[source], text, names[target]) for source, target, text in file.get("stated", ()))
        asked = AskedCommunity(file["id"], names, related, tuple(passages), tuple(dict.fromkeys(files)), stated).said
        return asked if asked.names and asked.passages else None

    def _question(self, asked: AskedCommunity, model: str) -> ModelQuestion[dict[str, Any]]:
        llm = self._run.llm
        prompt = community_prompt(asked, llm.context_tokens, self._run.redact)
        most, warmth = llm.max_output_tokens, llm.temperature
        call = Call(model, prompt.system, "", prompt.text, prompt.schema, max_tokens=most, temperature=warmth)
        return ModelQuestion(TASK, VERSION, asked.id, call, lambda text: Checked(*_tupled(judged(text, asked))))

    def _one(self, asker: Asker, id: str, asked: AskedCommunity) -> None:
        reply = asker.ask(self._question(asked, asker.endpoint.model))
        with self._run.locked:
            outcome = self.outcome
            outcome.asked += 1
            if reply.value is not None:
                self._now[id] = CommunityRecord(
                    id,
                    VERSION,
                    reply.model,
                    reply.value["title"],
                    reply.value["summary"],
                    tuple(reply.value["names"]),
                )
                outcome.enriched += 1
            elif not reply.transient:
                self._now[id] = CommunityRecord(id, VERSION, reply.model or asker.endpoint.model, failed=reply.failed)
                outcome.failed += 1
            if reply.failed:
                outcome.problems.append(f"{id}: {reply.failed}")


def _tupled(found: tuple[dict[str, Any] | None, Any]) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    return found[0], tuple(found[1])


def _document_of(href: str, front_matter: str) -> str:
    """Returns the path of the document that a chunk file is of."""
    found = _SOURCE.search(front_matter)
    name = found[1] if found else ""
    topic = posixpath.dirname(posixpath.dirname(unquote(href.partition("#")[0])))
    return join(topic, str(json.loads(name)) if name.startswith('"') else name)


class _Stays:
    """Whether a document says that it is never sent; one that cannot be read stays, too."""

    def __init__(self, settings: Settings) -> None:
        self._root = settings.root
        self._known: dict[str, bool] = {}

    def __call__(self, path: str) -> bool:
        if path not in self._known:
            try:
                self._known[path] = read_document(self._root, path).stays
            except DocumentError:
                self._known[path] = True
        return self._known[path]


@naming_origins
def enrich_communities(settings: Settings, request: EnrichRequest, reporter: Reporter) -> EnrichOutcome:
    """Asks about every community without a record that holds. Raises InfographError before anything is asked."""
    return CommunityRun(settings, request, reporter).run()
