"""Half of a buffer is filled; all of it, or that half, is fetched."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, expect, floats, ok

N = 2048
whole = sys.argv[1:] == ["whole"]
values = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(values, floats(N // 2, 3.0), N // 2 * 4, TO_DEVICE))
host = floats(N, 0.0)
ok(hip.hipMemcpy(host, values, (N if whole else N // 2) * 4, TO_HOST))
expect(host[N // 2 - 1] == 3.0, "the half is there")
