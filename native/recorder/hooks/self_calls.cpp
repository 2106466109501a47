#include "recorder/hooks/self_calls.h"

#include <atomic>

#include "recorder/hooks/real_functions.h"
#include "recorder/sites/loaded_code.h"

namespace greta::recorder {
namespace {

// The code that was looked for last; there is hardly ever another. First page and number of pages
// in one word, so that nobody sees the begin of one library with the end of another.
std::atomic<uint64_t> g_known{0};
constexpr unsigned kPageBits = 12;
constexpr unsigned kCountBits = 28;

uint64_t packed(Code code) {
  const uint64_t first = code.begin >> kPageBits;
  const uint64_t after = (code.end + (1u << kPageBits) - 1) >> kPageBits;
  return first << kCountBits | (after - first);
}

Code known_code() {
  const uint64_t word = g_known.load(std::memory_order_relaxed);
  const uint64_t first = word >> kCountBits;
  const uint64_t count = word & ((uint64_t{1} << kCountBits) - 1);
  return {first << kPageBits, (first + count) << kPageBits};
}

Code library_around(uintptr_t address) {
  if (const Code known = known_code(); known.contains(address)) return known;
  const Code found = code_around(address);
  g_known.store(packed(found), std::memory_order_relaxed);
  return found;
}

}  // namespace

bool is_from_library(const void* site, Call call) {
  const auto place = reinterpret_cast<uintptr_t>(site);
  if (is_in_hip_library(site)) return true;
  if (static_cast<uint32_t>(call) > kHipCalls) return known_code().contains(place);
  return library_around(reinterpret_cast<uintptr_t>(real_function(call))).contains(place);
}

}  // namespace greta::recorder
