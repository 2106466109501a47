// Instantiated graphs: made, launched, changed, destroyed.
#include "device/graph_exec.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/stream_handles.h"
#include "api/thread_errors.h"

namespace greta::api {

using sim::GraphExecRef;
using sim::GraphNodeRef;
using sim::GraphPlanRef;
using sim::GraphRef;
using sim::NodeWork;

namespace {

// Null if there is no such graph or its edges form a circle.
GraphPlanRef plan_of(hipGraph_t handle) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  return graph ? graph->plan() : nullptr;
}

hipError_t instantiate(hipGraphExec_t* out, hipGraph_t graph) {
  if (!out) return hipErrorInvalidValue;
  GraphPlanRef plan = plan_of(graph);
  if (!plan) return hipErrorInvalidValue;
  *out = add_exec(std::make_shared<sim::GraphExec>(std::move(plan)));
  return hipSuccess;
}

hipGraphNode_t node_handle(hipGraph_t handle, sim::GraphNodeId id) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  if (!graph) return nullptr;
  for (const GraphNodeRef& node : graph->nodes()) {
    if (node->id == id) return handle_of(*node);
  }
  return nullptr;
}

// The node a program names is one of the graph that was instantiated; 0 if it is none.
sim::GraphNodeId node_id(hipGraphNode_t handle) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_node(handle);
  return node ? node->id : 0;
}

// `prepare` makes the new content from the old, which it may refuse to replace.
template <typename Prepare>
hipError_t set_step(hipGraphExec_t exec_handle, hipGraphNode_t node, hipGraphNodeType type,
                    Prepare prepare) {
  const GraphExecRef exec = find_exec(exec_handle);
  const sim::GraphNodeId id = node_id(node);
  if (!exec || !id) return hipErrorInvalidValue;
  const std::optional<NodeWork> before = exec->find(id);
  if (!before || before->type != type) return hipErrorInvalidValue;
  NodeWork content;
  if (const hipError_t error = prepare(*before, &content)) return error;
  return exec->set(id, std::move(content)) ? hipSuccess : hipErrorInvalidValue;
}

bool has_one_row(const NodeWork& content) {
  return std::get<sim::FillWork>(*content.work).height == 1;
}

}  // namespace

hipError_t hipGraphInstantiate(hipGraphExec_t* out, hipGraph_t graph, hipGraphNode_t* error_node,
                               char* log, size_t log_bytes) {
  const hipError_t error = instantiate(out, graph);
  if (error_node) *error_node = nullptr;
  if (log && log_bytes > 0) {
    const char* text = error == hipSuccess ? "" : "no such graph, or its edges form a circle";
    std::strncpy(log, text, log_bytes - 1);
    log[log_bytes - 1] = '\0';
  }
  return error;
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* out, hipGraph_t graph,
                                        unsigned long long flags) {
  const bool known = flags == 0 || flags == hipGraphInstantiateFlagAutoFreeOnLaunch ||
                     flags == hipGraphInstantiateFlagUseNodePriority;
  return known ? instantiate(out, graph) : hipErrorInvalidValue;
}

hipError_t hipGraphExecDestroy(hipGraphExec_t handle) {
  return remove_exec(handle) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream_handle) {
  const GraphExecRef exec = find_exec(handle);
  if (!exec) return hipErrorInvalidValue;
  hipError_t error;
  const sim::StreamRef stream = find_stream(stream_handle, &error);
  if (!stream) return error;
  error = exec->launch(stream);
  thread_errors().launched = error == hipSuccess;
  return error;
}

// There is nothing to prepare: the plan is in memory.
hipError_t hipGraphUpload(hipGraphExec_t handle, hipStream_t stream_handle) {
  if (!find_exec(handle)) return hipErrorInvalidValue;
  hipError_t error;
  return find_stream(stream_handle, &error) ? hipSuccess : error;
}

hipError_t hipGraphExecUpdate(hipGraphExec_t handle, hipGraph_t graph, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  const GraphExecRef exec = find_exec(handle);
  if (!exec || !error_node || !result) return hipErrorInvalidValue;
  const GraphPlanRef plan = plan_of(graph);
  if (!plan) return hipErrorInvalidValue;
  const sim::GraphUpdate update = exec->update(*plan);
  *result = update.result;
  *error_node = update.node ? node_handle(graph, update.node) : nullptr;
  return update.result == hipGraphExecUpdateSuccess ? hipSuccess : hipErrorGraphExecUpdateFailure;
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  return set_step(exec, node, hipGraphNodeTypeKernel, [&](const NodeWork& before, NodeWork* next) {
    return kernel_content(params, before.device, next);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst,
                                             const void* src, size_t bytes, hipMemcpyKind kind) {
  if (dst == src) return hipErrorInvalidValue;
  return set_step(exec, node, hipGraphNodeTypeMemcpy, [&](const NodeWork& before, NodeWork* next) {
    const hipError_t error = copy_content({dst, src, bytes, kind}, before.device, next);
    if (error != hipSuccess) return error;
    return next->kind == before.kind ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  return set_step(exec, node, hipGraphNodeTypeMemset, [&](const NodeWork& before, NodeWork* next) {
    const hipError_t error = fill_content(params, before.device, next);
    if (error != hipSuccess) return error;
    return has_one_row(*next) == has_one_row(before) ? hipSuccess : hipErrorInvalidValue;
  });
}

}  // namespace greta::api
