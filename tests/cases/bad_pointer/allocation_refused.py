"""Asks for all the memory there could be, and for less if that is refused."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, at, floats, launch, ok

N = 1024
kernels = Kernels()
given = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemset(given, 0, N * 4))
error, *_ = hip.hipMalloc(1 << 50)
print(error)
result = at(0, 0)
launch(kernels.square, 4, 256, None, given, result, N)
ok(hip.hipMemcpy(floats(N), given, N * 4, TO_HOST))
