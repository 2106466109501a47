// A graph that is captured from two streams, one that is built from nodes, and their changes.
#include "program.h"

int main(int, char** arguments) {
  Program p(arguments);
  hipStream_t joined = nullptr;
  hipStreamCreateWithFlags(&joined, hipStreamNonBlocking);
  hipEvent_t fork = nullptr, join = nullptr;
  hipEventCreate(&fork);
  hipEventCreate(&join);

  hipMemsetAsync(p.device, 0, 8, p.two);  // 0: before
  hipStreamBeginCapture(p.two, hipStreamCaptureModeRelaxed);
  hipMemsetAsync(p.device, 0, 16, p.two);  // 1: a node
  hipEventRecord(fork, p.two);
  hipStreamWaitEvent(joined, fork, 0);
  hipMemsetAsync(p.other, 0, 24, joined);  // 2: a node
  hipEventRecord(join, joined);
  hipStreamWaitEvent(p.two, join, 0);
  hipMemcpyAsync(p.pinned, p.device, 64, hipMemcpyDeviceToHost, p.two);
  hipMemsetAsync(p.device, 0, 32, p.one);  // 3: of another stream
  hipGraph_t captured = nullptr;
  hipStreamEndCapture(p.two, &captured);
  hipMemsetAsync(p.device, 0, 40, p.two);  // 4: after
  hipGraphExec_t exec = nullptr;
  hipGraphInstantiate(&exec, captured, nullptr, nullptr, 0);
  hipGraphLaunch(exec, p.one);
  hipGraphLaunch(exec, p.two);

  hipGraph_t built = nullptr;
  hipGraphCreate(&built, 0);
  hipGraphNode_t copy = nullptr, kernel = nullptr, set = nullptr;
  hipGraphAddMemcpyNode1D(&copy, built, nullptr, 0, p.device, p.pinned, 128, hipMemcpyHostToDevice);
  float* values = p.device;
  int n = 64;
  float factor = 2;
  void* given[] = {&values, &n, &factor};
  hipKernelNodeParams params = {};
  params.func = p.scale;
  params.gridDim = {1, 1, 1};
  params.blockDim = {64, 1, 1};
  params.kernelParams = given;
  hipGraphAddKernelNode(&kernel, built, &copy, 1, &params);
  hipMemsetParams fill = {};
  fill.dst = p.other;
  fill.elementSize = 4;
  fill.width = 8;
  fill.height = 1;
  hipGraphAddMemsetNode(&set, built, &kernel, 1, &fill);
  hipGraphExec_t second = nullptr;
  hipGraphInstantiate(&second, built, nullptr, nullptr, 0);
  hipGraphLaunch(second, p.one);
  values = p.other;
  hipGraphExecKernelNodeSetParams(second, kernel, &params);
  hipGraphExecMemcpyNodeSetParams1D(second, copy, p.device, p.pinned, 256, hipMemcpyHostToDevice);
  hipGraphLaunch(second, p.one);
  hipDeviceSynchronize();

  hipFree(p.other);
  hipGraphLaunch(exec, nullptr);  // with a node that sets freed memory
  return 0;
}
