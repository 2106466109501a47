// Calls that HIP refuses: what is wrong with them, and programs that know how to go on.
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios.h"

static hipGraphExec_t instance(hipGraph_t graph) {
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  return exec;
}

// The copy of a graph is told another size: what is left of its source, or twice as much.
SCENARIO(node_grown) {
  float* x = on_device(std::vector<float>(N, 1.f));
  float* h = pinned<float>(4 * N);
  hipGraph_t graph;
  hipGraphNode_t node;
  OK(hipGraphCreate(&graph, 0));
  OK(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, h, x, N * 4, hipMemcpyDeviceToHost));
  hipGraphExec_t exec = instance(graph);
  const size_t bytes = (wrong ? 2 * N : N / 2) * 4;
  (void)hipGraphExecMemcpyNodeSetParams1D(exec, node, h, x, bytes, hipMemcpyDeviceToHost);
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
}

// The pitch is given in elements, the width in bytes.
SCENARIO(narrow_pitch) {
  float* x = on_device(std::vector<float>(32 * 64, 1.f));
  std::vector<float> h(32 * 64);
  (void)hipMemcpy2D(h.data(), wrong ? 64 : 256, x, 256, 256, 32, hipMemcpyDeviceToHost);
  to_host(x, N);
}

// Something in a capture is not allowed: the work is given without a graph, or the graph is used.
SCENARIO(capture_given_up) {
  float* x = on_device<float>(N);
  hipStream_t s = new_stream();
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipMemsetAsync(x, 0, N * 4, s));
  expect(hipStreamSynchronize(s) != hipSuccess, "no wait in a capture");
  hipGraph_t graph = nullptr;
  expect(hipStreamEndCapture(s, &graph) != hipSuccess, "the capture is over");
  if (wrong) {
    hipGraphExec_t exec = nullptr;
    (void)hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    (void)hipGraphLaunch(exec, s);
  }
  OK(hipMemsetAsync(x, 0, N * 4, s));
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

// The same, and what the graph was to write is taken for written: two faults.
SCENARIO(capture_ignored) {
  float* x = on_device<float>(N);
  hipStream_t s = new_stream();
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipMemsetAsync(x, 0, N * 4, s));
  if (wrong) (void)hipStreamSynchronize(s);
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  (void)hipStreamEndCapture(s, &graph);
  (void)hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  (void)hipGraphLaunch(exec, s);
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

// A process is forked before, or after, its parent used HIP.
SCENARIO(forked) {
  if (!wrong && fork() == 0) {
    to_host(on_device(std::vector<float>(N, 1.f)), N);
    _exit(0);
  }
  float* x = on_device(std::vector<float>(N, 1.f));
  to_host(x, N);
  std::vector<float> h(N);
  if (wrong && fork() == 0) {
    _exit(hipMemcpy(h.data(), x, N * 4, hipMemcpyDeviceToHost) == hipSuccess ? 0 : 1);
  }
  wait(nullptr);
}

// A pool is destroyed behind, or before, the last allocation from it.
SCENARIO(pool_gone) {
  hipMemPoolProps wanted{};
  wanted.allocType = hipMemAllocationTypePinned;
  wanted.location.type = hipMemLocationTypeDevice;
  hipMemPool_t pool;
  OK(hipMemPoolCreate(&pool, &wanted));
  hipStream_t s = new_stream();
  if (wrong) OK(hipMemPoolDestroy(pool));
  float* x = nullptr;
  (void)hipMallocFromPoolAsync((void**)&x, N * 4, pool, s);
  if (wrong) x = on_device<float>(N);
  OK(hipMemsetAsync(x, 0, N * 4, s));
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

// More threads than a block can have: the launch is made again with fewer, or forgotten.
SCENARIO(smaller_block) {
  float* x = on_device(std::vector<float>(N, 0.f));
  float value = 3.f;
  int n = N;
  void* given[] = {&x, &value, &n};
  (void)hipModuleLaunchKernel(K("set"), 1, 1, 1, 2048, 1, 1, 0, nullptr, given, nullptr);
  if (!wrong) launch(K("set"), 4, 256, nullptr, x, value, n);
  OK(hipDeviceSynchronize());
  expect((to_host(x, N)[N - 1] == 3.f) != wrong, "written by the second");
}

// A cooperative launch that the device has no room for, likewise.
SCENARIO(cooperative) {
  float* x = on_device(std::vector<float>(N, 0.f));
  float value = 3.f;
  int n = N;
  void* given[] = {&x, &value, &n};
  (void)hipModuleLaunchCooperativeKernel(K("set"), 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, given);
  if (!wrong) launch(K("set"), 4, 256, nullptr, x, value, n);
  OK(hipDeviceSynchronize());
  to_host(x, N);
}

// The device's address of registered memory, after that was unregistered.
SCENARIO(unregistered) {
  static float host[16 * 1024] __attribute__((aligned(4096)));
  OK(hipHostRegister(host, sizeof host, hipHostRegisterMapped));
  float* seen = nullptr;
  OK(hipHostGetDevicePointer((void**)&seen, host, 0));
  float* y = on_device<float>(N);
  if (wrong) OK(hipHostUnregister(host));
  launch(K("square"), 4, 256, nullptr, (const float*)seen, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
  if (!wrong) OK(hipHostUnregister(host));
}

// An assertion in a kernel fails: it stops itself, and reaches nothing that is not its own.
SCENARIO(asserted) {
  int* ids = on_device(std::vector<int>{1, 2, wrong ? 500 : 3});
  launch(K("check_ids"), 1, 64, nullptr, (const int*)ids, 100, 3);
  OK(hipDeviceSynchronize());
  to_host(ids, 3);
}
