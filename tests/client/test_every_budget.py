"""Contexts do not exceed their budget, counted by the tokenizer that the index counts with: random calls of `retrieve`
with every option, over a guide in English and over pages in many scripts, with code, tables and data in between.

Clients have no tokenizer, so excerpts are estimated, and a budget keeps back what estimates may be off by. No estimate
makes that certain: none of these ten thousand calls exceeds its budget, and of 2,500 over messages in 114 languages, of
which any two may stand in one chunk beside code, 8 did when the margin was chosen.

    PROOF=full pytest -m slow -n 0 tests/client/test_every_budget.py      ten thousand calls
"""

from __future__ import annotations

import base64
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.chunking.tokens import WordPieceCounter
from infograph.client import Client
from infograph.client.options import CLASSES, LEVELS, PACKINGS, SOURCES
from infograph.config import load

SAMPLE_DOCS = Path(__file__).parents[2] / "sample-docs"
CALLS = 10_000 if os.environ.get("PROOF") == "full" else 1_000
"""Of both trees together."""
MOST = 4_000
AT_ONCE = 250
"""Contexts that are counted together."""

SAID = {
    "de": "Der Zwischenspeicher wird geleert, sobald sich die Konfigurationsdatei ändert; Überschreibungen gelten nie.",
    "fr": "Le cache est vidé dès que le fichier de configuration change, à moins qu’une exception n’ait été déclarée.",
    "pl": "Pamięć podręczna jest opróżniana, gdy tylko zmieni się plik konfiguracyjny, chyba że ustawiono wyjątek.",
    "vi": "Bộ nhớ đệm được xóa ngay khi tệp cấu hình thay đổi, trừ khi một ngoại lệ đã được khai báo trước đó.",
    "tr": "Yapılandırma dosyası değiştirildiğinde önbellek temizlenir; istisnalar ayrıca bildirilmelidir.",
    "ru": "Кэш очищается, как только изменяется файл конфигурации, если только не было объявлено исключение.",
    "el": "Η κρυφή μνήμη αδειάζει μόλις αλλάξει το αρχείο ρυθμίσεων, εκτός αν έχει δηλωθεί κάποια εξαίρεση.",
    "ar": "تُفرَّغ الذاكرة المؤقتة بمجرد تغيير ملف الإعدادات، ما لم يُعلَن عن استثناء قبل ذلك.",
    "he": "המטמון מתרוקן ברגע שקובץ ההגדרות משתנה, אלא אם כן הוכרז חריג מראש.",
    "hi": "विन्यास फ़ाइल बदलते ही कैश खाली कर दिया जाता है, जब तक कोई अपवाद घोषित न किया गया हो।",
    "th": "แคชจะถูกล้างทันทีที่ไฟล์การตั้งค่าเปลี่ยนแปลง เว้นแต่จะมีการประกาศข้อยกเว้นไว้ก่อน",
    "zh": "配置文件一旦更改,缓存就会被清空,除非事先声明了例外。请求头必须包含版本号。",
    "ja": "設定ファイルが変更されるとキャッシュは消去されます。例外は事前に宣言しておく必要があります。",
    "ko": "설정 파일이 변경되면 캐시가 비워집니다. 예외는 미리 선언해 두어야 합니다.",
    "en": "The cache is emptied as soon as the configuration file changes, unless an exception was declared before.",
}


def _row(chance: random.Random, words: str, number: int) -> str:
    value = f"{chance.random():.{chance.randint(1, 12)}f}"
    return f"| `opt_{number}` | {value} | {words[: chance.randint(3, 40)]} |\n"


def _page(chance: random.Random, language: str, number: int) -> str:
    """A page of many sections in one language, among which stands what tokenizers take apart."""
    words = SAID[language]
    odd = (
        lambda: f"```py\ndef setEntry_{number}(headers, *, maxAge=0x{chance.getrandbits(48):x}):\n    pass\n```",
        lambda: base64.b64encode(chance.randbytes(chance.randint(10, 300))).decode(),
        lambda: "| Name | Wert | 値 |\n| --- | --- | --- |\n" + "".join(_row(chance, words, n) for n in range(9)),
        lambda: f"See https://{chance.getrandbits(64):x}.example/{'/'.join(words.split()[:4])}?q={number}#§{number}",
        lambda: "🎛️👩‍💻🇯🇵 ∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ≠ ½ … «" + words[:30] + "»",
        lambda: "x" * chance.randint(20, 300) + " " + "".join(chance.choices("aé東한ж\u0301\u200b_-", k=60)),
    )
    parts = [f"# {words.split()[0]} {number}"]
    for section in range(chance.randint(3, 12)):
        parts.append(f"## {' '.join(words.split()[section % 5 :][:6])[:70]} {section}")
        for _ in range(chance.randint(1, 7)):
            own = " ".join([words] * chance.randint(1, 6)) if chance.random() < 0.7 else chance.choice(odd)()
            parts.append(own)
    return "\n\n".join(parts) + "\n"


@pytest.fixture(scope="module")
def scripts(once: Callable[..., Path]) -> Path:
    """A tree of pages in many languages and scripts."""

    def make(folder: Path) -> None:
        chance = random.Random(11)
        for language in SAID:
            (folder / "docs" / language).mkdir(parents=True)
            for number in range(4):
                (folder / "docs" / language / f"page-{number}.md").write_text(_page(chance, language, number), "utf-8")
        flags = {"out": str(folder / "site"), "model": "static", "jobs": 1}
        build(load(str(folder / "docs"), flags=flags, environment={}))

    return once("many-scripts", make) / "site"


def _query(chance: random.Random, words: list[str]) -> str:
    picked = " ".join(chance.choices(words, k=chance.randint(1, 7)))
    begins = ("", "", "how do I ", "what is the difference between ", "compare ", "list all ", "why ")
    return chance.choice(begins) + picked + chance.choice(("", "?"))


def _options(chance: random.Random, paths: list[str]) -> dict[str, Any]:
    """Options of a call, each of which is left out of many."""
    given: dict[str, Any] = {
        "path": chance.choice(paths),
        "filters": chance.choice([{"is_code": True}, {"language": "en"}, {"chunk_type": {"exists": True}}]),
        "rerank": False,
        "exact": True,
        "graph": None,
        "prompts": False,
        "question_class": chance.choice(CLASSES),
        "level": chance.choice(LEVELS),
        "packing": chance.choice(PACKINGS),
        "sources": chance.choice(SOURCES),
        "split": True,
    }
    rare = {"path", "filters", "exact"}
    return {name: value for name, value in given.items() if chance.random() < (0.1 if name in rare else 0.5)}


def _over(site: Path, calls: int, seed: int, words: list[str]) -> tuple[list[Any], int]:
    """The calls whose context has more tokens than they allow, and how many had a passage."""
    chance, counter = random.Random(seed), WordPieceCounter()
    over: list[Any] = []
    filled = 0
    with Client(site) as client:
        paths = [path.relative_to(site).parent.as_posix() for path in sorted(site.rglob("index.json"))]
        waiting: list[tuple[int, Any, str]] = []
        for number in range(calls):
            most = chance.randint(1, MOST) if number % 2 else int(MOST ** chance.random())  # as many small ones
            asked, how = _query(chance, words), _options(chance, paths)
            context = client.retrieve(asked, most, **how)
            assert context.tokens <= most
            filled += bool(context.passages)
            waiting.append((most, (asked, most, how), context.text))
            if len(waiting) == AT_ONCE or number + 1 == calls:
                counted = counter.count([text for _, _, text in waiting])
                over += [(*call, real) for (own, call, _), real in zip(waiting, counted, strict=True) if real > own]
                waiting.clear()
    return over, filled


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_a_guide(once: Callable[..., Path]) -> None:
    def make(folder: Path) -> None:
        flags = {"out": str(folder / "site"), "model": "static", "jobs": 1}
        build(load(str(SAMPLE_DOCS), flags=flags, environment={}))

    site = once("guide-by-static", make) / "site"
    words = re.findall(r"\w+", " ".join(path.read_text("utf-8") for path in sorted(SAMPLE_DOCS.rglob("*.md"))))
    over, filled = _over(site, CALLS // 2, 1, words)
    assert over == [] and filled > CALLS // 4


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_many_scripts(scripts: Path) -> None:
    words = [word for said in SAID.values() for word in re.findall(r"\w+", said)]
    over, filled = _over(scripts, CALLS // 2, 2, words)
    assert over == [] and filled > CALLS // 4
