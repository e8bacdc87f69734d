"""Retrievers of other frameworks, by these frameworks themselves: over a folder, and over a site on a web server."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from infograph.client import Client, ClientError
from infograph.errors import ConfigError
from infograph.integrations.tree_texts import TreeTexts

QUESTION = "cache page build"


# Each framework is loaded by the tests that need it: seconds that every process would take to collect this file.
def in_langchain(**options: Any) -> Any:
    """A retriever of LangChain."""
    pytest.importorskip("langchain_core", reason="needs pip install 'infograph[langchain]'")
    from infograph.integrations.langchain import InfographRetriever

    return InfographRetriever(**options)


def in_llama_index(source: str, **options: Any) -> Any:
    """A retriever of LlamaIndex."""
    pytest.importorskip("llama_index.core", reason="needs pip install 'infograph[llama-index]'")
    from infograph.integrations.llama_index import InfographNodes

    return InfographNodes(source, **options)


def in_haystack(source: str, **options: Any) -> Any:
    """A component of Haystack."""
    pytest.importorskip("haystack", reason="needs pip install 'infograph[haystack]'")
    from infograph.integrations.haystack import InfographDocuments

    return InfographDocuments(source, **options)


@pytest.fixture(params=["folder", pytest.param("http", marks=pytest.mark.slow)])
def source(request: pytest.FixtureRequest, manual: Path, manual_url: str) -> str:
    return str(manual) if request.param == "folder" else manual_url


@pytest.fixture
def expected(manual: Path) -> list[tuple[str, str]]:
    with Client(manual) as client:
        return [(hit.href, hit.text) for hit in client.search(QUESTION, limit=3, texts=True).hits]


def test_langchain(source: str, expected: list[tuple[str, str]]) -> None:
    retriever = in_langchain(source=source, k=3)
    documents = retriever.invoke(QUESTION)
    assert [(document.id, document.page_content) for document in documents] == expected
    assert documents == asyncio.run(retriever.ainvoke(QUESTION))
    assert [document.id for document in retriever.invoke(QUESTION, k=1)] == [expected[0][0]]
    assert retriever.batch([QUESTION] * 8) == [documents] * 8
    first = documents[0].metadata
    assert first["source"].startswith("https://docs.example/") and first["score"] > 0
    assert not first["excerpt"] and first["chunks"] == 1 and first["tokens"] > 0


def test_langchain_in_a_chain(source: str) -> None:
    retriever = in_langchain(source=source, max_tokens=300)
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough

    chain = (
        {
            "context": retriever | RunnableLambda(lambda found: "\n\n".join(own.page_content for own in found)),
            "question": RunnablePassthrough(),
        }
        | ChatPromptTemplate.from_template("Answer from this:\n{context}\n\nQuestion: {question}")
        | RunnableLambda(lambda prompt: prompt.to_string())
    )
    assert "ache" in chain.invoke(QUESTION).partition("Question:")[0]


@pytest.mark.slow
def test_langchains_own_standard_tests(sample_site: Path, tmp_path: Path) -> None:
    """Those of the package langchain-tests, in a process of their own: it brings plugins for pytest."""
    pytest.importorskip("langchain_tests", reason="needs pip install --no-deps langchain-tests")
    (tmp_path / "test_standard.py").write_text(
        f"""
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain_tests.integration_tests import RetrieversIntegrationTests
from infograph.integrations.langchain import InfographRetriever

class TestStandard(RetrieversIntegrationTests):
    retriever_constructor = InfographRetriever
    retriever_constructor_params = {{"source": {str(sample_site)!r}}}
    retriever_query_example = {QUESTION!r}
"""
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "anyio", "-o", "anyio_mode=auto", str(tmp_path)]
    run = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0 and "5 passed" in run.stdout, run.stdout + run.stderr


@pytest.mark.slow
def test_llama_index(source: str, expected: list[tuple[str, str]]) -> None:
    retriever = in_llama_index(source, similarity_top_k=3)
    nodes = retriever.retrieve(QUESTION)
    assert [(own.node.node_id, own.node.get_content()) for own in nodes] == expected
    again = asyncio.run(retriever.aretrieve(QUESTION))
    assert [(own.node_id, own.score) for own in again] == [(own.node_id, own.score) for own in nodes]
    shown = nodes[0].node.get_content("llm")
    assert "source: https://docs.example/" in shown and "sha256" not in shown and "href" not in shown


@pytest.mark.slow
def test_haystack(source: str, expected: list[tuple[str, str]]) -> None:
    component = in_haystack(source, top_k=3)
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("retriever", component)
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["infograph.integrations.haystack"])
    for own in (pipeline, again):
        documents = own.run({"retriever": {"query": QUESTION}})["retriever"]["documents"]
        assert [(document.id, document.content) for document in documents] == expected
    fewer = pipeline.run({"retriever": {"query": QUESTION, "top_k": 1}})["retriever"]["documents"]
    assert fewer == documents[:1]
    assert asyncio.run(in_haystack(source).run_async(QUESTION, 3))["documents"] == documents


@pytest.mark.parametrize("budget", [80, 200, 2000])
def test_passages_keep_within_the_budget(source: str, budget: int) -> None:
    found = TreeTexts(source, max_tokens=budget).find(QUESTION, 0)
    assert found and sum(int(own.metadata["tokens"]) for own in found) <= budget
    assert all(own.score > 0 for own in found)


def test_a_path_and_filters_choose(source: str) -> None:
    found = TreeTexts(source, path="guide/v1", filters={"index": 0}).find("cache", 9)
    assert found and all(str(own.metadata["page"]).startswith("guide/v1/") for own in found)


@pytest.mark.slow
def test_many_threads_and_loops_share_one(source: str, expected: list[tuple[str, str]]) -> None:
    texts = TreeTexts(source)

    async def several() -> list[Any]:
        return await asyncio.gather(*(texts.find_awaited(QUESTION, 3) for _ in range(4)))

    with ThreadPoolExecutor(4) as pool:
        found = [
            *pool.map(lambda _: texts.find(QUESTION, 3), range(8)),
            *asyncio.run(several()),
            *asyncio.run(several()),
        ]
    texts.close()
    assert all([(own.id, own.text) for own in one] == expected for one in found)


@pytest.fixture
def torn(manual: Path, tmp_path: Path, expected: list[tuple[str, str]]) -> Iterator[Path]:
    shutil.copytree(manual, tmp_path / "site")
    (tmp_path / "site" / expected[0][0]).unlink()
    yield tmp_path / "site"


def test_a_text_that_cannot_be_read_is_told(torn: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        first, *_ = TreeTexts(torn).find(QUESTION, 3)
    assert first.metadata["excerpt"] and first.text
    assert f"the answer lacks {first.id}" in caplog.text


@pytest.mark.parametrize("make", [in_llama_index, in_haystack, lambda at: in_langchain(source=at)])
def test_what_is_no_tree_is_named_at_once(make: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        make(str(tmp_path / "nowhere"))


def test_a_server_that_is_gone_is_an_error() -> None:
    with pytest.raises(ClientError):
        TreeTexts("http://127.0.0.1:9/docs/", timeout=5).find(QUESTION, 1)
