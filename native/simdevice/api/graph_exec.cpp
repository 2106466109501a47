// Instantiated graphs: made, launched, changed, destroyed.
#include "device/graph_exec.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/node_edit.h"
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

// Memory that a graph allocates is that of one executable graph at a time.
hipError_t instantiate(hipGraphExec_t* out, hipGraph_t handle, unsigned long long flags = 0) {
  if (!out) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(handle);
  GraphPlanRef plan = graph ? graph->plan() : nullptr;
  if (!plan) return hipErrorInvalidValue;
  if (graph->has_memory_nodes() && graph->instantiated.lock()) return hipErrorNotSupported;
  auto exec = std::make_shared<sim::GraphExec>(std::move(plan), flags);
  graph->instantiated = exec;
  *out = add_exec(std::move(exec));
  return hipSuccess;
}

bool are_known_flags(unsigned long long flags) {
  return flags == 0 || flags == hipGraphInstantiateFlagAutoFreeOnLaunch ||
         flags == hipGraphInstantiateFlagUseNodePriority;
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

bool has_one_row(const NodeWork& content) {
  return std::get<sim::FillWork>(*content.work).height == 1;
}

bool can_be_disabled(hipGraphNodeType type) {
  return type == hipGraphNodeTypeKernel || type == hipGraphNodeTypeMemcpy ||
         type == hipGraphNodeTypeMemset;
}

struct ExecNode {
  GraphExecRef exec;
  sim::GraphNodeId node = 0;
};

// Empty if the exec has no such node, or one that cannot be switched off.
ExecNode find_switchable(hipGraphExec_t exec_handle, hipGraphNode_t handle) {
  ExecNode found{find_exec(exec_handle), node_id(handle)};
  const std::optional<NodeWork> content =
      found.exec && found.node ? found.exec->find(found.node) : std::nullopt;
  return content && can_be_disabled(content->type) ? found : ExecNode{};
}

}  // namespace

hipError_t set_step(hipGraphExec_t exec_handle, hipGraphNode_t node, hipGraphNodeType type,
                    const PrepareNext& prepare) {
  const GraphExecRef exec = find_exec(exec_handle);
  const sim::GraphNodeId id = node_id(node);
  if (!exec || !id) return hipErrorInvalidValue;
  const std::optional<NodeWork> before = exec->find(id);
  if (!before || before->type != type) return hipErrorInvalidValue;
  NodeWork content;
  if (const hipError_t error = prepare(*before, &content)) return error;
  return exec->set(id, std::move(content)) ? hipSuccess : hipErrorInvalidValue;
}

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
  return are_known_flags(flags) ? instantiate(out, graph, flags) : hipErrorInvalidValue;
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* out, hipGraph_t graph,
                                         hipGraphInstantiateParams* params) {
  if (!out || !graph || !params) return hipErrorInvalidValue;
  const bool known = are_known_flags(params->flags) ||
                     params->flags == hipGraphInstantiateFlagUpload ||
                     params->flags == hipGraphInstantiateFlagDeviceLaunch;
  const hipError_t error = known ? instantiate(out, graph, params->flags) : hipErrorInvalidValue;
  params->result_out = error == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
  if (error == hipSuccess) params->errNode_out = nullptr;
  return error;
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t handle, unsigned long long* flags) {
  const GraphExecRef exec = find_exec(handle);
  if (!exec || !flags) return hipErrorInvalidValue;
  *flags = exec->flags();
  return hipSuccess;
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int enabled) {
  const ExecNode found = find_switchable(exec, node);
  if (!found.exec) return hipErrorInvalidValue;
  found.exec->set_enabled(found.node, enabled != 0);
  return hipSuccess;
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int* enabled) {
  const ExecNode found = find_switchable(exec, node);
  if (!found.exec || !enabled) return hipErrorInvalidValue;
  *enabled = *found.exec->is_enabled(found.node) ? 1 : 0;
  return hipSuccess;
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec_handle, hipGraphNode_t node,
                                               hipGraph_t graph) {
  const GraphExecRef exec = find_exec(exec_handle);
  const sim::GraphNodeId id = node_id(node);
  const GraphPlanRef plan = plan_of(graph);
  if (!exec || !id || !plan) return hipErrorInvalidValue;
  const std::optional<NodeWork> before = exec->find(id);
  if (!before || before->type != hipGraphNodeTypeGraph) return hipErrorInvalidValue;
  if (plan->graph == exec->plan()->graph) return hipErrorUnknown;  // in itself
  return exec->set_child(id, *plan);
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  return set_step(exec, node, hipGraphNodeTypeHost, [&](const NodeWork& before, NodeWork* next) {
    return host_content(params, before.device, next);
  });
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
