"""Two streams and an event between them."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 3333
kernels = Kernels()
square, add = kernels.square, kernels.add
first = ok(hip.hipStreamCreate())
second = ok(hip.hipStreamCreate())
event = ok(hip.hipEventCreate())
a = ok(hip.hipMalloc(N * 4))
b = ok(hip.hipMalloc(N * 4))
c = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(a, floats(N, 3.0), N * 4, TO_DEVICE))
launch(square, 14, 256, first, a, b, N)
ok(hip.hipEventRecord(event, first))
ok(hip.hipStreamWaitEvent(second, event, 0))
launch(add, 14, 256, second, a, b, c, N)
host = floats(N)
ok(hip.hipMemcpyAsync(host, c, N * 4, TO_HOST, second))
ok(hip.hipStreamSynchronize(second))
ok(hip.hipStreamSynchronize(first))
