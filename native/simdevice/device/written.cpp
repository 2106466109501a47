#include "device/written.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <unordered_map>

#include "device/recorder_notes.h"
#include "device/settings.h"

namespace greta::sim {
namespace {

// Above this, memory that is never used must cost nothing: pages come from a file of the pattern.
constexpr size_t kFilledAtOnce = size_t{256} << 20;
constexpr size_t kPatternBytes = size_t{32} << 20;
constexpr size_t kHugePage = size_t{2} << 20;
// By their content alone, fewer bytes may hold the pattern by chance.
constexpr size_t kTelling = 16;
// Ranges of one allocation; what is more scattered than this is not followed.
constexpr size_t kMostRanges = 1 << 16;

bool may_make_file(size_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes;
}

// A file in memory that holds nothing but the pattern; -1 if the system gives none.
int pattern_file() {
  static const int file = [] {
    if (!may_make_file(kPatternBytes)) return -1;
    const int made = memfd_create("greta-fresh-memory", MFD_CLOEXEC);
    if (made < 0 || ftruncate(made, kPatternBytes) != 0) return -1;
    void* at = mmap(nullptr, kPatternBytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (at == MAP_FAILED) return -1;
    std::memset(at, settings().fresh_byte, kPatternBytes);
    munmap(at, kPatternBytes);
    return made;
  }();
  return file;
}

// True if these whole pages now show the pattern, without being there.
bool map_pattern(uintptr_t begin, uintptr_t end) {
  const int file = pattern_file();
  if (file < 0) return false;
  for (uintptr_t at = begin; at < end; at += kPatternBytes) {
    const size_t bytes = std::min<size_t>(kPatternBytes, end - at);
    void* mapped = mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED) return false;  // what was there is there; it is filled then
  }
  return true;
}

void fill(uintptr_t begin, uintptr_t end) {
  std::memset(reinterpret_cast<void*>(begin), settings().fresh_byte, end - begin);
}

// Launches that may have written anything. They are counted, not marked in every allocation: a
// model has hundreds of allocations, and a token hundreds of launches.
std::atomic<uint64_t> g_unknown_writers{0};

uint64_t unknown_writers() { return g_unknown_writers.load(std::memory_order_acquire); }

class WrittenBytes {
 public:
  WrittenBytes(uintptr_t begin, uintptr_t end) : begin_(begin), end_(end) {}

  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return end_; }
  // Whether too scattered writes were left out.
  bool is_cut() const { return is_cut_; }
  // Whether only the bytes can tell: not every write since the allocation is known.
  bool by_pattern() const { return is_cut_ || unknown_writers() != unknown_writers_before_; }

  void add(uintptr_t begin, uintptr_t end) {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges_.erase(next);
    }
    if (ranges_.size() >= kMostRanges) is_cut_ = true;
    if (ranges_.size() < kMostRanges) ranges_.emplace_hint(next, begin, end);
  }

  // Where, from `at` on, the first bytes lie that were not written; empty at `end` if none do.
  Span first_gap(uintptr_t at, uintptr_t end) const {
    auto next = ranges_.upper_bound(at);
    if (next != ranges_.begin()) at = std::max(at, std::prev(next)->second);
    const uintptr_t until = next == ranges_.end() ? end : std::min(end, next->first);
    return at < until ? Span{at, until - at} : Span{end, 0};
  }

 private:
  uintptr_t begin_;
  uintptr_t end_;
  uint64_t unknown_writers_before_ = unknown_writers();
  bool is_cut_ = false;
  std::map<uintptr_t, uintptr_t> ranges_;  // begin to end, apart from each other
};

class WrittenMap {
 public:
  void add(const Allocation& allocation) {
    std::lock_guard<std::mutex> lock(mutex_);
    const uintptr_t end = allocation.base + allocation.bytes;
    by_base_.insert_or_assign(allocation.base, WrittenBytes(allocation.base, end));
  }
  void remove(const Allocation& allocation) {
    std::lock_guard<std::mutex> lock(mutex_);
    by_base_.erase(allocation.base);
  }
  void wrote(uintptr_t begin, uintptr_t end) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (WrittenBytes* bytes = around(begin)) bytes->add(begin, std::min(end, bytes->end()));
  }
  template <typename Visit>
  void with(uintptr_t address, Visit visit) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (const WrittenBytes* bytes = around(address)) visit(*bytes);
  }

 private:
  WrittenBytes* around(uintptr_t address) {
    auto next = by_base_.upper_bound(address);
    if (next == by_base_.begin()) return nullptr;
    WrittenBytes& bytes = std::prev(next)->second;
    return address < bytes.end() ? &bytes : nullptr;
  }

  std::mutex mutex_;
  std::map<uintptr_t, WrittenBytes> by_base_;
};

WrittenMap& written() {
  static auto* const map = new WrittenMap;
  return *map;
}

bool holds_pattern(uintptr_t at, size_t bytes) {
  const auto* memory = reinterpret_cast<const unsigned char*>(at);
  const unsigned char fresh = settings().fresh_byte;
  return std::all_of(memory, memory + bytes, [=](unsigned char c) { return c == fresh; });
}

// The first piece of the range that still holds the pattern; empty if there is none. Somebody may
// have written without a call, so the bytes are looked at in any case.
Span fresh_piece(Span gap, bool by_pattern) {
  const size_t least = by_pattern ? kTelling : 1;
  const unsigned char fresh = settings().fresh_byte;
  for (uintptr_t at = gap.begin; at < gap.end();) {
    uintptr_t end = at;
    while (end < gap.end() && *reinterpret_cast<const unsigned char*>(end) == fresh) ++end;
    if (end - at >= least) return {at, end - at};
    at = end + 1;
    // In steps while nothing is found: no piece that tells anything is shorter.
    while (at + kTelling <= gap.end() && by_pattern && !holds_pattern(at + kTelling - 1, 1)) {
      at += kTelling;
    }
  }
  return {gap.end(), 0};
}

// What nothing has written of [begin, end), and `own` has not either.
std::optional<Unwritten> find_between(const WrittenBytes& bytes, uintptr_t begin, uintptr_t end,
                                      const WrittenBytes* own) {
  const bool by_pattern = bytes.by_pattern();
  for (uintptr_t at = begin; at < end;) {
    Span gap = bytes.first_gap(at, end);
    if (gap.bytes == 0) return std::nullopt;
    if (own != nullptr) gap = own->first_gap(gap.begin, gap.end());
    if (gap.bytes != 0) {
      const Span piece = fresh_piece(gap, by_pattern);
      if (piece.bytes != 0) return Unwritten{piece.begin, piece.bytes, by_pattern};
    }
    at = gap.end();
  }
  return std::nullopt;
}

template <typename Visit>
void for_each_range(const AccessedRanges& ranges, Visit visit) {
  for (const greta_ranges& r : ranges.ranges) {
    for (uint64_t i = 0; i < r.count; ++i) {
      const uintptr_t begin = r.begin + i * r.stride;
      if (!visit(begin, begin + r.bytes)) return;
    }
  }
}

const AccessedRanges& of_kind(const Footprint& footprint, AccessKind kind) {
  return footprint[static_cast<size_t>(kind)];
}

}  // namespace

void fill_fresh(const Placed& placed) {
  const Span user = placed.user;
  const uintptr_t first = (user.begin + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t last = user.end() / kHugePage * kHugePage;
  const bool large = user.bytes > kFilledAtOnce && map_pattern(first, last);
  if (!large) return fill(user.begin, user.end());
  fill(user.begin, first);
  fill(last, user.end());
}

void note_fresh(const Allocation& allocation) {
  if (has_recorder()) written().add(allocation);
}

void forget_written(const Allocation& allocation) {
  if (has_recorder()) written().remove(allocation);
}

void note_written(uintptr_t begin, size_t bytes) {
  if (has_recorder() && bytes != 0) written().wrote(begin, begin + bytes);
}

void note_unknown_writes() {
  if (has_recorder()) g_unknown_writers.fetch_add(1, std::memory_order_release);
}

void note_footprint_written(const Footprint& footprint) {
  for (const AccessKind kind : {AccessKind::write, AccessKind::atomic}) {
    for_each_range(of_kind(footprint, kind), [](uintptr_t begin, uintptr_t end) {
      written().wrote(begin, end);
      return true;
    });
    if (of_kind(footprint, kind).cut) note_unknown_writes();
  }
}

std::optional<Unwritten> find_unwritten(uintptr_t begin, size_t bytes) {
  std::optional<Unwritten> found;
  if (!has_recorder() || bytes == 0) return found;
  written().with(begin, [&](const WrittenBytes& known) {
    found = find_between(known, begin, std::min(begin + bytes, known.end()), nullptr);
  });
  return found;
}

bool may_be_unwritten(uintptr_t begin, uintptr_t end) {
  bool may_be = false;
  if (!has_recorder()) return may_be;
  written().with(begin, [&](const WrittenBytes& known) {
    may_be = !known.by_pattern() && known.first_gap(begin, std::min(end, known.end())).bytes != 0;
  });
  return may_be;
}

namespace {

// What it read and did not write at all.
std::optional<Unwritten> find_only_read(const Footprint& footprint) {
  std::optional<Unwritten> found;
  for (const AccessedRanges& ranges : footprint) {
    if (ranges.cut) return found;  // it may have written what it then read
  }
  WrittenBytes own(0, UINTPTR_MAX);
  for (const AccessKind kind : {AccessKind::write, AccessKind::atomic}) {
    for_each_range(of_kind(footprint, kind), [&](uintptr_t begin, uintptr_t end) {
      own.add(begin, end);
      return true;
    });
  }
  if (own.is_cut()) return found;
  for_each_range(of_kind(footprint, AccessKind::read), [&](uintptr_t begin, uintptr_t end) {
    written().with(begin, [&](const WrittenBytes& known) {
      found = find_between(known, begin, std::min(end, known.end()), &own);
    });
    return !found;
  });
  return found;
}

}  // namespace

std::optional<Unwritten> find_unwritten(const Footprint& footprint,
                                        const AccessedRanges& fresh_reads) {
  std::optional<Unwritten> found = find_only_read(footprint);
  if (found) return found;
  for_each_range(fresh_reads, [&](uintptr_t begin, uintptr_t end) {
    written().with(begin, [&](const WrittenBytes& known) {
      const Span gap = known.first_gap(begin, std::min(end, known.end()));
      if (gap.bytes != 0 && !known.by_pattern()) found = Unwritten{gap.begin, gap.bytes, false};
    });
    return !found;
  });
  return found;
}

}  // namespace greta::sim
