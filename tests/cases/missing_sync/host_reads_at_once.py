"""The host looks at a result in pinned memory."""

import ctypes

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 1 << 18
kernels = Kernels()
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
device = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
values = (ctypes.c_float * N).from_address(int(pinned))
launch(kernels.set, N // 256, 256, stream, device, 2.0, N)
ok(hip.hipMemcpyAsync(pinned, device, N * 4, TO_HOST, stream))
print(values[N - 1])
ok(hip.hipStreamSynchronize(stream))
