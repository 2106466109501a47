"""A temporary from the pool, filled from the host; the next one reuses its address."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

kernels = Kernels()
stream = ok(hip.hipStreamCreate())
host = floats(1024, 3.0)
small = ok(hip.hipMallocAsync(500 * 4, stream))
launch(kernels.set, 2, 256, stream, small, 1.0, 500)
ok(hip.hipFreeAsync(small, stream))
block = ok(hip.hipMallocAsync(1024 * 4, stream))
ok(hip.hipMemcpyAsync(block, host, 1024 * 4, TO_DEVICE, stream))
launch(kernels.scale, 4, 256, stream, block, 2.0, 1000)
ok(hip.hipMemcpyAsync(host, block, 1000 * 4, TO_HOST, stream))
ok(hip.hipFreeAsync(block, stream))
ok(hip.hipStreamSynchronize(stream))
