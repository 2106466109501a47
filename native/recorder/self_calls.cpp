#include "recorder/self_calls.h"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "recorder/real_functions.h"

namespace greta::recorder {
namespace {

struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool has(uintptr_t address) const { return address >= begin && address < end; }
};

// Of the library that was looked for last; there is hardly ever another.
std::atomic<uintptr_t> g_begin{0};
std::atomic<uintptr_t> g_end{0};

Range extent_of(const dl_phdr_info& info) {
  Range range{UINTPTR_MAX, 0};
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + part.p_memsz);
  }
  return range;
}

struct Search {
  uintptr_t address;
  Range found;
};

int take_if_around(dl_phdr_info* info, size_t, void* given) {
  auto& search = *static_cast<Search*>(given);
  const Range extent = extent_of(*info);
  if (!extent.has(search.address)) return 0;
  search.found = extent;
  return 1;
}

Range known_library() { return {g_begin.load(std::memory_order_acquire), g_end.load()}; }

Range library_around(uintptr_t address) {
  if (const Range known = known_library(); known.has(address)) return known;
  Search search{address, {}};
  dl_iterate_phdr(take_if_around, &search);
  // Never a range of two libraries: empty while it changes.
  g_begin.store(UINTPTR_MAX);
  g_end.store(search.found.end);
  g_begin.store(search.found.begin, std::memory_order_release);
  return search.found;
}

}  // namespace

bool is_from_library(const void* site, Call call) {
  const auto place = reinterpret_cast<uintptr_t>(site);
  if (static_cast<uint32_t>(call) > kHipCalls) return known_library().has(place);
  return library_around(reinterpret_cast<uintptr_t>(real_function(call))).has(place);
}

}  // namespace greta::recorder
