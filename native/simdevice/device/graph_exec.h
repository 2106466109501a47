// An instantiated graph, ready to be launched any number of times.
#pragma once

#include <hip/hip_runtime_api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "device/graph.h"
#include "device/stream.h"
#include "device/timeline.h"

namespace greta::sim {

struct GraphUpdate {
  hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
  GraphNodeId node = 0;  // of the new graph: the first that does not fit; 0 if it is the whole
};

class GraphExec {
 public:
  explicit GraphExec(GraphPlanRef plan, unsigned long long flags = 0)
      : plan_(std::move(plan)), flags_(flags) {}

  unsigned long long flags() const { return flags_; }

  GraphPlanRef plan() const;

  // Queues the whole as one operation of the stream, after the previous launch of this same exec.
  hipError_t launch(const StreamRef& stream);

  // Takes over the node parameters of the new plan if nothing else differs.
  GraphUpdate update(const GraphPlan& next);

  // What the step made from `node` does; nothing if there is no such step.
  std::optional<NodeWork> find(GraphNodeId node) const;
  // False if there is no step made from `node`.
  bool set(GraphNodeId node, NodeWork content);
  // Of a node that is a graph: takes over what `next` does, if that is built alike.
  hipError_t set_child(GraphNodeId node, const GraphPlan& next);
  std::optional<bool> is_enabled(GraphNodeId node) const;
  bool set_enabled(GraphNodeId node, bool enabled);

 private:
  template <typename Change>
  bool edit(GraphNodeId node, Change change);
  hipError_t begin_lives() const;

  mutable std::mutex mutex_;
  GraphPlanRef plan_;
  const unsigned long long flags_;
  Marker last_launch_;
};

using GraphExecRef = std::shared_ptr<GraphExec>;

}  // namespace greta::sim
