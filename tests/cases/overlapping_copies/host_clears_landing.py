"""The host clears the place where a result will land."""

import ctypes

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 1 << 16
kernels = Kernels()
stream = ok(hip.hipStreamCreate())
device = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
launch(kernels.set, N // 256, 256, stream, device, 1.0, N)
ok(hip.hipMemcpyAsync(pinned, device, N * 4, TO_HOST, stream))
ctypes.memset(int(pinned), 0, 64)
ok(hip.hipStreamSynchronize(stream))
