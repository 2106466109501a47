"""Adds a bias that a layer may have or not."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

N = 1000
kernels = Kernels()
x = ok(hip.hipMalloc(N * 4))
out = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(x, floats(N), N * 4, TO_DEVICE))
nothing = at(0, 0)
launch(kernels.add, 4, 256, None, x, nothing, out, N)
host = floats(N)
ok(hip.hipMemcpy(host, out, N * 4, TO_HOST))
print(host[0])
