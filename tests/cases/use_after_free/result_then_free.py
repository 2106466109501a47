"""One kernel, one result."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

N = 5000
kernels = Kernels()
stream = ok(hip.hipStreamCreate())
result = ok(hip.hipMalloc(N * 4))
host = floats(N)
launch(kernels.set, 20, 256, stream, result, 3.0, N)
ok(hip.hipStreamSynchronize(stream))
ok(hip.hipFree(result))
ok(hip.hipMemcpy(host, result, N * 4, TO_HOST))
print(host[0])
