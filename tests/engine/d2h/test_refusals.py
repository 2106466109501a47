"""A transfer that is not right is refused, by name, before anything is queued."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from greta.engine.d2h import D2HError, Settings, Transfers
from greta.errors import ExitCode, GretaError, UsageError
from greta.hip import Buffer, Event, Graph, HipError, Stream, inspection
from greta.hip._bindings import call, hip
from tests.conftest import Run


@pytest.fixture
def buffer() -> Iterator[Buffer]:
    with Buffer(1024) as buffer:
        buffer.fill(0)
        yield buffer


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of every copy that was queued."""
    copies: list[int] = []
    queue_copy = inspection.queue_copy

    def counted(target: int, source: int, nbytes: int, stream: Stream) -> None:
        copies.append(nbytes)
        queue_copy(target, source, nbytes, stream)

    monkeypatch.setattr(inspection, "queue_copy", counted)
    return copies


def refused(transfers: Transfers, source: Buffer, **arguments: Any) -> str:
    wanted: dict[str, Any] = {"dtype": np.float32, "tensor": "logits", **arguments}
    with pytest.raises(D2HError) as caught:
        transfers.to_host(source, **wanted)
    assert caught.value.refused
    return caught.value.reason


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"offset": -4}, "bytes -4 to 1024 of a buffer that has 1024 were asked for"),
        ({"offset": 1028}, "bytes 1028 to 1024 of a buffer that has 1024 were asked for"),
        ({"offset": 1020, "shape": 2}, "bytes 1020 to 1028 of a buffer that has 1024"),
        ({"shape": 257}, "bytes 0 to 1028 of a buffer that has 1024 were asked for"),
        ({"nbytes": 1 << 60}, "bytes 0 to 1152921504606846976 of a buffer that has 1024"),
        ({"nbytes": -4}, "bytes 0 to -4 of a buffer that has 1024 were asked for"),
        ({"shape": (-2, -2)}, "shape (-2, -2) has a negative extent"),
        ({"nbytes": 6}, "shape (1,) of float32 needs 4 bytes, not 6"),
        ({"nbytes": 16, "shape": (5,)}, "shape (5,) of float32 needs 20 bytes, not 16"),
        ({"nbytes": 0}, "there are no bytes to copy"),
        ({"offset": 2, "shape": 1}, "float32 must begin at a multiple of 4; correct the offset"),
        ({"offset": 4, "dtype": "<f8", "shape": 1}, "float64 must begin at a multiple of 8"),
        ({"dtype": object}, "object holds Python objects, which a device cannot"),
        ({"tensor": "two words"}, "the tensor's name must be one word of printable ASCII"),
        ({"tensor": "x\n[D2H_AUDIT_END]"}, "the tensor's name must be one word"),
        ({"tensor": ""}, "the tensor's name must be one word"),
        ({"step": -2}, "step and layer must be 0 or more, or None"),
    ],
)
def test_what_cannot_be_right_is_refused(
    transfers: Transfers, buffer: Buffer, queued: list[int], arguments: Any, reason: str
) -> None:
    assert refused(transfers, buffer, **arguments).startswith(reason)
    assert queued == []


def test_its_nearest_correct_neighbours_are_not(
    transfers: Transfers, buffer: Buffer, queued: list[int]
) -> None:
    for offset, shape in ((0, 256), (1020, 1), (4, 255)):
        transfers.read(buffer, dtype=np.float32, offset=offset, shape=shape, tensor="logits")
    assert queued == [1024, 4, 1020]


def test_a_view_ends_where_it_ends_though_its_buffer_goes_on(
    transfers: Transfers, buffer: Buffer, queued: list[int]
) -> None:
    reason = refused(transfers, buffer.view(0, 512), offset=508, shape=2)
    assert reason == "bytes 508 to 516 of a buffer that has 512 were asked for"
    assert queued == []


def test_a_freed_buffer_and_its_views(transfers: Transfers, queued: list[int]) -> None:
    buffer = Buffer(64)
    address, view = buffer.address, buffer.view(16, 16).view(0, 8)
    buffer.free()
    for source in (buffer, view):
        assert refused(transfers, source).startswith("the buffer has been freed")
    with pytest.raises(D2HError, match=f"with 64 bytes at {address:#x}"):
        transfers.to_host(buffer, dtype=np.uint8, tensor="gone")
    assert queued == []


def test_an_empty_buffer(transfers: Transfers, queued: list[int]) -> None:
    assert refused(transfers, Buffer(0)) == "there are no bytes to copy"
    assert refused(transfers, Buffer._borrowed(0, 8)) == "its address is null"
    assert queued == []


def test_a_closed_stream_and_a_closed_event(
    transfers: Transfers, buffer: Buffer, queued: list[int]
) -> None:
    stream, event = Stream(), Event()
    stream.close()
    event.close()
    assert refused(transfers, buffer, stream=stream) == "the stream is closed"
    assert refused(transfers, buffer, after=event) == "the event to copy after is closed"
    assert queued == []


def test_a_stream_that_is_being_captured(
    transfers: Transfers, buffer: Buffer, stream: Stream, queued: list[int]
) -> None:
    transfers.reserve(1024)
    with Graph.capture(stream) as graph:
        buffer.fill(3, stream=stream)
        reason = refused(transfers, buffer, stream=stream)
    assert reason.startswith("the stream is being captured into a graph")
    assert queued == []
    graph.instantiate().launch(stream)
    assert np.all(transfers.read(buffer, dtype=np.uint8, stream=stream, tensor="x") == 3)


def test_a_stream_of_another_device(run_script: Run) -> None:
    done = run_script(
        "import numpy as np\n"
        "from greta import hip\nfrom greta.engine import d2h\n"
        "transfers = d2h.Transfers()\n"
        "buffer = hip.Buffer.from_array(np.arange(4, dtype=np.int32))\n"
        "own = hip.Stream()\n"
        "hip.set_device(1)\n"
        "other, there = hip.Stream(), hip.Buffer.from_array(np.arange(5, dtype=np.int32))\n"
        "for stream in (other, None):\n"
        "    try:\n"
        "        transfers.to_host(buffer, dtype=np.int32, stream=stream, tensor='x')\n"
        "    except d2h.D2HError as error:\n"
        "        print(error.reason)\n"
        "print(transfers.read(buffer, dtype=np.int32, stream=own, tensor='x'))\n"
        "print(transfers.read(there, dtype=np.int32, stream=other, tensor='x'))\n"
        "print(hip.current_device())\n",
        GRETA_SIM_DEVICES="2",
    )
    assert done.stdout.splitlines() == [
        "the buffer is on device 0, the stream on device 1",
        "the buffer is on device 0, the stream on device 1",
        "[0 1 2 3]",
        "[0 1 2 3 4]",
        "1",
    ], done.stderr


def test_the_error_names_all_of_it(transfers: Transfers, buffer: Buffer, stream: Stream) -> None:
    with pytest.raises(D2HError) as caught:
        transfers.to_host(
            buffer, dtype=np.float32, offset=512, shape=(2, 100), stream=stream,
            tensor="logits", step=7,
        )  # fmt: skip
    number = caught.value.transfer.allocation.number
    assert str(caught.value) == (
        f"the D2H transfer of 'logits' (step 7, no layer, 800 bytes from "
        f"{buffer.address + 512:#x}, at offset 512 of allocation {number} with 1024 bytes at "
        f"{buffer.address:#x}, to 0x0, stream {stream.handle:#x}) was refused: "
        "bytes 512 to 1312 of a buffer that has 1024 were asked for"
    )


def test_the_error_is_one_of_ours_and_survives_a_process_boundary(
    transfers: Transfers, buffer: Buffer
) -> None:
    with pytest.raises(D2HError) as caught:
        transfers.to_host(buffer, dtype=np.float32, offset=1, tensor="logits")
    assert isinstance(caught.value, GretaError)
    assert caught.value.exit_code == ExitCode.FAULT
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert str(copy) == str(caught.value)


def test_an_error_that_others_have_yet_to_see_is_left_to_them(
    transfers: Transfers, buffer: Buffer
) -> None:
    hip().hipGetLastError()
    with pytest.raises(HipError):
        call("hipFree", 0x1234)
    assert transfers.read(buffer, dtype=np.uint8, tensor="x").sum() == 0
    assert int(hip().hipGetLastError()[0]) == 1


def test_a_stream_that_is_gone_elsewhere_is_no_fault_of_the_device(
    transfers: Transfers, buffer: Buffer
) -> None:
    with Stream() as stream:
        stale = stream.native
    with pytest.raises(HipError) as caught:
        call("hipStreamQuery", stale)
    assert caught.value.code == 709
    assert transfers.read(buffer, dtype=np.uint8, tensor="x").sum() == 0
    assert int(hip().hipGetLastError()[0]) == 709


def test_staging_cannot_be_nothing() -> None:
    with pytest.raises(UsageError, match="staging needs more than 0 bytes"):
        Transfers(staging_bytes=0, settings=Settings())
