// Graphs as a whole: made, copied, connected, destroyed.
#include "device/graph.h"

#include <algorithm>

#include "api/generated/impl.h"
#include "api/graph_handles.h"

namespace greta::api {

using sim::GraphNode;
using sim::GraphNodeRef;
using sim::GraphRef;

namespace {

bool is_connected(const GraphNode& from, const GraphNode& to) {
  return std::find(from.dependents.begin(), from.dependents.end(), &to) != from.dependents.end();
}

bool are_two_of(const sim::Graph& graph, const GraphNodeRef& from, const GraphNodeRef& to) {
  return from && to && from != to && from->graph == &graph && to->graph == &graph;
}

}  // namespace

hipError_t hipGraphCreate(hipGraph_t* out, unsigned int flags) {
  if (!out || flags != 0) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  *out = handle_of(std::make_shared<sim::Graph>());
  return hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t handle) {
  if (!handle) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph) return hipErrorIllegalState;
  if (graph->under_capture || graph->is_child) return hipErrorInvalidValue;
  drop_handles(*graph);
  return hipSuccess;
}

hipError_t hipGraphClone(hipGraph_t* out, hipGraph_t original) {
  if (!out) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(original);
  if (!graph) return hipErrorInvalidValue;
  // Memory that a graph allocates or frees belongs to that one place in that one graph.
  if (graph->has_memory_nodes()) return hipErrorNotSupported;
  *out = handle_of(graph->clone());
  return hipSuccess;
}

hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, size_t count) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph || (count > 0 && (!from || !to))) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (!are_two_of(*graph, find_node(from[i]), find_node(to[i]))) return hipErrorInvalidValue;
  }
  for (size_t i = 0; i < count; ++i) {
    const GraphNodeRef before = find_node(from[i]);
    const GraphNodeRef after = find_node(to[i]);
    if (is_connected(*before, *after)) return hipErrorInvalidValue;
    graph->connect(before.get(), after.get());
  }
  return hipSuccess;
}

hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, size_t count) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph || (count > 0 && (!from || !to))) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const GraphNodeRef before = find_node(from[i]);
    const GraphNodeRef after = find_node(to[i]);
    if (!are_two_of(*graph, before, after)) return hipErrorInvalidValue;
    if (!graph->disconnect(before.get(), after.get())) return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(original);
  const GraphRef graph = find_graph(clone);
  if (!out || !node || !graph || graph->original() != node->graph->id()) {
    return hipErrorInvalidValue;
  }
  for (const GraphNodeRef& twin : graph->nodes()) {
    if (twin->original != node->id) continue;
    *out = handle_of(*twin);
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(handle);
  if (!node || node->graph->under_capture) return hipErrorInvalidValue;
  const hipGraphNodeType type = node->content.type;
  if (type == hipGraphNodeTypeMemAlloc || type == hipGraphNodeTypeMemFree) {
    return hipErrorNotSupported;
  }
  drop_handle(*node);
  node->graph->remove(node.get());
  return hipSuccess;
}

}  // namespace greta::api
