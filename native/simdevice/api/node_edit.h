// Adding a node, changing it, changing what was instantiated from it: the same for every kind of
// node, which only says what it does (`prepare`).
#pragma once

#include <hip/hip_runtime_api.h>

#include <functional>

#include "device/graph.h"

namespace greta::api {

// Where a new node goes and where its handle is put, as all hipGraphAdd...Node calls begin.
struct NewNode {
  hipGraphNode_t* out;
  hipGraph_t graph;
  const hipGraphNode_t* dependencies;
  size_t count;
};

using Prepare = std::function<hipError_t(int device, sim::NodeWork* content)>;
// Makes the new content from the old, which it may refuse to replace.
using PrepareNext = std::function<hipError_t(const sim::NodeWork& before, sim::NodeWork* content)>;

hipError_t add_node(const NewNode& place, const Prepare& prepare);
// Of a node of this type.
hipError_t set_node(hipGraphNode_t node, hipGraphNodeType type, const Prepare& prepare);
hipError_t set_step(hipGraphExec_t exec, hipGraphNode_t node, hipGraphNodeType type,
                    const PrepareNext& prepare);

// Null if the handle does not name a node of this type; call with graph_lock held.
sim::GraphNodeRef find_typed(hipGraphNode_t handle, hipGraphNodeType type);

}  // namespace greta::api
