"""Partial sums in one arena, made on two streams, added on a third."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

N = 1024
kernels = Kernels()
total, add = kernels.total, kernels.add
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(3)]
ready = [ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2)]
values = ok(hip.hipMalloc(N * 4))
arena = ok(hip.hipMalloc(1 << 16))
ok(hip.hipMemcpy(values, floats(N), N * 4, TO_DEVICE))
sums = [at(arena, 0), at(arena, 256)]
for half in range(2):
    given = at(values, half * N // 2 * 4)
    launch(total, 1, 512, streams[half], given, sums[half], N // 2)
    ok(hip.hipEventRecord(ready[half], streams[half]))
ok(hip.hipStreamWaitEvent(streams[2], ready[0], 0))
ok(hip.hipStreamWaitEvent(streams[2], ready[0], 0))
launch(add, 1, 1, streams[2], sums[0], sums[1], at(arena, 4096), 1)
host = floats(1)
ok(hip.hipMemcpyAsync(host, at(arena, 4096), 4, TO_HOST, streams[2]))
ok(hip.hipDeviceSynchronize())
