// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  greta::api::CallScope call(greta::api::CallId::hipStreamBeginCapture);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, mode);
  return call.finish(greta::api::hipStreamBeginCapture(stream, mode));
}

extern "C" GRETA_EXPORT hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  greta::api::CallScope call(greta::api::CallId::hipStreamBeginCapture_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, mode);
  return call.finish(greta::api::hipStreamBeginCapture(stream != nullptr ? stream : hipStreamPerThread, mode));
}

extern "C" GRETA_EXPORT hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph) {
  greta::api::CallScope call(greta::api::CallId::hipStreamEndCapture);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pGraph);
  return call.finish(greta::api::hipStreamEndCapture(stream, pGraph));
}

extern "C" GRETA_EXPORT hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* pGraph) {
  greta::api::CallScope call(greta::api::CallId::hipStreamEndCapture_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pGraph);
  return call.finish(greta::api::hipStreamEndCapture(stream != nullptr ? stream : hipStreamPerThread, pGraph));
}

extern "C" GRETA_EXPORT hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus) {
  greta::api::CallScope call(greta::api::CallId::hipStreamIsCapturing);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pCaptureStatus);
  return call.finish(greta::api::hipStreamIsCapturing(stream, pCaptureStatus));
}

extern "C" GRETA_EXPORT hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus) {
  greta::api::CallScope call(greta::api::CallId::hipStreamIsCapturing_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pCaptureStatus);
  return call.finish(greta::api::hipStreamIsCapturing(stream != nullptr ? stream : hipStreamPerThread, pCaptureStatus));
}

extern "C" GRETA_EXPORT hipError_t hipGraphCreate(hipGraph_t* pGraph, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipGraphCreate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraph, flags);
  return call.finish(greta::api::hipGraphCreate(pGraph, flags));
}

extern "C" GRETA_EXPORT hipError_t hipGraphDestroy(hipGraph_t graph) {
  greta::api::CallScope call(greta::api::CallId::hipGraphDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph);
  return call.finish(greta::api::hipGraphDestroy(graph));
}

extern "C" GRETA_EXPORT hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes) {
  greta::api::CallScope call(greta::api::CallId::hipGraphGetNodes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph, nodes, numNodes);
  return call.finish(greta::api::hipGraphGetNodes(graph, nodes, numNodes));
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* pType) {
  greta::api::CallScope call(greta::api::CallId::hipGraphNodeGetType);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pType);
  return call.finish(greta::api::hipGraphNodeGetType(node, pType));
}

extern "C" GRETA_EXPORT hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphNode_t* pErrorNode, char* pLogBuffer, size_t bufferSize) {
  greta::api::CallScope call(greta::api::CallId::hipGraphInstantiate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize);
  return call.finish(greta::api::hipGraphInstantiate(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize));
}

extern "C" GRETA_EXPORT hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags) {
  greta::api::CallScope call(greta::api::CallId::hipGraphInstantiateWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphExec, graph, flags);
  return call.finish(greta::api::hipGraphInstantiateWithFlags(pGraphExec, graph, flags));
}

extern "C" GRETA_EXPORT hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipGraphLaunch);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graphExec, stream);
  return call.finish(greta::api::hipGraphLaunch(graphExec, stream));
}

extern "C" GRETA_EXPORT hipError_t hipGraphLaunch_spt(hipGraphExec_t graphExec, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipGraphLaunch_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graphExec, stream);
  return call.finish(greta::api::hipGraphLaunch(graphExec, stream != nullptr ? stream : hipStreamPerThread));
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec) {
  greta::api::CallScope call(greta::api::CallId::hipGraphExecDestroy);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graphExec);
  return call.finish(greta::api::hipGraphExecDestroy(graphExec));
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t* hErrorNode_out, hipGraphExecUpdateResult* updateResult_out) {
  greta::api::CallScope call(greta::api::CallId::hipGraphExecUpdate);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
  return call.finish(greta::api::hipGraphExecUpdate(hGraphExec, hGraph, hErrorNode_out, updateResult_out));
}

extern "C" GRETA_EXPORT hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphKernelNodeGetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphKernelNodeGetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus, unsigned long long* pId) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetCaptureInfo);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pCaptureStatus, pId);
  return call.finish(greta::api::hipStreamGetCaptureInfo(stream, pCaptureStatus, pId));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus, unsigned long long* pId) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetCaptureInfo_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, pCaptureStatus, pId);
  return call.finish(greta::api::hipStreamGetCaptureInfo(stream != nullptr ? stream : hipStreamPerThread, pCaptureStatus, pId));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out, hipGraph_t* graph_out, const hipGraphNode_t** dependencies_out, size_t* numDependencies_out) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetCaptureInfo_v2);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  return call.finish(greta::api::hipStreamGetCaptureInfo_v2(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out));
}

extern "C" GRETA_EXPORT hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out, hipGraph_t* graph_out, const hipGraphNode_t** dependencies_out, size_t* numDependencies_out) {
  greta::api::CallScope call(greta::api::CallId::hipStreamGetCaptureInfo_v2_spt);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  return call.finish(greta::api::hipStreamGetCaptureInfo_v2(stream != nullptr ? stream : hipStreamPerThread, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out));
}

extern "C" GRETA_EXPORT hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  greta::api::CallScope call(greta::api::CallId::hipThreadExchangeStreamCaptureMode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(mode);
  return call.finish(greta::api::hipThreadExchangeStreamCaptureMode(mode));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to, size_t numDependencies) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddDependencies);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph, from, to, numDependencies);
  return call.finish(greta::api::hipGraphAddDependencies(graph, from, to, numDependencies));
}

extern "C" GRETA_EXPORT hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* numEdges) {
  greta::api::CallScope call(greta::api::CallId::hipGraphGetEdges);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph, from, to, numEdges);
  return call.finish(greta::api::hipGraphGetEdges(graph, from, to, numEdges));
}

extern "C" GRETA_EXPORT hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* pRootNodes, size_t* pNumRootNodes) {
  greta::api::CallScope call(greta::api::CallId::hipGraphGetRootNodes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph, pRootNodes, pNumRootNodes);
  return call.finish(greta::api::hipGraphGetRootNodes(graph, pRootNodes, pNumRootNodes));
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* pDependencies, size_t* pNumDependencies) {
  greta::api::CallScope call(greta::api::CallId::hipGraphNodeGetDependencies);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pDependencies, pNumDependencies);
  return call.finish(greta::api::hipGraphNodeGetDependencies(node, pDependencies, pNumDependencies));
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* pDependentNodes, size_t* pNumDependentNodes) {
  greta::api::CallScope call(greta::api::CallId::hipGraphNodeGetDependentNodes);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pDependentNodes, pNumDependentNodes);
  return call.finish(greta::api::hipGraphNodeGetDependentNodes(node, pDependentNodes, pNumDependentNodes));
}

extern "C" GRETA_EXPORT hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  greta::api::CallScope call(greta::api::CallId::hipGraphDestroyNode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node);
  return call.finish(greta::api::hipGraphDestroyNode(node));
}

extern "C" GRETA_EXPORT hipError_t hipGraphClone(hipGraph_t* pGraphClone, hipGraph_t originalGraph) {
  greta::api::CallScope call(greta::api::CallId::hipGraphClone);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphClone, originalGraph);
  return call.finish(greta::api::hipGraphClone(pGraphClone, originalGraph));
}

extern "C" GRETA_EXPORT hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream) {
  greta::api::CallScope call(greta::api::CallId::hipGraphUpload);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graphExec, stream);
  return call.finish(greta::api::hipGraphUpload(graphExec, stream));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddKernelNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const hipKernelNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddKernelNode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  return call.finish(greta::api::hipGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphKernelNodeSetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphKernelNodeSetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipKernelNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphExecKernelNodeSetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hGraphExec, node, pNodeParams);
  return call.finish(greta::api::hipGraphExecKernelNodeSetParams(hGraphExec, node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, void* dst, const void* src, size_t count, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddMemcpyNode1D);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind);
  return call.finish(greta::api::hipGraphAddMemcpyNode1D(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind));
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src, size_t count, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipGraphMemcpyNodeSetParams1D);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, dst, src, count, kind);
  return call.finish(greta::api::hipGraphMemcpyNodeSetParams1D(node, dst, src, count, kind));
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst, const void* src, size_t count, hipMemcpyKind kind) {
  greta::api::CallScope call(greta::api::CallId::hipGraphExecMemcpyNodeSetParams1D);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hGraphExec, node, dst, src, count, kind);
  return call.finish(greta::api::hipGraphExecMemcpyNodeSetParams1D(hGraphExec, node, dst, src, count, kind));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemsetNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const hipMemsetParams* pMemsetParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddMemsetNode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams);
  return call.finish(greta::api::hipGraphAddMemsetNode(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphMemsetNodeGetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphMemsetNodeGetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphMemsetNodeSetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphMemsetNodeSetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipMemsetParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphExecMemsetNodeSetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(hGraphExec, node, pNodeParams);
  return call.finish(greta::api::hipGraphExecMemsetNodeSetParams(hGraphExec, node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddHostNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies, const hipHostNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddHostNode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  return call.finish(greta::api::hipGraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphHostNodeGetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphHostNodeGetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* pNodeParams) {
  greta::api::CallScope call(greta::api::CallId::hipGraphHostNodeSetParams);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(node, pNodeParams);
  return call.finish(greta::api::hipGraphHostNodeSetParams(node, pNodeParams));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddEmptyNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies) {
  greta::api::CallScope call(greta::api::CallId::hipGraphAddEmptyNode);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pGraphNode, graph, pDependencies, numDependencies);
  return call.finish(greta::api::hipGraphAddEmptyNode(pGraphNode, graph, pDependencies, numDependencies));
}

extern "C" GRETA_EXPORT hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipGraphDebugDotPrint);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(graph, path, flags);
  return call.finish(greta::api::hipGraphDebugDotPrint(graph, path, flags));
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddBatchMemOpNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddBatchMemOpNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphBatchMemOpNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphBatchMemOpNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphBatchMemOpNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphBatchMemOpNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecBatchMemOpNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecBatchMemOpNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipStreamBeginCaptureToGraph(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamBeginCaptureToGraph);
}

extern "C" GRETA_EXPORT hipError_t hipStreamUpdateCaptureDependencies(void) {
  return greta::api::not_supported(greta::api::CallId::hipStreamUpdateCaptureDependencies);
}

extern "C" GRETA_EXPORT hipError_t hipGraphRemoveDependencies(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphRemoveDependencies);
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeFindInClone(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphNodeFindInClone);
}

extern "C" GRETA_EXPORT hipError_t hipGraphInstantiateWithParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphInstantiateWithParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecGetFlags(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecGetFlags);
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphAddMemcpyNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphAddMemcpyNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemcpyNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddMemcpyNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemcpyNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemcpyNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemcpyNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemcpyNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphKernelNodeSetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphKernelNodeSetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipGraphKernelNodeGetAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphKernelNodeGetAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecMemcpyNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecMemcpyNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemcpyNodeFromSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddMemcpyNodeFromSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemcpyNodeSetParamsFromSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecMemcpyNodeSetParamsFromSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemcpyNodeToSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddMemcpyNodeToSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemcpyNodeSetParamsToSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemcpyNodeSetParamsToSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecMemcpyNodeSetParamsToSymbol);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecHostNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecHostNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddChildGraphNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddChildGraphNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphChildGraphNodeGetGraph(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphChildGraphNodeGetGraph);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecChildGraphNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecChildGraphNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddEventRecordNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddEventRecordNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphEventRecordNodeGetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphEventRecordNodeGetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphEventRecordNodeSetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphEventRecordNodeSetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecEventRecordNodeSetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecEventRecordNodeSetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddEventWaitNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddEventWaitNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphEventWaitNodeGetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphEventWaitNodeGetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphEventWaitNodeSetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphEventWaitNodeSetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecEventWaitNodeSetEvent(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecEventWaitNodeSetEvent);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemAllocNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddMemAllocNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemAllocNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemAllocNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddMemFreeNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddMemFreeNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphMemFreeNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphMemFreeNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetGraphMemAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceGetGraphMemAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSetGraphMemAttribute(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceSetGraphMemAttribute);
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGraphMemTrim(void) {
  return greta::api::not_supported(greta::api::CallId::hipDeviceGraphMemTrim);
}

extern "C" GRETA_EXPORT hipError_t hipUserObjectCreate(void) {
  return greta::api::not_supported(greta::api::CallId::hipUserObjectCreate);
}

extern "C" GRETA_EXPORT hipError_t hipUserObjectRelease(void) {
  return greta::api::not_supported(greta::api::CallId::hipUserObjectRelease);
}

extern "C" GRETA_EXPORT hipError_t hipUserObjectRetain(void) {
  return greta::api::not_supported(greta::api::CallId::hipUserObjectRetain);
}

extern "C" GRETA_EXPORT hipError_t hipGraphRetainUserObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphRetainUserObject);
}

extern "C" GRETA_EXPORT hipError_t hipGraphReleaseUserObject(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphReleaseUserObject);
}

extern "C" GRETA_EXPORT hipError_t hipGraphKernelNodeCopyAttributes(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphKernelNodeCopyAttributes);
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeSetEnabled(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphNodeSetEnabled);
}

extern "C" GRETA_EXPORT hipError_t hipGraphNodeGetEnabled(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphNodeGetEnabled);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddExternalSemaphoresWaitNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddExternalSemaphoresWaitNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphAddExternalSemaphoresSignalNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphAddExternalSemaphoresSignalNode);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExternalSemaphoresSignalNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExternalSemaphoresSignalNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExternalSemaphoresWaitNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExternalSemaphoresWaitNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExternalSemaphoresSignalNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExternalSemaphoresSignalNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExternalSemaphoresWaitNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecExternalSemaphoresSignalNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipGraphExecExternalSemaphoresWaitNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipGraphExecExternalSemaphoresWaitNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphMemcpyNodeGetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphMemcpyNodeGetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphMemcpyNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphMemcpyNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphAddMemsetNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphAddMemsetNode);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphAddMemFreeNode(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphAddMemFreeNode);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphExecMemcpyNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphExecMemcpyNodeSetParams);
}

extern "C" GRETA_EXPORT hipError_t hipDrvGraphExecMemsetNodeSetParams(void) {
  return greta::api::not_supported(greta::api::CallId::hipDrvGraphExecMemsetNodeSetParams);
}
