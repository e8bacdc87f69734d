"""What would go up to a host from a folder, and which of the host's limits that would pass."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from infograph.errors import OutputError
from infograph.formats.names import CHUNKS, GRAPH, NO_JEKYLL, SEARCH, is_output, is_pack_name, is_published, topic_of
from infograph.progress import amount

MB, GB = 1_000_000, 1_000_000_000
MIB, GIB = 1 << 20, 1 << 30
_SENT_DOTS = frozenset({NO_JEKYLL, ".well-known", ".htaccess"})
"""Names that begin with a dot and go up all the same."""
_NAMED = 3
"""Paths that a finding names."""


@dataclass(frozen=True, slots=True)
class Host:
    """Limits of a host; None where there is none that a folder of files could pass."""

    name: str
    """What `--to` calls it."""
    files: int | None = None
    """Most files of a site, on the plan that costs nothing."""
    files_paid: int | None = None
    """Most files on a plan that costs."""
    site_bytes: int | None = None
    """Most bytes of a site."""
    file_bytes: int | None = None
    """Most bytes of a file."""
    path_bytes: int | None = None
    """Most bytes of a path, in UTF-8."""
    refused: str = ""
    """Characters that no path may have."""
    wants: tuple[tuple[str, str], ...] = ()
    """Files of the root that a site needs there, each with what happens without it."""


HOSTS = (
    Host(
        "github-pages",
        # https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits
        site_bytes=GB,
        # https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github
        file_bytes=100 * MIB,
        # https://docs.github.com/en/pages/getting-started-with-github-pages/about-github-pages-and-jekyll
        wants=((NO_JEKYLL, "published from a branch, names that begin with an underscore are left out"),),
    ),
    Host(
        "cloudflare-pages",
        # https://developers.cloudflare.com/pages/platform/limits/
        files=20_000,
        files_paid=100_000,
        file_bytes=25 * MIB,
        # https://developers.cloudflare.com/pages/configuration/serving-pages/
        wants=(("404.html", "an address that is not there answers 200 with the start page"),),
    ),
    Host(
        "netlify",
        # https://github.com/netlify/cli/issues/7340
        refused="#?",
    ),
    Host(
        "s3",
        # https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html
        file_bytes=5 * GIB,
        # https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
        path_bytes=1024,
    ),
)
"""Hosts and their limits, each with the page that says so."""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """One file that would go up."""

    path: str
    """Relative to the folder."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a host would make of a site."""

    host: str
    passed: list[str]
    """Limits that the site passes: the host would refuse it, or leave files out."""
    notes: list[str]
    """What else a person should know."""


def files_to_send(folder: Path) -> list[SiteFile]:
    """Lists the files of a folder that go up to a host, sorted by path. Raises OutputError for a folder that is not
    there, holds nothing, or cannot be read.

    What begins with a dot stays here, `.infograph` above all, and so does what a symbolic link leads to.
    """
    if not folder.is_dir():
        raise OutputError(
            str(folder), "is no folder", "Name the one that `infograph build --out` wrote, or your site's."
        )
    found = []
    try:
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = [name for name in folders if _goes_up(name)]
            for path in (Path(place, name) for name in names if _goes_up(name)):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode):
                    found.append(SiteFile(path.relative_to(folder).as_posix(), status.st_size))
    except OSError as error:
        hint = "Give yourself the right to read it."
        raise OutputError(str(error.filename), f"cannot be read: {error.strerror}", hint) from error
    if not found:
        raise OutputError(str(folder), "holds nothing to publish", "Build something into it with --out.")
    return sorted(found, key=lambda file: file.path)


def _raise(error: OSError) -> None:
    raise error


def _goes_up(name: str) -> bool:
    return (not name.startswith(".") or name in _SENT_DOTS) and name != "node_modules"


def kind_of(path: str) -> str:
    """Returns what a file is for, in a word or two."""
    folder = topic_of(path).rpartition("/")[2]
    if folder == CHUNKS:
        return "chunks"
    if folder in (SEARCH, GRAPH):
        return "search"
    if not is_output(path):
        return "not infograph's"
    return "for browsers" if is_published(path) else "indexes"


def totals(files: Iterable[SiteFile]) -> list[tuple[str, int, int]]:
    """Returns the number of files and of bytes of each kind, the most files first."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for file in files:
        kind = kind_of(file.path)
        counts[kind] += 1
        sizes[kind] += file.size
    return [(kind, count, sizes[kind]) for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def judge(files: Sequence[SiteFile], host: Host) -> Verdict:
    """Returns which limits of a host a site passes."""
    passed, notes = [], []
    total = sum(file.size for file in files)
    if host.files is not None and len(files) > host.files:
        said = f"{len(files):,} files, and {host.files:,} are the most"
        if host.files_paid is not None and len(files) <= host.files_paid:
            said += f" on its free plan, {host.files_paid:,} on others"
        passed.append(said)
        single = sum(kind_of(f.path) == "chunks" and not is_pack_name(f.path.rpartition("/")[2]) for f in files)
        if 2 * single > len(files):
            notes.append(f'{single:,} of the files hold a chunk each: with `chunks.files = "pack"` they are far fewer')
    if host.site_bytes is not None and total > host.site_bytes:
        passed.append(f"{total / MB:,.0f} MB, and {host.site_bytes / MB:,.0f} MB are the most")
    large = [file.path for file in files if host.file_bytes is not None and file.size > host.file_bytes]
    if large:
        passed.append(f"{amount(len(large), 'file')} above {(host.file_bytes or 0) / MIB:,.0f} MiB: {_named(large)}")
    long = [f.path for f in files if host.path_bytes is not None and len(os.fsencode(f.path)) > host.path_bytes]
    if long:
        passed.append(f"{amount(len(long), 'path')} of more than {host.path_bytes:,} bytes: {_named(long)}")
    refused = [file.path for file in files if not set(host.refused).isdisjoint(file.path)]
    if refused:
        signs = " or ".join(host.refused)
        passed.append(f"{amount(len(refused), 'path')} with {signs}, which it refuses: {_named(refused)}")
    there = {file.path for file in files}
    notes += [f"without `{name}` in the root, {effect}" for name, effect in host.wants if name not in there]
    return Verdict(host.name, passed, notes)


def _named(paths: Sequence[str]) -> str:
    more = f", … and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(paths[:_NAMED])}{more}"
