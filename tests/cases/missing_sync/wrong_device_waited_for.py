"""Work on the second of two devices."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 4096
ok(hip.hipSetDevice(1))
kernels = Kernels()
work = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
result = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
launch(kernels.set, N // 256, 256, work, result, 1.0, N)
ok(hip.hipSetDevice(0))
ok(hip.hipDeviceSynchronize())
ok(hip.hipSetDevice(1))
ok(hip.hipMemcpyAsync(pinned, result, N * 4, TO_HOST, copies))
ok(hip.hipDeviceSynchronize())
