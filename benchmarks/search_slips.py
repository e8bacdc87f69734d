"""Slips of the pen: how often a search finds the word that was meant, the bytes that takes, and how often it puts
another word in place of one that is right.

    infograph build TREE --model static --out SITE
    python benchmarks/search_slips.py TREE SITE [--slips 500] [--seed 1]

A slip is one letter of `a` to `z` put in, left out or replaced, or two neighbours swapped, at random, in a word of four
letters or more of the tree that is no stop word. Words are drawn twice: each word of the tree as likely as any other,
and each as likely as it is frequent. Counted are

    no slip    what came out is a form of the same word, a stop word, or a word that the site or the table has
    short      what came out has three letters, and is searched for as it is
    right      searched for as the word that was meant
    other      searched for as another word, nearer or more frequent
    nothing    searched for as it is
    listed     the word that was meant is among the first three that `correct` gives: of all but `no slip`

Right, other and nothing are in percent of the slips that are none of the first two. Bytes are those that a reader which
has fetched what the word as it is takes fetches beyond them: dictionary and postings, without documents.

Names are those of products, which are no slips of anything: of those that the site does not have, how many are searched
for as another word. Stop words with a slip are no word of the site either.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from collections import Counter
from pathlib import Path

from infograph.search.reading.reader import Reader
from infograph.text.language import stemmer

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHOWN = 8
NAMES = """
airflow amplify angular ansible apollo argo astro athena auth0 babel backstage bamboo bazel bigquery bitbucket
blazor boto bower brew buildkite bun cassandra celery chakra chef circleci clickhouse cloudflare cockroach codex
consul couchbase cypress dagster dapr databricks datadog deno django dolt drupal druid dynamo elastic electron
elixir ember envoy erlang eslint express fastly figma firebase flask flink flutter gatsby gitea gitlab glide gradle
grafana gulp hadoop harbor haskell helm heroku hexo hive hugo istio jekyll jenkins jest jira jotai kafka karma keras
kibana kong kotlin laravel lerna liquibase looker lucene luigi magento mariadb maven meteor minio mocha mongo mysql
nats neo4j netlify nginx nomad numpy nuxt okta oracle packer pandas parcel phoenix plotly podman postman prefect
presto prisma pulumi puppet qdrant quarkus rabbit rails ray redis redux remix rollup ruby rxjs salt sanity scala
scrapy selenium sentry shopify sinatra snowflake solr spark sphinx splunk spring stripe strapi supabase svelte
swagger swift symfony tableau tailwind tekton temporal terraform thanos tomcat traefik trello trino twilio unity
unreal vagrant vault vercel vite vitess vue webpack wicket wordpress xamarin yarn zabbix zeppelin zig zipkin
zookeeper
"""


class Fetch:
    """Reads files of `_search/` and counts their bytes."""

    def __init__(self, site: Path) -> None:
        self._folder = site / "_search"
        self.bytes = 0

    def __call__(self, name: str) -> bytes:
        data = (self._folder / name).read_bytes()
        self.bytes += len(data)
        return data


def words_of(tree: Path) -> Counter[str]:
    """Words that are no part of a name or an address."""
    found: Counter[str] = Counter()
    for path in sorted(tree.rglob("*.md")):
        text = path.read_text("utf-8", "replace")
        found.update(word.lower() for word in re.findall(r"(?<![\w.:/-])[A-Za-z]{4,}(?![\w.:/-])", text))
    return found


def slip(word: str, chance: random.Random) -> str:
    """The word with one."""
    while True:
        at = chance.randrange(len(word))
        letter = chance.choice(LETTERS)
        head, tail = word[:at], word[at:]
        made = (head + letter + tail, head + tail[1:], head + letter + tail[1:], head + tail[1::-1] + tail[2:])
        found = chance.choice(made)
        if found != word:
            return found


def measure(site: Path, pairs: list[tuple[str, str]]) -> None:
    stem = stemmer("en")
    counts: Counter[str] = Counter()
    costs: list[float] = []
    wrong: list[str] = []
    for word, typed in pairs:
        fetch = Fetch(site)
        reader = Reader(fetch, stemmer)
        as_it_is = reader.entries(typed, exact=True)
        if as_it_is or stem(typed) == stem(word) or typed in reader.manifest.stop_words.split():
            counts["no slip"] += 1
            continue
        if any(stem(form) == stem(word) for form, _ in reader.correct(typed, 3)):
            counts["listed"] += 1
        if len(typed) < 4:
            counts["short"] += 1
            continue
        fetch = Fetch(site)
        reader = Reader(fetch, stemmer)
        reader.entries(typed, exact=True)
        before = fetch.bytes
        searched = list(reader.entries(typed))
        costs.append((fetch.bytes - before) / 1000)
        kind = "right" if searched == [stem(word)] else "other" if searched else "nothing"
        counts[kind] += 1
        if kind != "right":
            wrong.append(f"{typed} for {word}: {reader.corrected.get(typed, '-')}")
    slips = counts["right"] + counts["other"] + counts["nothing"]
    shares = ", ".join(f"{kind} {100 * counts[kind] / slips:.1f}%" for kind in ("right", "other", "nothing"))
    print(f"    {slips} slips: {shares}; {counts['no slip']} no slip, {counts['short']} short")
    print(f"    listed: {100 * counts['listed'] / (slips + counts['short']):.1f}%")
    p90 = statistics.quantiles(costs, n=10)[-1]
    print(f"    bytes: median {statistics.median(costs):.1f} KB, p90 {p90:.1f} KB, at most {max(costs):.1f} KB")
    print("    not right: " + "; ".join(wrong[:SHOWN]))


def measure_names(site: Path) -> None:
    """How many names are taken for slips."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for name in NAMES.split():
        reader = Reader(Fetch(site), stemmer)
        if any(entry.df for entry in reader.entries(name, exact=True).values()):
            continue
        counts["names"] += 1
        reader.entries(name)
        wrong += [f"{name} {other}" for other in reader.corrected.values()]
    print(f"  of {counts['names']} names that it does not have, {len(wrong)} are replaced: {', '.join(wrong)}")


def measure_stop_words(site: Path, count: int, chance: random.Random) -> None:
    """How many slips of stop words are taken for others."""
    stop_words = Reader(Fetch(site), stemmer).manifest.stop_words.split()
    typed = {
        slip(word, chance): word for word in chance.choices([word for word in stop_words if len(word) > 2], k=count)
    }
    slips, wrong = 0, []
    for one in sorted(typed):
        reader = Reader(Fetch(site), stemmer)
        if len(one) < 4 or one in stop_words or reader.entries(one, exact=True):
            continue
        slips += 1
        reader.entries(one)
        wrong += [f"{one} {other}" for other in reader.corrected.values()]
    print(f"  of {slips} slips of stop words, {len(wrong)} are replaced: {', '.join(wrong[:SHOWN])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="folder of Markdown")
    parser.add_argument("site", type=Path, help="what was built of it")
    parser.add_argument("--slips", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    stem, reader = stemmer("en"), Reader(Fetch(args.site), stemmer)
    stop_words = set(reader.manifest.stop_words.split())
    counts = words_of(args.tree)
    known = [word for word in sorted(counts) if word not in stop_words and stem(word) in reader.entries(word)]
    print(f"{args.tree.name}: {len(known)} words, seed {args.seed}")
    for how, weights in (("each word", None), ("by frequency", [counts[word] for word in known])):
        chance = random.Random(args.seed)
        pairs = [(word, slip(word, chance)) for word in chance.choices(known, weights, k=args.slips)]
        print(f"  {how}")
        measure(args.site, pairs)
    measure_names(args.site)
    measure_stop_words(args.site, args.slips, random.Random(args.seed))


if __name__ == "__main__":
    main()
