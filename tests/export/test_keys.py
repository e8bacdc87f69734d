"""Keys of a tree and of its exports: the same, by whichever way they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from infograph.client import Client
from infograph.errors import ConfigError, FormatError
from infograph.export.keys import is_export, keys_of_export, keys_of_tree
from infograph.export.run import ExportRequest, export_tree


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_tree_and_its_export_have_the_same_keys(suffix: str, manual: Path, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="needs pip install 'infograph[parquet]'")
    out = str(tmp_path / f"out{suffix}")
    with Client(manual) as client:
        export_tree(client, out, ExportRequest(tree=str(manual), vectors="none"))
        assert is_export(out) and not is_export(str(manual))
        assert list(keys_of_export(out)) == list(keys_of_tree(client))


@pytest.mark.parametrize("line", ['{"id": "a", "sha256": 1}', '{"id": "a", "sha256": "x", "title": "t"}', "{}"])
def test_what_has_no_keys_is_named(line: str, tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    place.write_text('{"id": "a", "sha256": "x", "title": "t", "section_path": []}\n' + line)
    with pytest.raises(FormatError, match=r"out\.jsonl: row 2: has not the columns id, sha256"):
        list(keys_of_export(str(place)))


@pytest.mark.parametrize("target", ["https://docs.example/e.jsonl", "http://docs.example/e.Parquet"])
def test_an_export_on_a_server_is_downloaded_first(target: str) -> None:
    with pytest.raises(ConfigError, match=r"an export is read from a file.*Download it first"):
        is_export(target)
    assert not is_export("https://docs.example/docs/")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no\.jsonl: cannot be read: No such file"):
        list(keys_of_export(str(tmp_path / "no.jsonl")))
