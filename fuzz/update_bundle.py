"""Writes the seeds of the target `search_bundle`, the files of a small bundle; run it when the format changes.

    python fuzz/update_bundle.py [--check]

They have each kind of file that a large bundle has; for example, a directory names the files of postings.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

import numpy as np
import orjson

from infograph.search.format.forms import word_forms
from infograph.search.format.search_space import SearchSpace
from infograph.search.format.terms import Language
from infograph.search.reading.fetching import opened
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

SEEDS = Path(__file__).parent / "corpus" / "search_bundle"
STOP_WORDS = ("the", "how", "do", "i", "a")
TEXTS = {
    "guide/cache.md": [
        "Clear the cache of JsonSerializerContext, [first](../far.md).",
        "The cache keeps use_state.",
        "東京タワー naïve",
    ],
    "guide/v2/cache.md": ["Clear the cache of JsonSerializerContext.", "A model of vectors."],
    "reference.md": ["Get-ChildItem lists the cache.", "Deploy 42 servers."],
    "far.md": ["Nothing of it, but a [link](guide/cache.md)."],
}
LARGEST = 1 << 16


def seeds() -> dict[str, bytes]:
    """The bytes of each seed by name; targets/search_bundle.py says what their first byte means."""
    language = Language("en", stemmer("en"), frozenset(STOP_WORDS))
    pages = [_page(path, texts, language) for path, texts in TEXTS.items()]
    space = SearchSpace()
    vars(space)["forms"] = word_forms(("cache", "spring"), language.stem)  # of about 20,000
    vars(space)["terms"] = ("cach", "synchron")  # of about 12,000
    files = dict(bundle(pages, language, space, SearchOptions()).files)
    manifest = orjson.loads(files.pop("manifest.json"))
    (projection,) = (name for name in files if name.startswith("m-"))
    del files[projection]  # a quarter of a megabyte that only a client with the site's model requests
    dictionary = manifest["dictionary"]
    back = dictionary["backwards"]
    kinds = {name: {dictionary["directory"]: "x", back: "y"}.get(name, name[0]) for name in files}
    kinds |= {name: "b" for _, name in opened(back, files[back], LARGEST)}
    assert sorted(kinds.values()) == ["b", "d", "l", "p", "v", "w", "x", "y"], kinds
    contents = {kinds[name]: opened(name, data, LARGEST) for name, data in files.items()}
    for kind in "dwblxy":
        contents[kind] = orjson.dumps(contents[kind])
    contents["n"] = orjson.dumps(manifest["postings"].pop("names"))
    contents["m"] = orjson.dumps(manifest).replace(
        b'"postings":{', b'"postings":{"directories":["n-nnnnnnnnnnnnnnnn.z"],'
    )
    # Without their ends, which a list of names leaves out.
    named = {name[:-2].encode(): f"{kind}-{kind * 16}".encode() for name, kind in kinds.items()}
    named[projection[:-2].encode()] = b"m-0000000000000000"
    pattern = re.compile(b"|".join(map(re.escape, named)))
    return {
        f"whole-{kind}": kind.encode() + pattern.sub(lambda match: named[match[0]], data)
        for kind, data in contents.items()
    }


def _page(path: str, texts: list[str], language: Language) -> PageIndex:
    """The index of a page with a chunk for each text."""
    chunks = tuple(
        SearchChunk(
            title="Cache",
            section_path=("Guide", "Cache"),
            anchor="cache",
            href=f"_chunks/cache-{number}.md",
            tokens=len(text.split()),
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            text=text,
            snippet=text,
        )
        for number, text in enumerate(texts)
    )
    digests = [np.frombuffer(hashlib.shake_256(text.encode()).digest(256), np.int8) for text in texts]
    return index_page(SearchPage(path, path, f"{path}/", chunks), np.maximum(digests, -127), language)


def main() -> None:
    wanted = seeds()
    if "--check" in sys.argv[1:]:
        stale = [
            name for name, data in wanted.items() if not (SEEDS / name).exists() or (SEEDS / name).read_bytes() != data
        ]
        if stale:
            sys.exit(f"{', '.join(stale)}: not of this format. Run `python fuzz/update_bundle.py`")
        return
    SEEDS.mkdir(parents=True, exist_ok=True)
    for name, data in wanted.items():
        (SEEDS / name).write_bytes(data)


if __name__ == "__main__":
    main()
