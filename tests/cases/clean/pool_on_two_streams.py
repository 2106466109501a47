"""A block of the pool is made on one stream, used on another, and freed when both are done."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, expect, floats, launch, ok

N = 256
kernels = Kernels()
one, two = (ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2))
made, used = (ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2))
host = floats(N, 0.0)
for turn in range(40):
    block = ok(hip.hipMallocAsync(N * 4, one))
    launch(kernels.set, 2, 128, one, block, float(turn), N)
    ok(hip.hipEventRecord(made, one))
    ok(hip.hipStreamWaitEvent(two, made, 0))
    ok(hip.hipMemcpyAsync(host, block, N * 4, TO_HOST, two))
    ok(hip.hipEventRecord(used, two))
    ok(hip.hipStreamWaitEvent(one, used, 0))
    ok(hip.hipFreeAsync(block, one))
    ok(hip.hipStreamSynchronize(two))
    expect(host[N - 1] == turn, "the turn's values")
ok(hip.hipDeviceSynchronize())
