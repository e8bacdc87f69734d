"""What a match among very many known questions takes: files, bytes, and how many rewordings are found.

    python benchmarks/known_questions.py [--questions 10000] [--node infograph/web/infograph.js]

Makes questions whose words are as unevenly spread as those of a language, publishes them as the questions of a hundred
pages, and asks each of a sample in the same words and with one word left out: through the client in Python of a web
server, and with `--node` through infograph.js. Prints the most and the mean of files and bytes beside the manifest,
and the share that is found beside that of comparing all hashes.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from infograph.client import Client
from infograph.pipeline.worker.pages import language_of
from infograph.search.format.question_hash import THRESHOLD, alike, distance, simhash, words_of
from infograph.search.format.search_space import load_space
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.search.writing.question_table import pack_questions

ENGLISH = words_of("en")
PAGES, SAMPLE = 100, 200
OPENINGS = ["How do I", "How can I", "What is", "Why does", "When should I", "Can I", "Where is the"]
SCRIPT = """
const { Client } = await import(process.argv[1]);
let [files, bytes, text] = [0, 0, ""];
for await (const part of process.stdin) text += part;
const fetch = async (address, options) => {
  const response = await globalThis.fetch(address, options);
  const data = await response.arrayBuffer();
  if (!String(address).includes("/q-")) return new Response(data);
  files += 1;
  bytes += data.byteLength;
  return new Response(data);
};
const rows = [];
for (const question of JSON.parse(text)) {
  [files, bytes] = [0, 0];
  const hits = await new Client(process.argv[2], { fetch }).match(question);
  rows.push([files, bytes, hits.map(({ matched_question: { text } }) => text)]);
}
console.log(JSON.stringify(rows));
"""


def made(count: int) -> list[str]:
    chance = random.Random(1)
    words = ["".join(chance.choices("aeiouklmnprst", k=chance.randint(3, 9))) for _ in range(4000)]
    weights = [1 / (place + 3) for place in range(len(words))]
    found: dict[str, None] = {}
    while len(found) < count:
        said = " ".join(chance.choices(words, weights, k=chance.randint(3, 7)))
        found[f"{chance.choice(OPENINGS)} {said}?"] = None
    return list(found)


def page(number: int, asked: list[str]) -> PageIndex:
    chunks = tuple(
        SearchChunk(f"Part {n}", (), f"part-{n}", f"p{number}-{n}.md", 9, "0" * 64, f"Part {n} of {number}", "")
        for n in range(10)
    )
    vectors = np.zeros((10, load_space().dimension), np.int8)
    indexed = index_page(SearchPage(f"p{number}.md", f"Page {number}", "", chunks), vectors, language_of("en"))
    answers = [(question, (place + n) % 10, 0.9 - n / 10) for place, question in enumerate(asked) for n in range(3)]
    return replace(indexed, questions=pack_questions(answers, ENGLISH))


def shown(where: str, rows: list[tuple[int, int]]) -> None:
    files, sizes = zip(*rows, strict=True)
    print(
        f"{where}: files {max(files)} at the most, {sum(files) / len(files):.2f} mean; "
        f"bytes {max(sizes):,} at the most, {sum(sizes) / len(sizes):,.0f} mean"
    )


class Handler(SimpleHTTPRequestHandler):
    read: list[tuple[str, int]]

    def send_head(self):  # type: ignore[no-untyped-def]  # of the standard library
        path = Path(self.translate_path(self.path))
        self.read.append((path.name, path.stat().st_size if path.is_file() else 0))
        return super().send_head()

    def log_message(self, *arguments: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--node", metavar="MODULE", help="path of infograph.js")
    options = parser.parse_args()
    asked = made(options.questions)
    step = -(-len(asked) // PAGES)
    files = bundle(
        [page(at // step, asked[at : at + step]) for at in range(0, len(asked), step)], language_of("en"), load_space()
    ).files
    chance = random.Random(2)
    sample = chance.sample(asked, SAMPLE)
    fewer = [" ".join(words[:-2] + words[-1:]) for words in (question.split() for question in sample)]
    queries = [*sample, *fewer]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "_search").mkdir()
        for name, data in files.items():
            (Path(folder) / "_search" / name).write_bytes(data)
        read: list[tuple[str, int]] = []
        handler = partial(type("Counting", (Handler,), {"read": read}), directory=folder)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        rows, found = [], []
        for query in queries:
            read.clear()
            with Client(url) as client:
                found.append([hit.matched_question.text for hit in client.match(query) if hit.matched_question])
            own = [size for name, size in read if name.startswith("q-")]
            rows.append((len(own), sum(own)))
        manifest = json.loads(files["manifest.json"])["questions"]
        print(
            f"{manifest['count']:,} questions in {len(manifest['shards']['names'])} shards; "
            f"{len(json.dumps(manifest)):,} bytes of the manifest, {len(manifest['common'])} common stems"
        )
        shown("Python", rows)
        if options.node:
            command = ["node", "--input-type=module", "-e", SCRIPT, str(Path(options.node).resolve()), url]
            done = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, check=True)
            theirs = json.loads(done.stdout)
            shown("JavaScript", [(files, size) for files, size, _ in theirs])
            same = sum(own == answer for own, (_, _, answer) in zip(found, theirs, strict=True))
            print(f"answers that are the same: {same} of {len(found)}")
        server.shutdown()
    compare(asked, sample, queries, found)


def compare(asked: list[str], sample: list[str], queries: list[str], found: list[list[str]]) -> None:
    """Prints how many of the queries found the question that they were made from."""
    hashes = [(simhash(question, ENGLISH), question) for question in asked]
    for what, some in (("the same words", range(SAMPLE)), ("a word less", range(SAMPLE, 2 * SAMPLE))):
        every = 0
        for place in some:
            own = simhash(queries[place], ENGLISH)
            meant = sample[place % SAMPLE]
            (value,) = [value for value, question in hashes if question == meant]
            every += distance(own, value) <= THRESHOLD and alike(queries[place], meant, ENGLISH)
        reached = sum(sample[place % SAMPLE] in found[place] for place in some)
        print(f"{what}: {reached} of {SAMPLE} found, {every} by comparing all hashes")


if __name__ == "__main__":
    main()
