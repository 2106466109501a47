// Host memory that HIP knows and whose pages may be protected: what hipHostMalloc gave, and the
// whole pages of what was registered. The pages of registered memory at either end hold other
// things of the program, a stack perhaps.
//
// On a GPU only memory that the driver maps itself is watchable. The GPU reaches all other host
// memory, also most of what hipHostMalloc gives, through the process' own page tables: protecting
// it would take it away from the device. HSA_USERPTR_FOR_PAGED_MEM=0 makes hipHostMalloc use the
// driver's memory.
#pragma once

#include <map>
#include <optional>

#include "recorder/watch/flights.h"

namespace greta::recorder {

class WatchableMemory {
 public:
  void made(uintptr_t address, size_t bytes);
  void registered(uintptr_t address, size_t bytes);
  // The pages that it had, all of it; nothing if it was not watchable.
  std::optional<PageRange> ended(uintptr_t address);

  // The watchable pages of the memory that contains [begin, end); empty if none does.
  PageRange pages_around(uintptr_t begin, uintptr_t end) const;
  bool contains(uintptr_t address) const;
  bool empty() const { return by_begin_.empty(); }
  void forget() { by_begin_.clear(); }

 private:
  struct Memory {
    uintptr_t end;
    PageRange pages;
  };
  void add(uintptr_t address, size_t bytes, PageRange pages);
  const Memory* memory_at(uintptr_t address) const;

  std::map<uintptr_t, Memory> by_begin_;
};

constexpr uintptr_t kPageBytes = 4096;
inline uintptr_t page_of(uintptr_t address) { return address & ~(kPageBytes - 1); }
inline uintptr_t page_after(uintptr_t address) { return page_of(address + kPageBytes - 1); }

}  // namespace greta::recorder
