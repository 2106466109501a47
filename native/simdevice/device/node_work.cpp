// From work of a stream to what a graph node does.
#include <utility>

#include "device/address_map.h"
#include "device/graph.h"
#include "device/recorder_notes.h"

namespace greta::sim {
namespace {

NodeWork make(hipGraphNodeType type, Work work, int device) {
  NodeWork content;
  content.type = type;
  content.work = std::make_shared<const Work>(std::move(work));
  content.device = device;
  content.set_by = current_call();
  return content;
}

bool is_host_address(uintptr_t address) {
  const AllocationRef allocation = address_map().find(address);
  return !allocation || allocation->is_host();
}

hipMemcpyKind kind_by_addresses(const CopyWork& work) {
  const bool to_host = is_host_address(work.dst);
  const bool from_host = is_host_address(work.src);
  if (to_host) return from_host ? hipMemcpyHostToHost : hipMemcpyDeviceToHost;
  return from_host ? hipMemcpyHostToDevice : hipMemcpyDeviceToDevice;
}

struct NodeMaker {
  int device;

  // Kernels come by kernel_node_work, with what keeps their code loaded.
  NodeWork operator()(KernelWork&&) const { return not_for_graphs(); }
  NodeWork operator()(CopyWork&& work) const {
    return copy_node_work(std::move(work), hipMemcpyDefault, device);
  }
  NodeWork operator()(FillWork&& work) const { return fill_node_work(work, device); }
  NodeWork operator()(HostWork&& work) const { return host_node_work(work, device); }
  NodeWork operator()(GraphWork&& work) const {
    return make(hipGraphNodeTypeGraph, std::move(work), device);
  }
  NodeWork operator()(WriteValueWork&& work) const {
    return make(hipGraphNodeTypeBatchMemOp, work, device);
  }
  NodeWork operator()(WaitValueWork&& work) const {
    return make(hipGraphNodeTypeBatchMemOp, work, device);
  }
  NodeWork operator()(BatchWork&& work) const { return batch_node_work(std::move(work), device); }
  NodeWork operator()(GraphMemoryWork&& work) const {
    return memory_node_work(std::move(work.memory), work.allocates, device);
  }
  // Each launch would free it again: the node only keeps the place.
  NodeWork operator()(PoolFreeWork&&) const { return (*this)(EmptyWork{}); }
  // A wait becomes an edge of the graph, never a node.
  NodeWork operator()(WaitWork&&) const { return not_for_graphs(); }
  NodeWork operator()(EmptyWork&&) const {
    return make(hipGraphNodeTypeEmpty, EmptyWork{}, device);
  }
  NodeWork operator()(CallbackWork&&) const { return not_for_graphs(); }
  NodeWork operator()(EventWork&&) const { return not_for_graphs(); }
  NodeWork operator()(GraphEventWork&&) const { return not_for_graphs(); }
  NodeWork operator()(SharedEventWork&&) const { return not_for_graphs(); }

  NodeWork not_for_graphs() const { return make(hipGraphNodeTypeCount, EmptyWork{}, device); }
};

}  // namespace

NodeWork kernel_node_work(KernelWork work, FunctionRef function, const void* called_by,
                          int device) {
  NodeWork content = make(hipGraphNodeTypeKernel, std::move(work), device);
  content.function = std::move(function);
  content.called_by = called_by;
  return content;
}

NodeWork copy_node_work(CopyWork work, hipMemcpyKind kind, int device) {
  const hipMemcpyKind resolved = kind == hipMemcpyDefault ? kind_by_addresses(work) : kind;
  NodeWork content = make(hipGraphNodeTypeMemcpy, std::move(work), device);
  content.kind = resolved;
  return content;
}

NodeWork fill_node_work(FillWork work, int device) {
  return make(hipGraphNodeTypeMemset, work, device);
}

NodeWork host_node_work(HostWork work, int device) {
  return make(hipGraphNodeTypeHost, work, device);
}

NodeWork event_node_work(EventRef event, hipEvent_t handle, bool waits, int device) {
  const hipGraphNodeType type = waits ? hipGraphNodeTypeWaitEvent : hipGraphNodeTypeEventRecord;
  NodeWork content = make(type, GraphEventWork{std::move(event), waits}, device);
  content.event = handle;
  return content;
}

NodeWork memory_node_work(GraphAllocationRef memory, bool allocates, int device) {
  const hipGraphNodeType type = allocates ? hipGraphNodeTypeMemAlloc : hipGraphNodeTypeMemFree;
  return make(type, GraphMemoryWork{std::move(memory), allocates}, device);
}

NodeWork child_node_work(const std::shared_ptr<Graph>& copy, int device) {
  NodeWork content = make(hipGraphNodeTypeGraph, GraphWork{}, device);
  content.child = copy;
  copy->is_child = true;
  return content;
}

NodeWork batch_node_work(BatchWork work, int device) {
  return make(hipGraphNodeTypeBatchMemOp, std::move(work), device);
}

GraphAllocation* NodeWork::allocation() const {
  const auto* named = std::get_if<GraphMemoryWork>(work.get());
  return named != nullptr ? named->memory.get() : nullptr;
}

NodeWork node_work_of(Work work, int device) {
  return std::visit(NodeMaker{device}, std::move(work));
}

}  // namespace greta::sim
