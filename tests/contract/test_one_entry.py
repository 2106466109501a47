"""Every reader has its answer about a call from the call's one entry in the contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from contract import emit_recorder
from contract.effect_types import CallKind as ContractKind
from contract.effect_types import Effects as ContractEffects
from contract.model import load
from contract.recorder_model import hooked
from greta.recording import (
    EFFECTS,
    UNKNOWN_STREAM,
    CallKind,
    Effects,
    Missing,
    effects_of,
)
from greta.reports.export.timeline import TITLES
from greta.trace.logs.formats.amd_calls import logged_call
from greta.trace.reading.meanings import KINDS, meaning_of
from greta.trace.trace import Kind

CALLS = load().calls
WORK = {Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION}


@pytest.fixture
def forget_readings() -> Iterator[None]:
    """Readers keep what they derived from an entry."""
    caches = (meaning_of, logged_call)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def test_the_readers_know_every_call_of_the_contract() -> None:
    assert {call.twin_of or call.name for call in CALLS} <= set(EFFECTS)


@pytest.mark.usefixtures("forget_readings")
def test_all_readers_say_what_the_entry_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another entry in its place they say that, of any call."""
    for call in CALLS:
        monkeypatch.setitem(EFFECTS, call.twin_of or call.name, Effects(CallKind.WAIT_DEVICE))
        meaning = meaning_of(call.name)
        assert meaning is not None, call.name
        assert meaning.kind is Kind.WAIT_DEVICE, call.name
        assert logged_call(call.name).kind is Kind.WAIT_DEVICE, call.name
        if hooked(call) and call.returns == "hipError_t":
            other = replace(call, does=ContractEffects(ContractKind.WAIT_DEVICE))
            assert "device_was_waited_for" in emit_recorder._hook(other), call.name


def test_all_readers_agree_on_which_calls_put_work_on_a_stream() -> None:
    for call in CALLS:
        does, meaning = effects_of(call.name), meaning_of(call.name)
        assert does is not None
        in_trace = meaning is not None and not meaning.does.is_node and meaning.enqueues
        marks = does.kind in (CallKind.EVENT_RECORD, CallKind.STREAM_WAIT_EVENT)
        assert in_trace == (does.enqueues or (marks and not does.is_node)), call.name
        drawn = in_trace and meaning is not None and meaning.kind in TITLES
        assert drawn == does.enqueues, call.name
        if hooked(call):
            assert ("work_was_enqueued" in emit_recorder._hook(call)) == does.enqueues, call.name
        logged = logged_call(call.name)
        told = logged.kind in WORK or logged.unread
        in_log = does.enqueues and KINDS[does.kind] is not Kind.PREFETCH
        known = does.maps or does.creates or does.parts or does.missing
        assert told == in_log or known, call.name


# Calls about which the readers used to disagree, and what is true of them in HIP.
PUTS_WORK = """
hipMemPrefetchAsync hipMemPrefetchAsync_v2 hipMemPrefetchBatchAsync
hipDrvMemcpy3D hipDrvMemcpy3DAsync hipDrvMemcpy2DUnaligned
hipMemcpyBatchAsync hipMemcpy3DBatchAsync hipMemcpy3DPeer hipMemcpy3DPeerAsync
hipLaunchKernelExC hipDrvLaunchKernelEx
hipMemcpyAtoD hipMemcpyDtoA hipMemcpyAtoA hipMemcpyAtoHAsync hipMemcpyHtoAAsync
hipMemcpy2DToArray hipMemcpy2DToArrayAsync hipMemcpy2DArrayToArray hipMemcpyToArray
hipMemcpyFromArray hipMemcpy2DFromArray hipMemcpy2DFromArrayAsync hipMemcpyAtoH hipMemcpyHtoA
"""
PUTS_WORK_NOBODY_KNOWS_WHERE = """
hipModuleLaunchCooperativeKernelMultiDevice hipLaunchCooperativeKernelMultiDevice
hipExtLaunchMultiKernelMultiDevice hipLaunchByPtr
"""


def test_what_was_disputed_is_decided() -> None:
    for name in PUTS_WORK.split():
        assert EFFECTS[name].enqueues, name
    for name in PUTS_WORK_NOBODY_KNOWS_WHERE.split():
        does = EFFECTS[name]
        assert (does.kind, does.stream) == (CallKind.LAUNCH, UNKNOWN_STREAM), name
        assert does.missing is Missing.KERNELS or does.parts, name
        assert not does.enqueues, name
