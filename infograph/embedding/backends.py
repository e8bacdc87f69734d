"""The table of embedding models, in the order in which their names are tried.

    name                        model                                              needs
    all-MiniLM-L6-v2-int8       packaged, onnxruntime; the default                 nothing
    all-MiniLM-L6-v2            the same weights in float32, half as fast          nothing
    static                      packaged, a table of token vectors                 nothing
    endpoint/NAME               what a server has, by /v1/embeddings               `embedding.endpoint`
    ./FOLDER, /FOLDER, ~/…      a sentence-transformers model on this machine      the extra
    ORGANISATION/NAME           one from the Hugging Face hub, fetched once        the extra
    NAME                        an entry point of `infograph.embedders`            the package that declares it

The extra is `pip install 'infograph[sentence-transformers]'`. To add a model, write its `Embedder` in this package
and add a line to `BACKENDS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.embedding.base import BatchEmbedder
from infograph.embedding.model_manifest import MINILM, MINILM_INT8, read_manifest
from infograph.errors import ModelError
from infograph.plugins.entry_points import EMBEDDERS, Plugin, load_plugin

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder, ModelOptions

PACKAGED = (MINILM, MINILM_INT8, "static", "static-256")
"""Names of the packaged models, in a configuration and in what is published: no other package may take one."""
ENDPOINT = "endpoint/"
"""Beginning of the names of models that a server has."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One source of embedders."""

    takes: Callable[[str], bool]
    """Whether the backend provides a model of this name."""
    identify: Callable[[str], tuple[str, str]]
    """Returns a model's name and revision, without loading anything heavy."""
    load: Callable[[str, int | None], Embedder]


def identify(model: str, options: ModelOptions | None = None) -> tuple[str, str]:
    """Returns a model's name and revision, which are part of a build's key. Raises ModelError for an unknown model.

    Imports nothing heavy; for a model from the hub it may fetch the files, once.

    options: settings of the model; None for a packaged one
    """
    return _backend(model, options).identify(model)


def load(model: str, threads: int | None = None, options: ModelOptions | None = None) -> Embedder:
    """Returns the embedder of a model. Raises ModelError when it is missing; a damaged model may raise it only when
    it first embeds.

    threads: processor cores to use; None leaves it to the model's library
    options: settings of the model; None for a packaged one
    """
    embedder = _backend(model, options).load(model, threads)
    if isinstance(embedder, BatchEmbedder) and options is not None:
        embedder.batch = options.batch
    return embedder


def _backend(model: str, options: ModelOptions | None) -> Backend:
    if options is not None and model.startswith(ENDPOINT):
        return _of_endpoint(options)
    for backend in BACKENDS:
        if backend.takes(model):
            return backend
    if plugin := load_plugin(EMBEDDERS, model, PACKAGED):
        return _of_plugin(plugin)
    raise ModelError(
        f"model `{model}`",
        "is not one of this package, no folder on this machine and no name on the hub",
        "Take `all-MiniLM-L6-v2-int8`, `all-MiniLM-L6-v2`, `static`, `endpoint/NAME`, the path of a "
        "sentence-transformers model (`./NAME`), or `ORGANISATION/NAME` as on the Hugging Face hub.",
    )


def _of_plugin(plugin: Plugin) -> Backend:
    """Returns what provides the model of another package."""

    def load(model: str, threads: int | None) -> Embedder:
        from infograph.embedding.plugin import PluginEmbedder

        return PluginEmbedder(plugin, threads)

    def identify(model: str) -> tuple[str, str]:
        embedder = load(model, None)
        return embedder.name, embedder.revision

    return Backend(plugin.name.__eq__, identify, load)


def _of_endpoint(options: ModelOptions) -> Backend:
    """Returns what provides the models of the server that settings name."""

    def identify(model: str) -> tuple[str, str]:
        from infograph.embedding.endpoint import identify_endpoint

        return identify_endpoint(model, options)

    def load(model: str, threads: int | None) -> Embedder:
        from infograph.embedding.endpoint import EndpointEmbedder

        return EndpointEmbedder(model, options)

    return Backend(lambda model: model.startswith(ENDPOINT), identify, load)


def _load_minilm(model: str, threads: int | None) -> Embedder:
    from infograph.embedding.onnx import OnnxEmbedder

    return OnnxEmbedder(threads, model=model)


def _identify_static(model: str) -> tuple[str, str]:
    return _packaged("static-256")


def _load_static(model: str, threads: int | None) -> Embedder:
    from infograph.embedding.static import StaticEmbedder

    return StaticEmbedder()


def _packaged(name: str) -> tuple[str, str]:
    manifest = read_manifest(name)
    return manifest.name, manifest.revision


def _is_folder(model: str) -> bool:
    return model.startswith(("./", "../", "/", "~", ".\\", "..\\")) or (model != "" and Path(model).is_dir())


def _is_hub_name(model: str) -> bool:
    return re.fullmatch(r"(sentence-transformers/)?[\w-][\w.-]*/[\w-][\w.-]*", model, re.ASCII) is not None


def _identify_library(model: str) -> tuple[str, str]:
    from infograph.embedding.model_folder import find

    found = find(model, local=_is_folder(model))
    return found.name, found.revision


def _load_library(model: str, threads: int | None) -> Embedder:
    from infograph.embedding.model_folder import find
    from infograph.embedding.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(find(model, local=_is_folder(model)), threads)


BACKENDS = (
    Backend((MINILM, MINILM_INT8).__contains__, _packaged, _load_minilm),
    Backend("static".__eq__, _identify_static, _load_static),
    Backend(_is_folder, _identify_library, _load_library),
    Backend(_is_hub_name, _identify_library, _load_library),
)
