"""The page of the guide on searching that readers copy, in Chromium over the sample docs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from javascript import NODE, needs_node

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "sample-docs"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.mark.slow
@needs_node
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium chromium-headless-shell")
@pytest.mark.skipif(
    not (HERE / "node_modules").is_dir(), reason="needs the npm packages: npm ci --prefix tests/explorer"
)
def test_the_page_to_copy_works(sample_site: Path, tmp_path: Path) -> None:
    assert NODE is not None
    assert CHROMIUM is not None
    site = Path(shutil.copytree(sample_site, tmp_path / "site"))
    (page,) = re.findall(r"^```html\n(.*?)^```", (DOCS / "guide/searching.md").read_text("utf-8"), re.M | re.DOTALL)
    (site / "copied.html").write_text(page, "utf-8")
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", str(HERE / "guide.test.mjs")],
        env=os.environ | {"SITE": str(site), "CHROMIUM": CHROMIUM},
        capture_output=True,
        timeout=600,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout + run.stderr
