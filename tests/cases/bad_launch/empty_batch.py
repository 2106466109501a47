"""A batch without tokens: launched with as many blocks as tokens, or not launched."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, floats, launch, ok

WIDTH = 128
launches = sys.argv[1:] == ["launched"]
kernels = Kernels()
x, weight, out = (ok(hip.hipMalloc(WIDTH * 4)) for _ in range(3))
for buffer in (x, weight, out):
    ok(hip.hipMemcpy(buffer, floats(WIDTH), WIDTH * 4, TO_DEVICE))
for tokens in (1, 0):
    if tokens or launches:
        launch(kernels.rmsnorm, tokens, 64, None, x, weight, out, WIDTH)
host = floats(WIDTH, 0.0)
ok(hip.hipMemcpy(host, out, WIDTH * 4, TO_HOST))
expect(abs(host[0] - 1.0) < 0.01, "the one token is there")
