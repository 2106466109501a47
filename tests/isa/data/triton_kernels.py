"""Triton kernels of our own, kept as machine code: python triton_kernels.py (triton, no GPU)."""

# mypy: ignore-errors

import json
import lzma
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, x, stride, n, BLOCK: tl.constexpr):  # noqa: N803
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + cols, mask=cols < n, other=-float("inf"))
    parts = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + cols, parts / tl.sum(parts, axis=0), mask=cols < n)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # noqa: N803
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        inner = first + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k),
            other=0.0,
        )
        right = tl.load(
            b + inner[:, None] * n + cols[None, :],
            mask=(inner[:, None] < k) & (cols[None, :] < n),
            other=0.0,
        )
        total += tl.dot(left, right)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], total, mask=inside)


@triton.jit
def attention(q, k, v, out, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):  # noqa: N803
    base = tl.program_id(1) * length * D
    rows, inner = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    at = base + rows[:, None] * D + inner[None, :]
    query = tl.load(q + at, mask=rows[:, None] < length, other=0.0)
    most = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    result = tl.zeros((BM, D), dtype=tl.float32)
    for first in range(0, length, BN):
        keys = first + tl.arange(0, BN)
        key = tl.load(
            k + base + keys[None, :] * D + inner[:, None], mask=keys[None, :] < length, other=0.0
        )
        scores = tl.where(keys[None, :] < length, tl.dot(query, key) * scale, -float("inf"))
        higher = tl.maximum(most, tl.max(scores, 1))
        parts = tl.exp(scores - higher[:, None])
        before = tl.exp(most - higher)
        value = tl.load(
            v + base + keys[:, None] * D + inner[None, :], mask=keys[:, None] < length, other=0.0
        )
        result = result * before[:, None] + tl.dot(parts.to(query.dtype), value)
        total = total * before + tl.sum(parts, 1)
        most = higher
    tl.store(out + at, result / total[:, None], mask=rows[:, None] < length)


def without_folders(image):
    """The lines in it name files alone, not the folders of this machine."""
    for folder in (Path(__file__).resolve().parent, Path(tl.__file__).parent):
        path = str(folder).encode()
        image = image.replace(path, b"." + b"/" * (len(path) - 1))
    return image


def keep(name, kernel, types, **constants):
    signature = types | dict.fromkeys(constants, "constexpr")
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    built = triton.compile(source, target=GPUTarget("hip", "gfx942", 64))
    here = Path(__file__).parent
    (here / f"{name}.hsaco.xz").write_bytes(lzma.compress(without_folders(built.asm["hsaco"])))
    facts = built.metadata
    return {"kernel": facts.name, "shared": facts.shared, "threads": 64 * facts.num_warps}


if __name__ == "__main__":
    whole = "i32"
    kept = {
        "softmax": keep(
            "softmax",
            softmax,
            {"out": "*fp32", "x": "*fp32", "stride": whole, "n": whole},
            BLOCK=1024,
        )
    }
    for kind in ("fp16", "bf16"):
        three = dict.fromkeys(("m", "n", "k"), whole)
        kept[f"matmul_{kind}"] = keep(
            f"matmul_{kind}",
            matmul,
            {"a": f"*{kind}", "b": f"*{kind}", "c": "*fp32", **three},
            BM=64, BN=64, BK=32,
        )  # fmt: skip
        inputs = dict.fromkeys("qkv", f"*{kind}")
        kept[f"attention_{kind}"] = keep(
            f"attention_{kind}",
            attention,
            {**inputs, "out": "*fp32", "scale": "fp32", "length": whole},
            D=64, BM=64, BN=32,
        )  # fmt: skip
    text = json.dumps(kept, indent=2) + "\n"
    Path(__file__).with_name("triton_kernels.json").write_text(text)
