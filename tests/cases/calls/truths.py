"""Virtual memory, nodes of graphs, boxes and arrays, several processes and devices."""

from tests.cases.truth import OTHER_PROCESSES, Case, Step

NODE_KINDS = ("kernel", "memset", "memcpy", "memcpy_3d", "host", "updated", "switched_off")
LAUNCHES = ("cooperative", "several")
TWO = {"GRETA_SIM_DEVICES": "2"}


def right(program: str, *arguments: str, **told: object) -> Case:
    label = "_".join(arguments)
    return Case("", program, arguments, folder="calls", label=label, **told)  # type: ignore[arg-type]


def wrong(hypothesis: str, program: str, *variant: str, **told: object) -> Case:
    case = {"folder": "calls", "label": "_".join(variant), "fires": True, "fails": True, **told}
    return Case(hypothesis, program, variant, **case)  # type: ignore[arg-type]


def unexplained(hypothesis: str, program: str, *variant: str, **told: object) -> Case:
    """It fails, and what was recorded does not tell why."""
    open_ = {"fires": False, "outcome": "INCONCLUSIVE", "faulty": True, "verdict": "REPRODUCED"}
    return wrong(hypothesis, program, *variant, **open_, anyone=True, **told)


CASES = [
    right("virtual_memory.cpp"),
    right("virtual_memory.cpp", "grown"),
    wrong("upstream_kernel_fault", "virtual_memory.cpp", "not_grown", cause=Step("square")),
    wrong("upstream_kernel_fault", "virtual_memory.cpp", "read_only", cause=Step("square")),
    wrong("use_after_free", "virtual_memory.cpp", "unmapped", cause=Step("square")),
    wrong("stale_handle", "virtual_memory.cpp", "released_first", cause=Step("hipMemMap")),
    right("graph_nodes.cpp"),
    right("graph_nodes.cpp", "kept"),
    wrong("use_after_free", "graph_nodes.cpp", "child_of_freed", cause=Step("hipGraphLaunch", 2)),
    wrong(
        "use_after_free",
        "graph_nodes.cpp",
        "after_its_free",
        cause=Step("hipMemcpyAsync"),
        other=Step("hipGraphAddMemFreeNode"),
        buffer=Step("hipGraphAddMemAllocNode"),
    ),
    *(right("graph_memory.cpp", kind) for kind in ("inside", "captured", "by_call", "by_graph")),
    wrong(
        "use_after_free",
        "graph_memory.cpp",
        "after_other",
        cause=Step("hipMemcpyAsync", 3),
        other=Step("hipGraphAddMemFreeNode"),
        buffer=Step("hipGraphAddMemAllocNode"),
    ),
    wrong(
        "use_after_free",
        "graph_memory.cpp",
        "behind_its_free",
        cause=Step("hipGraphLaunch"),
        other=Step("hipGraphAddMemFreeNode"),
        buffer=Step("hipGraphAddMemAllocNode"),
    ),
    wrong(
        "use_after_free",
        "graph_memory.cpp",
        "between",
        cause=Step("hipMemcpyAsync"),
        other=Step("hipGraphAddMemFreeNode"),
        buffer=Step("hipGraphAddMemAllocNode"),
    ),
    wrong(
        "use_after_free",
        "graph_memory.cpp",
        "captured_and_used",
        fails=False,
        cause=Step("square"),
        other=Step("hipFreeAsync"),
        buffer=Step("hipMallocAsync"),
    ),
    *(right("node_kinds.cpp", kind) for kind in NODE_KINDS),
    *(
        wrong("use_after_free", "node_kinds.cpp", kind, "freed", cause=Step("hipGraphLaunch", 2))
        for kind in NODE_KINDS
    ),
    right("node_kinds.cpp", "event"),
    wrong(
        "missing_sync",
        "node_kinds.cpp",
        "event",
        "unordered",
        fails=False,
        cause=Step("hipGraphLaunch", 2),
    ),
    right("node_kinds.cpp", "empty"),
    wrong(
        "missing_sync",
        "node_kinds.cpp",
        "empty",
        "unordered",
        fails=False,
        cause=Step("hipGraphAddMemcpyNode1D"),
    ),
    right("symbol_nodes.cpp"),
    wrong("use_after_free", "symbol_nodes.cpp", "to_freed", cause=Step("hipGraphLaunch", 2)),
    wrong("use_after_free", "symbol_nodes.cpp", "from_freed", cause=Step("hipGraphLaunch", 2)),
    wrong(
        "missing_sync",
        "symbol_nodes.cpp",
        "unordered",
        fails=False,
        cause=Step("hipGraphAddMemcpyNodeFromSymbol"),
    ),
    right("boxes.cpp"),
    wrong("byte_size_mismatch", "boxes.cpp", "one_too_deep", cause=Step("hipMemcpy3DAsync", 2)),
    wrong("use_after_free", "boxes.cpp", "freed_first", cause=Step("hipMemcpy3DAsync", 2)),
    right("two_processes.cpp"),
    right("two_processes.cpp", "told"),
    wrong(
        "missing_sync",
        "two_processes.cpp",
        "recorded_first",
        fails=False,
        anyone=True,
    ),
    wrong("use_after_free", "two_processes.cpp", "closed_first", anyone=True),
    Case(
        "use_after_free",
        "two_processes.cpp",
        ("closed_in_flight",),
        folder="calls",
        label="closed_in_flight",
        outcome="INCONCLUSIVE",
        exact=True,
        limits=(("use_after_free", OTHER_PROCESSES),),
    ),
    right("two_devices.cpp", variables=TWO),
    wrong("bad_pointer", "two_devices.cpp", "of_the_other", cause=Step("square", 2), variables=TWO),
    *(right("two_launches.cpp", call, variables=TWO) for call in LAUNCHES),
    *(
        wrong(
            "use_after_free",
            "two_launches.cpp",
            call,
            "freed",
            cause=Step("twice", 2),
            other=Step("hipFree"),
            variables=TWO,
        )
        for call in LAUNCHES
    ),
    *(
        wrong(
            "upstream_kernel_fault",
            "two_launches.cpp",
            call,
            "too_many",
            cause=Step("twice", 2),
            variables=TWO,
        )
        for call in LAUNCHES
    ),
    Case(
        "upstream_kernel_fault",
        "two_launches.cpp",
        ("cooperative", "too_many"),
        ("--strict",),
        folder="calls",
        label="cooperative_too_many, strict",
        fires=True,
        fails=True,
        cause=Step("twice", 2),
        variables=TWO,
    ),
    right("arrays.cpp"),
    # The memory of an array has no address: a race there is not looked for, and that is said.
    *(
        Case(
            "missing_sync",
            "arrays.cpp",
            (variant,),
            folder="calls",
            label=variant,
            faulty=variant == "unordered",
            outcome="INCONCLUSIVE",
            exact=True,
            verdict="NOT_REPRODUCED",
            gaps=("no_addresses",),
        )
        for variant in ("relay", "unordered")
    ),
    wrong("stale_handle", "arrays.cpp", "freed", cause=Step("hipMemcpy2DFromArray")),
    wrong("stale_handle", "arrays.cpp", "freed_box", cause=Step("hipMemcpy3D")),
    wrong("stale_handle", "arrays.cpp", "freed_twice", cause=Step("hipFreeArray", 2)),
    unexplained("byte_size_mismatch", "arrays.cpp", "too_high"),
    unexplained("byte_size_mismatch", "arrays.cpp", "too_deep"),
]
