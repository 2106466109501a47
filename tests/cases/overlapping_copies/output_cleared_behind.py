"""A kernel writes its output; the padding behind it is cleared."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, at, floats, launch, ok

N, PADDED = 1000, 1024
kernels = Kernels()
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
fills = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
output = ok(hip.hipMalloc(PADDED * 4))
launch(kernels.set, 4, 256, compute, output, 1.0, N)
ok(hip.hipMemsetAsync(at(output, N * 4), 0, (PADDED - N) * 4, fills))
ok(hip.hipDeviceSynchronize())
ok(hip.hipMemcpy(floats(PADDED), output, PADDED * 4, TO_HOST))
