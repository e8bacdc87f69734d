"""Limits of hosts, and what of a folder goes up to one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from infograph.commands.publish import _HOSTS
from infograph.errors import OutputError
from infograph.publishing import hosts
from infograph.publishing.hosts import GB, GIB, HOSTS, MIB, Host, SiteFile, files_to_send, judge, kind_of, totals

BY_NAME = {host.name: host for host in HOSTS}


def test_each_limit_has_its_source() -> None:
    text = Path(hosts.__file__).read_text("utf-8")
    table = text[text.index("HOSTS = (") : text.index('"""Hosts and their limits')]
    limits = [line for line in table.split("\n") if re.match(r" {8}(?!files_paid)\w+=", line)]
    assert len(re.findall(r"# https://", table)) >= len(limits) - 1  # of Cloudflare one page has two
    assert [host.name for host in HOSTS] == list(_HOSTS)


@pytest.mark.parametrize(
    ("host", "files", "said"),
    [
        ("cloudflare-pages", [SiteFile(f"{n}.md", 1) for n in range(20_000)], []),
        (
            "cloudflare-pages",
            [SiteFile(f"{n}.md", 1) for n in range(20_001)],
            ["20,001 files, and 20,000 are the most on its free plan, 100,000 on others"],
        ),
        (
            "cloudflare-pages",
            [SiteFile(f"{n}.md", 1) for n in range(100_001)],
            ["100,001 files, and 20,000 are the most"],
        ),
        ("cloudflare-pages", [SiteFile("a.bin", 25 * MIB + 1)], ["1 file above 25 MiB: a.bin"]),
        ("github-pages", [SiteFile("a", GB // 20) for _ in range(21)], ["1,050 MB, and 1,000 MB are the most"]),
        ("github-pages", [SiteFile("a", 100 * MIB + 1)], ["1 file above 100 MiB: a"]),
        (
            "netlify",
            [SiteFile("c#/_chunks/a-0.md", 1), SiteFile("b", 1)],
            ["1 path with # or ?, which it refuses: c#/"],
        ),
        ("s3", [SiteFile("é" * 513, 1), SiteFile("e" * 1024, 1)], ["1 path of more than 1,024 bytes: é"]),
        ("s3", [SiteFile("a", 5 * GIB + 1)], ["1 file above 5,120 MiB: a"]),
    ],
)
def test_a_limit_that_is_passed(host: str, files: list[SiteFile], said: list[str]) -> None:
    passed = judge(files, BY_NAME[host]).passed
    assert len(passed) == len(said)
    assert all(found.startswith(start) for found, start in zip(passed, said, strict=True))


def test_who_has_too_many_chunk_files_is_told_of_packs() -> None:
    each = [SiteFile(f"_chunks/a-{n}.md", 1) for n in range(20_001)]
    (note,) = [note for note in judge(each, BY_NAME["cloudflare-pages"]).notes if "chunk" in note]
    assert note == '20,001 of the files hold a chunk each: with `chunks.files = "pack"` they are far fewer'
    for files in (each[:20_000], [SiteFile(f"_chunks/a-{n}.pack.txt", 1) for n in range(20_001)]):
        assert not [note for note in judge(files, BY_NAME["cloudflare-pages"]).notes if "chunk" in note]


def test_of_many_paths_the_first_are_named() -> None:
    found = judge([SiteFile(f"?{n}", 1) for n in range(9)], BY_NAME["netlify"])
    assert found.passed == ["9 paths with # or ?, which it refuses: ?0, ?1, ?2, … and 6 more"]


def test_a_host_without_limits_takes_everything() -> None:
    assert judge([SiteFile("a#?", 10**13)], Host("any")).passed == []


def test_what_a_root_lacks_is_noted() -> None:
    assert "`.nojekyll`" in judge([SiteFile("a", 1)], BY_NAME["github-pages"]).notes[0]
    assert judge([SiteFile(".nojekyll", 1)], BY_NAME["github-pages"]).notes == []


def test_what_goes_up(tmp_path: Path) -> None:
    for name in ("index.json", ".infograph/kept", ".git/config", ".nojekyll", ".well-known/x", "a/b.md", ".env"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"12")
    (tmp_path / "link").symlink_to(tmp_path / ".env")
    assert files_to_send(tmp_path) == [
        SiteFile(name, 2) for name in (".nojekyll", ".well-known/x", "a/b.md", "index.json")
    ]


def test_a_folder_without_anything(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="holds nothing to publish"):
        files_to_send(tmp_path)
    with pytest.raises(OutputError, match="is no folder"):
        files_to_send(tmp_path / "none")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a/_chunks/x.0123456789-0.md", "chunks"),
        ("_search/p-0123456789abcdef.z", "search"),
        ("_search/manifest.json", "search"),
        ("a/index.json", "indexes"),
        ("llms.txt", "indexes"),
        ("infograph.js", "for browsers"),
        ("infograph/explorer/map.json", "for browsers"),
        ("index.html", "not infograph's"),
    ],
)
def test_kinds_of_files(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_totals_name_what_has_most_files_first() -> None:
    files = [SiteFile("a.html", 5), SiteFile("_chunks/a-0.md", 1), SiteFile("_chunks/a-1.md", 2)]
    assert totals(files) == [("chunks", 2, 3), ("not infograph's", 1, 5)]
