"""A stream is destroyed after its work was queued, and the next one takes its place."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 4096
kernels = Kernels()
result = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
launch(kernels.set, N // 256, 256, stream, result, 1.0, N)
ok(hip.hipStreamDestroy(stream))
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
ok(hip.hipMemcpyAsync(pinned, result, N * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
ok(hip.hipDeviceSynchronize())
