// A graph as a picture: hipGraphDebugDotPrint writes what Graphviz draws.
#include <fstream>

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "device/graph.h"

namespace greta::api {
namespace {

const char* name_of(hipGraphNodeType type) {
  switch (type) {
    case hipGraphNodeTypeKernel:
      return "KERNEL";
    case hipGraphNodeTypeMemcpy:
      return "MEMCPY";
    case hipGraphNodeTypeMemset:
      return "MEMSET";
    case hipGraphNodeTypeHost:
      return "HOST";
    case hipGraphNodeTypeGraph:
      return "GRAPH";
    case hipGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case hipGraphNodeTypeMemFree:
      return "MEM_FREE";
    case hipGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case hipGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case hipGraphNodeTypeBatchMemOp:
      return "BATCH_MEM_OP";
    default:
      return "EMPTY";
  }
}

void print_details(std::ostream& out, const sim::NodeWork& content) {
  if (const auto* kernel = std::get_if<sim::KernelWork>(content.work.get())) {
    out << "\\n"
        << kernel->function->kernel->name << "\\n<<<" << kernel->grid.x << "," << kernel->grid.y
        << "," << kernel->grid.z << " | " << kernel->block.x << "," << kernel->block.y << ","
        << kernel->block.z << " | " << kernel->dynamic_shared_bytes << ">>>";
  } else if (const auto* copy = std::get_if<sim::CopyWork>(content.work.get())) {
    out << "\\n" << copy->width * copy->height * copy->depth << " bytes";
  } else if (const auto* fill = std::get_if<sim::FillWork>(content.work.get())) {
    out << "\\n" << fill->width * fill->height * fill->depth * fill->element_bytes << " bytes";
  }
}

void print(std::ostream& out, const sim::Graph& graph) {
  out << "digraph dot {\n";
  for (const sim::GraphNodeRef& node : graph.nodes()) {
    out << "  node_" << node->id << " [shape=box, label=\"" << name_of(node->content.type);
    print_details(out, node->content);
    out << "\"];\n";
  }
  for (const sim::GraphEdge& edge : graph.edges()) {
    out << "  node_" << edge.from->id << " -> node_" << edge.to->id << ";\n";
  }
  out << "}\n";
}

}  // namespace

// Always with the details that AMD's library gives only with flags.
hipError_t hipGraphDebugDotPrint(hipGraph_t handle, const char* path, unsigned int) {
  const auto lock = sim::graph_lock();
  const sim::GraphRef graph = find_graph(handle);
  if (!graph || !path) return hipErrorInvalidValue;
  std::ofstream file(path);
  print(file, *graph);
  file.flush();
  return file ? hipSuccess : hipErrorOperatingSystem;
}

}  // namespace greta::api
