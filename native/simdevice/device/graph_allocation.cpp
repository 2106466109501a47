#include "device/graph_allocation.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <utility>

#include "device/device.h"
#include "device/memory.h"
#include "device/recorder_notes.h"
#include "device/settings.h"
#include "device/virtual_memory.h"
#include "device/written.h"

namespace greta::sim {
namespace {

struct Use {
  uint64_t used = 0;
  uint64_t used_high = 0;
  uint64_t reserved = 0;
  uint64_t reserved_high = 0;
};

struct Book {
  std::mutex mutex;  // also guards the lives of all allocations
  std::array<Use, VirtualMapping::kMostDevices> use;
  std::vector<GraphAllocation*> all;
};

Book& book() {
  static auto* const instance = new Book;
  return *instance;
}

Use& use_of(const Allocation& allocation) {
  return book().use[static_cast<size_t>(allocation.device)];
}

void protect(const Allocation& allocation, int protection) {
  const Span pages = allocation.placed.pages;
  mprotect(reinterpret_cast<void*>(pages.begin), pages.bytes, protection);
}

}  // namespace

GraphAllocationRef GraphAllocation::create(Device& device, const hipMemAllocNodeParams& params) {
  const AllocateResult result = allocate_device(device, params.bytesize, 0);
  if (result.error != hipSuccess) return nullptr;
  hipMemAllocNodeParams kept = params;
  kept.dptr = reinterpret_cast<void*>(result.allocation->base);
  kept.accessDescs = nullptr;  // the program's; not there for ever
  kept.accessDescCount = 0;
  GraphAllocationRef made(new GraphAllocation(result.allocation, kept));
  result.allocation->graph_allocation = made;
  made->hide();
  std::lock_guard<std::mutex> lock(book().mutex);
  book().all.push_back(made.get());
  return made;
}

GraphAllocation::~GraphAllocation() {
  bool programs;
  {
    std::lock_guard<std::mutex> lock(book().mutex);
    auto& all = book().all;
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
    programs = live_;
    if (live_) use_of(*allocation_).used -= bytes();
    if (reserved_) use_of(*allocation_).reserved -= bytes();
  }
  if (!programs) release(allocation_);
}

bool GraphAllocation::is_live() const {
  std::lock_guard<std::mutex> lock(book().mutex);
  return live_;
}

bool GraphAllocation::begin_life() {
  std::lock_guard<std::mutex> lock(book().mutex);
  if (live_) return false;
  live_ = true;
  Use& use = use_of(*allocation_);
  use.used_high = std::max(use.used_high, use.used += bytes());
  if (!std::exchange(reserved_, true)) {
    use.reserved_high = std::max(use.reserved_high, use.reserved += bytes());
  }
  return true;
}

bool GraphAllocation::end_life() {
  std::lock_guard<std::mutex> lock(book().mutex);
  if (!live_) return false;
  live_ = false;
  use_of(*allocation_).used -= bytes();
  return true;
}

void GraphAllocation::show() {
  {
    std::lock_guard<std::mutex> lock(book().mutex);
    in_use_ = true;
  }
  protect(*allocation_, PROT_READ | PROT_WRITE);
  fill_fresh(allocation_->placed);
  fill_red_zones(allocation_->placed);
  allocation_->red_zones_filled = true;
  note_fresh(*allocation_);
  allocation_->present = true;
}

void GraphAllocation::hide() {
  if (!allocation_->present.exchange(false)) return;
  forget_accessible_ranges();
  check_red_zones(*allocation_);
  protect(*allocation_, PROT_NONE);
  std::lock_guard<std::mutex> lock(book().mutex);
  in_use_ = false;
}

bool GraphAllocation::claim_free_node() {
  std::lock_guard<std::mutex> lock(book().mutex);
  return !std::exchange(has_free_node_, true);
}

// The graph may be gone when its memory is freed: what was told of is known by its address.
void note_owner(const Allocation& allocation, bool is_programs) {
  if (!settings().heap || !has_recorder()) return;
  static std::mutex mutex;
  static auto* const told = new std::set<uintptr_t>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (is_programs ? !told->insert(allocation.base).second : told->erase(allocation.base) == 0) {
    return;
  }
  tell_graph_memory({allocation.base, allocation.bytes}, allocation.device, is_programs);
}

void note_named(const Allocation& allocation) {
  if (!settings().heap || !has_recorder()) return;
  tell_graph_memory({allocation.base, allocation.bytes}, allocation.device, false);
}

hipError_t get_graph_memory_attribute(int device, hipGraphMemAttributeType attribute,
                                      uint64_t* value) {
  std::lock_guard<std::mutex> lock(book().mutex);
  const Use& use = book().use[static_cast<size_t>(device)];
  switch (attribute) {
    case hipGraphMemAttrUsedMemCurrent:
      *value = use.used;
      return hipSuccess;
    case hipGraphMemAttrUsedMemHigh:
      *value = use.used_high;
      return hipSuccess;
    case hipGraphMemAttrReservedMemCurrent:
      *value = use.reserved;
      return hipSuccess;
    case hipGraphMemAttrReservedMemHigh:
      *value = use.reserved_high;
      return hipSuccess;
  }
  return hipErrorInvalidValue;
}

hipError_t reset_graph_memory_attribute(int device, hipGraphMemAttributeType attribute) {
  std::lock_guard<std::mutex> lock(book().mutex);
  Use& use = book().use[static_cast<size_t>(device)];
  if (attribute == hipGraphMemAttrUsedMemHigh) {
    use.used_high = use.used;
  } else if (attribute == hipGraphMemAttrReservedMemHigh) {
    use.reserved_high = use.reserved;
  } else {
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

void trim_graph_memory(int device) {
  std::lock_guard<std::mutex> lock(book().mutex);
  for (GraphAllocation* one : book().all) {
    const Allocation& allocation = *one->allocation_;
    if (allocation.device != device || one->live_ || !std::exchange(one->reserved_, false))
      continue;
    use_of(allocation).reserved -= one->bytes();
    const Span pages = allocation.placed.pages;
    if (!one->in_use_) {
      madvise(reinterpret_cast<void*>(pages.begin), pages.bytes, MADV_DONTNEED);
    }
  }
}

}  // namespace greta::sim
