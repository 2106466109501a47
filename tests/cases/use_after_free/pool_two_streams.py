"""A temporary made on one stream, used on another, given back on the first."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 4096
kernels = Kernels()
main = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
side = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
ready = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
used = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
out = ok(hip.hipMalloc(N * 4))
temporary = ok(hip.hipMallocAsync(N * 4, main))
ok(hip.hipMemcpyAsync(temporary, floats(N, 2.0), N * 4, TO_DEVICE, main))
ok(hip.hipEventRecord(ready, main))
ok(hip.hipStreamWaitEvent(side, ready, 0))
launch(kernels.square, 16, 256, side, temporary, out, N)
ok(hip.hipFreeAsync(temporary, main))
ok(hip.hipStreamSynchronize(side))
host = floats(N)
ok(hip.hipMemcpy(host, out, N * 4, TO_HOST))
