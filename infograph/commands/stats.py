"""`infograph stats`: what a published tree, or a federation of some, holds and what its files weigh."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from infograph.commands.options import JSON

if TYPE_CHECKING:
    from infograph.commands.check.findings import CheckReport, FileCount, SiteCheck
    from infograph.search.format.bundle_manifest import BundleManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeStats:
    """What a tree holds."""

    target: str
    build_id: str
    """Id of the build that the root's index states; empty where it states none."""
    topics: int
    documents: int
    """Documents that an index lists."""
    chunks: int
    tokens: int
    """Tokens of all chunks, as their strategies counted them."""
    repeated: int
    """Chunks whose text, byte for byte, another one before them has."""
    model: str = ""
    """Embedding model as `name@revision`; empty without a search bundle."""
    language: str = ""
    """ISO 639-1 code that texts are searched by; empty without a search bundle."""
    kinds: Mapping[str, FileCount]
    """Files by kind, that with the most bytes first."""
    problems: int = 0
    """What `infograph check` would report."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        from infograph.errors import printable
        from infograph.progress import amount

        searched = f", searched by {self.model} in {self.language}" if self.model else ", without a search bundle"
        counts = [amount(self.topics, "topic"), amount(self.documents, "document"), amount(self.chunks, "chunk")]
        lines = [
            printable(f"{self.target}: build {self.build_id or 'unknown'}{searched}"),
            f"{', '.join(counts)}, {amount(self.tokens, 'token')}; {amount(self.repeated, 'chunk')} said twice",
            "",
            f"{'kind':<12}{'files':>9}{'bytes':>15}",
        ]
        rows = [(kind, count.files, count.bytes) for kind, count in self.kinds.items()]
        rows.append(("all", sum(files for _, files, _ in rows), sum(size for _, _, size in rows)))
        return "\n".join([*lines, *(f"{kind:<12}{files:>9,}{size:>15,}" for kind, files, size in rows)])


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationStats:
    """What the sites of a federation hold."""

    target: str
    own: FileCount
    """Files of the federation itself."""
    sites: Mapping[str, TreeStats | None]
    """What each site holds, by its id; None where it cannot be read."""
    model: str = ""
    """Embedding model of all sites as `name@revision`; empty where they have several, or none."""
    language: str = ""
    problems: int = 0
    """What `infograph check --sites` would report."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values, with the sums over all sites."""
        return {**asdict(self), **{name: self.total(name) for name in _SUMMED}}

    def total(self, name: str) -> int:
        """Returns a figure of all sites together; a text that two sites have is not counted as repeated."""
        return sum(getattr(site, name) for site in self.sites.values() if site is not None)

    def __str__(self) -> str:
        from infograph.errors import printable
        from infograph.progress import amount

        searched = f", searched by {self.model} in {self.language}" if self.model else ""
        rows = {id: _figures(site) for id, site in self.sites.items()}
        rows["federation"] = {"files": self.own.files, "bytes": self.own.bytes}
        rows["all"] = {name: sum(row.get(name, 0) for row in rows.values()) for name in _COLUMNS}
        wide = max(12, *(len(id) + 2 for id in self.sites))
        cells = {id: [f"{row[name]:,}" if name in row else "" for name in _COLUMNS] for id, row in rows.items()}
        lines = [printable(f"{self.target}: {amount(len(self.sites), 'site')}{searched}"), ""]
        for id, texts in {"site": [*_COLUMNS], **cells}.items():
            line = "".join(f"{text:>{size}}" for text, size in zip(texts, _COLUMNS.values(), strict=True))
            lines.append(f"{id:<{wide}}{line}")
        return "\n".join(lines)


_COLUMNS = {"topics": 8, "documents": 11, "chunks": 10, "tokens": 13, "files": 9, "bytes": 15}
"""Figures of a site that a person is shown, with the width of their columns."""
_SUMMED = ("topics", "documents", "chunks", "tokens", "repeated")


def _figures(site: TreeStats | None) -> dict[str, int]:
    """Returns the figures of `_COLUMNS`; none of a site that cannot be read."""
    if site is None:
        return {}
    kinds = site.kinds.values()
    sizes = {"files": sum(kind.files for kind in kinds), "bytes": sum(kind.bytes for kind in kinds)}
    return {name: sizes[name] if name in sizes else getattr(site, name) for name in _COLUMNS}


@click.command()
@click.argument("target", metavar="URL_OR_DIR")
@JSON
def stats(target: str, as_json: bool) -> None:
    """Count what a published tree holds and what its files weigh. Reads all of them, as `infograph check` does.

    Of a federation, each site by itself and all together.
    """
    from infograph.client.place import is_federation
    from infograph.commands.console import warn
    from infograph.progress import amount

    found = _of_federation(target) if is_federation(target) else _of_tree(target)
    click.echo(json.dumps(found.as_dict(), indent=2, ensure_ascii=False) if as_json else str(found))
    if found.problems:
        wrong = amount(found.problems, "problem")
        command = "infograph check --sites" if isinstance(found, FederationStats) else "infograph check"
        warn([f"not all of it could be counted, or is as promised: `{command}` has {wrong}"])
        sys.exit(1)


def _of_tree(target: str) -> TreeStats:
    from infograph.client import Client, ClientError
    from infograph.commands.check.crawl import check
    from infograph.export.bundle import manifest_of

    with Client(target) as client:
        try:
            client.topic("")
        except ClientError as error:  # what is broken is counted as far as it goes
            if error.code == "missing":
                hint = "Is this where `infograph build` wrote to?"
                raise ClientError(error.code, error.place, error.reason, hint) from None
        manifest = manifest_of(client)
    return tree_stats(check(target), manifest)


def _of_federation(target: str) -> FederationStats:
    from infograph.client import Client
    from infograph.commands.check.federation import check_federation

    with Client(target) as client:
        client.topic("")  # says what is wrong with the manifest, if anything is
    report = check_federation(target, whole=True)
    models, languages = (sorted({getattr(site, name) for site in report.sites}) for name in ("model", "language"))
    return FederationStats(
        target=report.target,
        own=report.own,
        sites={site.id: _of_site(site) for site in report.sites},
        model=models[0] if len(models) == 1 else "",
        language=languages[0] if len(languages) == 1 else "",
        problems=len(report.problems),
    )


def _of_site(site: SiteCheck) -> TreeStats | None:
    if site.tree is None:
        return None
    return replace(tree_stats(site.tree, None), model=site.model, language=site.language)


def tree_stats(report: CheckReport, manifest: BundleManifest | None) -> TreeStats:
    """Returns what a tree holds, by what a check of it has read and by the manifest of its search bundle."""
    said: dict[str, Any] = {} if manifest is None else {"model": manifest.vectors.model, "language": manifest.language}
    return TreeStats(
        target=report.target,
        build_id=report.build_id,
        topics=report.topics,
        documents=report.documents,
        chunks=report.chunks,
        tokens=report.tokens,
        repeated=report.repeated,
        kinds=report.kinds,
        problems=len(report.problems),
        **said,
    )
