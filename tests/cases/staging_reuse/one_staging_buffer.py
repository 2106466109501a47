"""One pinned buffer serves the upload of a batch and the download of the last result."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, launch, ok

N = 1 << 14
kernels = Kernels()
uploads = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
downloads = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
sent = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
staging = ok(hip.hipHostMalloc(N * 4, 0))
batch = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(N * 4))
launch(kernels.set, N // 256, 256, downloads, result, 2.0, N)
ok(hip.hipMemcpyAsync(batch, staging, N * 4, TO_DEVICE, uploads))
ok(hip.hipMemcpyAsync(staging, result, N * 4, TO_HOST, downloads))
ok(hip.hipDeviceSynchronize())
