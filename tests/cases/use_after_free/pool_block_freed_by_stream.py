"""A block of the pool is given back while the kernel that uses it may still run."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

N = 1 << 18
kernels = Kernels()
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
given = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemset(given, 0, N * 4))
ok(hip.hipDeviceSynchronize())
block = ok(hip.hipMallocAsync(N * 4, stream))
launch(kernels.square, N // 256, 256, stream, given, block, N)
ok(hip.hipFreeAsync(block, stream))
ok(hip.hipStreamSynchronize(stream))
host = floats(64)
ok(hip.hipMemcpy(host, given, 256, TO_HOST))
