"""Each process of a family has a recording of its own."""

from __future__ import annotations

from tests.recorder.conftest import Build, Record


def test_forks_and_execs(build: Build, record: Record) -> None:
    processes = record([build("family")])
    recorded = {frozenset(p.calls_by_name): (p.ending.how, p.ending.code) for p in processes}
    assert recorded == {
        frozenset(("hipGetDeviceCount", "hipDriverGetVersion")): ("quick", 7),
        frozenset(("hipGetDevice",)): ("exit", 0),
        frozenset(("hipGetDeviceCount",)): ("exit", 0),
    }
    (parent,) = (p for p in processes if "hipGetDevice" in p.calls_by_name)
    assert len(parent) == 2
    assert all(p.header.parent_pid == parent.pid for p in processes if p is not parent)
