// Nodes that copy: boxes, in the structures of either API, and variables. Nodes that fill, in the
// driver's form.
#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "api/node_content.h"
#include "api/node_edit.h"

namespace greta::api {

using sim::GraphNodeRef;
using sim::NodeWork;

namespace {

constexpr hipGraphNodeType kCopy = hipGraphNodeTypeMemcpy;

// A node of a plain copy, in the words of a box.
hipMemcpy3DParms params_of(const NodeWork& content) {
  if (content.copy_params) return *content.copy_params;
  const auto& work = std::get<sim::CopyWork>(*content.work);
  hipMemcpy3DParms params = {};
  params.srcPtr = {reinterpret_cast<void*>(work.src), work.src_pitch, work.width, work.height};
  params.dstPtr = {reinterpret_cast<void*>(work.dst), work.dst_pitch, work.width, work.height};
  params.extent = {work.width, work.height, work.depth};
  params.kind = content.kind;
  return params;
}

HIP_MEMCPY3D driver_params_of(const NodeWork& content) {
  if (content.driver_copy_params) return *content.driver_copy_params;
  const auto& work = std::get<sim::CopyWork>(*content.work);
  const bool to_host = content.kind == hipMemcpyDeviceToHost || content.kind == hipMemcpyHostToHost;
  const bool from_host =
      content.kind == hipMemcpyHostToDevice || content.kind == hipMemcpyHostToHost;
  HIP_MEMCPY3D params = {};
  params.srcMemoryType = from_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  params.srcHost = from_host ? reinterpret_cast<void*>(work.src) : nullptr;
  params.srcDevice = from_host ? nullptr : reinterpret_cast<void*>(work.src);
  params.srcPitch = work.src_pitch;
  params.srcHeight = work.src_pitch ? work.src_slice / work.src_pitch : 0;
  params.dstMemoryType = to_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  params.dstHost = to_host ? reinterpret_cast<void*>(work.dst) : nullptr;
  params.dstDevice = to_host ? nullptr : reinterpret_cast<void*>(work.dst);
  params.dstPitch = work.dst_pitch;
  params.dstHeight = work.dst_pitch ? work.dst_slice / work.dst_pitch : 0;
  params.WidthInBytes = work.width;
  params.Height = work.height;
  params.Depth = work.depth;
  return params;
}

template <typename Params>
hipError_t get_params(hipGraphNode_t handle, Params* params, Params (*of)(const NodeWork&)) {
  const auto lock = sim::graph_lock();
  const GraphNodeRef node = find_typed(handle, kCopy);
  if (!node || !params) return hipErrorInvalidValue;
  *params = of(node->content);
  return hipSuccess;
}

hipError_t if_same_kind(hipError_t error, const NodeWork& before, const NodeWork& next) {
  if (error != hipSuccess) return error;
  return next.kind == before.kind ? hipSuccess : hipErrorInvalidValue;
}

hipError_t set_symbol_step(hipGraphExec_t exec, hipGraphNode_t node, const SymbolCopy& copy) {
  if (!copy.symbol) return hipErrorInvalidSymbol;
  return set_step(exec, node, kCopy, [&](const NodeWork& before, NodeWork* next) {
    return if_same_kind(symbol_content(copy, before.device, next), before, *next);
  });
}

hipError_t set_symbol_node(hipGraphNode_t node, const SymbolCopy& copy) {
  if (!copy.symbol) return hipErrorInvalidSymbol;
  return set_node(node, kCopy, [&](int device, NodeWork* content) {
    return symbol_content(copy, device, content);
  });
}

hipError_t add_symbol_node(const NewNode& place, const SymbolCopy& copy) {
  return add_node(
      place, [&](int device, NodeWork* content) { return symbol_content(copy, device, content); });
}

}  // namespace

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipMemcpy3DParms* params) {
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return copy_3d_content(params, device, content);
  });
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return get_params(node, params, params_of);
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return set_node(node, kCopy, [&](int device, NodeWork* content) {
    return copy_3d_content(params, device, content);
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* params) {
  return set_step(exec, node, kCopy, [&](const NodeWork& before, NodeWork* next) {
    return if_same_kind(copy_3d_content(params, before.device, next), before, *next);
  });
}

hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    const HIP_MEMCPY3D* params, hipCtx_t context) {
  if (!context) return hipErrorInvalidValue;
  return add_node({out, graph, dependencies, count}, [&](int device, NodeWork* content) {
    return driver_copy_content(params, device, content);
  });
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D* params) {
  return get_params(node, params, driver_params_of);
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D* params) {
  return set_node(node, kCopy, [&](int device, NodeWork* content) {
    return driver_copy_content(params, device, content);
  });
}

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D* params, hipCtx_t) {
  return set_step(exec, node, kCopy, [&](const NodeWork& before, NodeWork* next) {
    return if_same_kind(driver_copy_content(params, before.device, next), before, *next);
  });
}

hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    const hipMemsetParams* params, hipCtx_t) {
  return api::hipGraphAddMemsetNode(out, graph, dependencies, count, params);
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const hipMemsetParams* params, hipCtx_t) {
  return api::hipGraphExecMemsetNodeSetParams(exec, node, params);
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                         const hipGraphNode_t* dependencies, size_t count,
                                         const void* symbol, const void* src, size_t bytes,
                                         size_t offset, hipMemcpyKind kind) {
  return add_symbol_node({out, graph, dependencies, count},
                         {symbol, src, bytes, offset, kind, true});
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol,
                                               const void* src, size_t bytes, size_t offset,
                                               hipMemcpyKind kind) {
  return set_symbol_node(node, {symbol, src, bytes, offset, kind, true});
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void* symbol, const void* src,
                                                   size_t bytes, size_t offset,
                                                   hipMemcpyKind kind) {
  return set_symbol_step(exec, node, {symbol, src, bytes, offset, kind, true});
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                           const hipGraphNode_t* dependencies, size_t count,
                                           void* dst, const void* symbol, size_t bytes,
                                           size_t offset, hipMemcpyKind kind) {
  return add_symbol_node({out, graph, dependencies, count},
                         {symbol, dst, bytes, offset, kind, false});
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst, const void* symbol,
                                                 size_t bytes, size_t offset, hipMemcpyKind kind) {
  return set_symbol_node(node, {symbol, dst, bytes, offset, kind, false});
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void* dst, const void* symbol, size_t bytes,
                                                     size_t offset, hipMemcpyKind kind) {
  return set_symbol_step(exec, node, {symbol, dst, bytes, offset, kind, false});
}

}  // namespace greta::api
