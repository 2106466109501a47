"""Programs that are right, each in its own way. None may be accused."""

from tests.cases.truth import CALLBACK, POLLED, Case, Doubt, Step


def right(program: str, *options: str, fails: bool = False, footprints: bool | None = None) -> Case:
    """It checks its results itself."""
    return Case(
        "",
        program,
        options=options,
        folder="clean",
        fails=fails,
        footprints=footprints,
    )


CASES = [
    # over 10,000 calls each
    right("double_buffering.cpp"),
    right("arena_of_tensors.cpp"),
    right("threads_apart.cpp"),
    right("pool_churn.cpp"),
    right("graph_replayed.cpp"),
    right("ping_pong.cpp"),
    right("many_small_copies.py"),
    # threads
    right("queue_of_threads.cpp"),
    right("per_thread_streams.cpp"),
    right("threads_with_lock.py"),
    # waits of every kind
    right("event_polled.cpp"),
    right("slots_by_callback.cpp"),
    right("default_stream.cpp"),
    right("chain_of_streams.cpp"),
    right("microbatches.cpp"),
    right("weights_in_parts.py"),
    right("downloads_of_all_kinds.cpp"),
    # memory of every kind
    right("managed_in_turns.cpp"),
    right("zero_copy_in_turns.cpp"),
    right("pool_on_two_streams.py"),
    right("pitched_rows.cpp"),
    right("addresses_again.cpp"),
    right("registered_vector.cpp"),
    right("variable_of_device.cpp"),
    right("shared_memory_sums.cpp"),
    # graphs
    right("graph_fork_and_join.cpp"),
    right("graph_updated.cpp"),
    right("graph_in_python.py"),
    # handles
    right("stream_per_request.cpp"),
    right("modules_come_and_go.cpp"),
    # several devices
    right("two_devices.cpp", "--devices", "2"),
    right("devices_in_threads.cpp", "--devices", "2"),
    # the rest
    right("probes_refused.cpp", fails=True),
    right("extra_arguments.cpp"),
    right("decode_loop.py"),
    right("host_node_in_graph.cpp"),
    right("pool_freed_by_other_stream.cpp"),
    right("one_thread_waits_for_another.cpp"),
    right("grid_of_whole_blocks.cpp"),
    # Its own exit code says that it failed, and nothing else does.
    Case("", "exits_with_its_own_code.cpp", folder="clean", verdict="INCONCLUSIVE"),
    # These look like races to whoever guesses what a kernel uses.
    right("workspace_shared.cpp", footprints=True),
    right("slots_filled_beside.cpp", footprints=True),
    right("counters_of_two.cpp", footprints=True),
    right("tables_of_pointers.cpp", footprints=True),
    right("interleaved_rows.cpp", footprints=True),
    right("empty_batches.py"),
    # The order is made by a flag in pinned memory: noticed as a copy beside a kernel, not decided.
    Case(
        "missing_sync",
        "flag_in_pinned_memory.cpp",
        folder="clean",
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(POLLED, (Step("hipMemcpyAsync"), Step("set"))),),
    ),
    # A slot is touched behind its upload: that the host function gave it back is not seen.
    Case(
        "staging_reuse",
        "slots_by_callback.cpp",
        options=("--watch-host",),
        label="--watch-host",
        folder="clean",
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(CALLBACK),),
    ),
    Case("", "slots_by_callback.cpp", options=("--strict",), label="--strict", folder="clean"),
    # the same under --watch-host and --strict
    *(
        Case("", program, options=(option,), label=option, folder="clean")
        for program in ("double_buffering.cpp", "graph_in_python.py")
        for option in ("--watch-host", "--strict")
    ),
]
