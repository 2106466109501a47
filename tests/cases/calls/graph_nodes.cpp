// A graph with a node of every kind; what is wrong is in one of them.
#include <cstring>

#include "gpu.h"

namespace {

constexpr int kNumbers = 4096;
constexpr size_t kBytes = kNumbers * sizeof(float);

struct Builder {
  hipGraph_t graph = nullptr;
  hipGraphNode_t last = nullptr;

  Builder() { OK(hipGraphCreate(&graph, 0)); }
  const hipGraphNode_t* before() const { return last ? &last : nullptr; }
  size_t count() const { return last ? 1 : 0; }

  void fill(void* memory, int value) {
    hipMemsetParams params = {};
    params.dst = memory;
    params.elementSize = 1;
    params.height = 1;
    params.value = static_cast<unsigned>(value);
    params.width = params.pitch = kBytes;
    OK(hipGraphAddMemsetNode(&last, graph, before(), count(), &params));
  }
  void copy(void* dst, void* src) {
    hipMemcpy3DParms params = {};
    params.srcPtr = make_hipPitchedPtr(src, kBytes / 4, kBytes / 4, 2);
    params.dstPtr = make_hipPitchedPtr(dst, kBytes / 4, kBytes / 4, 2);
    params.extent = make_hipExtent(kBytes / 4, 2, 2);
    params.kind = hipMemcpyDeviceToDevice;
    OK(hipGraphAddMemcpyNode(&last, graph, before(), count(), &params));
  }
  void* allocate() {
    hipMemAllocNodeParams params = {};
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location = {hipMemLocationTypeDevice, 0};
    params.bytesize = kBytes;
    OK(hipGraphAddMemAllocNode(&last, graph, before(), count(), &params));
    return params.dptr;
  }
};

}  // namespace

int main(int count, char** words) {
  const hipStream_t stream = new_stream();
  float* const result = on_device<float>(kNumbers);
  float* const other = on_device(std::vector<float>(kNumbers, 2.0f));
  const hipEvent_t event = new_event();
  Builder all;
  void* const scratch = all.allocate();
  all.fill(scratch, 0);
  all.copy(result, scratch);
  if (!is(count, words, "kept")) {
    OK(hipGraphAddMemFreeNode(&all.last, all.graph, all.before(), all.count(), scratch));
  }
  OK(hipGraphAddEventRecordNode(&all.last, all.graph, all.before(), all.count(), event));
  Builder inner;
  inner.copy(result, other);
  OK(hipGraphAddChildGraphNode(&all.last, all.graph, all.before(), all.count(), inner.graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, all.graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(step, stream));
  OK(hipEventSynchronize(event));
  OK(hipStreamSynchronize(stream));
  if (is(count, words, "child_of_freed")) {
    OK(hipFree(other));
    OK(hipGraphLaunch(step, stream));
    OK(hipStreamSynchronize(stream));
  }
  if (is(count, words, "after_its_free")) {
    OK(hipMemcpyAsync(result, scratch, kBytes, hipMemcpyDeviceToDevice, stream));
    OK(hipStreamSynchronize(stream));
  }
  expect(to_host(result, kNumbers)[kNumbers - 1] == 2.0f, "the inner graph came last");
  if (is(count, words, "kept")) OK(hipFree(scratch));
  return 0;
}
