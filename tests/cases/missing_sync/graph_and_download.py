"""A captured step runs on one stream; its result is fetched on another."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

N = 6000
kernels = Kernels()
set_kernel, scale = kernels.set, kernels.scale
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
done = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
result = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
ok(hip.hipStreamBeginCapture(compute, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
launch(set_kernel, 24, 256, compute, result, 1.0, N)
launch(scale, 24, 256, compute, result, 2.0, N)
graph = ok(hip.hipStreamEndCapture(compute))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipGraphLaunch(step, compute))
ok(hip.hipMemcpyAsync(pinned, result, N * 4, TO_HOST, copies))
ok(hip.hipStreamSynchronize(copies))
ok(hip.hipStreamSynchronize(compute))
