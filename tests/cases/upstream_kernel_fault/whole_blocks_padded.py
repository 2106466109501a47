"""A kernel without a bound, launched in whole blocks."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

N = 1000
kernels = Kernels()
given = ok(hip.hipMalloc(1024 * 4))
result = ok(hip.hipMalloc(1024 * 4))
ok(hip.hipMemcpy(given, floats(N), N * 4, TO_DEVICE))
launch(kernels.negate, 4, 256, None, given, result)
ok(hip.hipDeviceSynchronize())
ok(hip.hipMemcpy(floats(N), result, N * 4, TO_HOST))
