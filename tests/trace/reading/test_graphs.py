"""Graphs: what is captured does not run; a launch runs what its nodes were last told."""

from __future__ import annotations

from greta.trace.trace import Kind, Role
from tests.trace.reading.conftest import Traced
from tests.trace.reading.shown import Operation, Shown


def origins(shown: Shown, launch: Operation) -> list[str]:
    """The calls by which a launch's memory was named."""
    rows = [shown.trace.row_of(int(one.row["origin"])) for one in launch.touched]
    return [shown.operations[row].call for row in rows]


def test_only_work_of_captured_streams_is_captured(traced: Traced) -> None:
    shown = traced("graphs")
    captured = [bool(one.row["captured"]) for one in shown.calls("hipMemsetAsync")]
    assert captured == [False, True, True, False, False]
    assert all(one.row["captured"] for one in shown.calls("hipEventRecord"))
    assert all(one.row["captured"] for one in shown.calls("hipStreamWaitEvent"))
    assert shown.call("hipMemcpyAsync").row["captured"]


def test_a_launch_touches_what_its_nodes_do(traced: Traced) -> None:
    shown = traced("graphs")
    launch = shown.calls("hipGraphLaunch")[0]
    assert launch.kind is Kind.GRAPH_LAUNCH
    assert [(one.role, one.where, one.bytes) for one in launch.touched] == [
        (Role.DESTINATION, (0, 0), 16),
        (Role.DESTINATION, (1, 0), 24),
        (Role.DESTINATION, (2, 0), 64),
        (Role.SOURCE, (0, 0), 64),
    ]
    names = ["hipMemsetAsync", "hipMemsetAsync", "hipMemcpyAsync", "hipMemcpyAsync"]
    assert origins(shown, launch) == names


def test_launches_of_one_graph_are_told_from_those_of_another(traced: Traced) -> None:
    first, again, built, changed, last = (
        one.row["event"] for one in traced("graphs").calls("hipGraphLaunch")
    )
    assert first == again == last
    assert built == changed != first


def test_nodes_that_are_added_run_at_the_launch(traced: Traced) -> None:
    shown = traced("graphs")
    launch = shown.calls("hipGraphLaunch")[2]
    assert origins(shown, launch) == [
        *("hipGraphAddMemcpyNode1D", "hipGraphAddMemcpyNode1D"),
        *("hipGraphAddKernelNode", "hipGraphAddMemsetNode"),
    ]
    assert [one.bytes for one in launch.touched] == [128, 128, 256, 32]
    assert shown.call("hipGraphAddKernelNode").row["captured"]


def test_nodes_of_an_executable_graph_can_be_changed(traced: Traced) -> None:
    shown = traced("graphs")
    launch = shown.calls("hipGraphLaunch")[3]
    assert origins(shown, launch) == [
        *("hipGraphExecMemcpyNodeSetParams1D", "hipGraphExecMemcpyNodeSetParams1D"),
        *("hipGraphExecKernelNodeSetParams", "hipGraphAddMemsetNode"),
    ]
    assert launch.touched[2].where == (1, 0)


def test_what_was_freed_since_the_capture_is_freed_at_the_launch(traced: Traced) -> None:
    shown = traced("graphs")
    launch = shown.calls("hipGraphLaunch")[4]
    assert launch.touched[1].where == (1, 0)
    assert 0 <= shown.trace.allocations["freed_at"][1] < launch.number
    assert not shown.trace.gaps
