// Memory that graphs allocate and free: it is there from one launch to another, and comes back.
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

  void* allocate() {
    hipMemAllocNodeParams params = {};
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location = {hipMemLocationTypeDevice, 0};
    params.bytesize = kBytes;
    OK(hipGraphAddMemAllocNode(&last, graph, before(), count(), &params));
    return params.dptr;
  }
  void fill(void* memory, int value) {
    hipMemsetParams params = {};
    params.dst = memory;
    params.elementSize = 1;
    params.height = 1;
    params.value = static_cast<unsigned>(value);
    params.width = params.pitch = kBytes;
    OK(hipGraphAddMemsetNode(&last, graph, before(), count(), &params));
  }
  void copy(void* to, const void* from) {
    OK(hipGraphAddMemcpyNode1D(&last, graph, before(), count(), to, from, kBytes,
                               hipMemcpyDeviceToDevice));
  }
  void free(void* memory) { OK(hipGraphAddMemFreeNode(&last, graph, before(), count(), memory)); }
  hipGraphExec_t ready() const {
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
  }
};

void run(hipGraphExec_t graph, hipStream_t stream) {
  OK(hipGraphLaunch(graph, stream));
  OK(hipStreamSynchronize(stream));
}

void use(void* result, void* scratch, hipStream_t stream) {
  OK(hipMemcpyAsync(result, scratch, kBytes, hipMemcpyDeviceToDevice, stream));
  OK(hipStreamSynchronize(stream));
}

// A graph that is captured from a stream allocates, uses and frees.
hipGraphExec_t captured(void* result, void** scratch, hipStream_t stream) {
  hipGraph_t graph;
  hipGraphExec_t exec;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  OK(hipMallocAsync(scratch, kBytes, stream));
  OK(hipMemsetAsync(*scratch, 1, kBytes, stream));
  OK(hipMemcpyAsync(result, *scratch, kBytes, hipMemcpyDeviceToDevice, stream));
  OK(hipFreeAsync(*scratch, stream));
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  return exec;
}

}  // namespace

int main(int count, char** words) {
  const std::string kind = count > 1 ? words[1] : "";
  const hipStream_t stream = new_stream();
  const hipModule_t module = load_kernels();
  float* const result = on_device(std::vector<float>(kNumbers, 2.0f));
  void* scratch = nullptr;
  Graph makes, frees;
  if (kind == "captured" || kind == "captured_and_used") {
    const hipGraphExec_t both = captured(result, &scratch, stream);
    for (int i = 0; i < 3; ++i) run(both, stream);
    auto* const given = static_cast<float*>(scratch);
    if (kind == "captured_and_used") {
      launch(kernel(module, "square"), kNumbers / 256, 256, stream, given, result, kNumbers);
    }
    OK(hipStreamSynchronize(stream));
    expect(to_host(result, kNumbers)[0] != 2.0f, "the graph's memory was copied");
    return 0;
  }
  scratch = makes.allocate();
  makes.fill(scratch, 1);
  if (kind == "inside" || kind == "between" || kind == "behind_its_free") {
    if (kind != "behind_its_free") makes.copy(result, scratch);
    makes.free(scratch);
    if (kind == "behind_its_free") makes.copy(result, scratch);
    const hipGraphExec_t both = makes.ready();
    for (int i = 0; i < 3; ++i) {
      run(both, stream);
      if (kind == "between" && i == 1) {
        OK(hipMemcpyAsync(result, scratch, kBytes, hipMemcpyDeviceToDevice, stream));
      }
    }
    expect(to_host(result, kNumbers)[0] != 2.0f, "the graph's memory was copied");
    return 0;
  }
  frees.free(scratch);
  const hipGraphExec_t first = makes.ready(), second = frees.ready();
  for (int i = 0; i < 2; ++i) {
    run(first, stream);
    use(result, scratch, stream);
    if (kind == "by_call") {
      OK(hipFreeAsync(scratch, stream));
    } else {
      run(second, stream);
    }
  }
  if (kind == "after_other") use(result, scratch, stream);
  expect(to_host(result, kNumbers)[0] != 2.0f, "the graph's memory was copied");
  return 0;
}
