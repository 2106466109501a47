"""A captured step is launched for each prompt; its input comes by another stream."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, launch, ok

N = 2000
kernels = Kernels()
square = kernels.square
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
event = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
prompts = ok(hip.hipHostMalloc(2 * N * 4, 0))
given = ok(hip.hipMalloc(N * 4))
result = ok(hip.hipMalloc(N * 4))
ok(hip.hipStreamBeginCapture(compute, hip.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal))
launch(square, 8, 256, compute, given, result, N)
graph = ok(hip.hipStreamEndCapture(compute))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipMemcpyAsync(given, prompts, N * 4, TO_DEVICE, copies))
ok(hip.hipStreamSynchronize(copies))
ok(hip.hipGraphLaunch(step, compute))
ok(hip.hipMemcpyAsync(given, at(prompts, N * 4), N * 4, TO_DEVICE, copies))
ok(hip.hipStreamSynchronize(copies))
ok(hip.hipGraphLaunch(step, compute))
ok(hip.hipMemcpyAsync(prompts, result, N * 4, TO_HOST, compute))
ok(hip.hipStreamSynchronize(compute))
