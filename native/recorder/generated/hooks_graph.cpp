// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipStreamBeginCapture(void* stream, int mode) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamBeginCapture, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamBeginCapture, GRETA_CALLER, 0);
  if (!call) return real(stream, mode);
  call.word(0) = widened(stream);
  call.word(1) = widened(mode);
  call.begin();
  const auto result = real(stream, mode);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) capture_began();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamBeginCapture_spt(void* stream, int mode) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamBeginCapture_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamBeginCapture_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, mode);
  call.word(0) = widened(stream);
  call.word(1) = widened(mode);
  call.begin();
  const auto result = real(stream, mode);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) capture_began();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamEndCapture(void* stream, void* pGraph) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamEndCapture, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamEndCapture, GRETA_CALLER, 0);
  if (!call) return real(stream, pGraph);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, pGraph);
  if (result == 0) call.word(1) = filled<void*>(pGraph);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH, call.word(1), 0, 0);
  if (g_added_work) {
    if (result == 0) capture_ended();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamEndCapture_spt(void* stream, void* pGraph) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamEndCapture_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamEndCapture_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, pGraph);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, pGraph);
  if (result == 0) call.word(1) = filled<void*>(pGraph);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH, call.word(1), 0, 0);
  if (g_added_work) {
    if (result == 0) capture_ended();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamIsCapturing(void* stream, void* pCaptureStatus) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamIsCapturing, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamIsCapturing, GRETA_CALLER, 0);
  if (!call) return real(stream, pCaptureStatus);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, pCaptureStatus);
  if (result == 0) call.word(1) = filled<int>(pCaptureStatus);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamIsCapturing_spt(void* stream, void* pCaptureStatus) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamIsCapturing_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamIsCapturing_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, pCaptureStatus);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.begin();
  const auto result = real(stream, pCaptureStatus);
  if (result == 0) call.word(1) = filled<int>(pCaptureStatus);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphCreate(void* pGraph, unsigned int flags) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphCreate, GRETA_CALLER, 0);
  if (!call) return real(pGraph, flags);
  call.word(0) = 0;
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(pGraph, flags);
  if (result == 0) call.word(0) = filled<void*>(pGraph);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH, call.word(0), 0, call.word(1));
  return result;
}

extern "C" GRETA_EXPORT int hipGraphDestroy(void* graph) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphDestroy, GRETA_CALLER, 0);
  if (!call) return real(graph);
  call.word(0) = widened(graph);
  const auto ended = live().end(graph);
  call.begin();
  const auto result = real(graph);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphGetNodes(void* graph, void* nodes, void* numNodes) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphGetNodes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphGetNodes, GRETA_CALLER, 0);
  if (!call) return real(graph, nodes, numNodes);
  call.word(0) = widened(graph);
  call.word(1) = widened(nodes);
  call.word(2) = 0;
  call.begin();
  const auto result = real(graph, nodes, numNodes);
  if (result == 0) call.word(2) = filled<size_t>(numNodes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeGetType(void* node, void* pType) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeGetType, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeGetType, GRETA_CALLER, 0);
  if (!call) return real(node, pType);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pType);
  if (result == 0) call.word(1) = filled<int>(pType);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphInstantiate(void* pGraphExec, void* graph, void* pErrorNode, void* pLogBuffer, size_t bufferSize) {
  using Function = int (*)(void*, void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphInstantiate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphInstantiate, GRETA_CALLER, 0);
  if (!call) return real(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = 0;
  call.word(3) = widened(pLogBuffer);
  call.word(4) = widened(bufferSize);
  call.begin();
  const auto result = real(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize);
  if (result == 0) call.word(0) = filled<void*>(pGraphExec);
  if (result == 0) call.word(2) = filled<void*>(pErrorNode);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH_EXEC, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphInstantiateWithFlags(void* pGraphExec, void* graph, unsigned long long flags) {
  using Function = int (*)(void*, void*, unsigned long long);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphInstantiateWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphInstantiateWithFlags, GRETA_CALLER, 0);
  if (!call) return real(pGraphExec, graph, flags);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(pGraphExec, graph, flags);
  if (result == 0) call.word(0) = filled<void*>(pGraphExec);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH_EXEC, call.word(0), 0, call.word(2));
  return result;
}

extern "C" GRETA_EXPORT int hipGraphLaunch(void* graphExec, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphLaunch, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphLaunch, GRETA_CALLER, 0);
  if (!call) return real(graphExec, stream);
  call.word(0) = widened(graphExec);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(graphExec, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), stream, result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipGraphLaunch_spt(void* graphExec, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphLaunch_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphLaunch_spt, GRETA_CALLER, 0);
  if (!call) return real(graphExec, stream);
  call.word(0) = widened(graphExec);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(graphExec, stream);
  call.finish(result);
  if (g_added_work) {
    work_was_enqueued(call.record(), own_stream(stream), result);
  }
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecDestroy(void* graphExec) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecDestroy, GRETA_CALLER, 0);
  if (!call) return real(graphExec);
  call.word(0) = widened(graphExec);
  const auto ended = live().end(graphExec);
  call.begin();
  const auto result = real(graphExec);
  call.finish(result);
  live().settle(ended, result == 0);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecUpdate(void* hGraphExec, void* hGraph, void* hErrorNode_out, void* updateResult_out) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecUpdate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecUpdate, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hGraph);
  call.word(2) = 0;
  call.word(3) = 0;
  call.begin();
  const auto result = real(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
  if (result == 0) call.word(2) = filled<void*>(hErrorNode_out);
  if (result == 0) call.word(3) = filled<int>(updateResult_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphKernelNodeGetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphKernelNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphKernelNodeGetParams, GRETA_CALLER, 1);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pNodeParams);
  if (result == 0) call.keep_struct(1, pNodeParams, 64);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetCaptureInfo(void* stream, void* pCaptureStatus, void* pId) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetCaptureInfo, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetCaptureInfo, GRETA_CALLER, 0);
  if (!call) return real(stream, pCaptureStatus, pId);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.word(2) = 0;
  call.begin();
  const auto result = real(stream, pCaptureStatus, pId);
  if (result == 0) call.word(1) = filled<int>(pCaptureStatus);
  if (result == 0) call.word(2) = filled<unsigned long long>(pId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetCaptureInfo_spt(void* stream, void* pCaptureStatus, void* pId) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetCaptureInfo_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetCaptureInfo_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, pCaptureStatus, pId);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.word(2) = 0;
  call.begin();
  const auto result = real(stream, pCaptureStatus, pId);
  if (result == 0) call.word(1) = filled<int>(pCaptureStatus);
  if (result == 0) call.word(2) = filled<unsigned long long>(pId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetCaptureInfo_v2(void* stream, void* captureStatus_out, void* id_out, void* graph_out, void* dependencies_out, void* numDependencies_out) {
  using Function = int (*)(void*, void*, void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetCaptureInfo_v2, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetCaptureInfo_v2, GRETA_CALLER, 0);
  if (!call) return real(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.word(2) = 0;
  call.word(3) = 0;
  call.word(4) = widened(dependencies_out);
  call.word(5) = 0;
  call.begin();
  const auto result = real(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  if (result == 0) call.word(1) = filled<int>(captureStatus_out);
  if (result == 0) call.word(2) = filled<unsigned long long>(id_out);
  if (result == 0) call.word(3) = filled<void*>(graph_out);
  if (result == 0) call.word(5) = filled<size_t>(numDependencies_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamGetCaptureInfo_v2_spt(void* stream, void* captureStatus_out, void* id_out, void* graph_out, void* dependencies_out, void* numDependencies_out) {
  using Function = int (*)(void*, void*, void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamGetCaptureInfo_v2_spt, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamGetCaptureInfo_v2_spt, GRETA_CALLER, 0);
  if (!call) return real(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  call.word(0) = widened(stream);
  call.word(1) = 0;
  call.word(2) = 0;
  call.word(3) = 0;
  call.word(4) = widened(dependencies_out);
  call.word(5) = 0;
  call.begin();
  const auto result = real(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  if (result == 0) call.word(1) = filled<int>(captureStatus_out);
  if (result == 0) call.word(2) = filled<unsigned long long>(id_out);
  if (result == 0) call.word(3) = filled<void*>(graph_out);
  if (result == 0) call.word(5) = filled<size_t>(numDependencies_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipThreadExchangeStreamCaptureMode(void* mode) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipThreadExchangeStreamCaptureMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipThreadExchangeStreamCaptureMode, GRETA_CALLER, 0);
  if (!call) return real(mode);
  call.word(0) = widened(mode);
  call.begin();
  const auto result = real(mode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddDependencies(void* graph, void* from, void* to, size_t numDependencies) {
  using Function = int (*)(void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddDependencies, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddDependencies, GRETA_CALLER, 0 + array_parts(from, numDependencies) + array_parts(to, numDependencies));
  if (!call) return real(graph, from, to, numDependencies);
  call.word(0) = widened(graph);
  call.word(1) = widened(from);
  call.word(2) = widened(to);
  call.word(3) = widened(numDependencies);
  call.keep_array(1, from, numDependencies);
  call.keep_array(2, to, numDependencies);
  call.begin();
  const auto result = real(graph, from, to, numDependencies);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphGetEdges(void* graph, void* from, void* to, void* numEdges) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphGetEdges, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphGetEdges, GRETA_CALLER, 0);
  if (!call) return real(graph, from, to, numEdges);
  call.word(0) = widened(graph);
  call.word(1) = widened(from);
  call.word(2) = widened(to);
  call.word(3) = 0;
  call.begin();
  const auto result = real(graph, from, to, numEdges);
  if (result == 0) call.word(3) = filled<size_t>(numEdges);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphGetRootNodes(void* graph, void* pRootNodes, void* pNumRootNodes) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphGetRootNodes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphGetRootNodes, GRETA_CALLER, 0);
  if (!call) return real(graph, pRootNodes, pNumRootNodes);
  call.word(0) = widened(graph);
  call.word(1) = widened(pRootNodes);
  call.word(2) = 0;
  call.begin();
  const auto result = real(graph, pRootNodes, pNumRootNodes);
  if (result == 0) call.word(2) = filled<size_t>(pNumRootNodes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeGetDependencies(void* node, void* pDependencies, void* pNumDependencies) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeGetDependencies, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeGetDependencies, GRETA_CALLER, 0);
  if (!call) return real(node, pDependencies, pNumDependencies);
  call.word(0) = widened(node);
  call.word(1) = widened(pDependencies);
  call.word(2) = 0;
  call.begin();
  const auto result = real(node, pDependencies, pNumDependencies);
  if (result == 0) call.word(2) = filled<size_t>(pNumDependencies);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeGetDependentNodes(void* node, void* pDependentNodes, void* pNumDependentNodes) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeGetDependentNodes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeGetDependentNodes, GRETA_CALLER, 0);
  if (!call) return real(node, pDependentNodes, pNumDependentNodes);
  call.word(0) = widened(node);
  call.word(1) = widened(pDependentNodes);
  call.word(2) = 0;
  call.begin();
  const auto result = real(node, pDependentNodes, pNumDependentNodes);
  if (result == 0) call.word(2) = filled<size_t>(pNumDependentNodes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphDestroyNode(void* node) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphDestroyNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphDestroyNode, GRETA_CALLER, 0);
  if (!call) return real(node);
  call.word(0) = widened(node);
  call.begin();
  const auto result = real(node);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphClone(void* pGraphClone, void* originalGraph) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphClone, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphClone, GRETA_CALLER, 0);
  if (!call) return real(pGraphClone, originalGraph);
  call.word(0) = 0;
  call.word(1) = widened(originalGraph);
  call.begin();
  const auto result = real(pGraphClone, originalGraph);
  if (result == 0) call.word(0) = filled<void*>(pGraphClone);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphUpload(void* graphExec, void* stream) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphUpload, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphUpload, GRETA_CALLER, 0);
  if (!call) return real(graphExec, stream);
  call.word(0) = widened(graphExec);
  call.word(1) = widened(stream);
  call.begin();
  const auto result = real(graphExec, stream);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddKernelNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddKernelNode, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(node_function(pNodeParams)), node_params(pNodeParams), node_extra(pNodeParams));
  RecordedCall call(Call::hipGraphAddKernelNode, GRETA_CALLER, 1 + array_parts(pDependencies, numDependencies) + arguments.parts());
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(pNodeParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.keep_struct(4, pNodeParams, 64);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphKernelNodeSetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphKernelNodeSetParams, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(node_function(pNodeParams)), node_params(pNodeParams), node_extra(pNodeParams));
  RecordedCall call(Call::hipGraphKernelNodeSetParams, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = widened(pNodeParams);
  call.keep_struct(1, pNodeParams, 64);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecKernelNodeSetParams(void* hGraphExec, void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecKernelNodeSetParams, GRETA_CALLER, GRETA_STACK));
  const KernelArguments arguments(kernel_of_either(node_function(pNodeParams)), node_params(pNodeParams), node_extra(pNodeParams));
  RecordedCall call(Call::hipGraphExecKernelNodeSetParams, GRETA_CALLER, 1 + arguments.parts());
  if (!call) return real(hGraphExec, node, pNodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(pNodeParams);
  call.keep_struct(2, pNodeParams, 64);
  call.keep_arguments(arguments);
  call.begin();
  const auto result = real(hGraphExec, node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemcpyNode1D(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* dst, void* src, size_t count, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemcpyNode1D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemcpyNode1D, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(dst);
  call.word(5) = widened(src);
  call.word(6) = widened(count);
  call.word(7) = widened(kind);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemcpyNodeSetParams1D(void* node, void* dst, void* src, size_t count, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemcpyNodeSetParams1D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemcpyNodeSetParams1D, GRETA_CALLER, 0);
  if (!call) return real(node, dst, src, count, kind);
  call.word(0) = widened(node);
  call.word(1) = widened(dst);
  call.word(2) = widened(src);
  call.word(3) = widened(count);
  call.word(4) = widened(kind);
  call.begin();
  const auto result = real(node, dst, src, count, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecMemcpyNodeSetParams1D(void* hGraphExec, void* node, void* dst, void* src, size_t count, int kind) {
  using Function = int (*)(void*, void*, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecMemcpyNodeSetParams1D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecMemcpyNodeSetParams1D, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, node, dst, src, count, kind);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(dst);
  call.word(3) = widened(src);
  call.word(4) = widened(count);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(hGraphExec, node, dst, src, count, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemsetNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* pMemsetParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemsetNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemsetNode, GRETA_CALLER, 1 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(pMemsetParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.keep_struct(4, pMemsetParams, 48);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemsetNodeGetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemsetNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemsetNodeGetParams, GRETA_CALLER, 1);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pNodeParams);
  if (result == 0) call.keep_struct(1, pNodeParams, 48);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemsetNodeSetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemsetNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemsetNodeSetParams, GRETA_CALLER, 1);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = widened(pNodeParams);
  call.keep_struct(1, pNodeParams, 48);
  call.begin();
  const auto result = real(node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecMemsetNodeSetParams(void* hGraphExec, void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecMemsetNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecMemsetNodeSetParams, GRETA_CALLER, 1);
  if (!call) return real(hGraphExec, node, pNodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(pNodeParams);
  call.keep_struct(2, pNodeParams, 48);
  call.begin();
  const auto result = real(hGraphExec, node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddHostNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddHostNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddHostNode, GRETA_CALLER, 1 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(pNodeParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.keep_struct(4, pNodeParams, 16);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphHostNodeGetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphHostNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphHostNodeGetParams, GRETA_CALLER, 1);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pNodeParams);
  if (result == 0) call.keep_struct(1, pNodeParams, 16);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphHostNodeSetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphHostNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphHostNodeSetParams, GRETA_CALLER, 1);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = widened(pNodeParams);
  call.keep_struct(1, pNodeParams, 16);
  call.begin();
  const auto result = real(node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddEmptyNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies) {
  using Function = int (*)(void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddEmptyNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddEmptyNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphDebugDotPrint(void* graph, void* path, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphDebugDotPrint, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphDebugDotPrint, GRETA_CALLER, 0);
  if (!call) return real(graph, path, flags);
  call.word(0) = widened(graph);
  call.word(1) = text_id(path);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(graph, path, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddBatchMemOpNode(void* phGraphNode, void* hGraph, void* dependencies, size_t numDependencies, void* nodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddBatchMemOpNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddBatchMemOpNode, GRETA_CALLER, 0 + array_parts(dependencies, numDependencies));
  if (!call) return real(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
  call.word(0) = 0;
  call.word(1) = widened(hGraph);
  call.word(2) = widened(dependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(nodeParams);
  call.keep_array(2, dependencies, numDependencies);
  call.begin();
  const auto result = real(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
  if (result == 0) call.word(0) = filled<void*>(phGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphBatchMemOpNodeGetParams(void* hNode, void* nodeParams_out) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphBatchMemOpNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphBatchMemOpNodeGetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, nodeParams_out);
  call.word(0) = widened(hNode);
  call.word(1) = widened(nodeParams_out);
  call.begin();
  const auto result = real(hNode, nodeParams_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphBatchMemOpNodeSetParams(void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphBatchMemOpNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphBatchMemOpNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, nodeParams);
  call.word(0) = widened(hNode);
  call.word(1) = widened(nodeParams);
  call.begin();
  const auto result = real(hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecBatchMemOpNodeSetParams(void* hGraphExec, void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecBatchMemOpNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecBatchMemOpNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, nodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(nodeParams);
  call.begin();
  const auto result = real(hGraphExec, hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipStreamBeginCaptureToGraph(void* stream, void* graph, void* dependencies, void* dependencyData, size_t numDependencies, int mode) {
  using Function = int (*)(void*, void*, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamBeginCaptureToGraph, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamBeginCaptureToGraph, GRETA_CALLER, 0 + array_parts(dependencies, numDependencies));
  if (!call) return real(stream, graph, dependencies, dependencyData, numDependencies, mode);
  call.word(0) = widened(stream);
  call.word(1) = widened(graph);
  call.word(2) = widened(dependencies);
  call.word(3) = widened(dependencyData);
  call.word(4) = widened(numDependencies);
  call.word(5) = widened(mode);
  call.keep_array(2, dependencies, numDependencies);
  call.begin();
  const auto result = real(stream, graph, dependencies, dependencyData, numDependencies, mode);
  call.finish(result);
  if (g_added_work) {
    if (result == 0) capture_began();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipStreamUpdateCaptureDependencies(void* stream, void* dependencies, size_t numDependencies, unsigned int flags) {
  using Function = int (*)(void*, void*, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipStreamUpdateCaptureDependencies, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipStreamUpdateCaptureDependencies, GRETA_CALLER, 0 + array_parts(dependencies, numDependencies));
  if (!call) return real(stream, dependencies, numDependencies, flags);
  call.word(0) = widened(stream);
  call.word(1) = widened(dependencies);
  call.word(2) = widened(numDependencies);
  call.word(3) = widened(flags);
  call.keep_array(1, dependencies, numDependencies);
  call.begin();
  const auto result = real(stream, dependencies, numDependencies, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphRemoveDependencies(void* graph, void* from, void* to, size_t numDependencies) {
  using Function = int (*)(void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphRemoveDependencies, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphRemoveDependencies, GRETA_CALLER, 0 + array_parts(from, numDependencies) + array_parts(to, numDependencies));
  if (!call) return real(graph, from, to, numDependencies);
  call.word(0) = widened(graph);
  call.word(1) = widened(from);
  call.word(2) = widened(to);
  call.word(3) = widened(numDependencies);
  call.keep_array(1, from, numDependencies);
  call.keep_array(2, to, numDependencies);
  call.begin();
  const auto result = real(graph, from, to, numDependencies);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeFindInClone(void* pNode, void* originalNode, void* clonedGraph) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeFindInClone, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeFindInClone, GRETA_CALLER, 0);
  if (!call) return real(pNode, originalNode, clonedGraph);
  call.word(0) = 0;
  call.word(1) = widened(originalNode);
  call.word(2) = widened(clonedGraph);
  call.begin();
  const auto result = real(pNode, originalNode, clonedGraph);
  if (result == 0) call.word(0) = filled<void*>(pNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphInstantiateWithParams(void* pGraphExec, void* graph, void* instantiateParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphInstantiateWithParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphInstantiateWithParams, GRETA_CALLER, 1);
  if (!call) return real(pGraphExec, graph, instantiateParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(instantiateParams);
  call.keep_struct(2, instantiateParams, 32);
  call.begin();
  const auto result = real(pGraphExec, graph, instantiateParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphExec);
  call.finish(result);
  if (result == 0) live().made(call, GRETA_LIVE_GRAPH_EXEC, call.word(0), 0, 0);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* nodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(nodeParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecGetFlags(void* graphExec, void* flags) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecGetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecGetFlags, GRETA_CALLER, 0);
  if (!call) return real(graphExec, flags);
  call.word(0) = widened(graphExec);
  call.word(1) = 0;
  call.begin();
  const auto result = real(graphExec, flags);
  if (result == 0) call.word(1) = filled<unsigned long long>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeSetParams(void* node, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(node, nodeParams);
  call.word(0) = widened(node);
  call.word(1) = widened(nodeParams);
  call.begin();
  const auto result = real(node, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecNodeSetParams(void* graphExec, void* node, void* nodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(graphExec, node, nodeParams);
  call.word(0) = widened(graphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(nodeParams);
  call.begin();
  const auto result = real(graphExec, node, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphAddMemcpyNode(void* phGraphNode, void* hGraph, void* dependencies, size_t numDependencies, void* copyParams, void* ctx) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphAddMemcpyNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphAddMemcpyNode, GRETA_CALLER, 2 + array_parts(dependencies, numDependencies));
  if (!call) return real(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
  call.word(0) = 0;
  call.word(1) = widened(hGraph);
  call.word(2) = widened(dependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(copyParams);
  call.word(5) = widened(ctx);
  call.keep_array(2, dependencies, numDependencies);
  call.keep_struct(4, copyParams, 184);
  call.begin();
  const auto result = real(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
  if (result == 0) call.word(0) = filled<void*>(phGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemcpyNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* pCopyParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemcpyNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemcpyNode, GRETA_CALLER, 2 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, pCopyParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(pCopyParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.keep_struct(4, pCopyParams, 160);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, pCopyParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemcpyNodeGetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemcpyNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemcpyNodeGetParams, GRETA_CALLER, 2);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pNodeParams);
  if (result == 0) call.keep_struct(1, pNodeParams, 160);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemcpyNodeSetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemcpyNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemcpyNodeSetParams, GRETA_CALLER, 2);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = widened(pNodeParams);
  call.keep_struct(1, pNodeParams, 160);
  call.begin();
  const auto result = real(node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphKernelNodeSetAttribute(void* hNode, int attr, void* value) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphKernelNodeSetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphKernelNodeSetAttribute, GRETA_CALLER, 0);
  if (!call) return real(hNode, attr, value);
  call.word(0) = widened(hNode);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(hNode, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphKernelNodeGetAttribute(void* hNode, int attr, void* value) {
  using Function = int (*)(void*, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphKernelNodeGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphKernelNodeGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(hNode, attr, value);
  call.word(0) = widened(hNode);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(hNode, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecMemcpyNodeSetParams(void* hGraphExec, void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecMemcpyNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecMemcpyNodeSetParams, GRETA_CALLER, 2);
  if (!call) return real(hGraphExec, node, pNodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(pNodeParams);
  call.keep_struct(2, pNodeParams, 160);
  call.begin();
  const auto result = real(hGraphExec, node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemcpyNodeFromSymbol(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* dst, void* symbol, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemcpyNodeFromSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemcpyNodeFromSymbol, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(dst);
  call.word(5) = widened(symbol);
  call.word(6) = widened(count);
  call.word(7) = widened(offset);
  call.word(8) = widened(kind);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemcpyNodeSetParamsFromSymbol(void* node, void* dst, void* symbol, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemcpyNodeSetParamsFromSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemcpyNodeSetParamsFromSymbol, GRETA_CALLER, 0);
  if (!call) return real(node, dst, symbol, count, offset, kind);
  call.word(0) = widened(node);
  call.word(1) = widened(dst);
  call.word(2) = widened(symbol);
  call.word(3) = widened(count);
  call.word(4) = widened(offset);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(node, dst, symbol, count, offset, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecMemcpyNodeSetParamsFromSymbol(void* hGraphExec, void* node, void* dst, void* symbol, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecMemcpyNodeSetParamsFromSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecMemcpyNodeSetParamsFromSymbol, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, node, dst, symbol, count, offset, kind);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(dst);
  call.word(3) = widened(symbol);
  call.word(4) = widened(count);
  call.word(5) = widened(offset);
  call.word(6) = widened(kind);
  call.begin();
  const auto result = real(hGraphExec, node, dst, symbol, count, offset, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemcpyNodeToSymbol(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* symbol, void* src, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemcpyNodeToSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemcpyNodeToSymbol, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(symbol);
  call.word(5) = widened(src);
  call.word(6) = widened(count);
  call.word(7) = widened(offset);
  call.word(8) = widened(kind);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemcpyNodeSetParamsToSymbol(void* node, void* symbol, void* src, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemcpyNodeSetParamsToSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemcpyNodeSetParamsToSymbol, GRETA_CALLER, 0);
  if (!call) return real(node, symbol, src, count, offset, kind);
  call.word(0) = widened(node);
  call.word(1) = widened(symbol);
  call.word(2) = widened(src);
  call.word(3) = widened(count);
  call.word(4) = widened(offset);
  call.word(5) = widened(kind);
  call.begin();
  const auto result = real(node, symbol, src, count, offset, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecMemcpyNodeSetParamsToSymbol(void* hGraphExec, void* node, void* symbol, void* src, size_t count, size_t offset, int kind) {
  using Function = int (*)(void*, void*, void*, void*, size_t, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecMemcpyNodeSetParamsToSymbol, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecMemcpyNodeSetParamsToSymbol, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, node, symbol, src, count, offset, kind);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(symbol);
  call.word(3) = widened(src);
  call.word(4) = widened(count);
  call.word(5) = widened(offset);
  call.word(6) = widened(kind);
  call.begin();
  const auto result = real(hGraphExec, node, symbol, src, count, offset, kind);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecHostNodeSetParams(void* hGraphExec, void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecHostNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecHostNodeSetParams, GRETA_CALLER, 1);
  if (!call) return real(hGraphExec, node, pNodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(pNodeParams);
  call.keep_struct(2, pNodeParams, 16);
  call.begin();
  const auto result = real(hGraphExec, node, pNodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddChildGraphNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* childGraph) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddChildGraphNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddChildGraphNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, childGraph);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(childGraph);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, childGraph);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphChildGraphNodeGetGraph(void* node, void* pGraph) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphChildGraphNodeGetGraph, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphChildGraphNodeGetGraph, GRETA_CALLER, 0);
  if (!call) return real(node, pGraph);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pGraph);
  if (result == 0) call.word(1) = filled<void*>(pGraph);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecChildGraphNodeSetParams(void* hGraphExec, void* node, void* childGraph) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecChildGraphNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecChildGraphNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, node, childGraph);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(node);
  call.word(2) = widened(childGraph);
  call.begin();
  const auto result = real(hGraphExec, node, childGraph);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddEventRecordNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* event) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddEventRecordNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddEventRecordNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, event);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(event);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, event);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphEventRecordNodeGetEvent(void* node, void* event_out) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphEventRecordNodeGetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphEventRecordNodeGetEvent, GRETA_CALLER, 0);
  if (!call) return real(node, event_out);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, event_out);
  if (result == 0) call.word(1) = filled<void*>(event_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphEventRecordNodeSetEvent(void* node, void* event) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphEventRecordNodeSetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphEventRecordNodeSetEvent, GRETA_CALLER, 0);
  if (!call) return real(node, event);
  call.word(0) = widened(node);
  call.word(1) = widened(event);
  call.begin();
  const auto result = real(node, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecEventRecordNodeSetEvent(void* hGraphExec, void* hNode, void* event) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecEventRecordNodeSetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecEventRecordNodeSetEvent, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, event);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(event);
  call.begin();
  const auto result = real(hGraphExec, hNode, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddEventWaitNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* event) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddEventWaitNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddEventWaitNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, event);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(event);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, event);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphEventWaitNodeGetEvent(void* node, void* event_out) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphEventWaitNodeGetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphEventWaitNodeGetEvent, GRETA_CALLER, 0);
  if (!call) return real(node, event_out);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, event_out);
  if (result == 0) call.word(1) = filled<void*>(event_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphEventWaitNodeSetEvent(void* node, void* event) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphEventWaitNodeSetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphEventWaitNodeSetEvent, GRETA_CALLER, 0);
  if (!call) return real(node, event);
  call.word(0) = widened(node);
  call.word(1) = widened(event);
  call.begin();
  const auto result = real(node, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecEventWaitNodeSetEvent(void* hGraphExec, void* hNode, void* event) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecEventWaitNodeSetEvent, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecEventWaitNodeSetEvent, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, event);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(event);
  call.begin();
  const auto result = real(hGraphExec, hNode, event);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemAllocNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* pNodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemAllocNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemAllocNode, GRETA_CALLER, 2 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = 0;
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  if (result == 0) call.keep_struct(4, pNodeParams, 120);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemAllocNodeGetParams(void* node, void* pNodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemAllocNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemAllocNodeGetParams, GRETA_CALLER, 2);
  if (!call) return real(node, pNodeParams);
  call.word(0) = widened(node);
  call.word(1) = 0;
  call.begin();
  const auto result = real(node, pNodeParams);
  if (result == 0) call.keep_struct(1, pNodeParams, 120);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddMemFreeNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* dev_ptr) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddMemFreeNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddMemFreeNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, dev_ptr);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(dev_ptr);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, dev_ptr);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphMemFreeNodeGetParams(void* node, void* dev_ptr) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphMemFreeNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphMemFreeNodeGetParams, GRETA_CALLER, 0);
  if (!call) return real(node, dev_ptr);
  call.word(0) = widened(node);
  call.word(1) = widened(dev_ptr);
  call.begin();
  const auto result = real(node, dev_ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetGraphMemAttribute(int device, int attr, void* value) {
  using Function = int (*)(int, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetGraphMemAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetGraphMemAttribute, GRETA_CALLER, 0);
  if (!call) return real(device, attr, value);
  call.word(0) = widened(device);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(device, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSetGraphMemAttribute(int device, int attr, void* value) {
  using Function = int (*)(int, int, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSetGraphMemAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSetGraphMemAttribute, GRETA_CALLER, 0);
  if (!call) return real(device, attr, value);
  call.word(0) = widened(device);
  call.word(1) = widened(attr);
  call.word(2) = widened(value);
  call.begin();
  const auto result = real(device, attr, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGraphMemTrim(int device) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGraphMemTrim, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGraphMemTrim, GRETA_CALLER, 0);
  if (!call) return real(device);
  call.word(0) = widened(device);
  call.begin();
  const auto result = real(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipUserObjectCreate(void* object_out, void* ptr, void* destroy, unsigned int initialRefcount, unsigned int flags) {
  using Function = int (*)(void*, void*, void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipUserObjectCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipUserObjectCreate, GRETA_CALLER, 0);
  if (!call) return real(object_out, ptr, destroy, initialRefcount, flags);
  call.word(0) = 0;
  call.word(1) = widened(ptr);
  call.word(2) = widened(destroy);
  call.word(3) = widened(initialRefcount);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(object_out, ptr, destroy, initialRefcount, flags);
  if (result == 0) call.word(0) = filled<void*>(object_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipUserObjectRelease(void* object, unsigned int count) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipUserObjectRelease, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipUserObjectRelease, GRETA_CALLER, 0);
  if (!call) return real(object, count);
  call.word(0) = widened(object);
  call.word(1) = widened(count);
  call.begin();
  const auto result = real(object, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipUserObjectRetain(void* object, unsigned int count) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipUserObjectRetain, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipUserObjectRetain, GRETA_CALLER, 0);
  if (!call) return real(object, count);
  call.word(0) = widened(object);
  call.word(1) = widened(count);
  call.begin();
  const auto result = real(object, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphRetainUserObject(void* graph, void* object, unsigned int count, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphRetainUserObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphRetainUserObject, GRETA_CALLER, 0);
  if (!call) return real(graph, object, count, flags);
  call.word(0) = widened(graph);
  call.word(1) = widened(object);
  call.word(2) = widened(count);
  call.word(3) = widened(flags);
  call.begin();
  const auto result = real(graph, object, count, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphReleaseUserObject(void* graph, void* object, unsigned int count) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphReleaseUserObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphReleaseUserObject, GRETA_CALLER, 0);
  if (!call) return real(graph, object, count);
  call.word(0) = widened(graph);
  call.word(1) = widened(object);
  call.word(2) = widened(count);
  call.begin();
  const auto result = real(graph, object, count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphKernelNodeCopyAttributes(void* hSrc, void* hDst) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphKernelNodeCopyAttributes, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphKernelNodeCopyAttributes, GRETA_CALLER, 0);
  if (!call) return real(hSrc, hDst);
  call.word(0) = widened(hSrc);
  call.word(1) = widened(hDst);
  call.begin();
  const auto result = real(hSrc, hDst);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeSetEnabled(void* hGraphExec, void* hNode, unsigned int isEnabled) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeSetEnabled, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeSetEnabled, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, isEnabled);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(isEnabled);
  call.begin();
  const auto result = real(hGraphExec, hNode, isEnabled);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphNodeGetEnabled(void* hGraphExec, void* hNode, void* isEnabled) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphNodeGetEnabled, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphNodeGetEnabled, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, isEnabled);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = 0;
  call.begin();
  const auto result = real(hGraphExec, hNode, isEnabled);
  if (result == 0) call.word(2) = filled<unsigned int>(isEnabled);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddExternalSemaphoresWaitNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* nodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddExternalSemaphoresWaitNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddExternalSemaphoresWaitNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(nodeParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphAddExternalSemaphoresSignalNode(void* pGraphNode, void* graph, void* pDependencies, size_t numDependencies, void* nodeParams) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphAddExternalSemaphoresSignalNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphAddExternalSemaphoresSignalNode, GRETA_CALLER, 0 + array_parts(pDependencies, numDependencies));
  if (!call) return real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  call.word(0) = 0;
  call.word(1) = widened(graph);
  call.word(2) = widened(pDependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(nodeParams);
  call.keep_array(2, pDependencies, numDependencies);
  call.begin();
  const auto result = real(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  if (result == 0) call.word(0) = filled<void*>(pGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExternalSemaphoresSignalNodeSetParams(void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExternalSemaphoresSignalNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExternalSemaphoresSignalNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, nodeParams);
  call.word(0) = widened(hNode);
  call.word(1) = widened(nodeParams);
  call.begin();
  const auto result = real(hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExternalSemaphoresWaitNodeSetParams(void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExternalSemaphoresWaitNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExternalSemaphoresWaitNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, nodeParams);
  call.word(0) = widened(hNode);
  call.word(1) = widened(nodeParams);
  call.begin();
  const auto result = real(hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExternalSemaphoresSignalNodeGetParams(void* hNode, void* params_out) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExternalSemaphoresSignalNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExternalSemaphoresSignalNodeGetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, params_out);
  call.word(0) = widened(hNode);
  call.word(1) = widened(params_out);
  call.begin();
  const auto result = real(hNode, params_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExternalSemaphoresWaitNodeGetParams(void* hNode, void* params_out) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExternalSemaphoresWaitNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExternalSemaphoresWaitNodeGetParams, GRETA_CALLER, 0);
  if (!call) return real(hNode, params_out);
  call.word(0) = widened(hNode);
  call.word(1) = widened(params_out);
  call.begin();
  const auto result = real(hNode, params_out);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecExternalSemaphoresSignalNodeSetParams(void* hGraphExec, void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecExternalSemaphoresSignalNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecExternalSemaphoresSignalNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, nodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(nodeParams);
  call.begin();
  const auto result = real(hGraphExec, hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGraphExecExternalSemaphoresWaitNodeSetParams(void* hGraphExec, void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGraphExecExternalSemaphoresWaitNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGraphExecExternalSemaphoresWaitNodeSetParams, GRETA_CALLER, 0);
  if (!call) return real(hGraphExec, hNode, nodeParams);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(nodeParams);
  call.begin();
  const auto result = real(hGraphExec, hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphMemcpyNodeGetParams(void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphMemcpyNodeGetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphMemcpyNodeGetParams, GRETA_CALLER, 2);
  if (!call) return real(hNode, nodeParams);
  call.word(0) = widened(hNode);
  call.word(1) = 0;
  call.begin();
  const auto result = real(hNode, nodeParams);
  if (result == 0) call.keep_struct(1, nodeParams, 184);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphMemcpyNodeSetParams(void* hNode, void* nodeParams) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphMemcpyNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphMemcpyNodeSetParams, GRETA_CALLER, 2);
  if (!call) return real(hNode, nodeParams);
  call.word(0) = widened(hNode);
  call.word(1) = widened(nodeParams);
  call.keep_struct(1, nodeParams, 184);
  call.begin();
  const auto result = real(hNode, nodeParams);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphAddMemsetNode(void* phGraphNode, void* hGraph, void* dependencies, size_t numDependencies, void* memsetParams, void* ctx) {
  using Function = int (*)(void*, void*, void*, size_t, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphAddMemsetNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphAddMemsetNode, GRETA_CALLER, 1 + array_parts(dependencies, numDependencies));
  if (!call) return real(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
  call.word(0) = 0;
  call.word(1) = widened(hGraph);
  call.word(2) = widened(dependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(memsetParams);
  call.word(5) = widened(ctx);
  call.keep_array(2, dependencies, numDependencies);
  call.keep_struct(4, memsetParams, 48);
  call.begin();
  const auto result = real(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
  if (result == 0) call.word(0) = filled<void*>(phGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphAddMemFreeNode(void* phGraphNode, void* hGraph, void* dependencies, size_t numDependencies, void* dptr) {
  using Function = int (*)(void*, void*, void*, size_t, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphAddMemFreeNode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphAddMemFreeNode, GRETA_CALLER, 0 + array_parts(dependencies, numDependencies));
  if (!call) return real(phGraphNode, hGraph, dependencies, numDependencies, dptr);
  call.word(0) = 0;
  call.word(1) = widened(hGraph);
  call.word(2) = widened(dependencies);
  call.word(3) = widened(numDependencies);
  call.word(4) = widened(dptr);
  call.keep_array(2, dependencies, numDependencies);
  call.begin();
  const auto result = real(phGraphNode, hGraph, dependencies, numDependencies, dptr);
  if (result == 0) call.word(0) = filled<void*>(phGraphNode);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphExecMemcpyNodeSetParams(void* hGraphExec, void* hNode, void* copyParams, void* ctx) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphExecMemcpyNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphExecMemcpyNodeSetParams, GRETA_CALLER, 2);
  if (!call) return real(hGraphExec, hNode, copyParams, ctx);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(copyParams);
  call.word(3) = widened(ctx);
  call.keep_struct(2, copyParams, 184);
  call.begin();
  const auto result = real(hGraphExec, hNode, copyParams, ctx);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDrvGraphExecMemsetNodeSetParams(void* hGraphExec, void* hNode, void* memsetParams, void* ctx) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDrvGraphExecMemsetNodeSetParams, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDrvGraphExecMemsetNodeSetParams, GRETA_CALLER, 1);
  if (!call) return real(hGraphExec, hNode, memsetParams, ctx);
  call.word(0) = widened(hGraphExec);
  call.word(1) = widened(hNode);
  call.word(2) = widened(memsetParams);
  call.word(3) = widened(ctx);
  call.keep_struct(2, memsetParams, 48);
  call.begin();
  const auto result = real(hGraphExec, hNode, memsetParams, ctx);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder