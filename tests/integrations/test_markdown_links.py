"""Links to Markdown are added once, and only where there is some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from infograph.integrations.markdown_links import link_to_markdown


def test_a_link_is_added_once(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    files = {
        "a/b/index.html": "<html><HEAD><title>x</title></HEAD ><body></head></body>",
        "none.html": "<p>no head",
        "lost.html": "<head></head>",
        "_pages/a/b?.md": "text",
        "_pages/none.md": "text",
    }
    site = write_tree(tmp_path / "site", files)
    pages = [
        ("a/b/index.html", "a/b?.md"),
        ("none.html", "none.md"),
        ("lost.html", "lost.md"),
        ("gone.html", "none.md"),
    ]
    assert link_to_markdown(site, pages) == 1
    link = '<link rel="alternate" type="text/markdown" href="../../_pages/a/b%3F.md">'
    changed = f"<html><HEAD><title>x</title>{link}</HEAD ><body></head></body>"
    assert (site / "a/b/index.html").read_text() == changed
    assert link_to_markdown(site, pages) == 0
    assert (site / "a/b/index.html").read_text() == changed
    assert (site / "none.html").read_text() == files["none.html"]
