"""A kernel that waits for a word which another one stores, and its twin that does not wait."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import pytest

import greta

HERE = Path(__file__).parent
pytestmark = pytest.mark.usefixtures("engine")

PROGRAM = """
import ctypes, sys
from pathlib import Path
from rocm.bindings import hip

def ok(answer):
    error, *rest = answer
    if int(error) != 0:
        sys.exit(error.name)
    return rest[0] if rest else None

N = 4096
module = ok(hip.hipModuleLoadData(bytearray(Path(sys.argv[1]).read_bytes())))
data, out = (ok(hip.hipMalloc(4 * N)) for _ in range(2))
flag = ok(hip.hipMalloc(4))
ok(hip.hipMemset(flag, 0, 4))
ok(hip.hipDeviceSynchronize())
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]
for name, stream in zip((b"produce", sys.argv[2].encode()), streams):
    kernel = ok(hip.hipModuleGetFunction(module, name))
    extra = (data, flag, out, ctypes.c_int(N))
    ok(hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, None, extra))
found = (ctypes.c_int * N)()
to_host = hip.hipMemcpyKind.hipMemcpyDeviceToHost
ok(hip.hipMemcpyAsync(found, out, 4 * N, to_host, streams[1]))
for stream in streams:
    ok(hip.hipStreamSynchronize(stream))
"""


@pytest.mark.parametrize(
    ("consumer", "word", "doubts"),
    [("await", "INCONCLUSIVE", ["polled_memory"]), ("hurry", "REPRODUCED", [])],
)
def test_a_flag_that_is_stored_may_be_waited_for(
    consumer: str, word: str, doubts: list[str], tmp_path: Path
) -> None:
    code, program = tmp_path / "stored_flag.co", tmp_path / "program.py"
    code.write_bytes(lzma.decompress((HERE / "data" / "stored_flag.co.xz").read_bytes()))
    program.write_text(PROGRAM)
    words = [sys.executable, str(program), str(code), consumer]
    run = greta.run(words, device="sim", out=tmp_path / "run", footprints=True)
    assert run.exit_code == 0
    verdict = run.verdict()
    assert verdict.word == word
    assert (verdict.cause.kernel if verdict.cause else None) == (None if doubts else consumer)
    assert list({one.code for one in verdict.doubts}) == doubts
