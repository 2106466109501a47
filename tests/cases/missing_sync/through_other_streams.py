"""Three kernels in a row: the middle one on another stream."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 3000
kernels = Kernels()
set_kernel, square, scale = kernels.set, kernels.square, kernels.scale
first = ok(hip.hipStreamCreate())
last = ok(hip.hipStreamCreate())
middle = ok(hip.hipStreamCreate())
given = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
launch(set_kernel, 12, 256, first, given, 3.0, N)
launch(square, 12, 256, middle, given, result, N)
launch(scale, 12, 256, last, result, 0.5, N)
ok(hip.hipMemcpyAsync(pinned, result, N * 4, TO_HOST, last))
ok(hip.hipDeviceSynchronize())
