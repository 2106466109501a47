// Beginning, ending and asking about stream captures.
#include "device/capture.h"

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/stream_handles.h"

namespace greta::api {

using sim::CaptureRef;
using sim::StreamRef;

namespace {

bool is_default_stream(hipStream_t handle) {
  return handle == nullptr || handle == hipStreamLegacy;
}

struct CaptureQuestion {
  hipStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  hipGraph_t* graph = nullptr;
  const hipGraphNode_t** dependencies = nullptr;
  size_t* dependency_count = nullptr;
};

void describe(const CaptureRef& capture, const sim::Stream& stream, const CaptureQuestion& ask) {
  sim::CaptureSequence::Branch& branch = capture->branch(stream);
  if (ask.id) *ask.id = capture->id;
  if (ask.graph) *ask.graph = handle_of(capture->graph);
  if (ask.dependency_count) *ask.dependency_count = branch.last.size();
  if (!ask.dependencies) return;
  // Stays where it is until the program asks again.
  branch.handles.clear();
  for (sim::GraphNode* node : branch.last) branch.handles.push_back(handle_of(*node));
  *ask.dependencies = branch.handles.data();
}

hipError_t answer(hipStream_t handle, const CaptureQuestion& ask) {
  if (!ask.status) return hipErrorInvalidValue;
  if (is_default_stream(handle)) {
    if (const hipError_t error = sim::capture_forbids_default_stream_query()) return error;
    *ask.status = hipStreamCaptureStatusNone;
    return hipSuccess;
  }
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  const auto lock = sim::graph_lock();
  const CaptureRef capture = sim::capture_of(*stream);
  *ask.status = capture ? capture->status : hipStreamCaptureStatusNone;
  if (capture && capture->is_active()) describe(capture, *stream, ask);
  return hipSuccess;
}

// False if one of them is no node of the graph.
bool find_nodes(const sim::Graph& graph, const hipGraphNode_t* handles, size_t count,
                std::vector<sim::GraphNode*>* found) {
  for (size_t i = 0; i < count; ++i) {
    const sim::GraphNodeRef node = find_node(handles[i]);
    if (!node || node->graph != &graph) return false;
    found->push_back(node.get());
  }
  return true;
}

// The graph of a capture that came to nothing, if the program has already seen it.
void drop_unfinished(const sim::GraphRef& graph) {
  const auto lock = sim::graph_lock();
  if (!graph->under_capture) drop_handles(*graph);
}

sim::GraphRef graph_under_capture(const sim::Stream& stream) {
  const auto lock = sim::graph_lock();
  const CaptureRef capture = sim::capture_of(stream);
  return capture ? capture->graph : nullptr;
}

}  // namespace

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode mode) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  return stream ? sim::begin_capture(stream, mode) : error;
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t handle, hipGraph_t graph_handle,
                                        const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* edges, size_t count,
                                        hipStreamCaptureMode mode) {
  if (edges) return hipErrorNotSupported;
  if ((dependencies == nullptr) != (count == 0)) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  sim::GraphRef graph;
  std::vector<sim::GraphNode*> behind;
  {
    const auto lock = sim::graph_lock();
    graph = find_graph(graph_handle);
    if (!graph || graph->under_capture) return hipErrorInvalidValue;
    if (!find_nodes(*graph, dependencies, count, &behind)) return hipErrorInvalidValue;
  }
  return sim::begin_capture(stream, mode, graph, behind);
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies,
                                              size_t count, unsigned int flags) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  const auto lock = sim::graph_lock();
  const CaptureRef capture = sim::capture_of(*stream);
  if (!capture || !capture->is_active()) return hipErrorIllegalState;
  std::vector<sim::GraphNode*> nodes;
  const bool known = flags <= hipStreamSetCaptureDependencies;
  if (!known || (count > 0 && !dependencies)) return hipErrorInvalidValue;
  if (!find_nodes(*capture->graph, dependencies, count, &nodes)) return hipErrorInvalidValue;
  sim::update_dependencies(*stream, nodes, flags == hipStreamSetCaptureDependencies);
  return hipSuccess;
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* out) {
  if (!out) return hipErrorInvalidValue;
  *out = nullptr;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  const sim::GraphRef unfinished = graph_under_capture(*stream);
  sim::GraphRef graph;
  error = sim::end_capture(stream, &graph);
  if (graph) {
    const auto lock = sim::graph_lock();
    *out = handle_of(graph);
  } else if (unfinished) {
    drop_unfinished(unfinished);
  }
  return error;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  CaptureQuestion ask;
  ask.status = status;
  return answer(stream, ask);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
  CaptureQuestion ask;
  ask.status = status;
  ask.id = id;
  return answer(stream, ask);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** dependencies,
                                      size_t* dependency_count) {
  return answer(stream, {status, id, graph, dependencies, dependency_count});
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) {
    return hipErrorInvalidValue;
  }
  *mode = sim::exchange_thread_capture_mode(*mode);
  return hipSuccess;
}

}  // namespace greta::api
