"""What kernels were given, and how far they are thought to go."""

from __future__ import annotations

import numpy as np

from greta.trace.reading.kernels import clipped
from greta.trace.trace import NONE, Known, Mode, Role, StreamKind, Waits
from tests.trace.reading.conftest import Traced


def test_a_count_among_the_arguments_says_how_far_a_kernel_goes(traced: Traced) -> None:
    launch = traced("launches").calls("hipModuleLaunchKernel")[0]
    (values,) = launch.touched
    assert (values.role, values.mode, values.where) == (Role.ARGUMENT, Mode.MAY_WRITE, (0, 0))
    assert (values.bytes, values.row["reach"], values.row["element"]) == (400, 400, 4)


def test_of_a_launch_that_is_larger_than_its_count_the_count_is_believed(traced: Traced) -> None:
    x, y = traced("launches").calls("hipModuleLaunchKernel")[1].touched
    assert (x.mode, x.bytes, x.row["argument"]) == (Mode.READ, 7 * 4, 0)
    assert (y.mode, y.bytes, y.row["argument"]) == (Mode.MAY_WRITE, 7 * 8, 1)


def test_a_launch_whose_count_is_zero_accesses_nothing(traced: Traced) -> None:
    (values,) = traced("launches").call("hipModuleLaunchCooperativeKernel").touched
    assert values.where == (0, 3600)
    assert (values.bytes, values.row["reach"]) == (0, 0)
    assert not values.row["known"] & Known.ACCESSED


def test_an_estimate_ends_where_its_allocation_does() -> None:
    room = np.array([496, 0], np.uint64)
    assert clipped(np.array([604, 604], np.uint64), room).tolist() == [496, 604]


def test_what_is_known_of_a_pointer(traced: Traced) -> None:
    scale, add, _ = traced("launches").calls("hipModuleLaunchKernel")
    (values,) = scale.touched
    assert values.row["known"] == Known.PLAIN | Known.LONE | Known.ACCESSED
    # Its only number, 7, may be a mode, by which it uses its pointers or not.
    assert all(one.row["known"] == Known.PLAIN for one in add.touched)


def test_a_grid_that_counts_threads(traced: Traced) -> None:
    shown = traced("launches")
    launch = shown.call("hipExtModuleLaunchKernel")
    assert launch.touched[0].row["reach"] == 400
    stop = shown.trace.describe(int(launch.row["seq"])).arguments["stopEvent"]
    assert stop
    assert launch.row["event"] != NONE
    call = shown.trace.describe(int(launch.row["seq"]))
    assert (call.kernel, call.grid, call.block) == ("scale", (2, 1, 1), (64, 1, 1))


def test_words_of_a_struct_count_where_they_lie_in_an_allocation(traced: Traced) -> None:
    launch = traced("launches").call("hipDrvLaunchKernelEx")
    (word,) = launch.touched
    assert (word.role, word.where) == (Role.STRUCT_WORD, (1, 0))
    assert launch.stream is StreamKind.NON_BLOCKING


def test_a_null_pointer_is_an_access_too(traced: Traced) -> None:
    (values,) = traced("launches").calls("hipModuleLaunchKernel")[2].touched
    assert (values.row["address"], values.where) == (0, None)


def test_launches_name_their_kernels(traced: Traced) -> None:
    shown = traced("launches")
    named = [shown.trace.kernels[one.row["kernel"]] for one in shown.calls("hipModuleLaunchKernel")]
    assert named == ["scale", "add", "scale"]
    assert not shown.trace.gaps


def test_an_environment_that_makes_launches_wait(traced: Traced) -> None:
    launch = traced("launches", HIP_LAUNCH_BLOCKING="1").calls("hipModuleLaunchKernel")[0]
    assert launch.waits is Waits.FOR_IT
