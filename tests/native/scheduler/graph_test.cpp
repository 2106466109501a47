// Graphs captured and launched from several threads.
#include <vector>

#include "hip_check.h"

using namespace scheduler;

namespace {

void increment(void* counter) { ++*static_cast<int*>(counter); }

// A fork and a join: two streams increment in turn.
hipGraph_t capture(hipStream_t first, hipStream_t second, int* counter) {
  Event forked, joined;
  HIP(hipStreamBeginCapture(first, hipStreamCaptureModeRelaxed));
  HIP(hipLaunchHostFunc(first, increment, counter));
  after(second, first, forked);
  HIP(hipLaunchHostFunc(second, increment, counter));
  after(first, second, joined);
  HIP(hipLaunchHostFunc(first, increment, counter));
  hipGraph_t graph = nullptr;
  HIP(hipStreamEndCapture(first, &graph));
  return graph;
}

hipGraphExec_t instantiate(hipGraph_t graph) {
  hipGraphExec_t exec = nullptr;
  HIP(hipGraphInstantiateWithFlags(&exec, graph, 0));
  return exec;
}

}  // namespace

TEST(threads_capture_and_launch_graphs_of_their_own) {
  on_threads(kThreads, [](int) {
    Stream first, second;
    int counter = 0;
    for (int round = 0; round < 10 * kRounds; ++round) {
      const hipGraph_t graph = capture(first, second, &counter);
      const hipGraphExec_t exec = instantiate(graph);
      HIP(hipGraphDestroy(graph));
      for (int i = 0; i < 5; ++i) HIP(hipGraphLaunch(exec, first));
      HIP(hipStreamSynchronize(first));
      CHECK_EQUAL(counter, 15 * (round + 1));
      HIP(hipGraphExecDestroy(exec));
    }
  });
}

TEST(launches_of_one_graph_from_several_streams_take_turns) {
  Stream first, second;
  int counter = 0;
  const hipGraph_t graph = capture(first, second, &counter);
  const hipGraphExec_t exec = instantiate(graph);
  on_threads(kThreads, [&](int) {
    Stream stream;
    for (int i = 0; i < 50 * kRounds; ++i) HIP(hipGraphLaunch(exec, stream));
    HIP(hipStreamSynchronize(stream));
  });
  CHECK_EQUAL(counter, kThreads * 150 * kRounds);
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
}

TEST(graphs_copy_and_fill_between_launches_of_other_work) {
  on_threads(kThreads, [](int thread) {
    Stream stream;
    constexpr size_t kBytes = 5000;
    void *device = nullptr, *raw = nullptr;
    HIP(hipMalloc(&device, kBytes));
    HIP(hipHostMalloc(&raw, kBytes, 0));
    auto* pinned = static_cast<unsigned char*>(raw);
    HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    HIP(hipMemsetAsync(device, thread + 1, kBytes, stream));
    HIP(hipMemcpyAsync(pinned, device, kBytes, hipMemcpyDefault, stream));
    hipGraph_t graph = nullptr;
    HIP(hipStreamEndCapture(stream, &graph));
    const hipGraphExec_t exec = instantiate(graph);
    for (int i = 0; i < 50 * kRounds; ++i) {
      HIP(hipMemsetAsync(pinned, 0xff, kBytes, stream));
      HIP(hipGraphLaunch(exec, stream));
      HIP(hipStreamSynchronize(stream));
      CHECK_EQUAL(int{pinned[kBytes - 1]}, thread + 1);
      pinned[kBytes - 1] = 0;
    }
    HIP(hipGraphExecDestroy(exec));
    HIP(hipGraphDestroy(graph));
    HIP(hipFree(device));
    HIP(hipHostFree(raw));
  });
}

TEST(an_executable_graph_is_updated_while_another_thread_launches_it) {
  Stream first, second;
  int counter = 0;
  const hipGraph_t graph = capture(first, second, &counter);
  const hipGraphExec_t exec = instantiate(graph);
  on_threads(2, [&](int thread) {
    Stream stream;
    for (int i = 0; i < 50 * kRounds; ++i) {
      if (thread == 0) {
        HIP(hipGraphLaunch(exec, stream));
      } else {
        hipGraphNode_t node = nullptr;
        hipGraphExecUpdateResult result;
        HIP(hipGraphExecUpdate(exec, graph, &node, &result));
      }
    }
    HIP(hipStreamSynchronize(stream));
  });
  CHECK_EQUAL(counter, 150 * kRounds);
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
}
