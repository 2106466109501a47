"""What an entry says that its call does is read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import generate, model
from contract.effect_types import CallKind, Effects, HostWait, MemoryRange
from tests.contract.test_model import load

CONTRACT = model.load()
BY_NAME = {call.name: call for call in CONTRACT.calls}
COPY = '"void* dst", "const void* src", "size_t n", "hipMemcpyKind kind", "hipStream_t stream"'


def effects(tmp_path: Path, does: str, args: str = COPY) -> Effects:
    line = f'hipA = {{ node = "4.2", args = [{args}], does = {does} }}'
    return load(tmp_path, line).calls[0].does


def test_a_call_without_effects_is_refused(tmp_path: Path) -> None:
    with pytest.raises(model.ContractError, match="hipA: `does` is missing"):
        load(tmp_path, 'hipA = { node = "4.2", args = [] }')


def test_a_kind_alone_is_enough_for_what_has_no_effect(tmp_path: Path) -> None:
    assert effects(tmp_path, '"query"') == Effects(CallKind.QUERY)


def test_a_copy(tmp_path: Path) -> None:
    does = effects(
        tmp_path,
        '{ kind = "copy", stream = "stream", reads = "src[n]", writes = "dst[n * 2]", '
        'direction = "kind", host = "waits if H2H or to pageable" }',
    )
    assert does.reads == MemoryRange(("src",), ("n",))
    assert does.writes == MemoryRange(("dst",), ("n",), unit=2)
    assert (does.stream, does.copy_kind, does.direction) == ("stream", "kind", "")
    assert (does.host, does.enqueues) == (HostWait.IF_PAGEABLE, True)


def test_a_struct_is_read_by_the_names_of_its_fields() -> None:
    does = BY_NAME["hipMemcpy3D"].does
    assert does.copy_kind == "p@152:4"
    assert does.writes == MemoryRange(
        address=("p@96",),
        size=("p@128", "p@136", "p@144"),
        start=("p@72", "p@80", "p@88"),
        pitch="p@104",
        rows="p@120",
    )


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ('"copies"', "hipA: `does`: 'copies' is no CallKind"),
        ("{}", "hipA: `does` needs a kind"),
        ('{ kind = "copy", streem = "stream" }', "hipA: `does`: unknown word streem"),
        ('{ kind = "query", stream = "strm" }', "hipA: `does`: there is no word strm"),
        ('{ kind = "copy", stream = "stream" }', "hipA: `does` lacks what it reads or writes"),
        ('{ kind = "copy", reads = "src[n]", writes = "dst[n]" }', "hipA: `does` lacks a stream"),
        ('{ kind = "memset", stream = "stream", writes = "dst" }', "cannot read the memory 'dst'"),
        ('{ kind = "wait_event" }', "hipA: `does` lacks an event"),
        ('{ kind = "launch", stream = "stream" }', "hipA: `does` lacks its launch"),
        ('{ kind = "query", host = "waits" }', "'waits' is no HostWait"),
        ('{ kind = "code", code = "explode(dst)" }', "the recorder cannot do 'explode"),
        (
            '{ kind = "free", destroys = { what = "memory", handle = "dst" } }',
            "'memory' is none of array, device_memory",
        ),
    ],
)
def test_a_slip_is_named(does: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(model.ContractError, match=message):
        effects(tmp_path, does)


def test_every_pointer_to_work_names_its_stream() -> None:
    for call in CONTRACT.calls:
        if call.does.enqueues and call.stream is not None:
            assert call.does.stream == call.stream.name, call.name


def hook(name: str) -> str:
    files = generate.outputs(CONTRACT)
    text = "".join(text for path, text in files.items() if path.name.startswith("hooks_"))
    return text.split(f" {name}(")[1].split("\n}\n")[0]


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("hipMemcpy", "copy_blocks(kind)) stream_was_waited_for(nullptr)"),
        ("hipMemcpy_spt", "copy_blocks(kind)) stream_was_waited_for(own_stream(nullptr))"),
        ("hipMemcpy3D", "copy_blocks(in_struct<int>(p, 152))) stream_was_waited_for(nullptr)"),
        ("hipDrvMemcpy3D", "(in_struct<uint64_t>(pCopy, 40) != 0 || in_struct<uint64_t>"),
        ("hipHostFree", "waits_for_device(ptr, ended)) device_was_waited_for(device_of(ended))"),
        ("hipHostUnregister", "waits_for_device(hostPtr, ended)) device_was_waited_for"),
        ("hipFreeAsync", "waits_for_device(dev_ptr, ended)) device_was_waited_for"),
        ("hipEventElapsedTime", "event_was_waited_for(start)"),
        ("hipEventElapsedTime", "event_was_waited_for(stop)"),
        ("hipMemPrefetchAsync", "work_was_enqueued(call.record(), stream, result)"),
        ("hipMemcpyToSymbolAsync", "plain_copy(nullptr, src, sizeBytes, kind), stream"),
    ],
)
def test_the_recorder_follows_what_the_entry_says(call: str, line: str) -> None:
    assert line in hook(call)


@pytest.mark.parametrize("call", ["hipMemcpyDtoD", "hipMemcpyPeer", "hipMemsetAsync"])
def test_what_is_only_queued_is_not_waited_for(call: str) -> None:
    assert "waited_for" not in hook(call)
