"""Two producers and one event; the consumer needs the first."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 2048
kernels = Kernels()
set_kernel = kernels.set
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(3)]
events = [ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2)]
first = ok(hip.hipMalloc(N * 4))
second = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
launch(set_kernel, 8, 256, streams[0], first, 1.0, N)
ok(hip.hipEventRecord(events[0], streams[0]))
launch(set_kernel, 8, 256, streams[1], second, 2.0, N)
ok(hip.hipEventRecord(events[1], streams[1]))
ok(hip.hipStreamWaitEvent(streams[2], events[0], 0))
ok(hip.hipMemcpyAsync(pinned, first, N * 4, TO_HOST, streams[2]))
ok(hip.hipDeviceSynchronize())
