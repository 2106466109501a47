"""hipMemcpy within the device is queued on the default stream: the host does not wait for it."""

from rocm.bindings import hip

from tests.cases.gpu import ON_DEVICE, TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 1 << 16
kernels = Kernels()
stream = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
a = ok(hip.hipMalloc(N * 4))
b = ok(hip.hipMalloc(N * 4))
c = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(a, floats(N), N * 4, TO_DEVICE))
ok(hip.hipMemcpy(b, a, N * 4, ON_DEVICE))
ok(hip.hipStreamSynchronize(None))
launch(kernels.square, N // 256, 256, stream, b, c, N)
host = floats(N)
ok(hip.hipMemcpyAsync(host, c, N * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
ok(hip.hipDeviceSynchronize())
