#include "device/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>

namespace greta::sim {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr unsigned char kRedZone = 0xD5;
// In strict placement an access up to 1 GiB off must find nothing mapped.
constexpr size_t kStrictGap = size_t{2} << 30;
constexpr size_t kGap = 64 * 1024;

size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

void* reserve_addresses(size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Asks for less until the system agrees: a limit on address space is no reason not to start.
Span reserve_as_much_as(size_t bytes) {
  for (; bytes >= kHugePage; bytes /= 2) {
    if (void* at = reserve_addresses(bytes)) return {reinterpret_cast<uintptr_t>(at), bytes};
  }
  return {};
}

bool map_pages(Span pages) {
  void* at = reinterpret_cast<void*>(pages.begin);
  if (mprotect(at, pages.bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (pages.bytes >= kHugePage) madvise(at, pages.bytes, MADV_HUGEPAGE);
  return true;
}

template <typename Visit>
void for_each_red_zone(const Placed& placed, Visit visit) {
  visit(Span{placed.pages.begin, placed.user.begin - placed.pages.begin});
  visit(Span{placed.user.end(), placed.pages.end() - placed.user.end()});
}

size_t alignment_of(size_t pages) { return pages >= kHugePage ? kHugePage : kPageBytes; }

}  // namespace

void unmap_pages(Span pages) {
  mmap(reinterpret_cast<void*>(pages.begin), pages.bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

AddressSpace::AddressSpace(size_t reserve_bytes, Placement placement)
    : reserved_(reserve_as_much_as(reserve_bytes)), placement_(placement) {
  const size_t end_gap = std::min(reserved_.bytes / 4, kStrictGap);
  if (reserved_.bytes) free_[reserved_.begin] = reserved_.bytes - end_gap;
  cursor_ = reserved_.begin;
}

std::optional<Placed> AddressSpace::place(size_t bytes) {
  const size_t pages = round_up(bytes, kPageBytes);
  if (pages < bytes) return std::nullopt;
  auto placed = cut(pages, alignment_of(pages));
  if (!placed) return std::nullopt;
  placed->user = place_user(placed->pages, bytes, placement_);
  if (!map_pages(placed->pages)) {
    give_back(placed->chunk);
    return std::nullopt;
  }
  fill_red_zones(*placed);
  return placed;
}

std::optional<Placed> AddressSpace::reserve(size_t bytes, size_t alignment, uintptr_t wanted) {
  const size_t pages = round_up(bytes, kPageBytes);
  if (pages < bytes) return std::nullopt;
  const size_t aligned = std::max(alignment, alignment_of(pages));
  std::optional<Placed> placed;
  if (wanted != 0 && wanted % std::max(alignment, kPageBytes) == 0) placed = cut_at(wanted, pages);
  if (!placed) placed = cut(pages, aligned);
  if (placed) placed->user = {placed->pages.begin, bytes};
  return placed;
}

void AddressSpace::release(const Placed& placed) {
  unmap_pages(placed.pages);
  give_back(placed.chunk);
}

std::optional<Placed> AddressSpace::cut(size_t pages, size_t alignment) {
  std::lock_guard<std::mutex> lock(mutex_);
  const size_t wanted = placement_ == Placement::strict ? kStrictGap : kGap;
  for (size_t gap : {wanted, kGap, kPageBytes}) {
    if (auto placed = cut_with_gap(pages, alignment, gap)) return placed;
  }
  return std::nullopt;
}

std::optional<Placed> AddressSpace::cut_with_gap(size_t pages, size_t alignment, size_t gap) {
  const size_t needed = gap + pages + std::max(alignment, kHugePage);
  if (needed < pages || needed < alignment) return std::nullopt;
  const auto from_cursor = free_.lower_bound(cursor_);
  for (auto it = from_cursor; it != free_.end(); ++it) {
    if (it->second >= needed) return cut_from(it, pages, alignment, gap);
  }
  for (auto it = free_.begin(); it != from_cursor; ++it) {
    if (it->second >= needed) return cut_from(it, pages, alignment, gap);
  }
  return std::nullopt;
}

Placed AddressSpace::cut_from(Extents::iterator extent, size_t pages, size_t alignment,
                              size_t gap) {
  const Span whole{extent->first, extent->second};
  const uintptr_t begin = round_up(whole.begin + gap, alignment);
  Placed placed;
  placed.pages = {begin, pages};
  placed.chunk = {whole.begin, begin + pages - whole.begin};
  free_.erase(extent);
  if (whole.end() > placed.chunk.end()) {
    free_[placed.chunk.end()] = whole.end() - placed.chunk.end();
  }
  cursor_ = placed.chunk.end();
  return placed;
}

std::optional<Placed> AddressSpace::cut_at(uintptr_t begin, size_t pages) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto extent = free_.upper_bound(begin);
  if (extent == free_.begin()) return std::nullopt;
  --extent;
  const Span whole{extent->first, extent->second};
  if (!whole.contains(begin) || whole.end() - begin < pages) return std::nullopt;
  free_.erase(extent);
  if (begin > whole.begin) free_[whole.begin] = begin - whole.begin;
  if (whole.end() > begin + pages) free_[begin + pages] = whole.end() - begin - pages;
  Placed placed;
  placed.chunk = placed.pages = {begin, pages};
  return placed;
}

void AddressSpace::give_back(Span span) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto next = free_.lower_bound(span.begin);
  // Not merged with what lies right behind the cursor: that would pull the cursor's extent back to
  // the freed address, and the range would be handed out again at once.
  if (next != free_.end() && next->first == span.end() && next->first != cursor_) {
    span.bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == span.begin && span.begin != cursor_) {
      previous->second += span.bytes;
      return;
    }
  }
  free_[span.begin] = span.bytes;
}

Span place_user(Span pages, size_t bytes, Placement placement) {
  constexpr size_t kVectorBytes = 16;
  if (placement != Placement::strict) return {pages.begin, bytes};
  return {pages.end() - round_up(bytes, kVectorBytes), bytes};
}

void fill_red_zones(const Placed& placed) {
  for_each_red_zone(placed, [](Span zone) {
    if (zone.bytes) std::memset(reinterpret_cast<void*>(zone.begin), kRedZone, zone.bytes);
  });
}

std::optional<uintptr_t> damaged_byte(const Placed& placed) {
  std::optional<uintptr_t> found;
  for_each_red_zone(placed, [&](Span zone) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(zone.begin);
    for (size_t i = 0; i < zone.bytes && !found; ++i) {
      if (bytes[i] != kRedZone) found = zone.begin + i;
    }
  });
  return found;
}

}  // namespace greta::sim
