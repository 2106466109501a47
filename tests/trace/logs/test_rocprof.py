"""rocprofv3's CSV files, one by one and together."""

from __future__ import annotations

from greta.trace.trace import Gap, Kind
from tests.trace.logs.reading import Logs, read_log, rows_of

API = """\
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API_EXT","hipMalloc",42,42,1,1000,1100
"HIP_RUNTIME_API_EXT","hipLaunchKernel",42,42,2,1200,1250
"HIP_RUNTIME_API_EXT","hipMemcpy",42,42,3,1300,1900
"HIP_RUNTIME_API_EXT","hipFree",42,42,4,2000,2100
"""
KERNELS = """\
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 4",1,0,42,1,8,"void scale<float, 4>(float*, int)",2,1260,1400,0,256,1,1,1000,1,1
"""  # noqa: E501
COPIES = """\
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST",0,"Agent 4","Agent 0",3,1500,1800
"""
MEMORY = """\
"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 4",4096,0x7f0000000000,1,1010,1090
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_FREE","",0,0x7f0000000000,4,2010,2090
"""
NOT_KNOWN = {
    Gap.NO_SIZES,
    Gap.NO_ADDRESSES,
    Gap.NO_ARGUMENTS,
    Gap.NO_ORDER,
    Gap.NO_FAILURES,
}


def test_four_files_are_one_process(logs: Logs) -> None:
    paths = [
        logs.write(text, f"{name}.csv")
        for name, text in (("b", KERNELS), ("a", API), ("d", MEMORY), ("c", COPIES))
    ]
    (evidence,) = read_log(*paths)
    trace = evidence.trace
    assert trace.pid == 42
    kinds = [Kind.ALLOCATE, Kind.LAUNCH, Kind.COPY, Kind.FREE]
    assert trace.operations["kind"].tolist() == kinds
    launch = trace.describe(3)
    assert (launch.kernel, launch.grid) == ("void scale<float, 4>(float*, int)", (4, 1, 1))
    assert str(launch.arguments["line"]).startswith('"HIP_RUNTIME_API_EXT","hipLaunchKernel"')
    assert trace.describe(4).annotations == ("DEVICE_TO_HOST",)
    (buffer,) = trace.allocations
    assert (int(buffer["bytes"]), int(buffer["freed_by"])) == (4096, 5)
    assert set(trace.gaps) == NOT_KNOWN


def test_what_a_file_cannot_know_is_missing_coverage(logs: Logs) -> None:
    for text in (API, KERNELS, COPIES, MEMORY):
        assert set(logs.one(text).trace.gaps) == NOT_KNOWN


def test_a_file_alone_is_read_too(logs: Logs) -> None:
    trace = logs.one(KERNELS).trace
    assert rows_of(trace, Kind.LAUNCH)["kernel"].tolist() == [0]
    assert trace.kernels == ("void scale<float, 4>(float*, int)",)


def test_a_line_that_is_cut_is_not_read(logs: Logs) -> None:
    trace = logs.one(API[:-10]).trace
    assert len(trace.operations) == 3
    assert {Gap.DAMAGED, Gap.CUT_SHORT} <= set(trace.gaps)


def test_columns_may_stand_in_another_order(logs: Logs) -> None:
    rows = [line.split(",") for line in API.splitlines()]
    turned = "".join(",".join(reversed(row)) + "\n" for row in rows)
    assert len(logs.one(turned).trace.operations) == 4
