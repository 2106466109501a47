"""Frees without a wait of its own: hipFree waits for what is in flight."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

N = 1 << 16
kernels = Kernels()
stream = ok(hip.hipStreamCreate())
out = ok(hip.hipMalloc(N * 4))
scratch = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemsetAsync(scratch, 0, N * 4, stream))
launch(kernels.square, N // 256, 256, stream, scratch, out, N)
ok(hip.hipFree(scratch))
print(hip.hipMemsetAsync(out, 0, N * 2, stream))
host = floats(N)
ok(hip.hipMemcpyAsync(host, out, N * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
