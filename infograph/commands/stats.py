"""`infograph stats`: what a published tree holds and what its files weigh."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from infograph.commands.options import JSON

if TYPE_CHECKING:
    from infograph.commands.check.findings import CheckReport, FileCount
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


@click.command()
@click.argument("target", metavar="URL_OR_DIR")
@JSON
def stats(target: str, as_json: bool) -> None:
    """Count what a published tree holds and what its files weigh. Reads all of them, as `infograph check` does."""
    from infograph.client import Client, ClientError
    from infograph.commands.check.crawl import check
    from infograph.commands.console import warn
    from infograph.export.bundle import manifest_of
    from infograph.progress import amount

    with Client(target) as client:
        try:
            client.topic("")
        except ClientError as error:  # what is broken is counted as far as it goes
            if error.code == "missing":
                hint = "Is this where `infograph build` wrote to?"
                raise ClientError(error.code, error.place, error.reason, hint) from None
        manifest = manifest_of(client)
    found = tree_stats(check(target), manifest)
    click.echo(json.dumps(asdict(found), indent=2, ensure_ascii=False) if as_json else str(found))
    if found.problems:
        wrong = amount(found.problems, "problem")
        warn([f"not all of it could be counted, or is as promised: `infograph check` has {wrong}"])
        sys.exit(1)


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
