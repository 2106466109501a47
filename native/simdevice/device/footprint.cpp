#include "device/footprint.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "device/address_map.h"
#include "device/fault_report.h"

namespace greta::sim {
namespace {

// Entries of one kind that are kept of a launch. Regular patterns take one each.
constexpr size_t kMostEntries = 4096;
// Sheets are used again: their pages are there. Not large ones, which would keep memory.
constexpr size_t kLargestKept = size_t{64} << 20;
constexpr size_t kMostKept = 64;

class SheetStore {
 public:
  // Null memory if the system has none.
  AccessSheet take(size_t bytes) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      for (AccessSheet& kept : kept_) {
        if (kept.bytes < bytes || kept.bytes / 4 > bytes) continue;
        const AccessSheet sheet = kept;
        kept = kept_.back();
        kept_.pop_back();
        return sheet;
      }
    }
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return {};
    return {static_cast<unsigned char*>(memory), bytes};
  }

  // All zero again.
  void give_back(AccessSheet sheet) {
    if (sheet.bytes <= kLargestKept) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (kept_.size() < kMostKept) return kept_.push_back(sheet);
    }
    munmap(sheet.memory, sheet.bytes);
  }

 private:
  std::mutex mutex_;
  std::vector<AccessSheet> kept_;
};

SheetStore& sheet_store() {
  static auto* const store = new SheetStore;
  return *store;
}

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

uint64_t word_at(const unsigned char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Where a run of `value` that includes `at` ends; in words where it can.
size_t end_of_run(const unsigned char* plane, size_t at, size_t end, unsigned char value) {
  const uint64_t all = value != 0 ? 0x0101010101010101 : 0;
  for (; at + 8 <= end && word_at(plane + at) == all; at += 8) {
  }
  for (; at < end && plane[at] == value; ++at) {
  }
  return at;
}

}  // namespace

AccessWindow::AccessWindow(uintptr_t begin, uintptr_t end, AccessSheet sheet)
    : begin_(begin), end_(end), sheet_(sheet) {
  const size_t pages = page_count(end - begin);
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    planes_[kind] = sheet.memory + kind * pages * kPage;
    pages_[kind] = sheet.memory + kAccessKinds * pages * kPage + kind * pages;
  }
}

GRETA_NO_SANITIZE void AccessWindow::note_many(AccessKind kind, size_t at, size_t bytes) const {
  if (bytes == 0) return;
  const size_t first = at >> kPageShift;
  const size_t last = (at + bytes - 1) >> kPageShift;
  std::memset(planes_[static_cast<size_t>(kind)] + at, 1, bytes);
  std::memset(pages_[static_cast<size_t>(kind)] + first, 1, last - first + 1);
}

void AccessedRanges::add(uintptr_t begin, uintptr_t end) {
  const uint64_t bytes = end - begin;
  if (!ranges.empty()) {
    greta_ranges& last = ranges.back();
    const bool alike = last.bytes == bytes;
    if (alike && last.count == 1) last.stride = begin - last.begin;
    if (alike && begin == last.begin + last.stride * last.count) {
      ++last.count;
      return;
    }
  }
  cut = cut || ranges.size() == kMostEntries;
  if (!cut) ranges.push_back({begin, bytes, 0, 1});
}

LaunchFootprint::LaunchFootprint() : id_(next_id()) {}

LaunchFootprint::~LaunchFootprint() { take(); }

const AccessWindow* LaunchFootprint::window_at(uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const AccessWindow* known = find(address)) return known;
  const AllocationRef allocation = address_map().find_reachable(address);
  if (!allocation) return nullptr;
  const Span reach = allocation->reach();
  return add(reach.begin, reach.end());
}

const AccessWindow* LaunchFootprint::window_over(uintptr_t begin, uintptr_t end) {
  std::lock_guard<std::mutex> lock(mutex_);
  const AccessWindow* known = find(begin);
  return known != nullptr ? known : add(begin, end);
}

void LaunchFootprint::note(AccessKind kind, uintptr_t address, size_t bytes) {
  const AccessWindow* window = window_at(address);
  if (window == nullptr || bytes == 0) return;
  window->note(kind, address, std::min<size_t>(bytes, window->end() - address));
}

void LaunchFootprint::keep_outside(FaultReport report) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!outside_) outside_ = std::make_unique<FaultReport>(std::move(report));
}

const AccessWindow* LaunchFootprint::find(uintptr_t address) const {
  for (const auto& window : windows_) {
    if (window->contains(address)) return window.get();
  }
  return nullptr;
}

const AccessWindow* LaunchFootprint::add(uintptr_t begin, uintptr_t end) {
  const AccessSheet sheet = sheet_store().take(AccessWindow::sheet_bytes(end - begin));
  if (sheet.memory == nullptr) {
    incomplete_ = true;
    return nullptr;
  }
  windows_.push_back(std::make_unique<AccessWindow>(begin, end, sheet));
  return windows_.back().get();
}

Footprint LaunchFootprint::take() {
  Footprint footprint;
  std::sort(windows_.begin(), windows_.end(),
            [](const auto& a, const auto& b) { return a->begin() < b->begin(); });
  for (const auto& window : windows_) {
    for (size_t kind = 0; kind < kAccessKinds; ++kind) read_off(*window, kind, &footprint[kind]);
    sheet_store().give_back(window->sheet_);
  }
  windows_.clear();
  for (AccessedRanges& ranges : footprint) ranges.cut = ranges.cut || incomplete_;
  return footprint;
}

// Adds the ranges of one plane and clears it. Pages that nobody wrote are not looked at.
GRETA_NO_SANITIZE void LaunchFootprint::read_off(const AccessWindow& window, size_t kind,
                                                 AccessedRanges* ranges) const {
  constexpr size_t kPage = AccessWindow::kPage;
  unsigned char* const plane = window.planes_[kind];
  unsigned char* const pages = window.pages_[kind];
  const size_t count = AccessWindow::page_count(window.end_ - window.begin_);
  for (size_t first = 0; (first = end_of_run(pages, first, count, 0)) < count;) {
    const size_t last = end_of_run(pages, first, count, 1);
    const size_t end = last * kPage;
    for (size_t at = first * kPage; (at = end_of_run(plane, at, end, 0)) < end;) {
      const size_t begin = at;
      at = end_of_run(plane, at, end, 1);
      ranges->add(window.begin_ + begin, window.begin_ + at);
    }
    std::memset(plane + first * kPage, 0, end - first * kPage);
    std::memset(pages + first, 0, last - first);
    first = last;
  }
}

}  // namespace greta::sim
