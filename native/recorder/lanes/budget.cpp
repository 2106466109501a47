#include "recorder/lanes/budget.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include "contract/recording.h"
#include "recorder/lanes/mapped_file.h"
#include "recorder/lanes/process_recording.h"

namespace greta::recorder {
namespace {

uint64_t budget() {
  static const uint64_t given = [] {
    const char* text = secure_getenv("GRETA_RECORD_BUDGET");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
  }();
  return given;
}

// Shared with all processes of the run, also with those that are forked. Null: it cannot be had,
// and nothing is counted.
uint64_t* used() {
  static uint64_t* const mapped = [] {
    const std::string folder = recording().folder();
    const std::string path = folder.substr(0, folder.rfind('/')) + "/used";
    return static_cast<uint64_t*>(map_file_part(path.c_str(), 0, GRETA_PAGE_BYTES));
  }();
  return mapped;
}

std::atomic<bool> g_spent{false};

}  // namespace

bool budget_is_spent() { return g_spent.load(std::memory_order_relaxed); }

bool take_from_budget(uint64_t bytes) {
  if (budget() == 0) return true;
  if (budget_is_spent() || used() == nullptr) return !budget_is_spent();
  const uint64_t before = __atomic_fetch_add(used(), bytes, __ATOMIC_RELAXED);
  if (before <= budget() && bytes <= budget() - before) return true;
  __atomic_fetch_sub(used(), bytes, __ATOMIC_RELAXED);
  g_spent = true;
  return false;
}

}  // namespace greta::recorder
