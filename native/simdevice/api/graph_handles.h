// From hipGraph_t, hipGraphNode_t and hipGraphExec_t to what they name, and back.
//
// A capture makes many nodes that no program ever asks about, so a node or a graph gets its handle
// when the program first sees it. All but the lookups need graph_lock held.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/graph.h"
#include "device/graph_exec.h"
#include "device/handle_table.h"

namespace greta::api {

// Null for a handle that is null, stale or never was.
sim::GraphRef find_graph(hipGraph_t handle);
sim::GraphNodeRef find_node(hipGraphNode_t handle);
sim::GraphExecRef find_exec(hipGraphExec_t handle);

hipGraph_t handle_of(const sim::GraphRef& graph);
hipGraphNode_t handle_of(sim::GraphNode& node);
// The graph and its nodes are no longer the program's.
void drop_handles(sim::Graph& graph);
void drop_handle(sim::GraphNode& node);

hipGraphExec_t add_exec(sim::GraphExecRef exec);
// Null if there was none.
sim::GraphExecRef remove_exec(hipGraphExec_t handle);

}  // namespace greta::api
