"""Batches of 0 to 3 tokens; those of 0 launch kernels that do nothing, on another stream."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, floats, launch, ok

N = 128
kernels = Kernels()
scale = kernels.scale
one, two = (ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2))
values = ok(hip.hipMalloc(N * 4))
host = floats(N)
for tokens in (3, 0, 2, 0, 1):
    ok(hip.hipMemcpyAsync(values, floats(N), N * 4, TO_DEVICE, one))
    if tokens:
        launch(scale, 1, N, one, values, float(tokens), N)
    else:
        launch(scale, 1, N, two, values, 5.0, 0)
    ok(hip.hipMemcpyAsync(host, values, N * 4, TO_HOST, one))
    ok(hip.hipStreamSynchronize(one))
    expect(host[N - 1] == max(tokens, 1), "scaled by the number of tokens")
ok(hip.hipDeviceSynchronize())
