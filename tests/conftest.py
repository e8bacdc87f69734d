"""Fixtures of several folders: specifications to build indexes from, trees published from them, trees to build."""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import importlib
import importlib.util
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from filelock import FileLock

from infograph.build import Summary, build
from infograph.config import Config, Settings, load
from infograph.embedding.backends import BACKENDS, Backend
from infograph.formats import chunk_file as chunkfile
from infograph.formats import topic_spec as specfile
from infograph.formats.index_json import schema_bytes
from infograph.formats.keyword_table import render_words
from infograph.formats.names import (
    ALIASES,
    KEYWORDS,
    OUTPUT_MARK,
    SPEC,
    chunk_name,
    is_published,
    is_spec,
    is_versioned,
    join,
    named_by,
    topic_of,
)
from infograph.index.hal import ChildTopic, IndexOptions, summarise, topic_index
from infograph.index.llms import TreeListing, llms_files
from infograph.model import Chunk, Keyword, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.pipeline.kept import led_to
from infograph.plugins.entry_points import _declared
from infograph.search.reading.listing import named_files
from infograph.text.units import PlacedUnit

QUICK = "not slow"
"""What pyproject.toml says that is run."""
FEWEST_EXAMPLES = 15
"""That hypothesis draws for a test of the quick suite which asks for as many."""
LONGEST = "tests/explorer/test_explorer.py::TestInChromium"
SAMPLE_DOCS = Path(__file__).parents[1] / "sample-docs"
IN_MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes of it that must be free; what passed is removed at once, so that some hundred million are in use."""


def pytest_configure(config: pytest.Config) -> None:
    """The quick suite makes and removes a hundred thousand files, which takes some file systems a third of its time: it
    does so in memory, where there is some, unless told where (TMPDIR, --basetemp). Slow proofs take more room."""
    _compile_once()
    told = config.option.basetemp or any(name in os.environ for name in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT"))
    quick = config.option.markexpr == QUICK
    if quick and not told and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= ROOM:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.fspath(IN_MEMORY)


def _compile_once() -> None:
    """Where Python is told to keep no bytecode, each of the hundreds of processes that the tests start would compile
    the package again. It is kept all the same, beside the sources, as that of the installed packages is."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


GARBAGE = (50_000, 20, 20)
"""New objects, and collections of younger ones, before garbage is looked for: tests make many and keep few."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: to look through it for garbage again and again is a third of the time
    that collecting takes, and some of each test's."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(*GARBAGE)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """With two processes for two cores, a quarter of the time passes in waiting, for a browser, for a watch, for a
    child. Half as many processes more fill it."""
    cores = yield
    told = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return cores if told or config.option.markexpr not in (QUICK, "slow") else cores + (cores + 1) // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drawn examples: of each test a sixth in the quick suite, and all of them again among the slow proofs. What
    takes longest comes first, or one process would be at it when the others have nothing left."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        if "assert_linear" in getattr(
            item, "fixturenames", ()
        ):  # what is timed is for a machine that does less besides
            item.add_marker(pytest.mark.slow)
    if config.option.markexpr not in (QUICK, "slow"):
        return
    kept = "_hypothesis_internal_use_settings"
    tests = [(item, item.function) for item in items if isinstance(item, pytest.Function)]
    drawn = [(item, test) for item, test in tests if getattr(test, "is_hypothesis_test", False) and hasattr(test, kept)]
    if config.option.markexpr == "slow":
        for item, _ in drawn:
            item.add_marker(pytest.mark.slow)
        return
    for test in {test for _, test in drawn}:
        asked = getattr(test, kept)
        few = max(FEWEST_EXAMPLES, asked.max_examples // 6)
        setattr(test, kept, hypothesis.settings(asked, max_examples=min(asked.max_examples, few)))


# No test is a matter of time: an example is slow where the machine is busy.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


def _text(name: str, index: int) -> bytes:
    """The text of an invented chunk."""
    return f"## Part {index}\n\nOf {name}, exactly.\n".encode()


def _source(name: str, chunks: int = 12, technical: int | None = None) -> SpecSource:
    return SpecSource(
        name=name,
        title=f"About {name}",
        sha256="0" * 16,
        baseline_technical=technical,
        chunks=tuple(
            SpecChunk(
                index=index,
                title=f"Part {index}",
                section_path=("About", f"Part {index}"),
                is_code=index % 3 == 1,
                tokens=100 + index,
                sha256=hashlib.sha256(_text(name, index)).hexdigest(),
                similarity_conceptual=1.0 if index == 0 else round(((index * 37) % 101) / 101, 6),
                similarity_technical=None if technical is None else round(((index * 53) % 97) / 97, 6),
                keywords=(Keyword("cache", 6.6), Keyword("build order", 3.2)),
                prompt_hashes=(2**53 + 1, 2**64 - 1) if index == 0 else (),
            )
            for index in range(chunks)
        ),
        units=(PlacedUnit("table", 2, ((2, 0, 4), (3, 0, 4))),) if chunks > 3 else (),
    )


def _spec(topic: str, *sources: SpecSource, related: Sequence[str] = (), title: str | None = None) -> TopicSpec:
    return TopicSpec(
        id=topic,
        title=title or topic.rpartition("/")[2] or "Everything",
        description=f"What {topic or 'the root'} is about.",
        chunking="semantic-250-750",
        model="all-MiniLM-L6-v2@0",
        sources=sources,
        keywords=(Keyword("cache", 6.6),) if sources else (),
        related=tuple(RelatedTopic(id, id, 0.75, (Keyword("cache", 1.6),)) for id in related),
    )


def _chunk_file(source: SpecSource, chunk: SpecChunk, text: bytes) -> bytes:
    return chunkfile.render(
        Chunk(
            document=source.name,
            index=chunk.index,
            count=len(source.chunks),
            title=chunk.title,
            section_path=chunk.section_path,
            text=text.decode(),
            embed_text=text.decode(),
            lines=(1, 3),
            bytes=(0, len(text)),
            counted=chunk.tokens,
            is_code=chunk.is_code,
            chunk_type="structural",
            sha256=chunk.sha256,
        )
    )


def _counts(spec: TopicSpec) -> tuple[int, int]:
    """Documents and chunks."""
    return len(spec.sources), sum(len(source.chunks) for source in spec.sources)


def _publish(root: Path, specs: Sequence[TopicSpec], options: IndexOptions | None = None) -> Path:
    """Writes what a build of these topics would publish. Directories between topics must be given."""
    options = options or IndexOptions()
    by_id = {item.id: item for item in specs}
    entries: dict[str, ChildTopic] = {}
    for item in sorted(specs, key=lambda item: item.id, reverse=True):
        children = [entries[child] for child in sorted(entries) if _parent(child) == item.id]
        folder = root / item.id
        (folder / "_chunks").mkdir(parents=True, exist_ok=True)
        parent = by_id[_parent(item.id)].title if item.id else None
        for page in topic_index(item, children, parent, options):
            (folder / page.name).write_bytes(page.data)
        for document in item.sources:
            texts = [_text(document.name, chunk.index) for chunk in document.chunks]
            (folder / document.name).write_bytes(b"".join(texts))
            for chunk, text in zip(document.chunks, texts, strict=True):
                (folder / "_chunks" / chunk_name(named_by(document.stem, document.version), chunk.index)).write_bytes(
                    _chunk_file(document, chunk, text)
                )
        if item.sources:
            (folder / "topic-spec.md").write_bytes(specfile.render(item))
            (folder / "_keywords").mkdir(exist_ok=True)
            (folder / "_keywords" / "words.md").write_bytes(render_words(item.title, []))
        entries[item.id] = summarise(item.id, item.title, item.description, *_counts(item), children)
    (root / "_schema").mkdir(exist_ok=True)
    (root / "_schema" / "index.schema.json").write_bytes(schema_bytes())
    listed = TreeListing(by_id[""].title, by_id[""].description, [], base_url=options.base_url)
    (root / "llms.txt").write_bytes(llms_files(listed)["llms.txt"])
    return root


def _parent(topic: str) -> str | None:
    return topic.rpartition("/")[0] if topic else None


MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
Publish = Callable[..., Path]


@pytest.fixture
def make_source() -> MakeSource:
    """make_source(name, chunks=12, technical=None): a document with made-up similarities."""
    return _source


@pytest.fixture
def make_spec() -> MakeSpec:
    """make_spec(topic, *sources, related=(), title=None): a topic of these documents."""
    return _spec


@pytest.fixture
def publish() -> Publish:
    """publish(root, specs, options=None): writes what a build of these topics publishes; returns the root."""
    return _publish


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """Two levels, a document with both baselines, one of a single chunk, Hugo's `_index`, edges between topics."""
    return _publish(
        tmp_path / "site",
        [
            _spec("", _source("welcome.md", 1)),
            _spec("guide", _source("intro.md", 12, technical=1), _source("_index.md", 9), related=["guide/deep"]),
            _spec("guide/deep", _source("notes.markdown", 3), related=["guide"]),
        ],
    )


class HashEmbedder:
    """A real embedder, small and quick: counts words by their CRC. Remembers the texts it was given."""

    name = "words"
    dimension = 32
    cached = True
    seconds: float | None = None
    """What it says that texts take."""

    def __init__(self, revision: str = "1") -> None:
        self.revision = revision
        self.seen: list[str] = []

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return self.seconds

    def embed(self, texts: Sequence[str], *, kind: str = "document", progress: Any = None) -> Any:
        import numpy as np

        self.seen += texts
        vectors = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.split():
                row[zlib.crc32((word + self.revision).encode()) % self.dimension] += 1
        if progress is not None:
            progress(1, 1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class InlinePool:
    """Does in this process what `Pool` does in workers, which take a third of a second to start."""

    jobs = 1
    elsewhere = False
    forks = False
    running = 0

    def __init__(self, module: str, setup: Any, jobs: int, seconds: float, **others: Any) -> None:
        self._setup = setup

    def __enter__(self) -> InlinePool:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def start(self, preload: object = None, first: object = None) -> None:
        pass

    def tell(self, setup: Any) -> None:
        self._setup = setup

    def close(self) -> None:
        pass

    def run(self, tasks: Sequence[Any], groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, Any]]:
        from infograph.pipeline.worker.worker import Worker

        worker = Worker("0-0", self._setup)
        worker.cutter.tools = _tools()  # the tokenizer is loaded once
        for group in groups:
            for position in group:
                yield position, worker.do(tasks[position])


@functools.cache
def _rows() -> Any:
    """The static model's table: each build reads it anew, which takes longer than the build of a small tree."""
    from infograph.embedding.static import StaticEmbedder

    return StaticEmbedder()._load()


@functools.cache
def _tools() -> Any:
    from infograph.chunking.interface import StrategyTools
    from infograph.chunking.tokens import WordPieceCounter

    return StrategyTools(WordPieceCounter())


@pytest.fixture
def words_model(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """The default model replaced by one that counts words. Set its `revision` for another model."""
    embedder = HashEmbedder()
    backend = Backend(
        takes=Config().model.__eq__,
        identify=lambda model: (embedder.name, embedder.revision),
        load=lambda model, threads: embedder,
    )
    monkeypatch.setattr("infograph.embedding.backends.BACKENDS", (backend, *BACKENDS))
    return embedder


def _without_waiting(patch: pytest.MonkeyPatch) -> None:
    rows = _rows()
    patch.setattr("infograph.execution.pool.Pool", InlinePool)
    patch.setattr("infograph.embedding.static.StaticEmbedder._load", lambda model: rows)
    patch.setattr("infograph.files.durable._sync_all", lambda folder: True)
    patch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture(scope="module")
def in_this_process() -> Iterator[None]:
    """Builds without worker processes, which neither wait for the disk nor read what each build reads again: for the
    modules in which what is built matters, and not how."""
    with pytest.MonkeyPatch.context() as patch:
        _without_waiting(patch)
        yield


@pytest.fixture
def quick(words_model: HashEmbedder, monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    """As `in_this_process`, with the model that counts words."""
    _without_waiting(monkeypatch)
    return words_model


def _write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def _files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".infograph", ".embedding-cache"} & set(path.relative_to(root).parts)
    }


def _snapshot(root: Path) -> dict[str, bytes]:
    files = _files(root)
    reached = _bundle_of(files) | _graph_of(files)
    found = {name: data for name, data in files.items() if name in reached or not re.match("_(search|graph)/", name)}
    if not (root / OUTPUT_MARK).exists():
        return found
    led = led_to(root) | reached  # others stay for a while, too: chunks and indexes of the two publications before
    led |= {join(topic_of(name), SPEC) for name in led if is_spec(name)}
    return {
        name: data for name, data in found.items() if name in led or not (is_versioned(name) or _TOPICS.search(name))
    }


_TOPICS = re.compile(r"(^|/)(index\.json|topic-spec\.md|_keywords/words\.md)$")
"""Files of a topic under names of their own, which stay when it is removed."""


def _bundle_of(files: Mapping[str, bytes]) -> set[str]:
    """The files that the search manifest leads to; others under `_search/` are of the two bundles before it."""
    found: set[str] = set()
    led = re.findall(rb'"_search/(manifest\.[0-9a-f]+\.json)"', files.get("index.json", b""))
    names = ["manifest.json", *(name.decode() for name in led)]
    while names:
        name = names.pop()
        data = files.get(f"_search/{name}")
        if data is not None and f"_search/{name}" not in found:
            found.add(f"_search/{name}")
            names += named_files(name, data)
    return found


_GRAPH_FILE = re.compile(r'"(?:_graph/)?([a-z]-(?:[0-9a-f]{16}|all)(?:\.[0-9a-f]{10})?\.(?:z|json))"')


def _graph_of(files: Mapping[str, bytes]) -> set[str]:
    """The files that the graph's manifest and its communities lead to; others are of the graphs before it."""
    found: set[str] = set()
    names = ["manifest.json", "c-all.json", "aliases.md"]
    while names:
        name = names.pop()
        data = files.get(f"_graph/{name}")
        if data is not None and f"_graph/{name}" not in found:
            found.add(f"_graph/{name}")
            names += re.findall(
                r'"(?:_graph/)?([a-z]-(?:[0-9a-f]{16}|all)(?:\.[0-9a-f]{10})?\.(?:z|json))"', data.decode("latin-1")
            )
    return found


def _manual() -> dict[str, str]:
    def filler(about: str) -> str:
        return " ".join(f"The {about} on day {n * 7} wants {about} care, or {about} breaks." for n in range(16))

    version = f"# Cache\n\n{filler('cache')}\n\n## Clear the cache\n\nDelete the folder `.warm`. {filler('folder')}\n"
    return {
        "index.md": f"# Manual\n\nA kettle and how to use it.\n\n{filler('kettle')}\n",
        "guide/install.md": f"# Install\n\nPlug it in. {filler('plug')}\n\n## Filters\n\n{filler('filter')}\n",
        "guide/qa-pairs.md": "Q: How do I plug the kettle in?\nA: See [Install](install.md).\n",
        "guide/v1/cache.md": version,
        "guide/v2/cache.md": version,
        "hostile.md": f"# Bell \x1b[2J rings\n\nTurn \x9b31m \u202e red \x07 now.\n\n<b>{filler('siren')}</b>\n",
        "reference/api.md": f"# API\n\n{filler('call')}\n\n{filler('answer')}\n\n{filler('error')}\n\n"
        "## Quick Reference\n\n```py\nboil(1)\n```\n\n"
        + "\n".join(f"## Method {n}\n\n{filler(f'method{n}')}\n{filler(f'result{n}')}\n" for n in range(12)),
    }


Listening = Callable[..., contextlib.AbstractContextManager[str]]
Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Once:
    """once(name, make): the folder that `make` filled for whichever process of the tests asked first. Tests read it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder = shared / f"once-{name}"
        with FileLock(shared / f"once-{name}.lock", timeout=1100):
            if not folder.exists():
                unfinished = tmp_path_factory.mktemp(name)
                with pytest.MonkeyPatch.context() as patch:
                    _without_waiting(patch)
                    make(unfinished)
                unfinished.rename(folder)
        return folder

    return made


def _build_sample(folder: Path) -> None:
    flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": "static", "site.generator": "html"}
    build(load(str(SAMPLE_DOCS), flags=flags, environment={}))


@pytest.fixture(scope="session")
def sample_site(once: Once) -> Path:
    """The sample docs as a build publishes them, with the model that takes no time."""
    return once("sample", _build_sample) / "site"


def _build_manual(folder: Path) -> None:
    _write(folder / "docs", _manual())
    flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": "static"}
    build(load(str(folder / "docs"), flags=flags | {"site.url": "https://docs.example/"}, environment={}))


@pytest.fixture(scope="session")
def manual(once: Once) -> Path:
    """A small site, published whole: two versions of a page, text that would command a terminal, a known question, a
    document with both orders. Its pages are said to be at https://docs.example/."""
    return once("manual", _build_manual) / "site"


@pytest.fixture(scope="session")
def manual_url(manual: Path) -> Iterator[str]:
    """The same site behind a web server."""
    from infograph.commands.serving.server import Server

    server = Server(manual, "127.0.0.1", 0, quiet=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server.url
    server.close()
    thread.join()


@contextlib.contextmanager
def _listening(command: Callable[[int], list[str]], **options: Any) -> Iterator[str]:
    # From below those that the system gives to connections and to whoever asks for any: nobody takes it meanwhile.
    port = next(port for port in iter(lambda: random.randrange(10_000, 30_000), 0) if _is_free(port))
    with subprocess.Popen(command(port), stderr=subprocess.PIPE, **options) as process:
        try:
            while _is_free(port):  # a test that hangs is ended from outside
                assert process.poll() is None, process.stderr.read() if process.stderr else ""
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture(scope="session")
def listening() -> Listening:
    """listening(command, **options): the URL of a program that serves at the port given to `command`, as a context."""
    return _listening


@pytest.fixture(scope="session")
def interruptible() -> dict[str, Any]:
    """Options of a process that ends at Ctrl-C even where these tests do not, as what runs in the background."""
    return {} if os.name == "nt" else {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


class Tree:
    """A source tree that is built, in place or elsewhere, and a copy without any output to compare with."""

    def __init__(self, folder: Path, elsewhere: bool = False, packed: bool = False) -> None:
        self.folder = folder
        self.root = folder / "docs"
        self.out = folder / "site" if elsewhere else self.root
        self.elsewhere = elsewhere
        self.settings = "[keywords]\nper_topic = 40\n" + ('[chunks]\nfiles = "pack"\n' if packed else "")

    def load(self) -> Settings:
        (self.folder / "infograph.toml").write_text(self.settings)
        return load(str(self.root), flags={"out": str(self.out)} if self.elsewhere else {}, environment={})

    def build(self) -> Summary:
        return build(self.load())

    def outputs(self) -> dict[str, bytes]:
        return _snapshot(self.out)

    def files(self) -> dict[str, bytes]:
        """All that lies where the outputs are, also where no manifest leads to it."""
        return _files(self.out)

    def inputs(self) -> dict[str, bytes]:
        """The sources, and the tables that rows are set by hand in, by their path in `folder`."""
        return {
            f"{root.name}/{name}": data
            for root in (self.root, self.out)
            for name, data in _snapshot(root).items()
            if f"/{name}".endswith((f"/{KEYWORDS}", f"/{ALIASES}"))
            or (root == self.root and not _OURS.search(name) and not is_published(name))
        }

    @contextlib.contextmanager
    def copy(self) -> Iterator[Tree]:
        """The inputs elsewhere, for a build from nothing."""
        copy = Tree(self.folder / "clean", self.elsewhere)
        copy.settings = self.settings
        _write(copy.folder, self.inputs())
        yield copy
        shutil.rmtree(copy.folder)

    def clean(self) -> dict[str, bytes]:
        """What a build from nothing makes of the inputs."""
        with self.copy() as copy:
            copy.build()
            return copy.outputs()


@pytest.fixture
def built_tree(
    tmp_path: Path,
    once: Once,
    library: dict[str, str],
    quick: HashEmbedder,
) -> Callable[..., Tree]:
    """built_tree(elsewhere=False, packed=False): the library, built. It is a copy of one that was built for an earlier
    test, which a build has looked at since: the next one finds nothing to do."""

    def make(elsewhere: bool = False, packed: bool = False) -> Tree:
        def fill(folder: Path) -> None:
            first = Tree(folder, elsewhere, packed)
            _write(first.root, library)
            first.build()

        shutil.copytree(once(f"built-{elsewhere}-{packed}", fill), tmp_path, dirs_exist_ok=True)
        tree = Tree(tmp_path, elsewhere, packed)
        tree.build()
        return tree

    return make


_OURS = re.compile(
    r"(^|/)(_chunks/|_schema/|_search/|_graph/|(index(-\d+)?(\.[0-9a-f]{10})?\.json|topic-spec(\.[0-9a-f]{10})?\.md|llms\.txt)$)"
)

WriteTree = Callable[[Path, Mapping[str, "str | bytes"]], Path]
Snapshot = Callable[[Path], dict[str, bytes]]


@pytest.fixture
def write_tree() -> WriteTree:
    """write_tree(root, {name: content}): writes files; returns the root."""
    return _write


@pytest.fixture
def snapshot() -> Snapshot:
    """snapshot(root): every file with its bytes, but what one machine remembers."""
    return _snapshot


HrefOf = Callable[[Path, str], str]


@pytest.fixture(scope="session")
def href_of() -> HrefOf:
    """href_of(site, "guide/_chunks/start-0.md"): what the chunk of that name is called in an `--out` tree."""

    def found(site: Path, name: str) -> str:
        folder, _, last = name.rpartition("/")
        stem, _, number = last.removesuffix(".md").rpartition("-")
        (path,) = (
            path
            for path in sorted((site / folder).iterdir())
            if re.fullmatch(rf"{re.escape(stem)}\.[0-9a-f]{{10}}-{number}\.md", path.name)
        )
        return path.relative_to(site).as_posix()

    return found


@pytest.fixture
def make_tree() -> type[Tree]:
    """make_tree(folder, elsewhere=False): a tree in a folder, to be filled, built, changed and compared."""
    return Tree


@functools.cache
def _endpoints() -> Any:
    place = Path(__file__).parent / "llm" / "fake_endpoint.py"
    spec = importlib.util.spec_from_file_location("fake_endpoint", place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["fake_endpoint"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def endpoints() -> Any:
    """The module of the fake endpoint: `serving(FakeEndpoint())`, and what single calls may meet."""
    return _endpoints()


AssertLinear = Callable[..., None]
GROWTH = 8
"""By how much the second input of `assert_linear` is larger than the first."""


def _assert_linear(work: Callable[[int], object], most: int = 1 << 23, least: int = 250) -> None:
    def cost(size: int) -> float:
        """Least processor time of three, which what else the machine does hardly changes."""
        spent = []
        for _ in range(3):
            begun = time.process_time()
            work(size)
            spent.append(time.process_time() - begun)
        return min(spent)

    size = least
    # Below, the grain of the clock and what is cached count.
    while (small := cost(size)) < 0.002 and 2 * GROWTH * size <= most:
        size *= 2
    large = cost(GROWTH * size)
    if large >= 3 * GROWTH * small:  # a neighbour that empties the caches of the processor once does not do so twice
        small, large = max(small, cost(size)), min(large, cost(GROWTH * size))
    assert large < 3 * GROWTH * small, f"{GROWTH} times {size:,} take {large / small:.0f} times as long"


@pytest.fixture
def assert_linear() -> AssertLinear:
    """assert_linear(work, most=1 << 23, least=250): fails where `work(size)` takes more than in proportion to `size`,
    by the ratio of processor times: what is quadratic takes 64 times as long for 8 times as much, and at most 24 times
    is allowed.

    most: largest size that `work` takes
    least: smallest, where what is bounded by a number of characters still grows with less
    """
    return _assert_linear


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """figure(text): what a proof counted, said at the end of the run, by whichever process."""
    return lambda text: request.node.user_properties.append(("figure", text))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for _, text in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid}: {text}")


@pytest.fixture
def library() -> dict[str, str]:
    """A small tree: four topics, one with a Quick Reference and questions, one only a folder, twice the same text."""

    def prose(about: str, count: int = 90) -> str:
        return " ".join(f"The {about} keeps entry {n} warm while `{about}Cache` waits." for n in range(count // 9))

    shared = f"# Licence\n\n{prose('licence')}\n"
    cooking = "# Cooking\n\n" + "\n".join(f"## Step {n}\n\n{prose(f'kettle {n}', 400)}\n" for n in range(12))
    return {
        "README.md": f"---\ntitle: The library\ndescription: What it is.\n---\n# Library\n\n{prose('library')}\n",
        "licence.md": shared,
        "guide/index.md": f"# Guide\n\n{prose('guide', 500)}\n\n## Quick Reference\n\n```sh\nwarm --entry 1\n```\n\n"
        + "\n".join(f"## Part {n}\n\n{prose(f'window {n}', 450)}\n" for n in range(9)),
        "guide/qa-pairs.md": "Q: How do I keep an entry warm?\nA: Wait.\n\nQ: Which window is which?\nA: Look.\n",
        "guide/deep/cooking.md": cooking,
        "guide/deep/licence.md": shared,
        "reference/api/calls.md": f"# Calls\n\n{prose('call', 700)}\n\n- one\n- two\n",
    }


Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """install("words", {"infograph.embedders": {"letters": "words:Letters"}}, code, folder=None): writes a package, of
    a module with that code or that folder's, and what pip writes of it; the folder is looked into from then on."""
    target = tmp_path / "installed"
    known = set(sys.modules)

    def write(
        name: str, groups: dict[str, dict[str, str]], code: str | None = None, folder: Path | None = None
    ) -> Path:
        target.mkdir(exist_ok=True)
        if folder is not None:
            shutil.copytree(folder, target / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (target / f"{name}.py").write_text(code or "")
        info = target / f"{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        rows = {group: "".join(f"{own} = {value}\n" for own, value in given.items()) for group, given in groups.items()}
        lines = [f"[{group}]\n{text}" for group, text in rows.items()]
        (info / "entry_points.txt").write_text("\n".join(lines))
        importlib.invalidate_caches()
        _declared.cache_clear()
        return target

    monkeypatch.syspath_prepend(target)
    _declared.cache_clear()
    yield write
    _declared.cache_clear()
    for own in set(sys.modules) - known:
        if str(target) in (getattr(sys.modules[own], "__file__", None) or ""):
            del sys.modules[own]


@pytest.fixture
def example(install: Install) -> Path:
    """The example package, installed: the folder that it lies in."""
    groups = {
        "infograph.embedders": {"letters": "infograph_example:LettersEmbedder"},
        "infograph.strategies": {"lines": "infograph_example:Lines"},
    }
    return install(
        "infograph_example", groups, folder=Path(__file__).parent / "plugins" / "example" / "infograph_example"
    )


SMALL_SITES = {
    "apples": "# Apples\n\nAn apple is a fruit of a tree.\n\n## Storing\n\nKeep apples in a cool cellar.\n",
    "pears": "# Pears\n\nA pear is a fruit, too.\n\n## Storing\n\nPears are stored cool, with little light.\n",
    "stones": "# Stones\n\nA stone is found in a quarry.\n",
}


def _build_small_sites(folder: Path) -> None:
    for name, text in SMALL_SITES.items():
        docs = folder / "docs" / name
        docs.mkdir(parents=True)
        (docs / "index.md").write_text(text)
        flags = {"out": str(folder / "sites" / name), "cache": str(folder / "cache"), "model": "static"}
        build(load(str(docs), flags=flags, environment={}))


@pytest.fixture(scope="session")
def small_sites(once: Once) -> Path:
    """A folder with three sites of one page each: apples, pears, stones."""
    return once("small-sites", _build_small_sites) / "sites"
