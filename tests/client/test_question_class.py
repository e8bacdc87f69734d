"""What kind of question a question is; both clients tell by the same rules."""

from __future__ import annotations

import random
import re

import pytest
from javascript import WEB, needs_node, run_node

from infograph.client.options import CLASSES
from infograph.client.question_class import MOST_CHARACTERS, MOST_NAMES, classify, names_in, table

QUESTIONS = {
    "How many shards does a site have?": "factoid",
    "Who wrote the tokenizer?": "factoid",
    "Can a folder be left out?": "factoid",
    "which settings are read first": "factoid",
    "what is the default size of a chunk": "factoid",
    "stripe_order": "factoid",
    "--out": "factoid",
    "How do I clear the cache?": "analytical",
    "why is a page missing from the search": "analytical",
    "what happens when a build is interrupted": "analytical",
    "publish only the pages that changed to a server": "analytical",
    "What is the difference between a topic and a document?": "comparative",
    "MkDocs versus Docusaurus": "comparative",
    "Which is faster, a cold or a warm build?": "comparative",
    "Are the static model and MiniLM both packaged?": "comparative",
    "Give me an overview of the clients": "exploratory",
    "What are the main commands?": "exploratory",
    "search box": "exploratory",
    "": "analytical",
    "Which licence has the tool whose stemmer the search uses?": "multi-hop",
    "Where was the author of the tokenizer born?": "multi-hop",
    "The box is a part of the site that was built by which command?": "multi-hop",
}


@pytest.mark.parametrize(("question", "name"), QUESTIONS.items())
def test_the_first_rule_that_holds_names_the_class(question: str, name: str) -> None:
    assert classify(question).name == name
    assert classify(f" {question.upper()}\n").name == name


def test_every_class_has_a_rule_and_every_rule_says_why() -> None:
    assert {name for name, _, _ in table().rules} == set(CLASSES) == set(table().ways)
    assert all(re.fullmatch(r"(asks|is|names|sets|can) [a-z ,]+", reason) for _, reason, _ in table().rules)
    assert len({reason for _, reason, _ in table().rules}) == len(table().rules)


def test_patterns_mean_the_same_in_both_languages() -> None:
    """Classes of characters, and a dot, are not the same characters there."""
    for _, _, pattern in table().rules:
        assert not re.search(r"\\[sSwWdD]|(?<!\\)(?<!\[)\.(?![^\[]*\])", pattern.pattern), pattern.pattern


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the difference between Docusaurus and MkDocs?", ("Docusaurus", "MkDocs")),
        (
            "Who wrote The Lord of the Rings, and when was J. R. R. Tolkien born?",
            ("The Lord of the Rings", "J. R. R. Tolkien"),
        ),
        ("Is Vue older than React, Vue's rival?", ("Vue", "React", "Vue's")),
        ("What Is It", ()),
        ("HTTP/2 in Python 3.12", ("HTTP", "Python 3.12")),
        ("how do i clear the cache", ()),
        ("A1a B1b, C1c, D1d, E1e", ("A1a B1b", "C1c", "D1d", "E1e")),
        ("", ()),
    ],
)
def test_names_are_runs_of_words_with_a_capital(question: str, names: tuple[str, ...]) -> None:
    assert names_in(question) == names


def test_of_a_long_question_the_beginning_is_looked_at() -> None:
    for text in ("a" * 10**6, "in the " * 10**5, "A of the " * 10**5, "which first " * 10**5, '" of ' * 10**5):
        assert classify(text).name in CLASSES
        assert classify(text) == classify(text[:MOST_CHARACTERS])
        assert len(names_in(text)) <= MOST_NAMES


@needs_node
def test_both_clients_tell_alike() -> None:
    chance = random.Random(5)
    words = sorted({word for question in QUESTIONS for word in question.split()})
    words += [
        "\u0130",
        "ſ",
        "\u212a",
        "😀",
        "\x1c",
        "\ufeff",
        "\u2028",
        "vs.",
        "“of",
        "İs",
        "of which",
        "city where",
        "or",
        "?",
    ]
    texts = [*QUESTIONS, *(" ".join(chance.choices(words, k=chance.randint(1, 14))) for _ in range(3000))]
    texts += ["😀" * 990 + " of what is it difference", "x " * 499 + "difference"]
    script = """
    const { classify, namesIn } = await import(process.argv[1]);
    let text = "";
    for await (const part of process.stdin) text += part;
    console.log(JSON.stringify(JSON.parse(text).map((own) => [classify(own), namesIn(own)])));
    """
    ours = [[list(classify(text)), list(names_in(text))] for text in texts]
    assert run_node(script, WEB / "plan.js", given=texts) == ours
    assert len({own[0][0] for own in ours}) == len(CLASSES)
