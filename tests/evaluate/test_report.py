from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from infograph.evaluate.html_report import html_report
from infograph.evaluate.metrics import metric_names
from infograph.evaluate.report import WEIGHTS, Chunking, Report, System, as_dict, table

INTRINSIC = {"coherence": 0.5, "self-contained": 0.9, "density": 0.1, "boundary": 1.0}


def report(*qualities: float, intrinsic: bool = False) -> Report:
    noise = np.tile([0.05, -0.05], 20)
    systems = []
    for number, quality in enumerate(qualities):
        values = dict.fromkeys(metric_names(5), quality + noise)
        chunking = Chunking(f"<s{number}>", 1000, 4000, 900, 210.4, INTRINSIC if intrinsic else {})
        systems.append(System(chunking, "bm25", values | {"tokens@5": 1000 * (quality + noise)}))
    return Report(3, "q.jsonl", tuple(map(str, range(40))), 5, "static@1", tuple(systems))


def test_the_winner_of_a_column_has_a_star() -> None:
    text = table(report(0.5, 0.8))
    first, second = text.split("\n")[2:4]
    assert "0.800 ±0.0" in second
    assert second.count("*") == 8  # every share
    assert first.count("*") == 1  # and the fewest tokens
    assert "* better than every other beyond chance" in text


def test_no_star_without_a_difference() -> None:
    text = table(report(0.5, 0.5))
    assert "*" not in text
    assert "No system is better than every other" in text


def test_of_few_questions_no_difference_is_told() -> None:
    found = report(0.5, 0.8)
    systems = tuple(replace(own, values={name: own.values[name][:5] for name in own.values}) for own in found.systems)
    text = table(replace(found, ids=found.ids[:5], systems=systems))
    assert "*" not in text and "Of fewer than 6 questions no difference is more than chance" in text
    assert "fewer than" not in table(found)


def test_rows_are_compared_with_the_one_before_under_one_strategy() -> None:
    found = report(0.5, 0.8)
    assert "Over the row before" not in table(found)  # two strategies
    first, second = found.systems
    same = replace(found, systems=(first, replace(second, chunking=first.chunking, retriever="site")))
    (row,) = [line for line in table(same).splitlines() if line.startswith("<s0>") and "[" in line]
    assert row.split() == ["<s0>", "site", "bm25", *["+0.300", "[+0.300,", "+0.300]"] * 2]


def test_the_composite_weighs_what_was_measured() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    (system,) = report(0.8, intrinsic=True).systems
    assert system.composite == pytest.approx(0.4 * 0.8 + 0.3 * 0.5 + 0.3 * 0.9)
    assert report(0.8).systems[0].composite is None
    assert re.search(r"<s0> +0\.500 +0\.900 +0\.100 +1\.000 +0\.740", table(report(0.8, intrinsic=True)))


def test_json_has_every_metric_with_its_interval() -> None:
    found = json.loads(json.dumps(as_dict(report(0.5, 0.8))))
    assert found["winners"]["hit@5"] == "<s1> / bm25"
    assert set(found["systems"][0]["metrics"]) == set(metric_names(5))
    low, high = found["systems"][0]["metrics"]["hit@5"]["interval"]
    assert low < 0.5 < high


@pytest.mark.slow
def test_the_page_stands_alone_and_is_a_function_of_the_report() -> None:
    data = html_report(report(0.5, 0.8, intrinsic=True))
    assert data == html_report(report(0.5, 0.8, intrinsic=True))
    text = data.decode()
    assert not re.search(r"(?:src|href)=\"(?!#)", re.sub(r"xlink:href", "", text))
    assert set(re.findall(r"https?://[\w.]+", text)) == {"http://www.w3.org"}  # of XML namespaces
    assert "<metadata" not in text
    assert "<s0>" not in text
    assert "&lt;s0&gt;" in text
    assert text.count("<svg") == 2
    ids = re.findall(r" id=\"([^\"]+)\"", text)
    assert len(set(ids)) == len(ids)
    assert {*re.findall(r"href=\"#([^\"]+)", text), *re.findall(r"url\(#([^)]+)\)", text)} <= set(ids)
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(picture)
    without = html_report(replace(report(0.5), model=None)).decode()
    assert "composite" not in without
