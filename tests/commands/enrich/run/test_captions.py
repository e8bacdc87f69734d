"""`infograph enrich --task captions`: which images are sent, how, what is kept of the answers and what is published."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.commands.enrich import modes
from infograph.commands.enrich.batch import enrich_by_batch
from infograph.commands.enrich.report import outcome_text
from infograph.commands.enrich.request import EnrichRequest
from infograph.errors import ConfigError
from infograph.llm.model_run import DONE
from infograph.progress import Silent

pytestmark = pytest.mark.usefixtures("in_this_process")

Site = Any
TASKS: dict[str, Any] = {"enrich__tasks": ("captions",)}
FORMS = pytest.mark.parametrize("form", ["openai-compatible", "anthropic"])


def png(shade: int = 0, side: int = 40) -> bytes:
    """A grey square."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress((b"\0" + bytes([shade]) * side) * side)
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


def page(*images: str) -> str:
    words = " ".join(f"The pump turns gear {n} slowly." for n in range(32))
    lead = f"# Pumps\n\nAt first. {words}\n\n"
    return lead + "\n".join(f"## Part {n}\n\n{words}\n\n{i}\n" for n, i in enumerate(images))


def with_images(site: Site, *images: str, **files: bytes) -> Site:
    site.write(a=page(*images))
    for name, data in files.items():
        (site.root / f"{name}.png").write_bytes(data)
    return site


def run(site: Site, fake: Any, request: EnrichRequest | None = None, **flags: Any) -> Any:
    return site.run(fake, request, **TASKS, **flags)


def sent(body: dict[str, Any]) -> list[tuple[str, bytes]]:
    """Media type and bytes of the images in a request."""
    found = []
    for part in body["messages"][-1]["content"]:
        if part["type"] == "image":
            found.append((part["source"]["media_type"], base64.b64decode(part["source"]["data"])))
        if part["type"] == "image_url":
            kind, _, data = part["image_url"]["url"].removeprefix("data:").partition(";base64,")
            found.append((kind, base64.b64decode(data)))
    return found


@FORMS
def test_an_image_is_sent_once_and_recorded_by_its_bytes(site: Site, fake: Any, form: str) -> None:
    with_images(site, "![plan](p.png)", "![the same](copy.png)", "![other](./q.png)", p=png(1), copy=png(1), q=png(2))
    outcome = run(site, fake, llm__provider=form)
    assert (outcome.status, outcome.asked, outcome.enriched, outcome.calls) == (DONE, 2, 2, 2)
    assert "2 of 2 images enriched" in outcome_text(outcome)
    assert sorted(data for body in fake.bodies for _, data in sent(body)) == sorted([png(1), png(2)])
    records = site.records("a")["records"]
    assert [(r["task"], r["chunk"], r["text_sha256"]) for r in records] == [
        ("captions", 1, hashlib.sha256(png(1)).hexdigest()),
        ("captions", 3, hashlib.sha256(png(2)).hexdigest()),
    ]
    again = run(site, fake, llm__provider=form)
    assert (again.asked, again.standing.current, fake.calls) == (0, 2, 2)


def test_what_the_document_says_of_it_is_shown_and_redacted(site: Site, fake: Any) -> None:
    token = "ghp_" + "a1B2" * 9
    with_images(site, f"![the plan {token}](p.png)\n\n*How it runs*", p=png())
    outcome = run(site, fake)
    prompt = next(p["text"] for p in fake.bodies[0]["messages"][1]["content"] if p["type"] == "text")
    assert "How it runs" in prompt
    assert "Pumps > Part 0" in prompt
    assert token not in json.dumps(fake.bodies)
    assert sum(outcome.redacted.values()) >= 1


def test_no_file_leaves_that_is_no_image_of_the_repository(site: Site, fake: Any, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(png(9))
    refused = {
        "https://evil.example/x.png": "",
        "//evil.example/x.png": "",
        "data:image/png;base64,AAAA": "",
        "file:///etc/passwd": "",
        "../secret.png": "no such file",
        "%2e%2e/secret.png": "no such file",
        "link.png": "cannot be opened",
        "up/secret.png": "cannot be opened",
        "pipe.png": "not a regular file",
        "drawing.svg": "no PNG, JPEG, GIF or WebP",
        "named.png": "no PNG, JPEG, GIF or WebP",
        "torn.png": "no PNG, JPEG, GIF or WebP",
        "large.png": "more than 1048576",
        "dot.png": "8 × 8 pixels",
        "wide.png": "9000 × 9000 pixels",
        "gone.png": "no such file",
    }
    with_images(site, *(f"![x]({link})" for link in refused))
    (site.root / "link.png").symlink_to(secret)
    (site.root / "up").symlink_to(tmp_path)
    os.mkfifo(site.root / "pipe.png")
    (site.root / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>")
    (site.root / "named.png").write_text("<svg/>")
    (site.root / "torn.png").write_bytes(png()[:18])
    (site.root / "large.png").write_bytes(png() + b"\0" * (1 << 20))
    (site.root / "dot.png").write_bytes(png(side=8))
    (site.root / "wide.png").write_bytes(png()[:16] + struct.pack(">II", 9000, 9000) + png()[24:])
    outcome = run(site, fake)
    assert (outcome.asked, fake.calls) == (0, 0)
    said = "\n".join(outcome.problems)
    for link, reason in refused.items():
        if reason:
            assert any(link.rpartition("/")[2] in line and reason in line for line in outcome.problems), (link, said)
        else:
            assert link[:20] not in said  # nobody's fault: it is not of the repository


def test_documents_and_images_that_stay_are_not_sent(site: Site, fake: Any) -> None:
    with_images(site, "![x](p.png)", "![y](q.png)", p=png(1), q=png(2))
    (site.root / "a.md").write_text("---\ninfograph: {llm: false}\n---\n" + page("![x](p.png)"))
    settings = site.settings(fake, **TASKS)
    standing = json.loads(modes.show_status(settings, EnrichRequest(), as_json=True))
    assert (standing["chunks"], standing["at_home"], standing["to_ask"]) == (1, 1, 0)
    site.write(a=page("![x](p.png)", "![y](q.png)"))
    assert run(site, fake, llm__exclude=("p.png",)).asked == 1
    assert sent(fake.bodies[0]) == [("image/png", png(2))]


def test_estimate_status_and_payload_send_nothing_and_show_no_data(site: Site, fake: Any) -> None:
    settings = with_images(site, "![x](p.png)", p=png(side=1500)).settings(fake, **TASKS)
    found = json.loads(modes.show_estimate(settings, EnrichRequest(), as_json=True))
    assert (found["unit"], found["calls"], found["standing"]["to_ask"]) == ("image", 1, 1)
    assert found["input_tokens"] > 1_600
    assert "1 image: 0 up to date" in modes.show_status(settings, EnrichRequest(), as_json=False)
    shown = modes.show_payload(settings, "_chunks/a-1.md")
    assert fake.calls == 0
    digest = hashlib.sha256(png(side=1500)).hexdigest()
    assert f"data:image/png;base64,({len(png(side=1500)):,} bytes, SHA-256 {digest})" in shown
    assert base64.b64encode(png(side=1500))[:40].decode() not in shown
    with pytest.raises(ConfigError, match="image that the chunk"):
        modes.show_payload(settings, "_chunks/a-0.md")


@FORMS
def test_they_are_asked_in_batches(site: Site, fake: Any, form: str) -> None:
    with_images(site, "![x](p.png)", "![y](q.png)", p=png(1), q=png(2))
    settings = site.settings(fake, llm__provider=form, **TASKS)
    assert enrich_by_batch(settings, EnrichRequest(batch=True)).batched == 2
    assert enrich_by_batch(settings, EnrichRequest(batch=True)).enriched == 2


def test_pinned_failed_changed_and_gone(site: Site, fake: Any, endpoints: Any) -> None:
    with_images(site, "![x](p.png)", "![y](q.png)", p=png(1), q=png(2))
    fake.answer = lambda exchange: "no JSON"
    assert run(site, fake).failed == 2
    assert run(site, fake).asked == 0
    fake.answer = endpoints.honest
    assert run(site, fake, EnrichRequest(retry_failed=True)).enriched == 2
    place = site.root / "_enrichment/a.json"
    value = json.loads(place.read_bytes())
    value["records"][0] |= {"pinned": True, "fields": {"alt": "By hand.", "description": "By hand."}}
    place.write_text(json.dumps(value))
    assert run(site, fake, EnrichRequest(force=True)).asked == 1
    (site.root / "q.png").write_bytes(png(3))
    outcome = run(site, fake)
    assert (outcome.asked, outcome.dropped) == (1, 1)
    (site.root / "p.png").unlink()
    assert any("pinned record of a text that is gone" in problem for problem in run(site, fake).problems)
    assert "By hand." in place.read_text()


def test_an_image_that_changes_meanwhile_is_not_sent(site: Site, fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.source.local_images import LocalImages

    with_images(site, "![x](p.png)", p=png(1))
    read, seen = LocalImages.read, list[str]()

    def other(self: LocalImages, path: str) -> bytes:
        seen.append(path)
        return read(self, path) if len(seen) == 1 else png(2)

    monkeypatch.setattr(LocalImages, "read", other)
    outcome = run(site, fake)
    assert (outcome.enriched, fake.calls) == (0, 0)
    assert "has changed since it was found" in outcome.problems[0]


def test_records_of_chunks_stay_beside_those_of_images(site: Site, fake: Any) -> None:
    with_images(site, "![x](p.png)", p=png(1))
    chunks = site.run(fake).enriched
    assert run(site, fake).enriched == 1
    assert len(site.records("a")["records"]) == chunks + 1
    assert site.run(fake).asked == run(site, fake).asked == 0
    assert len(site.records("a")["records"]) == chunks + 1


def test_they_are_asked_by_themselves(site: Site, fake: Any) -> None:
    with pytest.raises(ConfigError, match="`captions` is asked by itself"):
        site.write(a=page()).run(fake, enrich__tasks=("metadata", "captions"))


def test_a_build_publishes_them_wherever_the_image_is_shown(site: Site, fake: Any) -> None:
    with_images(site, "![x](p.png)", "![y](copy.png) ![y](<a b.png>)", p=png(1), copy=png(1))
    (site.root / "a b.png").write_bytes(png(2))
    evil = "Zebrafish swim. <script>x</script> See https://evil.example/x or [this](https://evil.example)."
    fake.answer = lambda exchange: json.dumps({"alt": "Fish", "description": evil})
    run(site, fake)
    summary = build(site.settings(fake, model="static"), Silent())
    assert (summary.errors, summary.notices) == ([], [])
    items = json.loads((site.root / "index.json").read_bytes())["_embedded"]["chunks"]["a"]["items"]
    said = "Zebrafish swim. x See or this."
    assert "enriched" not in items[0]
    assert items[1]["enriched"] == {"by": "fake-1", "images": [{"image": "p.png", "description": said}]}
    assert [shown["image"] for shown in items[2]["enriched"]["images"]] == ["copy.png", "a%20b.png"]
    for place in site.root.rglob("*.md"):
        assert b"evil.example" not in place.read_bytes()
    with Client(str(site.root)) as client:
        chunk = client.read("_chunks/a-2.md")
        assert chunk.enriched is not None
        assert [shown.description for shown in chunk.enriched.images] == [said, said]
        assert not client.search("zebrafish", exact=True).hits
    build(site.settings(fake, model="static", search__enriched=("images",)), Silent())
    with Client(str(site.root)) as client:
        hits = {hit.href for hit in client.search("zebrafish", exact=True).hits}
        assert hits == {"_chunks/a-1.md", "_chunks/a-2.md"}


def test_an_image_that_changes_makes_its_pages_anew(site: Site, fake: Any, tmp_path: Path) -> None:
    with_images(site, "![x](p.png)", p=png(1))
    run(site, fake)
    settings = site.settings(fake, model="static")
    build(settings, Silent())
    chunk = site.root / "_chunks/a-1.md"
    assert b"enriched_images" in chunk.read_bytes()
    (site.root / "p.png").write_bytes(png(2))  # of which nothing was said
    build(settings, Silent())
    assert b"enriched_images" not in chunk.read_bytes()
    (site.root / "p.png").write_bytes(png(1))
    build(settings, Silent())
    assert b"enriched_images" in chunk.read_bytes()
