"""A captured step clears its workspace; an upload fills a part of it."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, floats, ok

N = 1 << 14
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
cleared = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
pinned = ok(hip.hipHostMalloc(N, 0))
workspace = ok(hip.hipMalloc(2 * N))
ok(hip.hipStreamBeginCapture(compute, hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed))
ok(hip.hipMemsetAsync(workspace, 0, 2 * N, compute))
graph = ok(hip.hipStreamEndCapture(compute))
step = ok(hip.hipGraphInstantiateWithFlags(graph, 0))
ok(hip.hipGraphLaunch(step, compute))
ok(hip.hipEventRecord(cleared, compute))
ok(hip.hipMemcpyAsync(workspace, pinned, N, TO_DEVICE, copies))
ok(hip.hipDeviceSynchronize())
ok(hip.hipMemcpy(floats(N // 2), workspace, 2 * N, TO_HOST))
