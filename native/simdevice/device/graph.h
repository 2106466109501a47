// Graphs: nodes with work and edges between them, and what an instantiated graph runs.
//
// All graphs, their nodes and all captures are guarded by one lock (graph_lock): HIP asks programs
// to synchronize their use of a graph themselves, so nobody waits for it, and it makes a mistake in
// that a wrong answer rather than a crash.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device/event.h"
#include "device/graph_allocation.h"
#include "device/user_object.h"
#include "device/work.h"

namespace greta::sim {

class Graph;
class GraphExec;

using GraphId = uint64_t;      // not used twice in a process
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
  std::shared_ptr<GraphMemory> memory;    // captured allocation or free: must live as long
  std::shared_ptr<Graph> child;           // graph: the node's own copy; see Graph::plan
  hipEvent_t event = nullptr;             // event: as the program names it
  // As the program gave them; null if they are what the work says.
  std::shared_ptr<const hipMemcpy3DParms> copy_params;
  std::shared_ptr<const HIP_MEMCPY3D> driver_copy_params;
  std::shared_ptr<const std::vector<hipStreamBatchMemOpParams>> batch_params;
  std::map<int, hipLaunchAttributeValue> attributes;  // kernel, by hipLaunchAttributeID

  // The allocation of a node that allocates or frees; null for any other.
  GraphAllocation* allocation() const;
};

NodeWork kernel_node_work(KernelWork work, FunctionRef function, const void* called_by, int device);
// `kind` may be hipMemcpyDefault: then it is what the two addresses say.
NodeWork copy_node_work(CopyWork work, hipMemcpyKind kind, int device);
NodeWork fill_node_work(FillWork work, int device);
NodeWork host_node_work(HostWork work, int device);
NodeWork event_node_work(EventRef event, hipEvent_t handle, bool waits, int device);
NodeWork memory_node_work(GraphAllocationRef memory, bool allocates, int device);
NodeWork child_node_work(const std::shared_ptr<Graph>& copy, int device);
NodeWork batch_node_work(BatchWork work, int device);
// Whatever a stream was asked to do, as a node. Its type is hipGraphNodeTypeCount if that cannot be
// part of a graph.
NodeWork node_work_of(Work work, int device);

struct GraphNode : std::enable_shared_from_this<GraphNode> {
  GraphNodeId id = 0;
  Graph* graph = nullptr;  // null once it is gone: a handle may keep the node
  NodeWork content;
  std::vector<GraphNode*> dependencies;
  std::vector<GraphNode*> dependents;
  GraphNodeId original = 0;  // of the node that it is a clone of
  bool captured = false;     // from a stream, not added by hand
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
  // False if they are not connected.
  bool disconnect(GraphNode* from, GraphNode* to);
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
  bool is_child = false;  // a node has it
  hipGraph_t handle = nullptr;
  std::weak_ptr<GraphExec> instantiated;  // the latest
  std::map<UserObjectRef, std::shared_ptr<UserObjectLease>> user_objects;

  GraphId id() const { return id_; }
  GraphId original() const { return original_; }
  bool has_memory_nodes() const;

 private:
  const GraphId id_ = next_id();
  GraphId original_ = 0;  // of the graph that it is a clone of

  static GraphId next_id();

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
    bool enabled = true;
  };
  std::vector<Step> steps;
  GraphId graph = 0;
  std::vector<std::shared_ptr<UserObjectLease>> user_objects;
};

using GraphPlanRef = std::shared_ptr<const GraphPlan>;

// What the event nodes of one launch record and wait for, in the order in which they run.
struct LaunchedEvents {
  std::vector<EventRecordRef> records;  // null: an event that nobody had recorded
  size_t next = 0;
};

// At submission: events get their new records. Null if the plan has no event nodes.
std::shared_ptr<LaunchedEvents> launch_events(const GraphPlan& plan);

// Runs all steps to their end on the calling thread; stops at a fault.
void run_plan(const GraphPlan& plan, const WorkPlace& place, LaunchedEvents* events);

// Calls `visit` with each step, those of graphs within in their place.
template <typename Visit>
void for_each_step(const GraphPlan& plan, Visit visit) {
  for (const GraphPlan::Step& step : plan.steps) {
    const auto* inner = std::get_if<GraphWork>(step.content.work.get());
    if (inner != nullptr && inner->plan) {
      for_each_step(*inner->plan, visit);
    } else {
      visit(step);
    }
  }
}

// Guards everything above; never held while work is submitted or run.
std::unique_lock<std::mutex> graph_lock();

}  // namespace greta::sim
