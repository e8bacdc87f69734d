"""A tree's pages, and larger trees made of them: each page several times, every copy with other words.

So nothing is worked out once for two: one word of four letters or more in eight is another of the tree, drawn as often
as the tree writes it, and one in two hundred is a word of that copy alone. Front matter stays.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

MARKDOWN = (".md", ".mdx", ".markdown")
WORD = re.compile(r"[A-Za-z]{4,}")
FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
OTHERS, OWN = 1 / 8, 1 / 200


def pages_of(tree: Path) -> list[Path]:
    """Returns the sources of a tree that nothing was built in, sorted."""
    return sorted(path for path in tree.rglob("*") if path.suffix in MARKDOWN and path.is_file())


def copied(tree: Path, target: Path, copies: int) -> int:
    """Writes the pages of a tree so many times, see above, or as they are for 0; returns their bytes."""
    texts = {page.relative_to(tree): page.read_text("utf-8") for page in pages_of(tree)}
    words = [word for text in list(texts.values())[::20] for word in WORD.findall(text)]
    total = 0
    for copy in range(max(1, copies)):
        draw = random.Random(copy)
        for path, text in texts.items():
            place = target / f"copy-{copy}" / path if copies else target / path
            data = (perturbed(text, words, draw, copy) if copies else text).encode()
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            total += len(data)
    return total


def perturbed(text: str, words: Sequence[str], draw: random.Random, copy: int) -> str:
    """Returns a text with other words, see above."""
    found = FRONT.match(text)
    end = found.end() if found else 0

    def other(match: re.Match[str]) -> str:
        chance = draw.random()
        if chance < OWN:
            return f"word{draw.randrange(5000)}of{copy}"
        return draw.choice(words) if chance < OTHERS else match[0]

    return text[:end] + WORD.sub(other, text[end:])
