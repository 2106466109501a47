// Nodes of any kind by one structure: added, changed, changed in what was instantiated.
#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/node_edit.h"
#include "device/device.h"

namespace greta::api {

using sim::NodeWork;

namespace {

// What a node of these parameters does; memory has calls of its own.
hipError_t content_of(const hipGraphNodeParams& params, int device, NodeWork* content) {
  switch (params.type) {
    case hipGraphNodeTypeKernel:
      return kernel_content(&params.kernel, device, content);
    case hipGraphNodeTypeMemcpy:
      return copy_3d_content(&params.memcpy.copyParams, device, content);
    case hipGraphNodeTypeMemset:
      return fill_content(&params.memset, device, content);
    case hipGraphNodeTypeHost:
      return host_content(&params.host, device, content);
    case hipGraphNodeTypeGraph:
      return child_content(params.graph.graph, device, content);
    case hipGraphNodeTypeWaitEvent:
      return event_content(params.eventWait.event, true, device, content);
    case hipGraphNodeTypeEventRecord:
      return event_content(params.eventRecord.event, false, device, content);
    case hipGraphNodeTypeExtSemaphoreSignal:
    case hipGraphNodeTypeExtSemaphoreWait:
    case hipGraphNodeTypeMemAlloc:
    case hipGraphNodeTypeMemFree:
      return hipErrorNotSupported;
    default:
      return hipErrorInvalidValue;
  }
}

}  // namespace

hipError_t hipGraphAddNode(hipGraphNode_t* out, hipGraph_t graph,
                           const hipGraphNode_t* dependencies, size_t count,
                           hipGraphNodeParams* params) {
  if (!params) return hipErrorInvalidValue;
  switch (params->type) {
    case hipGraphNodeTypeMemAlloc:
      return api::hipGraphAddMemAllocNode(out, graph, dependencies, count, &params->alloc);
    case hipGraphNodeTypeMemFree:
      return api::hipGraphAddMemFreeNode(out, graph, dependencies, count, params->free.dptr);
    default:
      break;
  }
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return content_of(*params, device, content);
  });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* params) {
  if (!params) return hipErrorInvalidValue;
  if (params->type == hipGraphNodeTypeGraph) {
    // Its content is made under the lock that changing a node holds.
    NodeWork content;
    const hipError_t error = content_of(*params, sim::current_ordinal(), &content);
    if (error != hipSuccess) return error;
    return set_node(node, params->type, [&](int, NodeWork* next) {
      *next = std::move(content);
      return hipSuccess;
    });
  }
  return set_node(node, params->type, [&](int device, NodeWork* content) {
    return content_of(*params, device, content);
  });
}

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     hipGraphNodeParams* params) {
  if (!params) return hipErrorInvalidValue;
  if (params->type == hipGraphNodeTypeGraph) {
    return api::hipGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
  }
  return set_step(exec, node, params->type, [&](const NodeWork& before, NodeWork* next) {
    const hipError_t error = content_of(*params, before.device, next);
    if (error != hipSuccess) return error;
    return next->kind == before.kind ? hipSuccess : hipErrorInvalidValue;
  });
}

}  // namespace greta::api
