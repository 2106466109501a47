#include "device/capture.h"

#include <algorithm>
#include <utility>

#include "device/capture_registry.h"
#include "device/device.h"
#include "device/graph_memory.h"

namespace greta::sim {
namespace {

std::atomic<CaptureId> g_last_id{0};

void leave(Stream& stream) {
  stream.capture.reset();
  stream.capturing.store(false, std::memory_order_release);
}

void join(const StreamRef& stream, const CaptureRef& capture) {
  capture->branches[stream.get()].stream = stream;
  stream->capture = capture;
  stream->capturing.store(true, std::memory_order_release);
}

void finish(CaptureSequence& capture) {
  for (auto& entry : capture.branches) {
    if (const StreamRef stream = entry.second.stream.lock()) leave(*stream);
  }
  capture.status = hipStreamCaptureStatusNone;
  capture.graph->under_capture = false;
}

// Work of a branch that no wait brought back to the origin: it ends in a node that nothing follows
// and that the origin does not depend on. Nodes added by hand need not be joined.
bool has_unjoined_work(CaptureSequence& capture) {
  const std::vector<GraphNode*>& joined = capture.branches.at(capture.origin).last;
  for (const GraphNodeRef& node : capture.graph->nodes()) {
    if (!node->captured || !node->dependents.empty()) continue;
    if (std::find(joined.begin(), joined.end(), node.get()) == joined.end()) return true;
  }
  return false;
}

void add_missing(std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& more) {
  for (GraphNode* node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

hipError_t capture_marked(const StreamRef& stream, hipGraphNodeType type,
                          std::shared_ptr<GraphMemory> memory) {
  NodeWork content = node_work_of(EmptyWork{}, stream->device().ordinal());
  content.type = type;
  content.memory = std::move(memory);
  return capture_node(stream, std::move(content));
}

}  // namespace

CaptureSequence::CaptureSequence(hipStreamCaptureMode mode, const StreamRef& origin, GraphRef into)
    : id(g_last_id.fetch_add(1) + 1),
      mode(mode),
      origin(origin.get()),
      owner_thread(this_thread_number()),
      graph(into ? std::move(into) : std::make_shared<Graph>()) {
  graph->under_capture = true;
  g_captures.fetch_add(1);
}

CaptureSequence::~CaptureSequence() { g_captures.fetch_sub(1); }

hipError_t capture_work(const StreamRef& stream, Work work) {
  return capture_node(stream, node_work_of(std::move(work), stream->device().ordinal()));
}

hipError_t capture_node(const StreamRef& stream, NodeWork content) {
  const auto lock = graph_lock();
  const CaptureRef capture = stream->capture;
  if (!capture || !capture->is_active()) return hipErrorStreamCaptureInvalidated;
  if (content.type == hipGraphNodeTypeCount) {
    invalidate(*capture);
    return hipErrorStreamCaptureUnsupported;
  }
  CaptureSequence::Branch& branch = capture->branch(*stream);
  GraphNode* node = capture->graph->add(std::move(content), branch.last);
  node->captured = true;
  branch.last = {node};
  return hipSuccess;
}

hipError_t capture_allocation(const StreamRef& stream, const AllocationRef& allocation) {
  auto memory = std::make_shared<GraphMemory>(allocation);
  allocation->graph_memory = memory;
  note_named(*allocation);
  return capture_marked(stream, hipGraphNodeTypeMemAlloc, std::move(memory));
}

hipError_t capture_free(const StreamRef& stream, const AllocationRef& allocation) {
  std::shared_ptr<GraphMemory> memory = allocation->graph_memory.lock();
  if (memory) memory->free_with_graph();
  return capture_marked(stream, hipGraphNodeTypeMemFree, std::move(memory));
}

hipError_t capture_record(const StreamRef& stream, Event& event) {
  const auto lock = graph_lock();
  const CaptureRef capture = stream->capture;
  if (!capture || !capture->is_active()) return hipErrorStreamCaptureInvalidated;
  event.set_captured(capture, capture->branch(*stream).last);
  return hipSuccess;
}

hipError_t capture_wait(const StreamRef& stream, const Event& event) {
  const auto lock = graph_lock();
  const CaptureRef recorded_in = event.captured();
  if (!recorded_in || recorded_in->status == hipStreamCaptureStatusNone) return hipSuccess;
  if (stream->role() == Stream::Role::legacy_default) {
    invalidate(*recorded_in);
    return hipErrorStreamCaptureImplicit;
  }
  const CaptureRef own = stream->capture;
  if (own && own != recorded_in) {
    invalidate(*own);
    invalidate(*recorded_in);
    return hipErrorStreamCaptureMerge;
  }
  if (!recorded_in->is_active()) return hipErrorStreamCaptureInvalidated;
  if (!own) join(stream, recorded_in);
  add_missing(recorded_in->branch(*stream).last, event.captured_nodes());
  return hipSuccess;
}

hipError_t refuse_outside_event(const Stream& stream) {
  const auto lock = graph_lock();
  if (!stream.capture || !stream.capture->is_active()) return hipErrorStreamCaptureInvalidated;
  invalidate(*stream.capture);
  return hipErrorStreamCaptureIsolation;
}

hipError_t begin_capture(const StreamRef& stream, hipStreamCaptureMode mode, const GraphRef& into,
                         const std::vector<GraphNode*>& behind) {
  if (stream->role() == Stream::Role::legacy_default) return hipErrorStreamCaptureUnsupported;
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) {
    return hipErrorInvalidValue;
  }
  const auto lock = graph_lock();
  if (stream->capture) return hipErrorIllegalState;
  if (into) {
    // What is there already need not be joined.
    for (const GraphNodeRef& node : into->nodes()) node->captured = false;
  }
  auto capture = std::make_shared<CaptureSequence>(mode, stream, into);
  join(stream, capture);
  capture->branch(*stream).last = behind;
  register_capture(capture);
  return hipSuccess;
}

void update_dependencies(const Stream& stream, const std::vector<GraphNode*>& nodes, bool replace) {
  std::vector<GraphNode*>& last = stream.capture->branch(stream).last;
  if (replace) {
    for (GraphNode* node : last) node->captured = false;  // need not be joined any more
    last.clear();
  }
  add_missing(last, nodes);
}

hipError_t end_capture(const StreamRef& stream, GraphRef* graph) {
  const auto lock = graph_lock();
  const CaptureRef capture = stream->capture;
  if (!capture) return hipErrorIllegalState;
  if (capture->origin != stream.get()) return hipErrorStreamCaptureUnmatched;
  const bool bound_to_thread = capture->mode != hipStreamCaptureModeRelaxed;
  if (bound_to_thread && capture->owner_thread != this_thread_number()) {
    return hipErrorStreamCaptureWrongThread;
  }
  const bool valid = capture->is_active();
  finish(*capture);
  if (!valid) return hipErrorStreamCaptureInvalidated;
  if (has_unjoined_work(*capture)) return hipErrorStreamCaptureUnjoined;
  *graph = capture->graph;
  return hipSuccess;
}

void abandon_capture(const StreamRef& stream) {
  if (!is_capturing(*stream)) return;
  const auto lock = graph_lock();
  const CaptureRef capture = stream->capture;
  if (!capture) return;
  if (capture->origin == stream.get()) {
    finish(*capture);
  } else {
    capture->branches.erase(stream.get());
    leave(*stream);
  }
}

CaptureRef capture_of(const Stream& stream) { return stream.capture; }

}  // namespace greta::sim
