// Nodes of events, of memory, of graphs within graphs and of words of memory; attributes of
// kernels.
#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/node_edit.h"
#include "device/device.h"
#include "device/graph_allocation.h"

namespace greta::api {

using sim::GraphNodeRef;
using sim::NodeWork;

namespace {

hipError_t add_event(const NewNode& place, hipEvent_t event, bool waits) {
  return add_node(place, [&](int device, NodeWork* content) {
    return event_content(event, waits, device, content);
  });
}

hipGraphNodeType event_type(bool waits) {
  return waits ? hipGraphNodeTypeWaitEvent : hipGraphNodeTypeEventRecord;
}

hipError_t get_event(hipGraphNode_t handle, hipEvent_t* event, bool waits) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, event_type(waits));
  if (!node || !event) return hipErrorInvalidValue;
  *event = node->content.event;
  return hipSuccess;
}

hipError_t set_event(hipGraphNode_t node, hipEvent_t event, bool waits) {
  return set_node(node, event_type(waits), [&](int device, NodeWork* content) {
    return event_content(event, waits, device, content);
  });
}

hipError_t set_event_step(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event, bool waits) {
  return set_step(exec, node, event_type(waits), [&](const NodeWork& before, NodeWork* next) {
    return event_content(event, waits, before.device, next);
  });
}

hipError_t add_free(const NewNode& place, const void* pointer) {
  // As AMD's library: a list of dependencies needs dependencies.
  if (!pointer || (place.dependencies && place.count == 0)) return hipErrorInvalidValue;
  return add_node(
      place, [&](int device, NodeWork* content) { return free_content(pointer, device, content); });
}

// The memory of a node of this type; null if it is none.
sim::AllocationRef memory_of(hipGraphNode_t handle, hipGraphNodeType type) {
  const GraphNodeRef node = find_typed(handle, type);
  const sim::GraphAllocation* memory = node ? node->content.allocation() : nullptr;
  return memory != nullptr ? memory->allocation() : nullptr;
}

bool is_attribute(hipLaunchAttributeID attribute) {
  return attribute == hipLaunchAttributeAccessPolicyWindow ||
         attribute == hipLaunchAttributeCooperative || attribute == hipLaunchAttributePriority;
}

hipError_t put_attribute(sim::GraphNode& node, hipLaunchAttributeID attribute,
                         const hipLaunchAttributeValue& value) {
  if (attribute == hipLaunchAttributeCooperative && (value.cooperative & ~1) != 0) {
    return hipErrorInvalidValue;
  }
  if (attribute == hipLaunchAttributeAccessPolicyWindow) {
    const hipAccessPolicyWindow& window = value.accessPolicyWindow;
    if (window.hitRatio < 0 || window.hitRatio > 1) return hipErrorInvalidValue;
    if (window.missProp == hipAccessPropertyPersisting) return hipErrorInvalidValue;
  }
  node.content.attributes[attribute] = value;
  if (attribute != hipLaunchAttributeCooperative) return hipSuccess;
  auto work = std::get<sim::KernelWork>(*node.content.work);
  work.cooperative = value.cooperative != 0;
  node.content.work = std::make_shared<const sim::Work>(std::move(work));
  return hipSuccess;
}

}  // namespace

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t graph,
                                      const hipGraphNode_t* dependencies, size_t count,
                                      hipEvent_t event) {
  return add_event({out, graph, dependencies, count}, event, false);
}

hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get_event(node, event, false);
}

hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_event(node, event, false);
}

hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event) {
  return set_event_step(exec, node, event, false);
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    hipEvent_t event) {
  return add_event({out, graph, dependencies, count}, event, true);
}

hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get_event(node, event, true);
}

hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_event(node, event, true);
}

hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event) {
  return set_event_step(exec, node, event, true);
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* out, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, size_t count,
                                   hipMemAllocNodeParams* params) {
  return add_node({out, graph, dependencies, count},
                  [&](int, NodeWork* content) { return allocation_content(params, content); });
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t handle, hipMemAllocNodeParams* params) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeMemAlloc);
  const sim::GraphAllocation* memory = node ? node->content.allocation() : nullptr;
  if (memory == nullptr || !params) return hipErrorInvalidValue;
  *params = memory->params();
  return hipSuccess;
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t graph,
                                  const hipGraphNode_t* dependencies, size_t count, void* pointer) {
  return add_free({out, graph, dependencies, count}, pointer);
}

hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     hipDeviceptr_t pointer) {
  return add_free({out, graph, dependencies, count}, pointer);
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* pointer) {
  const auto lock = sim::graph_lock();
  const sim::AllocationRef memory = memory_of(node, hipGraphNodeTypeMemFree);
  if (!memory || !pointer) return hipErrorInvalidValue;
  *static_cast<void**>(pointer) = reinterpret_cast<void*>(memory->base);
  return hipSuccess;
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void* value) {
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  if (!value) return hipErrorInvalidValue;
  return sim::get_graph_memory_attribute(device, attribute, static_cast<uint64_t*>(value));
}

// What was the most can only be forgotten.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute,
                                         void* value) {
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  if (!value || *static_cast<const uint64_t*>(value) != 0) return hipErrorInvalidValue;
  return sim::reset_graph_memory_attribute(device, attribute);
}

hipError_t hipDeviceGraphMemTrim(int device) {
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  sim::trim_graph_memory(device);
  return hipSuccess;
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     hipGraph_t child) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return child_content(child, device, content);
  });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t handle, hipGraph_t* graph) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeGraph);
  if (!node || !graph || !node->content.child) return hipErrorInvalidValue;
  *graph = handle_of(node->content.child);
  return hipSuccess;
}

hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     const hipBatchMemOpNodeParams* params) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return batch_content(params, device, content);
  });
}

// The operations stay where they are until the node changes.
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t handle, hipBatchMemOpNodeParams* params) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeBatchMemOp);
  if (!node || !params || !node->content.batch_params) return hipErrorInvalidValue;
  const auto& operations = *node->content.batch_params;
  *params = {};
  params->count = static_cast<unsigned>(operations.size());
  params->paramArray = const_cast<hipStreamBatchMemOpParams*>(operations.data());
  return hipSuccess;
}

hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams* params) {
  return set_node(node, hipGraphNodeTypeBatchMemOp, [&](int device, NodeWork* content) {
    return batch_content(params, device, content);
  });
}

hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams* params) {
  return set_step(exec, node, hipGraphNodeTypeBatchMemOp,
                  [&](const NodeWork& before, NodeWork* next) {
                    return batch_content(params, before.device, next);
                  });
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t handle, hipLaunchAttributeID attribute,
                                          const hipLaunchAttributeValue* value) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeKernel);
  if (!node || !value || !is_attribute(attribute)) return hipErrorInvalidValue;
  return put_attribute(*node, attribute, *value);
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t handle, hipLaunchAttributeID attribute,
                                          hipLaunchAttributeValue* value) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeKernel);
  if (!node || !value || !is_attribute(attribute)) return hipErrorInvalidValue;
  const auto found = node->content.attributes.find(attribute);
  *value = found != node->content.attributes.end() ? found->second : hipLaunchAttributeValue{};
  return hipSuccess;
}

hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t src, hipGraphNode_t dst) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef from = find_typed(src, hipGraphNodeTypeKernel);
  const GraphNodeRef to = find_typed(dst, hipGraphNodeTypeKernel);
  if (!from || !to) return hipErrorInvalidValue;
  for (const auto& [attribute, value] : from->content.attributes) {
    put_attribute(*to, static_cast<hipLaunchAttributeID>(attribute), value);
  }
  return hipSuccess;
}

}  // namespace greta::api
