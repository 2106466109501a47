"""Small programs of many kinds, each with its twin, by somebody who knew none of the others."""

from dataclasses import replace
from typing import Any

from tests.cases.truth import (
    DANGLING,
    DEVICE_POINTERS,
    OVERLAP,
    UNWAITED_LAUNCH,
    UNWRITTEN_READ,
    Case,
    Doubt,
    Step,
)


def wrong(program: str, scenario: str, hypothesis: str, cause: Step, **more: Any) -> Case:
    return Case(
        hypothesis,
        f"{program}.cpp",
        arguments=(scenario, "wrong"),
        label=f"{scenario}, wrong",
        folder="tried",
        fires=True,
        cause=cause,
        **more,
    )


def right(program: str, scenario: str, hypothesis: str = "", **more: Any) -> Case:
    return Case(
        hypothesis,
        f"{program}.cpp",
        arguments=(scenario, "right"),
        label=f"{scenario}, right",
        folder="tried",
        **more,
    )


def twins(program: str, scenario: str, hypothesis: str, cause: Step, **more: Any) -> list[Case]:
    """`more` is of the wrong one, but for options of the run."""
    options = {name: more[name] for name in ("options", "footprints") if name in more}
    return [
        wrong(program, scenario, hypothesis, cause, **more),
        right(program, scenario, hypothesis, **options),
    ]


def by_footprints(
    scenario: str,
    cause: Step,
    other: Step,
    hypothesis: str = "missing_sync",
    program: str = "reach",
) -> list[Case]:
    """Decided with footprints, a doubt without: what is recorded of the twins is alike."""
    decided = twins(program, scenario, hypothesis, cause, other=other, footprints=True)
    unknown: dict[str, Any] = {"verdict": "INCONCLUSIVE", "outcome": "INCONCLUSIVE"}
    unknown |= {"doubts": (Doubt(OVERLAP),), "fires": False, "cause": None, "other": None}
    open_ones = [
        replace(one, footprints=False, faulty=one.fires, label=f"{one.label}, guessed", **unknown)
        for one in decided
    ]
    return [*decided, *open_ones]


SYNC, FREED, OUTSIDE = "missing_sync", "use_after_free", "upstream_kernel_fault"
SQUARE, COPY, TOUCH = Step("square"), Step("hipMemcpyAsync"), Step("greta_host_touch")
WATCHED: dict[str, Any] = {"options": ("--watch-host",)}
TWO_DEVICES: dict[str, Any] = {"options": ("--devices", "2")}

WAITS = [
    *twins("waits", "event_reused", SYNC, SQUARE),
    *twins("waits", "event_never_recorded", SYNC, SQUARE),
    *twins("waits", "ext_stop_event", SYNC, SQUARE),
    *twins("waits", "legacy_orders", SYNC, Step("scale"), footprints=True),
    *twins("waits", "legacy_event", SYNC, SQUARE),
    *twins("waits", "per_thread", SYNC, SQUARE),
    *twins("waits", "sync_wrong_device", SYNC, COPY, **TWO_DEVICES),
    *twins("waits", "peer_copy", SYNC, Step("hipMemcpyPeerAsync"), **TWO_DEVICES),
    *twins("waits", "memcpy_with_stream", SYNC, Step("hipMemcpyWithStream")),
    *twins("waits", "thread_pool", SYNC, SQUARE),
    *twins("waits", "atomic_then_copy", SYNC, COPY, footprints=True),
    *twins("waits", "rect_beside", "overlapping_copies", Step("hipMemcpy2DAsync", 2)),
    right("waits", "event_of_destroyed_stream"),
    right("waits", "event_destroyed_waited"),
    right("waits", "legacy_handle"),
    right("waits", "capture_other_thread"),
    right("waits", "query_polled"),
]
HOST = [
    *twins("host", "host_read_wrong_event", SYNC, TOUCH, **WATCHED),
    *twins("host", "stream_destroyed_pending", SYNC, TOUCH, **WATCHED),
    *twins("host", "half_page_staging", "staging_reuse", TOUCH, **WATCHED),
    *twins("host", "half_page_results", SYNC, TOUCH, **WATCHED),
    # Waits for another event than one would think, and for the right one all the same.
    right("host", "double_buffer", **WATCHED),
    right("host", "pageable_modified", **WATCHED),
    right("host", "unregister_in_flight"),
]
REACH = [
    *by_footprints("upper_half", Step("lower", 2), Step("lower")),
    *by_footprints("even_odd", Step("evens", 2), Step("evens")),
    *by_footprints("global_offset", Step("from_global"), Step("lower")),
    *by_footprints("ends_only", Step("lower"), Step("first_only")),
    *by_footprints("read_other_end", Step("read_first"), Step("first_only")),
    *by_footprints("flag_nonconst", Step("maybe_set", 2), Step("maybe_set")),
    *by_footprints("adjacent_blocks", Step("per_block", 2), Step("per_block", 1)),
    *by_footprints("edges_and_inside", Step("inside", 2), Step("inside")),
    *by_footprints("from_the_middle", Step("downwards", 2), Step("downwards")),
    *by_footprints("told_by_memory", Step("told"), Step("lower")),
    *by_footprints("told_by_struct", Step("told_by_struct"), Step("lower")),
    *by_footprints("told_by_shorts", Step("told_by_shorts"), Step("lower")),
    *by_footprints("told_by_mask", Step("told_by_mask"), Step("lower")),
    *by_footprints("graph_branches_slots", Step("write_at", 2), Step("write_at")),
    *by_footprints("graph_two_halves", Step("shifted"), Step("write_half")),
    *twins("reach", "adjacent_results", SYNC, Step("total", 7), footprints=True),
    *twins("reach", "grid_strided", SYNC, Step("grid_stride", 2), footprints=True),
    *twins("reach", "symbol_race", "staging_reuse", COPY, footprints=True),
    right("reach", "reads_not_const", footprints=True),
    right("reach", "atomic_two", footprints=True),
]
LIFETIMES = [
    *twins("lifetimes", "struct_in_memory", FREED, Step("through_struct"), fails=True),
    *twins("lifetimes", "linked_list", FREED, Step("follow"), fails=True),
    # Where pointers may lie in memory, that none was stale was not looked at.
    replace(
        right("lifetimes", "linked_list", FREED),
        label="linked_list, right, a limit",
        footprints=False,
        outcome="INCONCLUSIVE",
        limits=((FREED, DEVICE_POINTERS),),
    ),
    *twins("lifetimes", "threads_double_free", FREED, Step("hipFree", 2), fails=True),
    *twins("lifetimes", "free_offset", "bad_pointer", Step("hipFree"), fails=True),
    *twins("lifetimes", "pool_trim", FREED, SQUARE, fails=True),
    *twins("lifetimes", "pool_reuse", FREED, Step("hipFreeAsync"), may=(SYNC,)),
    *twins("lifetimes", "unused_pool_pointer", FREED, Step("with_mode", 2), footprints=True),
    *twins("lifetimes", "pool_read_after_free", FREED, Step("mode_reads"), footprints=True),
    *twins(
        "lifetimes", "pool_table_after_free", FREED, Step("read_through_table"), footprints=True
    ),
    *twins(
        "lifetimes",
        "pool_fill_table_after_free",
        FREED,
        Step("fill_through_table"),
        footprints=True,
    ),
    # Whether a mode uses the pointer, the kernel knows.
    *(
        replace(
            right("lifetimes", "unused_pool_pointer", FREED),
            arguments=("unused_pool_pointer", variant),
            label=f"unused_pool_pointer, {variant}, guessed",
            footprints=False,
            faulty=variant == "wrong",
            verdict="INCONCLUSIVE",
            outcome="INCONCLUSIVE",
            doubts=(Doubt(DANGLING, (Step("with_mode", 2),)),),
        )
        for variant in ("wrong", "right")
    ),
    *twins("lifetimes", "reset_then_use", FREED, Step("hipMemcpy", 3), fails=True),
    *twins("lifetimes", "graph_params_freed", FREED, Step("hipGraphLaunch", 2), fails=True),
    *twins("lifetimes", "host_copy_node_gone", FREED, Step("hipGraphLaunch", 2), fails=True),
    *twins(
        "lifetimes",
        "module_unloaded",
        "stale_handle",
        Step("hipModuleLaunchKernel", 2),
        fails=True,
    ),
    *twins("lifetimes", "stale_event", "stale_handle", Step("hipEventRecord", 2), fails=True),
    *twins("lifetimes", "stale_exec", "stale_handle", Step("hipGraphLaunch", 2), fails=True),
    right("lifetimes", "pool_reuse_no_event"),
]
FAULTS = [
    *twins("faults", "row_far_off", OUTSIDE, Step("take_far"), fails=True),
    *twins("faults", "bad_index_in_memory", OUTSIDE, Step("by_offsets"), fails=True),
    wrong(
        "faults",
        "equal_then_bad",
        OUTSIDE,
        Step("by_offsets"),
        fails=True,
        one_of_equal=True,
    ),
    right("faults", "equal_then_bad", OUTSIDE),
    *twins("faults", "off_by_one_end", OUTSIDE, Step("off_by_one"), fails=True),
    *twins("faults", "negative", OUTSIDE, Step("write_before"), fails=True),
    *twins("faults", "trapped", OUTSIDE, Step("trap_if"), fails=True),
    *twins("faults", "other_device", "bad_pointer", SQUARE, fails=True, **TWO_DEVICES),
    *twins("faults", "big_shared", "bad_launch", Step("sum_of_block"), fails=True),
    *twins("faults", "copy_onto_itself", "overlapping_copies", Step("hipMemcpyDtoD")),
    *(
        replace(
            wrong("faults", scenario, "uninitialized_read", load, footprints=True),
            label=f"{scenario}, wrong, pinned",
            after="pin",
        )
        for scenario, load in (("unwritten", SQUARE), ("half_unwritten", Step("total")))
    ),
    right("faults", "unwritten", "uninitialized_read", footprints=True),
    replace(
        wrong("faults", "half_unwritten", "uninitialized_read", Step("total"), footprints=True),
        fires=False,
        faulty=True,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(UNWRITTEN_READ, (Step("total"),)),),
    ),
    right("faults", "half_unwritten", "uninitialized_read", footprints=True),
]
LONG = [
    # over 10,000 calls each
    right("long_ones", "long_pipeline"),
    right("long_ones", "long_pool"),
    right("long_ones", "long_graphs"),
    right("long_ones", "threads_each_own"),
    right("long_ones", "probes", fails=True),
    right("long_ones", "writes_of_all_kinds"),
    right("long_ones", "exec_update", fails=True),
]
AGAIN = [
    *twins("again", "cache_wraps", SYNC, Step("kv_append", 2), footprints=True),
    *twins("again", "arena_views", SYNC, Step("set", 2), footprints=True),
    *twins("again", "ring_of_events", SYNC, SQUARE, footprints=True),
    *twins("again", "pool_again", SYNC, Step("scale"), footprints=True, also=(FREED,)),
    *twins("again", "handed_to_thread", SYNC, COPY, footprints=True),
    *twins("again", "default_stream_orders", SYNC, COPY, footprints=True),
    *twins("again", "asked_until_done", SYNC, COPY, footprints=True),
    *twins("again", "changed_in_place", "staging_reuse", Step("scale"), footprints=True),
    *twins("again", "table_of_old_pointers", FREED, Step("fill_through_table"), fails=True),
    *twins("again", "last_row", "byte_size_mismatch", Step("hipMemcpy2D"), fails=True),
    *twins("again", "graph_of_memsets", "overlapping_copies", Step("hipGraphAddMemsetNode", 2)),
    # Nobody sees how the last kernel ends, of the wrong one as of the right one.
    *(
        replace(
            right("again", scenario, OUTSIDE),
            arguments=(scenario, variant),
            label=f"{scenario}, {variant}",
            faulty=variant == "wrong",
            verdict="INCONCLUSIVE",
            outcome="INCONCLUSIVE",
            doubts=(Doubt(UNWAITED_LAUNCH, (Step("by_offsets"),)),),
        )
        for scenario in ("ends_before_the_kernel", "leaves_before_the_kernel")
        for variant in ("wrong", "right")
    ),
]
SET_PARAMS = "hipGraphExecMemcpyNodeSetParams1D"
REFUSALS = [
    *twins("refusals", "node_grown", "byte_size_mismatch", Step(SET_PARAMS), fails=True),
    *twins("refusals", "narrow_pitch", "byte_size_mismatch", Step("hipMemcpy2D"), fails=True),
    # Nothing is wrong with the call but when it is made, and the program knows.
    right("refusals", "capture_given_up", fails=True),
    replace(
        right("refusals", "capture_given_up", fails=True),
        arguments=("capture_given_up", "wrong"),
        label="capture_given_up, wrong",
        faulty=True,
        verdict="REPRODUCED",
        blamed=Step("hipGraphLaunch"),
    ),
    *twins(
        "refusals",
        "capture_ignored",
        "uninitialized_read",
        Step("hipMemcpy"),
        fails=True,
        blamed=Step("hipGraphLaunch"),
    ),
    # What the parent allocated means nothing to the child, and is no bad pointer.
    right("refusals", "forked", "bad_pointer", anyone=True),
    replace(
        right("refusals", "forked", "bad_pointer", anyone=True),
        hypothesis="",
        folder="tried",
        arguments=("forked", "wrong"),
        label="forked, wrong",
        faulty=True,
        verdict="REPRODUCED",
        outcomes={"bad_pointer": "REFUTED"},
    ),
    *twins("refusals", "pool_gone", "stale_handle", Step("hipMallocFromPoolAsync"), fails=True),
    wrong("refusals", "smaller_block", "bad_launch", Step("set"), fails=True),
    right("refusals", "smaller_block", "bad_launch", fails=True),
    wrong("refusals", "cooperative", "bad_launch", Step("set"), fails=True),
    right("refusals", "cooperative", "bad_launch", fails=True),
    *twins("refusals", "unregistered", FREED, SQUARE, fails=True),
    *twins("refusals", "asserted", OUTSIDE, Step("check_ids"), fails=True),
]
STRUCTS = [
    *twins("structs", "wild", "bad_pointer", Step("scale_view"), fails=True),
    *twins("structs", "freed_in_graph", FREED, Step("hipGraphLaunch"), fails=True),
    *by_footprints("switched_race", Step("add_extra"), Step("hipMemsetAsync"), program="structs"),
    wrong("structs", "switched_freed", FREED, Step("add_extra"), fails=True),
    right("structs", "switched_freed", FREED, outcome="INCONCLUSIVE"),
    replace(
        right("structs", "switched_freed", FREED, footprints=True), label="switched_freed, noted"
    ),
    *twins("structs", "masked_pool", FREED, Step("told_by_mask"), footprints=True),
]
PIPELINES = [
    *twins("pipelines", "page_table", SYNC, Step("paged"), other=COPY),
    *twins("pipelines", "layers_ahead", "staging_reuse", Step("hipMemcpyAsync", 5)),
    *twins("pipelines", "stages", "staging_reuse", Step("hipMemsetAsync", 2), **TWO_DEVICES),
    *twins("pipelines", "sums_of_two", SYNC, Step("hipMemcpyPeerAsync"), **TWO_DEVICES),
    *twins("pipelines", "scratch", "overlapping_copies", Step("hipMemcpyAsync", 2)),
    *twins("pipelines", "asked_too_early", SYNC, COPY),
    *twins("pipelines", "drafts", "staging_reuse", Step("hipMemcpyAsync", 3)),
    *twins("pipelines", "graph_in_graph", SYNC, Step("hipGraphAddMemcpyNode1D")),
    *twins("pipelines", "lap_behind", "staging_reuse", TOUCH, **WATCHED),
    # Bytes that nobody wrote are a doubt, whatever is the matter with others of the same buffer.
    wrong(
        "pipelines",
        "unwritten_beside",
        SYNC,
        Step("scale", 2),
        footprints=True,
        doubts=(Doubt(UNWRITTEN_READ, (SQUARE,)),),
    ),
    right(
        "pipelines",
        "unwritten_beside",
        SYNC,
        footprints=True,
        verdict="INCONCLUSIVE",
        doubts=(Doubt(UNWRITTEN_READ, (SQUARE,)),),
    ),
    right("pipelines", "swapped_blocks"),
]
CASES = [
    *(*AGAIN, *WAITS, *HOST, *REACH, *LIFETIMES, *FAULTS, *LONG),
    *(*REFUSALS, *STRUCTS, *PIPELINES),
]
