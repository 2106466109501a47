"""Values stand behind a header in one message that arrives from the host."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

N, HEADER = 512, 8
kernels = Kernels()
message = ok(hip.hipMalloc(4096))
result = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(message, floats(1024), 4096, TO_DEVICE))
launch(kernels.square, 2, 256, None, at(message, HEADER), result, N)
host = floats(N)
ok(hip.hipMemcpy(host, result, N * 4, TO_HOST))
