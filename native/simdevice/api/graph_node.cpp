// Nodes: added to a graph, and their parameters read and changed.
#include <algorithm>
#include <utility>

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/node_edit.h"
#include "device/device.h"
#include "device/graph.h"

namespace greta::api {

using sim::GraphNode;
using sim::GraphNodeRef;
using sim::GraphRef;
using sim::NodeWork;

namespace {

bool find_dependencies(const sim::Graph& graph, const NewNode& place,
                       std::vector<GraphNode*>* found) {
  for (size_t i = 0; i < place.count; ++i) {
    const GraphNodeRef node = find_node(place.dependencies[i]);
    if (!node || node->graph != &graph) return false;
    if (std::find(found->begin(), found->end(), node.get()) != found->end()) return false;
    found->push_back(node.get());
  }
  return true;
}

hipError_t insert(const NewNode& place, NodeWork content) {
  const auto lock = sim::graph_lock();
  const GraphRef graph = find_graph(place.graph);
  std::vector<GraphNode*> dependencies;
  if (!graph || !find_dependencies(*graph, place, &dependencies)) return hipErrorInvalidValue;
  *place.out = handle_of(*graph->add(std::move(content), dependencies));
  return hipSuccess;
}

}  // namespace

hipError_t add_node(const NewNode& place, const Prepare& prepare) {
  const bool complete = place.out && place.graph && (place.dependencies || place.count == 0);
  if (!complete) return hipErrorInvalidValue;
  NodeWork content;
  const hipError_t error = prepare(sim::current_ordinal(), &content);
  return error == hipSuccess ? insert(place, std::move(content)) : error;
}

GraphNodeRef find_typed(hipGraphNode_t handle, hipGraphNodeType type) {
  GraphNodeRef node = find_node(handle);
  return node && node->content.type == type ? node : nullptr;
}

hipError_t set_node(hipGraphNode_t handle, hipGraphNodeType type, const Prepare& prepare) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, type);
  if (!node) return hipErrorInvalidValue;
  NodeWork content;
  const hipError_t error = prepare(node->content.device, &content);
  if (error == hipSuccess) node->set_content(std::move(content));
  return error;
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipKernelNodeParams* params) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return kernel_content(params, device, content);
  });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, size_t count, void* dst,
                                   const void* src, size_t bytes, hipMemcpyKind kind) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return copy_content({dst, src, bytes, kind}, device, content);
  });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipMemsetParams* params) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return fill_content(params, device, content);
  });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t graph,
                               const hipGraphNode_t* dependencies, size_t count,
                               const hipHostNodeParams* params) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return host_content(params, device, content);
  });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t graph,
                                const hipGraphNode_t* dependencies, size_t count) {
  return add_node({out, graph, dependencies, count}, [](int device, NodeWork* content) {
    *content = sim::node_work_of(sim::EmptyWork{}, device);
    return hipSuccess;
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* params) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeKernel);
  if (!node || !params) return hipErrorInvalidValue;
  const auto& work = std::get<sim::KernelWork>(*node->content.work);
  params->func = const_cast<void*>(node->content.called_by);
  params->gridDim = {work.grid.x, work.grid.y, work.grid.z};
  params->blockDim = {work.block.x, work.block.y, work.block.z};
  params->sharedMemBytes = work.dynamic_shared_bytes;
  params->kernelParams = node->kernel_params();
  params->extra = nullptr;
  return hipSuccess;
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return set_node(node, hipGraphNodeTypeKernel, [&](int device, NodeWork* content) {
    return kernel_content(params, device, content);
  });
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src,
                                         size_t bytes, hipMemcpyKind kind) {
  if (dst == src) return hipErrorInvalidValue;
  return set_node(node, hipGraphNodeTypeMemcpy, [&](int device, NodeWork* content) {
    return copy_content({dst, src, bytes, kind}, device, content);
  });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t handle, hipMemsetParams* params) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeMemset);
  if (!node || !params) return hipErrorInvalidValue;
  const auto& work = std::get<sim::FillWork>(*node->content.work);
  params->dst = reinterpret_cast<void*>(work.dst);
  params->elementSize = work.element_bytes;
  params->height = work.height;
  params->pitch = work.pitch;
  params->value = work.value;
  params->width = work.width;
  return hipSuccess;
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return set_node(node, hipGraphNodeTypeMemset, [&](int device, NodeWork* content) {
    return fill_content(params, device, content);
  });
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t handle, hipHostNodeParams* params) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, hipGraphNodeTypeHost);
  if (!node || !params) return hipErrorInvalidValue;
  const auto& work = std::get<sim::HostWork>(*node->content.work);
  params->fn = work.function;
  params->userData = work.data;
  return hipSuccess;
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return set_node(node, hipGraphNodeTypeHost, [&](int device, NodeWork* content) {
    return host_content(params, device, content);
  });
}

}  // namespace greta::api
