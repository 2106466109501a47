"""A stream waits for an event that was destroyed, or for one that is still there."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, expect, floats, launch, ok

N = 1024
stale = sys.argv[1:] == ["stale"]
kernels = Kernels()
one, two = (ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2))
values = ok(hip.hipMalloc(N * 4))
event = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
launch(kernels.set, 8, 128, one, values, 1.0, N)
ok(hip.hipEventRecord(event, one))
if stale:
    ok(hip.hipEventDestroy(event))
ok(hip.hipStreamWaitEvent(two, event, 0))
host = floats(N, 0.0)
ok(hip.hipMemcpyAsync(host, values, N * 4, TO_HOST, two))
ok(hip.hipDeviceSynchronize())
expect(host[N - 1] == 1.0, "all are one")
ok(hip.hipEventDestroy(event))
