// Memory of hipGraphAddMemAllocNode. Its address is fixed when the node is added; it is there from
// the node on that allocates it, at each launch, until a node or the program frees it. In between
// any access faults.
#pragma once

#include <hip/hip_runtime_api.h>

#include <memory>
#include <vector>

#include "device/address_map.h"

namespace greta::sim {

class Device;

class GraphAllocation {
 public:
  // Null if the device has not so much left.
  static std::shared_ptr<GraphAllocation> create(Device& device,
                                                 const hipMemAllocNodeParams& params);
  // Gives the memory back, unless the program still has it: then it is the program's to free.
  ~GraphAllocation();
  GraphAllocation(const GraphAllocation&) = delete;

  const AllocationRef& allocation() const { return allocation_; }
  const hipMemAllocNodeParams& params() const { return params_; }

  // At submission: is it the program's, from its allocation to its free? False if that is so
  // already.
  bool begin_life();
  bool end_life();
  bool is_live() const;
  // When the work runs.
  void show();
  void hide();
  // Only one node of all graphs may free it; false from the second time on.
  bool claim_free_node();

 private:
  GraphAllocation(AllocationRef allocation, const hipMemAllocNodeParams& params)
      : allocation_(std::move(allocation)), params_(params) {}
  size_t bytes() const { return allocation_->placed.pages.bytes; }

  friend void trim_graph_memory(int device);

  const AllocationRef allocation_;
  const hipMemAllocNodeParams params_;
  bool live_ = false;
  bool reserved_ = false;  // counted as such
  bool has_free_node_ = false;
  bool in_use_ = false;  // from the beginning of show() to the end of hide()
};

using GraphAllocationRef = std::shared_ptr<GraphAllocation>;

// Of memory that a node allocates: whether the program has to free it now. Of other memory nothing.
void note_owner(const Allocation& allocation, bool is_programs);
// A capture has named it; there is nothing to free before a launch.
void note_named(const Allocation& allocation);

// hipDeviceGetGraphMemAttribute and its kin.
hipError_t get_graph_memory_attribute(int device, hipGraphMemAttributeType attribute,
                                      uint64_t* value);
hipError_t reset_graph_memory_attribute(int device, hipGraphMemAttributeType attribute);
void trim_graph_memory(int device);

}  // namespace greta::sim
