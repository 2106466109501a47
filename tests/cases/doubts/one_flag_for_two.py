"""A thread waits for one of two batches and tells the program: that which it fetches, or not."""

import sys
import threading

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, expect, floats, launch, ok

N = 4096
other = sys.argv[1:] == ["other"]
kernels = Kernels()
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(3)]
batches = [ok(hip.hipMalloc(N * 4)) for _ in range(2)]
done = [ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming)) for _ in range(2)]
told = threading.Event()
host = floats(N, 0.0)


def waiter(event: object) -> None:
    ok(hip.hipEventSynchronize(event))
    told.set()


launch(kernels.linger, 1, 1, streams[1], 20000000)
for batch, stream, event in zip(batches, streams, done, strict=False):
    launch(kernels.set, 32, 128, stream, batch, 2.0, N)
    ok(hip.hipEventRecord(event, stream))
thread = threading.Thread(target=waiter, args=(done[0 if other else 1],))
thread.start()
told.wait()
ok(hip.hipMemcpyAsync(host, batches[1], N * 4, TO_HOST, streams[2]))
ok(hip.hipDeviceSynchronize())
thread.join()
expect(other or host[N - 1] == 2.0, "the second batch is there")
