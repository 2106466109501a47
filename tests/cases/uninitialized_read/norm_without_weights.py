"""The weights of a norm are allocated, and loaded or not."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, floats, launch, ok

WIDTH = 256
fresh = sys.argv[1:] == ["fresh"]
kernels = Kernels()
x, weight, out = (ok(hip.hipMalloc(WIDTH * 4)) for _ in range(3))
ok(hip.hipMemcpy(x, floats(WIDTH, 2.0), WIDTH * 4, TO_DEVICE))
if not fresh:
    ok(hip.hipMemcpy(weight, floats(WIDTH), WIDTH * 4, TO_DEVICE))
launch(kernels.rmsnorm, 1, 64, None, x, weight, out, WIDTH)
host = floats(WIDTH, 0.0)
ok(hip.hipMemcpy(host, out, WIDTH * 4, TO_HOST))
expect(fresh or abs(host[0] - 1.0) < 0.01, "the norm is there")
