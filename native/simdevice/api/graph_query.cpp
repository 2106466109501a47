// What a graph consists of.
#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "device/graph.h"

namespace greta::api {

using sim::GraphEdge;
using sim::GraphNode;
using sim::GraphNodeRef;
using sim::GraphRef;

namespace {

// HIP's way to give a list: without an array only its length; with one, as many elements as the
// array has room for, and NULL in the room that is left over.
hipError_t give(const std::vector<GraphNode*>& nodes, hipGraphNode_t* out, size_t* count) {
  if (!out) {
    *count = nodes.size();
    return hipSuccess;
  }
  for (size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? handle_of(*nodes[i]) : nullptr;
  if (*count > nodes.size()) *count = nodes.size();
  return hipSuccess;
}

}  // namespace

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* out, size_t* count) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph || !count) return hipErrorInvalidValue;
  const std::vector<GraphNode*> nodes = graph->ordered();
  const bool has_circle = nodes.size() != graph->nodes().size();
  return has_circle ? hipErrorInvalidValue : give(nodes, out, count);
}

hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* out, size_t* count) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph || !count) return hipErrorInvalidValue;
  return give(graph->roots(), out, count);
}

hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to,
                            size_t* count) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph || !count || (from == nullptr) != (to == nullptr)) return hipErrorInvalidValue;
  std::vector<GraphNode*> begins;
  std::vector<GraphNode*> ends;
  for (const GraphEdge& edge : graph->edges()) {
    begins.push_back(edge.from);
    ends.push_back(edge.to);
  }
  size_t same_count = *count;
  give(begins, from, &same_count);
  return give(ends, to, count);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(handle);
  if (!node || !type) return hipErrorInvalidValue;
  *type = node->content.type;
  return hipSuccess;
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* out, size_t* count) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(handle);
  return node && count ? give(node->dependencies, out, count) : hipErrorInvalidValue;
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* out,
                                         size_t* count) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(handle);
  return node && count ? give(node->dependents, out, count) : hipErrorInvalidValue;
}

}  // namespace greta::api
