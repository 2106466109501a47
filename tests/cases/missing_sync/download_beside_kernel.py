"""A kernel on one stream, the download of its result on another."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 1 << 14
kernels = Kernels()
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
done = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
result = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
launch(kernels.set, N // 256, 256, compute, result, 2.0, N)
ok(hip.hipMemcpyAsync(pinned, result, N * 4, TO_HOST, copies))
ok(hip.hipStreamSynchronize(copies))
ok(hip.hipStreamSynchronize(compute))
