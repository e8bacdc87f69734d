"""`infograph search`, `get` and `ask`: what is printed, what a program reads, and what hostile text cannot do."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from infograph.build import build
from infograph.cli import main
from infograph.client import Answer, Client, Context, answers, options
from infograph.client.options import ORDERS
from infograph.client.plan import planned
from infograph.client.unfound import NOTHING_BELOW
from infograph.commands.ask.run import PublishedSite, SearchRequest, search
from infograph.config import load
from infograph.search.format.results import DocumentUnit, Hit
from infograph.search.reading.rankings import NO_WORDS, NOTHING_ASKED

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
PLAN = planned("", 1, None, None, None, False)
CLEAR = "\x1b[2J"
CACHE = "guide/v1/_chunks/cache-0.md"
BELL = "_chunks/hostile-0.md"


def infograph(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def printed(*arguments: object) -> str:
    """What is printed, without the versions in the names of chunks."""
    return unversioned(raw(*arguments))


def raw(*arguments: object) -> str:
    result = infograph(*arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def output(*arguments: object) -> str:
    """All that is printed, on both streams."""
    result = infograph(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def told(question: str, *arguments: object) -> tuple[str, str]:
    """What `ask` prints for a prompt, and what it says of its sources; without versions."""
    result = infograph("ask", *arguments[:1], question, *arguments[1:])
    assert result.exit_code == 0, result.output
    return unversioned(result.stdout), unversioned(result.stderr)


def unversioned(text: str) -> str:
    return re.sub(r"\.[0-9a-f]{10}(?=-\d+\.md)", "", text)


def read_json(*arguments: object) -> Any:
    return json.loads(raw(*arguments, "--json"))


def hit(**values: Any) -> Hit:
    named: dict[str, Any] = {
        "page": "a.md",
        "page_title": "A",
        "page_url": "a.html",
        "index": 0,
        "title": "T",
        "section_path": ("A", "T"),
        "anchor": "t",
        "snippet": "some words",
        "tokens": 7,
        "href": "_chunks/a-0.md",
        "sha256": "0" * 32,
        "score": 1.0,
    }
    return Hit(**(named | values))


class TestSearch:
    def test_a_hit_is_four_lines(self, manual: Path) -> None:
        first = printed("search", manual, "clear", "the", "cache").split("\n\n")[0].splitlines()
        assert re.fullmatch(r" 1\. Cache \(\d+\.\d\)", first[0])
        assert first[1] == "    https://docs.example/guide/v1/cache.html#cache"
        assert first[2].startswith("    The cache on day 0 ")
        assert re.fullmatch(rf"    {CACHE}, \d+ tokens", first[3])
        assert first[4:] == ["    nearly the same: guide/v2/_chunks/cache-0.md"]

    def test_sections_in_the_place_of_several_chunks(self, tmp_path: Path, quick: Any) -> None:
        parts = [f"## Part {n}\n\n{'A kettle wants care on many days of the year. ' * 60}" for n in range(3)]
        (tmp_path / "kettle.md").write_text("# Kettle\n\n" + "\n\n".join(parts))
        build(load(str(tmp_path), environment={}))
        whole = r'    with its neighbours: "Kettle", [3-8] chunks, [\d,]+ tokens'
        shown = printed("search", tmp_path, "kettle care", "--mode", "parent").splitlines()
        assert len([line for line in shown if re.fullmatch(whole, line)]) == 1
        (found,) = read_json("search", tmp_path, "kettle care", "--mode", "parent")["hits"]
        assert found["unit"]["section_path"] == ["Kettle"]
        assert "with its neighbours" not in printed("search", tmp_path, "kettle care")
        unit = DocumentUnit(
            id="a", type="document", level=0, section_path=(), slices=((0, 2),), hrefs=("a", "b"), tokens=1, sha256=""
        )
        assert answers.search_text(Answer(hits=(hit(unit=unit),), total=1)).endswith(
            "with its neighbours: the whole page, 2 chunks, 1 token"
        )

    def test_the_numbers_go_on_after_an_offset(self, manual: Path) -> None:
        query = ("search", manual, "wants", "care")
        whole = [line for line in printed(*query, "--limit", 5).splitlines() if re.match(r" \d\.", line)]
        assert [line[:3] for line in whole] == [" 1.", " 2.", " 3.", " 4.", " 5."]
        part = printed(*query, "--limit", 2, "--offset", 3)
        assert [line for line in part.splitlines() if re.match(r" \d\.", line)] == whole[3:]

    def test_json_is_what_the_client_answers(self, manual: Path) -> None:
        found = read_json("search", manual, "wants care", "--limit", 3)
        answer = Client(manual).search("wants care", limit=3)
        assert list(found) == [
            "missing",
            "corrected",
            "notes",
            "hits",
            "total",
            "total_relation",
            "facets",
            "confidence",
        ]
        assert found["total"] == answer.total
        assert [row["href"] for row in found["hits"]] == [own.href for own in answer.hits]
        # No page and no model's words led there, no question is known, it stands for itself, and the site for no other.
        absent = {"via", "relation", "matched_question", "unit", "site"}
        assert set(found["hits"][0]) == {*Hit.__slots__} - absent

    def test_the_passage_that_answers_is_shown(self, tmp_path: Path, quick: Any) -> None:
        text = "Nothing of it is said here, nor is it said anywhere near. " * 8
        (tmp_path / "kettle.md").write_text(f"# Kettle\n\n{text}\nA kettle is descaled with vinegar. {text}\n")
        build(load(str(tmp_path), environment={}))
        assert "    … A kettle is descaled with vinegar. Nothing" in printed("search", tmp_path, "descaled kettle")
        (hit,) = read_json("search", tmp_path, "descaled kettle")["hits"]
        assert hit["snippet"].startswith("Nothing of it") and hit["text"] == ""
        (chunk,) = tmp_path.glob("_chunks/*.md")
        chunk.unlink()
        lost = infograph("search", tmp_path, "descaled kettle")
        assert "\n    Nothing of it is said" in lost.stdout and f"without _chunks/{chunk.name}" in lost.stderr

    def test_options_reach_the_client(self, manual: Path) -> None:
        def hrefs(*options: str) -> list[str]:
            return [row["href"] for row in read_json("search", manual, "wants care", "--limit", 30, *options)["hits"]]

        everything = hrefs()
        assert hrefs("--path", "reference") == [href for href in everything if href.startswith("reference/")]
        assert len(hrefs("--pages")) == len({href.rpartition("-")[0] for href in everything})
        assert hrefs("--filter", "index=0", "--filter", "index=1") == [
            href for href in everything if href.endswith(("-0.md", "-1.md"))
        ]
        assert list(map(unversioned, hrefs("--filter", "index=0", "--filter", "page=hostile.md"))) == [BELL]
        assert sorted(hrefs("--diversity", "0.9")) == sorted(everything)

    def test_a_filter_that_is_none(self, manual: Path) -> None:
        assert infograph("search", manual, "x", "--filter", "=x").exit_code == 2
        result = infograph("search", manual, "x", "--filter", "tokens=many")
        assert (result.exit_code, result.stderr) == (1, 'error: filters.tokens: has to be a number, not "many"\n')
        result = infograph("search", manual, "x", "--filter", "titel=red")
        assert result.exit_code == 1 and "Did you mean title? There are: anchor, chunk_type" in result.stderr

    def test_a_slip_is_searched_as_what_there_is_and_said(self, manual: Path) -> None:
        told = 'warning: searched for "cache" instead of "cahce"\n'
        result = infograph("search", manual, "cahce")
        assert (result.exit_code, result.stderr) == (0, told)
        assert result.stdout == infograph("search", manual, "cache").stdout
        assert infograph("ask", manual, "cahce").stderr.startswith(f"{told}[1] ")
        for command in ("search", "ask"):
            assert json.loads(infograph(command, manual, "cahce", "--json").stdout)["corrected"] == {"cahce": "cache"}

    def test_a_slip_that_finds_nothing_is_answered_with_what_there_is(self, manual: Path) -> None:
        result = infograph("search", manual, "cahce", "--exact")
        assert result.exit_code == 1
        assert result.stderr.splitlines()[-1] == "nothing found"
        assert "the site has nothing for cahce; it has cach" in result.stderr
        assert "the site has nothing for cahce; it has cach" in infograph("ask", manual, "cahce", "--exact").stderr
        narrowed = infograph("search", manual, "cahce", "--exact", "--path", "nosuch").stderr
        assert "the site has nothing for cahce; it has cach" in narrowed and "passes" not in narrowed

    @pytest.mark.parametrize("narrowed", [("--path", "nosuch"), ("--filter", "page=nosuch.md")])
    def test_what_a_query_was_narrowed_to_is_named_as_the_reason(self, manual: Path, narrowed: tuple[str, str]) -> None:
        result = infograph("search", manual, "cache", *narrowed)
        assert result.exit_code == 1
        assert "warning: nothing of what the site has for it passes `--path` and `--filter`\n" in result.stderr
        assert "the site has nothing" not in result.stderr

    def test_the_end_of_the_hits_needs_no_reason(self, manual: Path) -> None:
        result = infograph("search", manual, "cache", "--path", "nosuch", "--offset", 5)
        assert (result.exit_code, result.stderr) == (1, f"warning: {NOTHING_BELOW}\nnothing found\n")

    def test_words_that_are_too_common_are_named_as_the_reason(self, manual: Path) -> None:
        for query in ("the of and", "what about these"):
            for command in ("search", "ask"):
                result = infograph(command, manual, query)
                assert (result.exit_code, result.stdout) == (1, "")
                assert result.stderr.splitlines() == [f"warning: {NOTHING_ASKED}", "nothing found"]
        assert "these" not in infograph("search", manual, "these cahce").stderr

    @pytest.mark.parametrize("query", ["qqzzqqzz", "\x1b[", "—"])
    def test_nothing_found_is_status_1(self, manual: Path, query: str) -> None:
        why = "" if "q" in query else f"warning: {NO_WORDS}\n"
        result = infograph("search", manual, query)
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"{why}nothing found\n")
        result = infograph("search", manual, query, "--json")
        assert result.exit_code == 1 and json.loads(result.stdout)["hits"] == []

    def test_what_is_missing_is_a_warning(self, manual: Path, tmp_path: Path) -> None:
        root = copied(manual, tmp_path, without="_search/l-*")
        result = infograph("search", root, "cache")
        assert result.exit_code == 0
        assert re.match(r"warning: without l-\w{16}\.z: .*there is no such file", result.stderr)

    def test_notes_are_warnings(self, manual: Path) -> None:
        result = infograph("search", manual, *(f"word{n}" for n in range(100)), "cache")
        assert "warning: only the first 64 words of the query were looked up\n" in result.stderr


class TestAsk:
    def test_the_answer_can_be_pasted(self, manual: Path) -> None:
        text, sources = told("how do I clear the cache?", manual, "--max-tokens", 1000)
        assert text.startswith("[1]\n\n# Cache\n\nThe cache on day 0 ")
        assert sources.startswith(f"[1] Cache\n    https://docs.example/guide/v1/cache.html#cache\n    {CACHE}, ")
        assert "\n    nearly the same: guide/v2/_chunks/cache-0.md\n" in sources

    @pytest.mark.parametrize("sources", options.SOURCES)
    def test_no_more_is_printed_than_the_budget_counted(self, manual: Path, sources: str) -> None:
        """What names the sources came on top of it."""
        asked = ("ask", manual, "wants care", "--max-tokens", 1500, "--sources", sources)
        text, _ = told("wants care", manual, *asked[3:])
        found = read_json(*asked)
        assert found["tokens"] <= 1500 and len(found["passages"]) > 1
        assert text == unversioned(found["text"]) + "\n"

    def test_more_here(self, manual: Path) -> None:
        _, sources = told("method3 result4 method5", manual, "--max-tokens", 300, "--no-prompts")
        more = sources.partition("\nMore here:\n")[2].splitlines()
        assert more
        if more[-1].startswith("and "):
            more.pop()
        line = (
            r"- API › .*\(https://docs\.example/reference/api\.html#[\w-]+, reference/_chunks/api-\d+\.md, \d+ tokens\)"
        )
        assert all(re.fullmatch(line, pointer) for pointer in more)

    @pytest.mark.parametrize("found", [0, 1, 10, 11, 1234])
    def test_no_more_than_ten_are_pointed_to(self, found: int) -> None:
        context = Context(passages=(), tokens=0, more=(hit(),) * found, plan=PLAN)
        lines = answers.context_sources(context).splitlines()
        assert lines[:1] == ["More here:"][:found]
        assert lines[1:11] == [answers.pointer(hit())] * min(found, 10)
        said = f"and {found - 10:,} more: give --max-tokens, or search, for them"
        assert lines[11:] == [said] * (found > 10)
        assert len(answers.as_json(context)["more"]) == found

    def test_known_questions(self, manual: Path) -> None:
        question = "How can I plug the kettle in?"
        assert '\n    known to answer "How do I plug the kettle in?"\n' in told(question, manual)[1]
        first = read_json("ask", manual, question)["passages"][0]["hits"]
        assert any(hit.get("matched_question", {}).get("distance", 64) <= 12 for hit in first)
        assert "known to answer" not in told(question, manual, "--no-prompts")[1]

    def test_json_is_what_the_client_answers(self, manual: Path) -> None:
        found = read_json("ask", manual, "clear the cache", "--max-tokens", 500, "--path", "guide")
        context = Client(manual).retrieve("clear the cache", 500, path="guide")
        assert list(found) == [
            "missing",
            "corrected",
            "notes",
            "passages",
            "text",
            "citations",
            "tokens",
            "more",
            "plan",
        ]
        assert found["plan"]["question_class"] == context.plan.question_class == "exploratory"
        assert (found["tokens"], len(found["passages"])) == (context.tokens, len(context.passages))
        assert found["tokens"] <= 500

    def test_how_the_budget_is_filled_can_be_said(self, manual: Path) -> None:
        given = ["--class", "factoid", "--level", "passages", "--packing", "ratio", "--split", "--sources", "urls"]
        found = read_json("ask", manual, "wants care", "--max-tokens", 300, *given)
        how: dict[str, Any] = {"question_class": "factoid", "level": "passages", "packing": "ratio", "split": True}
        context = Client(manual).retrieve("wants care", 300, sources="urls", **how)
        assert found == answers.as_json(context)
        assert found["citations"][0]["url"] in found["text"]
        assert (found["plan"]["question_class"], found["plan"]["packing"]) == ("factoid", "ratio")

    def test_choices_are_those_of_the_clients(self) -> None:
        choices = {
            parameter.name: tuple(parameter.type.choices)
            for command in main.every(("ask", "search")).values()
            for parameter in command.params
            if isinstance(parameter.type, click.Choice)
        }
        assert choices == {
            "question_class": options.CLASSES,
            "level": options.LEVELS,
            "packing": options.PACKINGS,
            "sources": options.SOURCES,
            "mode": options.MODES,
        }

    def test_nothing_found_is_status_1(self, manual: Path) -> None:
        result = infograph("ask", manual, "qqzzqqzz")
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", "nothing found\n")

    def test_shards_of_questions_that_are_gone_cost_the_known_questions_only(
        self, manual: Path, tmp_path: Path
    ) -> None:
        (shard,) = manual.glob("_search/q-*.z")
        root = copied(manual, tmp_path, without=f"_search/{shard.name}")
        result = infograph("ask", root, "How can I plug the kettle in?")
        assert result.exit_code == 0 and "[1]\n" in result.stdout and "known to answer" not in result.output
        assert result.stderr.startswith(f"warning: without {shard.name}: ")


class TestGet:
    def test_a_chunk(self, manual: Path) -> None:
        chunk = Client(manual).read(CACHE)
        assert printed("get", manual, CACHE) == chunk.text.rstrip("\n") + "\n"
        found = read_json("get", manual, CACHE)
        assert (found["href"], found["text"], found["sha256"]) == (chunk.href, chunk.text, chunk.sha256)
        assert unversioned(chunk.href) == CACHE
        assert list(found["front_matter"])[:5] == ["title", "source", "index", "count", "section_path"]
        assert found["front_matter"]["section_path"][0] == "Cache"

    def test_a_topic(self, manual: Path) -> None:
        text = printed("get", manual, "guide")
        assert text.startswith("Guide (guide)\n")
        assert "\n\nTopics:\n  Cache (guide/v1), 1 document, 1 chunk" in text
        assert "\n\ninstall.md (1 chunk):\n  Install (guide/_chunks/install-0.md, " in text

    @pytest.mark.parametrize("name", ["reference", "/reference/", "./reference", "reference/index.json"])
    def test_a_topic_has_several_names(self, manual: Path, name: str) -> None:
        assert read_json("get", manual, name)["id"] == "reference"

    @pytest.mark.parametrize("name", [(), (".",), ("/",), ("index.json",)])
    def test_the_root(self, manual: Path, name: tuple[str, ...]) -> None:
        assert [topic["id"] for topic in read_json("get", manual, *name)["topics"]] == ["guide", "reference"]

    def test_hashes_are_hex_digits(self, manual: Path) -> None:
        items = read_json("get", manual, "guide")["documents"]["qa-pairs"]["items"]
        assert all(re.fullmatch("[0-9a-f]{16}", digits) for item in items for digits in item["prompt_hashes_hex"])
        assert "prompt_hashes" not in items[0]

    @pytest.mark.parametrize("order", ORDERS)
    def test_a_sample(self, manual: Path, order: str) -> None:
        client = Client(manual)
        items = client.sample("reference", 3, order)
        text = printed("get", manual, "reference", "--sample", 3, "--order", order)
        assert [line for line in text.splitlines() if line.startswith("[")] == [
            f"[{number}] {answers.trail(item.section_path, item.title)}" for number, item in enumerate(items, 1)
        ]
        found = read_json("get", manual, "reference", "--sample", 3, "--order", order)
        assert [(row["href"], row["text"]) for row in found["items"]] == [(i.href, client.read(i).text) for i in items]

    @pytest.mark.parametrize(
        ("what", "message"),
        [
            ("nowhere", "there is no topic 'nowhere'"),
            ("_chunks/none-0.md", "there is no such file"),
            ("http://127.0.0.1:9/x.md", "lies outside of"),
            ("%2e%2e/x.md", "is no address"),
            ("\x1b[2J", "there is no topic"),
        ],
    )
    def test_errors_are_one_line(self, manual: Path, what: str, message: str) -> None:
        result = infograph("get", manual, what)
        assert (result.exit_code, result.stdout) == (1, "")
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1 and not UNSAFE.search(result.stderr.rstrip("\n"))
        result = infograph("get", manual, what, "--json")
        assert result.exit_code == 1 and list(json.loads(result.stdout)["errors"][0]) == ["place", "reason", "hint"]


@pytest.mark.parametrize("command", ["search", "get", "ask"])
def test_no_tree_is_an_error(command: str, tmp_path: Path) -> None:
    result = infograph(command, tmp_path / "none", "word")
    assert result.exit_code == 1 and "is neither a folder nor an http(s) address" in result.stderr
    result = infograph(command, tmp_path, "word")
    assert result.exit_code == 1 and "there is no such file" in result.stderr
    assert ("Is this where `infograph build` wrote to" in result.stderr) == (command != "get")


def test_hostile_text_cannot_command_the_terminal(manual: Path) -> None:
    assert CLEAR in Client(manual).read(BELL).text
    for arguments in (
        ("search", manual, "bell red"),
        ("ask", manual, "bell red"),
        ("get", manual, BELL),
        ("get", manual),
        ("get", manual, "--sample", 3),
    ):
        text = output(*arguments)
        assert "\\x1b[2J" in text
        assert not UNSAFE.search(text)


def test_colours_are_ours_alone(manual: Path) -> None:
    client = Client(manual)
    answer = client.search("bell ringing", limit=1)
    look = answers.Look(colours=True, width=40, mark=lambda text: client.highlight("caring", text))
    text = answers.search_text(answer, look=look)
    assert "\x1b[33m\x1b[1mcare\x1b[0m" in text
    plain = re.sub(r"\x1b\[(?:\d+)m", "", text)
    assert not UNSAFE.search(plain)
    assert all(len(line) <= 40 for line in plain.splitlines()[2:-1])
    joined = [" ".join(" ".join(part.splitlines()[2:-1]).split()) for part in (plain, answers.search_text(answer))]
    assert joined[0] == joined[1]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_words_that_match_are_marked_on_a_terminal(manual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = SearchRequest(
        limit=1,
        offset=0,
        path="",
        filters={},
        pages=False,
        diversity=0.0,
        rerank=None,
        exact=False,
        links=True,
        prompts=True,
        as_json=False,
    )
    bold = re.compile("\x1b\\[1mcache\x1b", re.IGNORECASE)

    def printed() -> str:
        return search(PublishedSite(str(manual), 30.0), "cahce", request)[0]

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in printed(), "the output is a file"
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Terminal())
        assert bold.search(printed()), "the word that was searched for instead"
        patch.setenv("NO_COLOR", "1")
        assert "\x1b" not in printed()
        patch.delenv("NO_COLOR")
        patch.setenv("TERM", "dumb")
        assert "\x1b" not in printed()


@given(st.text(), st.text(), st.lists(st.text()))
def test_any_text_is_safe(title: str, text: str, path: list[str]) -> None:
    answer = hit(title=title, snippet=text, section_path=tuple(path), page=text, href=title, url=text)
    for shown in (answers.pointer(answer), answers.hit_trail(answer)):
        assert not UNSAFE.search(shown) and "\n" not in shown
    assert not UNSAFE.search(answers.block(text))
    context = Context(passages=(), tokens=0, more=(answer,), plan=PLAN, missing={title: text}, notes=(text,))
    assert not UNSAFE.search(answers.context_sources(context))
    assert all("\n" not in line for line in answers.warnings(context.missing, context.notes))


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n") | st.just("\t")))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert answers.block(text) == text


def test_a_trail_names_nothing_twice() -> None:
    assert answers.trail(("Builds", "watch"), "watch", "Builds") == "Builds › watch"
    assert answers.trail((), "Install", "Guide") == "Guide › Install"
    assert answers.trail(("", "A"), "A") == "A"
    assert answers.trail(("Guide", "Python"), "Command line", "Guide") == "Guide › Python … Command line"
    assert answers.trail((), "", "Guide") == "Guide"


def test_many_duplicates_and_missing_files_are_counted() -> None:
    many = tuple(hit(href=f"_chunks/{n}.md") for n in range(9))
    answer = answers.Answer(hits=(hit(duplicates=many),), total=1)
    assert answers.search_text(answer).endswith(
        "nearly the same: " + ", ".join(h.href for h in many[:5]) + " and 4 more"
    )
    assert answers.warnings({f"p-{n}.z": "gone" for n in range(7)}, ())[-1] == "without 2 more files"


def test_an_address(manual_url: str, tmp_path: Path) -> None:
    arguments = ("search", manual_url, "cache", "--cache", tmp_path / "kept")
    first = printed(*arguments)
    assert len(list((tmp_path / "kept").glob("??/*"))) > 2
    assert printed(*arguments) == first
    assert "known to answer" in told("How can I plug the kettle in?", manual_url)[1]


def test_the_sites_model_has_a_say_where_it_pays_or_as_told(manual: Path, tmp_path: Path) -> None:
    """The default, and the switch that turns it off; the site is built with a model that does not pay."""
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    manifest = json.loads((root / "_search/manifest.json").read_bytes())
    manifest["vectors"]["rerank"] = True
    (root / "_search/manifest.json").write_text(json.dumps(manifest), "utf-8")
    for command in ("search", "ask"):
        plain, ordered = (output(command, root, "wants care", flag) for flag in ("--no-rerank", "--rerank"))
        assert output(command, manual, "wants care") == plain
        assert output(command, root, "wants care") == ordered
    assert read_json("search", root, "care", "--no-rerank") != read_json("search", root, "care")

    manifest["vectors"]["model"] = "of-another-release@1"
    (root / "_search/manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert printed("search", root, "wants care") == printed("search", root, "wants care", "--no-rerank")
    result = infograph("search", root, "wants care", "--rerank")
    assert result.exit_code == 1 and "no model of this release" in result.stderr


def copied(site: Path, to: Path, without: str) -> Path:
    root = to / "copy"
    shutil.copytree(site, root)
    gone = list(root.glob(without))
    assert gone
    for path in gone:
        path.unlink()
    return root


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize("kind", ["p", "d"])
def test_without_its_shards_a_search_is_an_error(manual: Path, tmp_path: Path, command: str, kind: str) -> None:
    site = shutil.copytree(manual, tmp_path / "site")
    for path in site.glob(f"_search/{kind}-*"):
        path.unlink()
    done = infograph(command, site, "cache")
    assert done.exit_code == 1
    assert re.match(rf"error: _search/{kind}-\w+\.z: cannot be read ", done.stderr)
    assert "nothing found" not in done.stderr
    failed = infograph(command, site, "cache", "--json")
    assert json.loads(failed.stdout)["errors"][0]["place"].startswith(f"_search/{kind}-")
