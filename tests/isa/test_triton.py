"""Kernels that Triton compiled for gfx942 (data/triton_kernels.py), against NumPy."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import greta
from greta.hip import Buffer, Module, synchronize
from greta.hip.launch import Argument

DATA = Path(__file__).parent / "data"
KEPT = json.loads((DATA / "triton_kernels.json").read_text())
Floats = NDArray[np.float32]
Numbers = NDArray[Any]
pytestmark = pytest.mark.usefixtures("engine")


def launch(name: str, grid: tuple[int, int, int], *arguments: Argument) -> None:
    facts = KEPT[name]
    with Module(lzma.decompress((DATA / f"{name}.hsaco.xz").read_bytes())) as module:
        kernel, none = module.kernel(facts["kernel"]), np.uint64(0)  # two scratch buffers
        kernel(grid, facts["threads"], *arguments, none, none, shared_bytes=facts["shared"])
        synchronize()


def random(*shape: int) -> Floats:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def stored(kind: str, values: Floats) -> tuple[Numbers, NDArray[np.float64]]:
    """As the kernel reads it, and the numbers that it reads."""
    if kind == "fp16":
        halves = values.astype(np.float16)
        return halves, halves.astype(np.float64)
    upper = (values.view(np.uint32) + 0x8000) >> 16
    return upper.astype(np.uint16), (upper << 16).astype(np.uint32).view(np.float32).astype(float)


def softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    parts = np.exp(values - values.max(-1, keepdims=True))
    whole: NDArray[np.float64] = parts / parts.sum(-1, keepdims=True)
    return whole


def test_softmax() -> None:
    given = random(64, 1000)
    with Buffer.from_array(given) as x, Buffer.from_array(np.zeros_like(given)) as out:
        launch("softmax", (64, 1, 1), out, x, np.int32(1000), np.int32(1000))
        got = np.empty_like(given)
        out.copy_to(got)
    np.testing.assert_allclose(got, softmax(given.astype(float)), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("kind", ["fp16", "bf16"])
def test_matmul(kind: str) -> None:
    (a, left), (b, right) = stored(kind, random(130, 100)), stored(kind, random(100, 150))
    got = np.zeros((130, 150), np.float32)
    with Buffer.from_array(a) as x, Buffer.from_array(b) as y, Buffer.from_array(got) as c:
        sizes = [np.int32(n) for n in (130, 150, 100)]
        launch(f"matmul_{kind}", (3, 3, 1), x, y, c, *sizes)
        c.copy_to(got)
    np.testing.assert_allclose(got, left @ right, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", ["fp16", "bf16"])
def test_flash_attention(kind: str) -> None:
    (q, query), (k, key), (v, value) = (stored(kind, random(2, 100, 64) * n) for n in (1, 2, 3))
    got = np.zeros((2, 100, 64), np.float32)
    with (
        Buffer.from_array(q) as a,
        Buffer.from_array(k) as b,
        Buffer.from_array(v) as c,
        Buffer.from_array(got) as out,
    ):
        scale, length = np.float32(0.125), np.int32(100)
        launch(f"attention_{kind}", (2, 2, 1), a, b, c, out, scale, length)
        out.copy_to(got)
    wanted = softmax(query @ key.transpose(0, 2, 1) * 0.125) @ value
    # The probabilities are rounded to 11 or 8 bits before the second product.
    np.testing.assert_allclose(got, wanted, atol=8 * 2.0 ** (-11 if kind == "fp16" else -8))


PROGRAM = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize
code, threads, shared, nbytes = sys.argv[1], *map(int, sys.argv[2:])
x, out = Buffer.from_array(np.ones((8, 1000), np.float32)), Buffer(nbytes)
try:
    none, thousand = np.uint64(0), np.int32(1000)
    softmax = Module.load(code).kernel("softmax")
    softmax(8, threads, out, x, thousand, thousand, none, none, shared_bytes=shared)
    synchronize()
except HipError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("lacking", [16, 4, 0])
def test_an_overrun_is_told_to_the_byte_and_the_line(lacking: int, tmp_path: Path) -> None:
    """The buffer lacks the last four numbers, which are stored together, or one; its twin none."""
    code, program, facts = tmp_path / "softmax.hsaco", tmp_path / "program.py", KEPT["softmax"]
    code.write_bytes(lzma.decompress((DATA / "softmax.hsaco.xz").read_bytes()))
    program.write_text(PROGRAM)
    words = [str(word) for word in (facts["threads"], facts["shared"], 32000 - lacking)]
    command = [sys.executable, str(program), str(code), *words]
    run = greta.run(command, device="sim", out=tmp_path / "run")
    cause = run.verdict().cause
    if not lacking:
        assert (run.exit_code, cause) == (0, None)
        return
    assert cause is not None
    assert cause.access is not None
    assert cause.buffer is not None
    assert (cause.kernel, cause.buffer.bytes) == ("softmax", 32000 - lacking)
    assert (cause.access.kind, cause.access.past_end, cause.access.block) == ("write", 0, (7, 0, 0))
    source = (DATA / "triton_kernels.py").read_text()
    line = 1 + source.split("tl.store(out + row")[0].count("\n")
    assert cause.access.line == f"triton_kernels.py:{line}"
