// A graph for each kind of node: as it should be, or with memory that was freed before the launch.
// The second word is "freed", "unordered" or nothing.
#include "gpu.h"

namespace {

constexpr int kNumbers = 4096;
constexpr size_t kBytes = kNumbers * sizeof(float);

struct Graph {
  hipGraph_t graph = nullptr;
  hipGraphNode_t last = nullptr;

  Graph() { OK(hipGraphCreate(&graph, 0)); }
  const hipGraphNode_t* before() const { return last ? &last : nullptr; }
  size_t count() const { return last ? 1 : 0; }
  hipGraphExec_t ready() const {
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
  }
};

void add_fill(Graph& to, void* memory, unsigned value) {
  hipMemsetParams params = {};
  params.dst = memory;
  params.elementSize = 1;
  params.height = 1;
  params.value = value;
  params.width = params.pitch = kBytes;
  OK(hipGraphAddMemsetNode(&to.last, to.graph, to.before(), to.count(), &params));
}

void add_copy(Graph& to, void* dst, const void* src) {
  OK(hipGraphAddMemcpyNode1D(&to.last, to.graph, to.before(), to.count(), dst, src, kBytes,
                             hipMemcpyDeviceToDevice));
}

void add_square(Graph& to, hipFunction_t square, float* in, float* out) {
  int numbers = kNumbers;
  void* arguments[] = {&in, &out, &numbers};
  hipKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(square);
  params.gridDim = dim3(kNumbers / 256);
  params.blockDim = dim3(256);
  params.kernelParams = arguments;
  OK(hipGraphAddKernelNode(&to.last, to.graph, to.before(), to.count(), &params));
}

void add_box(Graph& to, void* dst, void* src) {
  hipMemcpy3DParms params = {};
  params.srcPtr = make_hipPitchedPtr(src, kBytes / 4, kBytes / 4, 2);
  params.dstPtr = make_hipPitchedPtr(dst, kBytes / 4, kBytes / 4, 2);
  params.extent = make_hipExtent(kBytes / 4, 2, 2);
  params.kind = hipMemcpyDeviceToDevice;
  OK(hipGraphAddMemcpyNode(&to.last, to.graph, to.before(), to.count(), &params));
}

void count_up(void* counter) { ++*static_cast<int*>(counter); }

// Two graphs, each on a stream of its own: what one writes, the other reads.
void relay(float* from, float* to, bool ordered) {
  const hipStream_t streams[] = {new_stream(), new_stream()};
  const hipEvent_t written = new_event();
  Graph writes, reads;
  add_fill(writes, from, 1);
  OK(hipGraphAddEventRecordNode(&writes.last, writes.graph, writes.before(), 1, written));
  if (ordered) OK(hipGraphAddEventWaitNode(&reads.last, reads.graph, nullptr, 0, written));
  add_copy(reads, to, from);
  const hipGraphExec_t first = writes.ready(), second = reads.ready();
  OK(hipGraphLaunch(first, streams[0]));
  OK(hipGraphLaunch(second, streams[1]));
  for (const hipStream_t stream : streams) OK(hipStreamSynchronize(stream));
}

// Two branches that an empty node joins, or does not.
void join(Graph& all, float* from, float* to, bool ordered) {
  add_fill(all, from, 1);
  if (ordered) {
    OK(hipGraphAddEmptyNode(&all.last, all.graph, all.before(), all.count()));
  } else {
    all.last = nullptr;
  }
  add_copy(all, to, from);
}

}  // namespace

int main(int count, char** words) {
  const std::string kind = count > 1 ? words[1] : "", how = count > 2 ? words[2] : "";
  const hipStream_t stream = new_stream();
  float* const a = on_device(std::vector<float>(kNumbers, 2.0f));
  float* const b = on_device(std::vector<float>(kNumbers, 0.0f));
  float* const live = on_device(std::vector<float>(kNumbers, 3.0f));
  const hipModule_t module = load_kernels();
  int counter = 0;
  Graph all;
  if (kind == "event") {
    relay(a, b, how != "unordered");
    tell(to_host(b, kNumbers)[0] != 0.0f, "the second graph read what the first wrote");
    return 0;
  }
  if (kind == "kernel") add_square(all, kernel(module, "square"), a, b);
  if (kind == "memset") add_fill(all, a, 0);
  if (kind == "memcpy") add_copy(all, b, a);
  if (kind == "memcpy_3d") add_box(all, b, a);
  if (kind == "host" || kind == "updated") {
    const hipHostNodeParams params = {count_up, &counter};
    OK(hipGraphAddHostNode(&all.last, all.graph, nullptr, 0, &params));
    add_copy(all, b, kind == "updated" ? live : a);
  }
  if (kind == "empty") join(all, a, b, how != "unordered");
  if (kind == "switched_off") add_copy(all, b, a);
  const hipGraphExec_t exec = all.ready();
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  if (kind == "updated") {
    OK(hipGraphExecMemcpyNodeSetParams1D(exec, all.last, b, a, kBytes, hipMemcpyDeviceToDevice));
  }
  if (kind == "switched_off" && how != "freed") OK(hipGraphNodeSetEnabled(exec, all.last, 0));
  if (how == "freed" || kind == "switched_off") OK(hipFree(a));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  if (kind == "host") expect(counter == 2, "the host function ran twice");
  tell(to_host(b, kNumbers)[0] != 0.0f, "the graph wrote something");
  return 0;
}
