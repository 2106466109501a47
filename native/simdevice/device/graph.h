// Graphs: nodes with work and edges between them, and what an instantiated graph runs.
//
// All graphs, their nodes and all captures are guarded by one lock (graph_lock): HIP asks programs
// to synchronize their use of a graph themselves, so nobody waits for it, and it makes a mistake in
// that a wrong answer rather than a crash.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/work.h"

namespace greta::sim {

class Graph;

using GraphNodeId = uint64_t;  // not used twice in a process
using WorkRef = std::shared_ptr<const Work>;

// What a node does. A value: an instantiated graph shares it with the node until either changes.
struct NodeWork {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  WorkRef work;
  FunctionRef function;                   // kernel: keeps its code loaded
  const void* called_by = nullptr;        // kernel: hipFunction_t or host stub
  hipMemcpyKind kind = hipMemcpyDefault;  // copy: never hipMemcpyDefault once resolved
  int device = 0;                         // where it runs, whatever stream the graph is launched on
  greta_call set_by{};                    // the recorded call that said what it does
  std::shared_ptr<GraphMemory> memory;    // allocation or free: what must live as long as the node
};

NodeWork kernel_node_work(KernelWork work, FunctionRef function, const void* called_by, int device);
// `kind` may be hipMemcpyDefault: then it is what the two addresses say.
NodeWork copy_node_work(CopyWork work, hipMemcpyKind kind, int device);
NodeWork fill_node_work(FillWork work, int device);
NodeWork host_node_work(HostWork work, int device);
// Whatever a stream was asked to do, as a node. Its type is hipGraphNodeTypeCount if that cannot be
// part of a graph.
NodeWork node_work_of(Work work, int device);

struct GraphNode : std::enable_shared_from_this<GraphNode> {
  GraphNodeId id = 0;
  Graph* graph = nullptr;  // null once it is gone: a handle may keep the node
  NodeWork content;
  std::vector<GraphNode*> dependencies;
  std::vector<GraphNode*> dependents;
  bool captured = false;  // from a stream, not added by hand
  hipGraphNode_t handle = nullptr;

  // The kernelParams that hipGraphKernelNodeGetParams gives: pointers to this node's copies of the
  // argument values, as the program gave them. Valid until the node's parameters change.
  void** kernel_params();
  void set_content(NodeWork next);

 private:
  std::vector<unsigned char> argument_bytes_;
  std::vector<void*> argument_pointers_;
};

using GraphNodeRef = std::shared_ptr<GraphNode>;

struct GraphEdge {
  GraphNode* from;
  GraphNode* to;
};

class Graph {
 public:
  ~Graph();

  const std::vector<GraphNodeRef>& nodes() const { return nodes_; }
  GraphNode* add(NodeWork content, const std::vector<GraphNode*>& dependencies);
  void connect(GraphNode* from, GraphNode* to);
  void remove(GraphNode* node);

  std::vector<GraphNode*> roots() const;
  std::vector<GraphEdge> edges() const;
  // Each node after those it depends on, otherwise in the order they were added. Shorter than
  // nodes() if the edges form a circle.
  std::vector<GraphNode*> ordered() const;
  // Null if the edges form a circle.
  std::shared_ptr<const GraphPlan> plan() const;
  std::shared_ptr<Graph> clone() const;

  // While a capture builds it, the program may add to it but take nothing away.
  bool under_capture = false;
  hipGraph_t handle = nullptr;

 private:
  std::vector<GraphNodeRef> nodes_;
};

using GraphRef = std::shared_ptr<Graph>;

// What an instantiated graph runs: the nodes one after the other, in an order that respects all
// edges. Never changed once made, so that queued launches keep what they were launched with.
struct GraphPlan {
  struct Step {
    GraphNodeId node;  // of the graph that was instantiated
    NodeWork content;
    std::vector<size_t> after;  // indices of the steps it depends on, ascending
  };
  std::vector<Step> steps;
};

using GraphPlanRef = std::shared_ptr<const GraphPlan>;

// Runs all steps to their end on the calling thread; stops at a fault.
void run_plan(const GraphPlan& plan, const WorkPlace& place);

// Guards everything above; never held while work is submitted or run.
std::unique_lock<std::mutex> graph_lock();

}  // namespace greta::sim
