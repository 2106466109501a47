#include "device/footprint.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "device/address_map.h"
#include "device/fault_report.h"
#include "device/settings.h"
#include "device/written.h"

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
  const uint64_t all = value * uint64_t{0x0101010101010101};
  for (; at + 8 <= end && word_at(plane + at) == all; at += 8) {
  }
  for (; at < end && plane[at] == value; ++at) {
  }
  return at;
}

// Puts neighbours together before they are added.
class Joining {
 public:
  explicit Joining(AccessedRanges* ranges) : ranges_(ranges) {}
  ~Joining() { flush(); }
  Joining(const Joining&) = delete;
  Joining& operator=(const Joining&) = delete;

  void add(uintptr_t begin, uintptr_t end) {
    if (begin != end_) {
      flush();
      begin_ = begin;
    }
    end_ = end;
  }

 private:
  void flush() {
    if (end_ != begin_) ranges_->add(begin_, end_);
  }

  AccessedRanges* const ranges_;
  uintptr_t begin_ = 0, end_ = 0;
};

}  // namespace

AccessWindow::AccessWindow(uintptr_t begin, uintptr_t end, AccessSheet sheet, bool is_fresh)
    : begin_(begin), end_(end), origin_(origin_of(begin)), sheet_(sheet), is_fresh_(is_fresh) {
  const size_t pages = page_count(begin, end);
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    planes_[kind] = sheet.memory + kind * pages * kPageWords;
    pages_[kind] = sheet.memory + kAccessKinds * pages * kPageWords + kind * pages;
  }
}

GRETA_NO_SANITIZE void AccessWindow::note_words(AccessKind kind, size_t at, size_t bytes) const {
  if (bytes == 0) return;
  const size_t first = at >> kPageShift;
  const size_t last = (at + bytes - 1) >> kPageShift;
  std::memset(planes_[static_cast<size_t>(kind)] + at / 4, kAll, bytes / 4);
  std::memset(pages_[static_cast<size_t>(kind)] + first, 1, last - first + 1);
}

GRETA_NO_SANITIZE void AccessWindow::note_part(AccessKind kind, size_t at, size_t bytes) const {
  unsigned char* const word = planes_[static_cast<size_t>(kind)] + at / 4;
  const auto part = static_cast<unsigned char>(((1u << bytes) - 1) << at % 4);
  if ((__atomic_load_n(word, __ATOMIC_RELAXED) & part) != part) {
    __atomic_fetch_or(word, part, __ATOMIC_RELAXED);
  }
  pages_[static_cast<size_t>(kind)][at >> kPageShift] = 1;
}

void AccessWindow::note_parts(AccessKind kind, size_t at, size_t bytes) const {
  if (at % 4 != 0) {
    const size_t head = std::min(bytes, 4 - at % 4);
    note_part(kind, at, head);
    at += head;
    bytes -= head;
  }
  note_words(kind, at, bytes & ~size_t{3});
  if (bytes % 4 != 0) note_part(kind, at + (bytes & ~size_t{3}), bytes % 4);
}

GRETA_NO_SANITIZE unsigned char AccessWindow::noted(AccessKind kind, size_t word) const {
  return __atomic_load_n(planes_[static_cast<size_t>(kind)] + word, __ATOMIC_RELAXED);
}

GRETA_NO_SANITIZE void AccessWindow::note_fresh_reads(size_t at, size_t bytes) const {
  const unsigned char fresh_byte = settings().fresh_byte;
  for (const size_t end = at + bytes; at < end;) {
    const size_t word = at / 4, part = std::min(end - at, 4 - at % 4);
    const unsigned read = ((1u << part) - 1) << at % 4;
    unsigned fresh = read & ~(noted(AccessKind::write, word) | noted(AccessKind::atomic, word));
    const auto* memory = reinterpret_cast<const unsigned char*>(origin_ + 4 * word);
    for (unsigned byte = 0; byte < 4; ++byte) {
      if ((fresh >> byte & 1) != 0 && memory[byte] != fresh_byte) fresh &= ~(1u << byte);
    }
    const auto noting = static_cast<unsigned char>(read | fresh << 4);
    if ((noted(AccessKind::read, word) & noting) != noting) {
      __atomic_fetch_or(planes_[GRETA_READ] + word, noting, __ATOMIC_RELAXED);
    }
    pages_[GRETA_READ][at >> kPageShift] = 1;
    at += part;
  }
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
  const AccessSheet sheet = sheet_store().take(AccessWindow::sheet_bytes(begin, end));
  if (sheet.memory == nullptr) {
    incomplete_ = true;
    return nullptr;
  }
  const bool is_fresh = may_be_unwritten(begin, end);
  windows_.push_back(std::make_unique<AccessWindow>(begin, end, sheet, is_fresh));
  return windows_.back().get();
}

Footprint LaunchFootprint::take() {
  Footprint footprint;
  std::sort(windows_.begin(), windows_.end(),
            [](const auto& a, const auto& b) { return a->begin() < b->begin(); });
  for (const auto& window : windows_) {
    if (window->is_fresh_) read_off_fresh(*window);
    for (size_t kind = 0; kind < kAccessKinds; ++kind) read_off(*window, kind, &footprint[kind]);
    sheet_store().give_back(window->sheet_);
  }
  windows_.clear();
  for (AccessedRanges& ranges : footprint) ranges.cut = ranges.cut || incomplete_;
  return footprint;
}

// Leaves the plane of reads as that of any other window.
GRETA_NO_SANITIZE void LaunchFootprint::read_off_fresh(const AccessWindow& window) {
  constexpr size_t kPageWords = AccessWindow::kPageWords;
  unsigned char* const plane = window.planes_[GRETA_READ];
  const size_t count = AccessWindow::page_count(window.begin_, window.end_);
  Joining joined(&fresh_reads_);
  for (size_t page = 0; page < count; ++page) {
    if (window.pages_[GRETA_READ][page] == 0) continue;
    for (size_t at = page * kPageWords; at < (page + 1) * kPageWords; ++at) {
      const uintptr_t word = window.origin_ + 4 * at;
      for (unsigned byte = 0; plane[at] >> 4 != 0 && byte < 4; ++byte) {
        if (plane[at] >> (4 + byte) & 1) joined.add(word + byte, word + byte + 1);
      }
      plane[at] &= AccessWindow::kAll;
    }
  }
}

// Adds the ranges of one plane and clears it. Pages that nobody wrote are not looked at.
GRETA_NO_SANITIZE void LaunchFootprint::read_off(const AccessWindow& window, size_t kind,
                                                 AccessedRanges* ranges) const {
  constexpr size_t kPageWords = AccessWindow::kPageWords;
  constexpr unsigned char kAll = AccessWindow::kAll;
  unsigned char* const plane = window.planes_[kind];
  unsigned char* const pages = window.pages_[kind];
  const size_t count = AccessWindow::page_count(window.begin_, window.end_);
  Joining joined(ranges);
  for (size_t first = 0; (first = end_of_run(pages, first, count, 0)) < count;) {
    const size_t last = end_of_run(pages, first, count, 1);
    const size_t end = last * kPageWords;
    for (size_t at = first * kPageWords; (at = end_of_run(plane, at, end, 0)) < end;) {
      const uintptr_t word = window.origin_ + 4 * at;
      if (plane[at] == kAll) {
        at = end_of_run(plane, at, end, kAll);
        joined.add(word, window.origin_ + 4 * at);
        continue;
      }
      for (unsigned byte = 0; byte < 4; ++byte) {
        if (plane[at] >> byte & 1) joined.add(word + byte, word + byte + 1);
      }
      ++at;
    }
    std::memset(plane + first * kPageWords, 0, end - first * kPageWords);
    std::memset(pages + first, 0, last - first);
    first = last;
  }
}

}  // namespace greta::sim
