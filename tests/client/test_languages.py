"""Sites in other languages than English: their own client stems as Python does, and answers alike."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from javascript import NODE, needs_node, run_node

from infograph.build import build
from infograph.client import Client
from infograph.config import load

PACKAGED = Path(sys.modules["update_queries"].ROOT) / "infograph" / "web"
SCRIPT = """
const { Client } = await import(process.argv[1]);
let asked = "";
for await (const part of process.stdin) asked += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, what, { text, ...options }] of JSON.parse(asked)) {
  const answer = text === undefined ? client[method](what, options) : client[method](what, text);
  found.push(await answer.catch(({ code }) => ({ code })));
}
console.log(JSON.stringify({ found, ran: globalThis.ran ?? false }));
"""

PAGES = {
    "de": {
        "haus.md": "# Ein Haus bauen\n\nWer ein Haus baut, braucht Geduld. Zuerst stehen die Mauern.\n",
        "fenster.md": "# Fenster putzen\n\nEin Fenster wird mit klarem Wasser geputzt. Größere trocknen langsam.\n",
        "speicher.md": "# Zwischenspeicher\n\nEin Zwischenspeicher hält Antworten fest. Man löscht ihn.\n",
        "garten.md": "# Gärten\n\n## Bäume pflanzen\n\nEin Baum wächst in jedem Garten, wenn der Boden feucht ist.\n",
        "qa-pairs.md": "# Fragen\n\n## Wie baue ich ein Haus?\n\nMit Geduld.\n",
    },
    "fr": {
        "eau.md": "# L’eau et l'application\n\nDémarrez l'installation de l'outil qu'un ami a fait.\n",
        "pain.md": "# Du pain\n\nLe pain est bon, et la farine aussi.\n",
    },
    "it": {
        "acqua.md": "# L'indice e l'acqua\n\nUna guida dell'utente.\n",
        "pane.md": "# Il pane\n\nLa farina costa poco.\n",
    },
    "tr": {
        "icerik.md": "# İçindekiler\n\nİki dosya indirildi. İş akışı budur.\n",
        "ekmek.md": "# Ekmek\n\nUn ve su yeter.\n",
    },
    "ru": {
        "dom.md": "# Строительство дома\n\nДом строят из камня. Сначала возводят стены, потом крышу.\n",
        "okno.md": "# Мытьё окон\n\nОкна моют чистой водой. Большие стёкла сохнут медленно.\n",
        "sad.md": "# Сады\n\nДеревья растут в каждом саду, где земля влажная.\n",
    },
    "el": {
        "setup.md": "# Εγκατάσταση\n\nΗ εγκατάσταση του προγράμματος γίνεται σε δύο βήματα. Ανοίξτε το αρχείο.\n",
        "search.md": "# Αναζήτηση\n\nΗ αναζήτηση βρίσκει σελίδες. Κάθε σελίδα έχει τίτλο.\n",
    },
    "sr": {
        "search.md": "# Претрага\n\nПретрага налази странице по речима. Џепна књига је мала.\n",
        "file.md": "# Датотеке\n\nСвака датотека има име. Датотеке се чувају у фасцикли.\n",
    },
    "sv": {
        "restore.md": "# Återställa\n\nSå återställer du säkerhetskopior på en server.\n",
        "bread.md": "# Bröd\n\nMjöl och vatten räcker.\n",
    },
    "zh": {
        "cat.md": "# 养猫\n\n猫喜欢安静的房间。给它准备干净的水。\n",
        "tea.md": "# 泡茶\n\n用热水泡绿茶，等三分钟。茶杯要先洗净。\n",
        "rare.md": "# 生僻字\n\n有的名字里有𠮷这样的字。\n",
    },
    "ko": {
        "book.md": "# 읽기\n\n책을 읽는 사람은 조용하다.\n",
        "house.md": "# 살기\n\n좋은 집에서 산다.\n",
    },
}
FORMS = {
    "de": "Häuser Hauses Fenstern löschen Speichern Baumes Garten größeren geputzte",
    "fr": "eau l'eau l’application installations outils ami pains",
    "it": "acqua dell'acqua utenti indice pane",
    "tr": "içindekiler İÇİNDEKİLER iki iş dosyalar",
    "ru": "дома домами окно садах деревьев",
    "el": "εγκαταστάσεις αρχεία σελίδας αναζητήσεις ΣΕΛΙΔΑ τιτλος εγκαταστση",
    "sr": "претраге књиге датотекама pretraga knjiga страница претрша",
    "sv": "återställning sakerhetskopior brod vattnet",
    "zh": "猫 茶 净 水 字 𠮷 喜欢 绿茶 一",
    "ko": "책 집 은 읽는",
}
"""Of words of the pages, and others."""
FOUND = {
    "de": {"Häuser": "haus.md", "gebauten Häusern": "haus.md", "Gartens": "garten.md"},
    "fr": {"eau": "eau.md", "outil": "eau.md", "applications": "eau.md", "d’installation": "eau.md"},
    "it": {"acqua": "acqua.md", "utente": "acqua.md"},
    "tr": {"içindekiler": "icerik.md", "iki": "icerik.md", "iş": "icerik.md", "ekmek": "ekmek.md"},
    "ru": {"окнами": "okno.md", "домам": "dom.md"},
    "el": {"εγκαταστάσεις": "setup.md", "αρχεια": "setup.md", "ΣΕΛΙΔΑΣ": "search.md"},
    "sr": {"претраге": "search.md", "pretrage": "search.md", "датотека": "file.md"},
    "sv": {"återställa": "restore.md", "bröden": "bread.md"},
    # The first character of a run, one within, the last; one of two units.
    "zh": {"猫": "cat.md", "欢": "cat.md", "绿": "tea.md", "净 杯": "tea.md", "𠮷": "rare.md"},
    "ko": {"책": "book.md", "집": "house.md"},
}
"""What finds a page only by its stem, or by one character."""


Call = tuple[str, str, dict[str, Any]]
"""Method, its first argument, its options."""


def made(folder: Path, language: str, pages: dict[str, str]) -> Path:
    """A tree built of pages."""
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    flags = {
        "keywords.language": language,
        "model": "static",
        "out": str(folder / "site"),
        "cache": str(folder / "cache"),
    }
    build(load(str(folder / "docs"), flags=flags, environment={}))
    return folder / "site"


class Sites:
    """A site for each language, built when a test first asks for it."""

    def __init__(self, once: Callable[..., Path]) -> None:
        self._once = once

    def __getitem__(self, language: str) -> Path:
        return self._once(f"in-{language}", lambda folder: made(folder, language, PAGES[language])) / "site"


@pytest.fixture(scope="module")
def sites(once: Callable[..., Path]) -> Sites:
    return Sites(once)


@pytest.fixture
def serve(fault_server_module: Any) -> Iterator[Callable[[Path], Any]]:
    """serve(tree): a server of it."""
    with ExitStack() as stack:
        yield lambda tree: stack.enter_context(fault_server_module.running(tree))


def javascript(module: Path, url: str, asked: list[Call]) -> dict[str, Any]:
    """What the client of a module answers, and whether foreign code ran."""
    found: dict[str, Any] = run_node(SCRIPT, module, url, given=asked)
    return found


def plain(answer: Any) -> Any:
    """What has to be the same in an answer of either client."""
    if isinstance(answer, dict) and "hits" in answer:
        rows = [[hit["page"], hit["index"], round(hit["score"], 9)] for hit in answer["hits"]]
        return [rows, list(answer["notes"]), answer["missing"]]
    if isinstance(answer, dict):
        return list(map(list, answer["terms"]))
    return [
        [item["href"], item["matched_question"]["distance"]] if isinstance(item, dict) else list(item)
        for item in answer
    ]


QUICK = ("de", "ru")
"""Languages of the quick suite, in two scripts; a site is built for each, so the others are slow proofs."""


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code in QUICK else pytest.mark.slow) for code in PAGES]
)
def test_both_clients_answer_alike(language: str, sites: Sites, serve: Callable[[Path], Any]) -> None:
    site, chance = sites[language], random.Random(1)
    url = f"{serve(site).url}site/"
    words = sorted({word.strip(".,?#") for text in PAGES[language].values() for word in text.split()} - {""})
    words += FORMS[language].split()
    queries = [*words, *FOUND[language], *(" ".join(chance.choices(words, k=3)) for _ in range(40))]
    text = "\n".join(PAGES[language].values())
    asked = [
        *(("search", query, {}) for query in queries),
        *(("highlight", query, {"text": text}) for query in queries),
        *(("passage", query, {"text": f"{text}\n" * 3}) for query in queries),
        *((how, word, {}) for word in words for how in ("complete", "correct")),
        *(("complete", word[:3], {}) for word in words),
        *(("match", f"Wie {word}?", {"distance": 24}) for word in words),
    ]
    theirs = javascript(site / "infograph.js", url, asked)["found"]
    with Client(url, timeout=60) as client:
        for (method, what, options), other in zip(asked, theirs, strict=True):
            answer = getattr(client, method)(what, **options)
            if method == "match":
                answer = [asdict(item) for item in answer]
            elif method == "highlight":  # JavaScript counts in units of UTF-16
                answer = [[len(text[:place].encode("utf-16-le")) // 2 for place in span] for span in answer]
            elif method != "passage":
                answer = {**asdict(answer), "stats": {}}
            assert plain(answer) == plain(other), (method, what)
        for query, page in FOUND[language].items():
            answer = client.search(query)
            assert (answer.hits[0].page, answer.notes) == (page, ()), query
        assert language != "de" or client.match("Wie baue ich das Haus?", distance=24)


@pytest.mark.slow
@pytest.mark.parametrize(("prefix", "term"), [("Bäu", "bäume"), ("größ", "größere"), ("Gar", "garten")])
def test_what_stemming_takes_from_a_word_is_no_part_of_its_beginning(sites: Sites, prefix: str, term: str) -> None:
    with Client(sites["de"]) as client:
        assert term in dict(client.complete(prefix).terms)


AS_WRITTEN = {
    "el": [
        ("complete", "εγκατά", "εγκατάσταση"),
        ("complete", "εγκατα", "εγκατάσταση"),
        ("complete", "αρχείο", "αρχείο"),
        ("complete", "ΣΕΛ", "σελίδα"),
        ("correct", "εγκατάσταστη", "εγκατάσταση"),
        ("correct", "αναζήτσηη", "αναζήτηση"),
        ("search", "αναζήτηησ", "αναζήτηση"),
    ],
    "sr": [
        ("complete", "прет", "претрага"),
        ("complete", "датотеке", "датотеке"),
        ("complete", "џеп", "џепна"),
        ("correct", "претрга", "претрага"),
        ("search", "дтаотеке", "датотеке"),
        ("search", "књгиа", "књига"),
    ],
    "sv": [
        ("search", "sakerhetskopior", "säkerhetskopior"),
        ("search", "aterstalla", "återställa"),
        ("complete", "åter", "återställa"),
    ],
    "de": [("correct", "zwishenspeicher", "zwischenspeicher")],
}
"""Method, what is typed, and the word that is shown."""


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("language", AS_WRITTEN)
def test_words_are_shown_as_the_site_writes_them(language: str, sites: Sites, serve: Callable[[Path], Any]) -> None:
    """In its own script and with its marks, whatever its stems look like."""
    site, cases = sites[language], AS_WRITTEN[language]
    url = f"{serve(site).url}site/"
    answers = javascript(site / "infograph.js", url, [(method, typed, {}) for method, typed, _ in cases])["found"]
    with Client(url, timeout=60) as client:
        for (method, typed, found), theirs in zip(cases, answers, strict=True):
            answer = getattr(client, method)(typed)
            if method == "search":
                assert answer.corrected == theirs["corrected"] == {typed.lower(): found}
                assert answer.hits and theirs["hits"]
            else:
                first = [rows[0][0] if rows else "" for rows in (answer.terms, theirs["terms"])]
                assert first == [found, found], (method, typed)


@needs_node
def test_a_site_never_brings_its_code_along(sites: Sites, serve: Callable[[Path], Any], tmp_path: Path) -> None:
    """A client from elsewhere stems by what lies beside it, or not at all."""
    site = tmp_path / "site"
    shutil.copytree(sites["de"], site)
    for path in site.rglob("*.js"):
        path.write_text("globalThis.ran = true; export const language = 'de', stem = (word) => 'haus';\n")
    server = serve(site)
    answer = javascript(
        PACKAGED / "infograph.js", f"{server.url}site/", [("search", "Häuser", {}), ("match", "Haus?", {})]
    )
    assert not answer["ran"]
    assert not [path for path in server.asked if not path.startswith("/site/_search/")]
    searched, matched = answer["found"]
    assert searched["notes"] == ['no stemmer for "de" is at hand: words are matched by their beginnings']
    assert matched == {"code": "unknown"}


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("stemmer", ["ru", "none", "gone", "broken"])
def test_a_client_without_the_right_stemmer_says_so(
    stemmer: str, sites: Sites, serve: Callable[[Path], Any], tmp_path: Path
) -> None:
    copy = tmp_path / "client"
    shutil.copytree(PACKAGED, copy, ignore=shutil.ignore_patterns("explorer", "__pycache__"))
    shutil.copy(PACKAGED / "package.json", copy)
    if stemmer == "gone":
        (copy / "stemmer.js").unlink()
    elif stemmer == "broken":
        (copy / "stemmer.js").write_text("export const language = ")
    elif stemmer == "ru":
        shutil.copy(sites["ru"] / "infograph" / "stemmer.js", copy)
    url = f"{serve(sites['de']).url}site/"
    [haus, haeuser] = javascript(copy / "infograph.js", url, [("search", "Haus", {}), ("search", "Häuser", {})])[
        "found"
    ]
    for answer in (haus, haeuser):
        assert answer["notes"] == ['no stemmer for "de" is at hand: words are matched by their beginnings']
    assert [hit["page"] for hit in haus["hits"]][:1] == ["haus.md"]
    assert [hit["page"] for hit in haeuser["hits"]][:1] == ["haus.md"]


@needs_node
def test_the_stemmer_of_a_site_may_be_given_to_another_client(sites: Sites, serve: Callable[[Path], Any]) -> None:
    script = """
    const { Client } = await import(process.argv[1]);
    const { language, stem } = await import(process.argv[2]);
    const client = new Client(process.argv[3], { stemmers: { [language]: stem }, timeout: 60_000 });
    const { hits, notes } = await client.search("Häuser");
    console.log(JSON.stringify([hits.map(({ page }) => page), notes]));
    """
    site = sites["de"]
    command = [
        str(NODE),
        "--input-type=module",
        "-e",
        script,
        "--",
        (PACKAGED / "infograph.js").as_uri(),
        (site / "infograph" / "stemmer.js").as_uri(),
        f"{serve(site).url}site/",
    ]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600, check=True)
    pages, notes = json.loads(run.stdout)
    assert (pages[0], notes) == ("haus.md", [])
