// Which memory HIP knows: device, pinned, registered and managed allocations, module variables.
//
// The runtime checks copies and fills against the requested size, byte for byte, and so do we.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "device/address_space.h"

namespace greta::sim {

enum class MemoryKind { device, pinned, registered, managed, module };

class GraphAllocation;
class GraphMemory;
class MemoryPool;
class SharedFile;
struct VirtualMapping;

using AllocationId = uint64_t;

// Where the program says that managed memory is best. It changes nothing here, and can be asked.
struct Advice {
  static constexpr int kNowhere = -2;  // hipInvalidDeviceId
  std::atomic<bool> read_mostly{false};
  std::atomic<bool> coarse_grained{false};
  std::atomic<int> preferred{kNowhere};
  std::atomic<int> prefetched{kNowhere};
  std::atomic<uint32_t> accessed_by{0};  // a bit for each device, from the second on; the CPU first
};

struct Allocation {
  AllocationId id = 0;  // grows with every allocation: tells generations of one address apart
  MemoryKind kind = MemoryKind::device;
  int device = 0;  // ordinal that was current at allocation
  uintptr_t base = 0;
  size_t bytes = 0;
  unsigned flags = 0;
  Placed placed;  // empty for registered and module memory
  bool red_zones_filled = true;
  std::weak_ptr<MemoryPool> pool;  // the pool it came from, if any
  // False from hipFreeAsync on: no longer the program's, though work queued before may use it.
  std::atomic<bool> live{true};
  // A block reused at once: where work queued before the reuse may still go.
  Span former;
  std::weak_ptr<GraphMemory> graph_memory;          // set if it was allocated in a capture
  std::weak_ptr<GraphAllocation> graph_allocation;  // set if a node of a graph allocates it
  // False while a graph that allocates it has not done so yet, or has freed it.
  std::atomic<bool> present{true};
  std::atomic<bool> sync_memops{false};
  Advice advice;
  std::shared_ptr<VirtualMapping> mapping;  // set if hipMemMap put it here
  std::shared_ptr<SharedFile> shared;       // set if other processes can have it
  bool is_imported = false;                 // another process owns it

  bool is_host() const { return kind == MemoryKind::pinned || kind == MemoryKind::registered; }
  size_t bytes_from(uintptr_t address) const { return base + bytes - address; }
  // What work on its way may touch: its own bytes, and those of the former life.
  Span reach() const;
};

using AllocationRef = std::shared_ptr<Allocation>;

class AddressMap {
 public:
  // False if the range overlaps one that is known already.
  bool insert(AllocationRef allocation);
  // Takes out this very allocation; false if its place has been taken by another.
  bool remove(const Allocation& allocation);
  // The same pages in their next life; work on its way never finds them missing.
  void replace(const Allocation& allocation, AllocationRef next);
  // The live allocation that `address` lies in; null if there is none.
  AllocationRef find(uintptr_t address) const;
  // The same for work on its way: also one whose release is queued but not reached.
  AllocationRef find_reachable(uintptr_t address) const;
  std::vector<AllocationRef> all() const;
  // How many bytes from `address` on belong to `allocation`, or to what hipMemMap has put right
  // behind it: to a program that is one piece.
  size_t bytes_from(const Allocation& allocation, uintptr_t address) const;

 private:
  AllocationRef find_around(uintptr_t address) const;

  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, AllocationRef> by_base_;
};

AddressMap& address_map();

}  // namespace greta::sim
