"""Two kernels write one buffer in turn; one may reach past its end, within the last page."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, expect, floats, launch, ok

N = 1500
past = sys.argv[1:] == ["past"]
kernels = Kernels()
values = ok(hip.hipMalloc(N * 4))
other = ok(hip.hipMalloc(N * 4))
launch(kernels.set, 12, 128, None, values, 1.0, N)
launch(kernels.set, 12, 128, None, other, 1.0, N)
launch(kernels.write_at, 12, 128, None, values, 4, 2.0, N if past else N - 4)
ok(hip.hipDeviceSynchronize())
host = floats(N, 0.0)
ok(hip.hipMemcpy(host, values, N * 4, TO_HOST))
expect(host[3] == 1.0 and host[4] == 2.0, "both have written")
ok(hip.hipFree(values))
ok(hip.hipFree(other))
