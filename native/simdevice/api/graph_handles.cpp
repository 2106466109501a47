#include "api/graph_handles.h"

#include <utility>

namespace greta::api {
namespace {

sim::HandleTable<sim::Graph>& graph_table() {
  static auto* const table = new sim::HandleTable<sim::Graph>(5);
  return *table;
}

sim::HandleTable<sim::GraphNode>& node_table() {
  static auto* const table = new sim::HandleTable<sim::GraphNode>(6);
  return *table;
}

sim::HandleTable<sim::GraphExec>& exec_table() {
  static auto* const table = new sim::HandleTable<sim::GraphExec>(7);
  return *table;
}

}  // namespace

sim::GraphRef find_graph(hipGraph_t handle) { return graph_table().find(handle); }

sim::GraphNodeRef find_node(hipGraphNode_t handle) {
  sim::GraphNodeRef node = node_table().find(handle);
  return node && node->graph ? node : nullptr;
}

sim::GraphExecRef find_exec(hipGraphExec_t handle) { return exec_table().find(handle); }

hipGraph_t handle_of(const sim::GraphRef& graph) {
  if (!graph->handle) graph->handle = static_cast<hipGraph_t>(graph_table().add(graph));
  return graph->handle;
}

hipGraphNode_t handle_of(sim::GraphNode& node) {
  if (!node.handle) {
    node.handle = static_cast<hipGraphNode_t>(node_table().add(node.shared_from_this()));
  }
  return node.handle;
}

void drop_handles(sim::Graph& graph) {
  for (const sim::GraphNodeRef& node : graph.nodes()) {
    if (node->content.child) drop_handles(*node->content.child);
    drop_handle(*node);
  }
  if (hipGraph_t handle = std::exchange(graph.handle, nullptr)) graph_table().remove(handle);
}

void drop_handle(sim::GraphNode& node) {
  if (hipGraphNode_t handle = std::exchange(node.handle, nullptr)) node_table().remove(handle);
}

hipGraphExec_t add_exec(sim::GraphExecRef exec) {
  return static_cast<hipGraphExec_t>(exec_table().add(std::move(exec)));
}

sim::GraphExecRef remove_exec(hipGraphExec_t handle) { return exec_table().remove(handle); }

}  // namespace greta::api
