"""Where an export is written, and where not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.errors import ConfigError, ForeignFileError, OutputError
from infograph.export.columns import COLUMNS
from infograph.export.writing import check_place, write_export


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for folder in ("_search", "guide/_chunks", ".embedding-cache/x", "_graph", "infograph", "data"):
        (root / folder).mkdir(parents=True)
    (root / "index.json").write_text("{}")
    return root


@pytest.mark.parametrize("folder", ["_search", "guide/_chunks", ".embedding-cache/x", "_graph", "infograph"])
def test_never_into_a_folder_that_a_build_keeps(folder: str, tree: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="a folder of the tree that holds only what infograph writes"):
        check_place(str(tree), str(tree / folder / "out.jsonl"))
    (tmp_path / "link").symlink_to(tree / folder)
    with pytest.raises(OutputError, match="holds only what infograph writes"):
        check_place(str(tree / "index.json"), str(tmp_path / "link" / "out.jsonl"))


def test_beside_other_files_of_a_tree(tree: Path) -> None:
    for place in (tree / "out.jsonl", tree / "data" / "out.jsonl", tree.parent / "out.jsonl"):
        check_place(str(tree), str(place))
        write_export(str(place), [{"id": "a"}], None)
        assert place.read_bytes() == b'{"id":"a"}\n'
    check_place("https://example.org/docs/", str(tree / "_search" / "out.jsonl"))


def test_over_an_export_and_over_nothing_else(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    write_export(str(out), [dict.fromkeys(column.name for column in COLUMNS)], None)
    check_place(str(tree), str(out))
    write_export(str(out), [], None)
    check_place(str(tree), str(out))
    for foreign in ('{"question": "whose?"}\n', '{"id": "7", "name": "whose?"}\n', '{"id":"7"}\n', "id", "\n"):
        out.write_text(foreign)
        with pytest.raises(ForeignFileError, match="is there already, and is no export"):
            check_place(str(tree), str(out))
        assert out.read_text() == foreign
    out.unlink()
    out.symlink_to(tree / "index.json")
    with pytest.raises(ForeignFileError):
        check_place(str(tree), str(out))
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(ForeignFileError):
        check_place(str(tree), str(tmp_path / "folder.jsonl"))


def test_over_no_table_of_another(tree: Path, tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "mine.parquet"
    write_export(str(out), [], None)
    check_place(str(tree), str(out))
    for data in (None, b"PAR1", b"PAR1 and more PAR1"):
        if data is None:
            parquet.write_table(arrow.table({"id": ["7"]}), out)
        else:
            out.write_bytes(data)
        with pytest.raises(ForeignFileError, match="is there already, and is no export"):
            check_place(str(tree), str(out))


@pytest.mark.parametrize("name", ["out.json", "out", "out.csv"])
def test_a_name_that_says_no_format(name: str, tree: Path) -> None:
    with pytest.raises(ConfigError, match=rf"{name}: its name does not say the format. Let it end in \.jsonl or"):
        check_place(str(tree), name)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything may be written")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    with pytest.raises(OutputError, match=r"cannot be written: .* Export again when it can be"):
        write_export(str(tmp_path / "shut" / "out.jsonl"), [{"id": "a"}], None)


def test_a_place_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot be written: .* Export again when it can be"):
        write_export(str(tmp_path / "file" / "out.jsonl"), [{"id": "a"}], None)
