// Memory that was allocated in a capture. Its address is part of the graph, so it lives as long as
// the graph and everything instantiated from it; if it was also freed in the capture, it goes back
// to its pool then, otherwise it is the program's to free.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "device/pool.h"

namespace greta::sim {

class GraphMemory {
 public:
  explicit GraphMemory(AllocationRef allocation) : allocation_(std::move(allocation)) {}
  ~GraphMemory() {
    if (!freed_.load() || !allocation_->live.exchange(false)) return;
    if (const PoolRef pool = allocation_->pool.lock()) pool->give_back_now(allocation_);
  }
  GraphMemory(const GraphMemory&) = delete;

  void free_with_graph() { freed_ = true; }
  bool is_freed_with_graph() const { return freed_; }
  const AllocationRef& allocation() const { return allocation_; }

 private:
  const AllocationRef allocation_;
  std::atomic<bool> freed_{false};
};

}  // namespace greta::sim
