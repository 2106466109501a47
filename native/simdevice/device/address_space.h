// A range of virtual addresses that belongs to one device (or to pinned host memory).
//
//   reserved, PROT_NONE, never backed by memory
//   |--gap--|red|allocation|red|--gap--|......freed, stays unmapped......|--gap--| ...
//            \__ whole pages, read/write __/
//
// Reserving costs nothing; pages cost host memory when they are first written. The next piece is
// always cut after the last one, so a freed range stays unmapped until the whole space has been
// walked through once: a use after free then faults instead of finding somebody else's data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "device/settings.h"

namespace greta::sim {

constexpr size_t kPageBytes = 4096;

struct Span {
  uintptr_t begin = 0;
  size_t bytes = 0;
  uintptr_t end() const { return begin + bytes; }
  bool contains(uintptr_t address) const { return address - begin < bytes; }
};

// Where an allocation lies: `chunk` is what was cut from the space (with the gap in front), `pages`
// is mapped, `user` is what was asked for; what is left of `pages` is red zone.
struct Placed {
  Span chunk;
  Span pages;
  Span user;
};

class AddressSpace {
 public:
  AddressSpace(size_t reserve_bytes, Placement placement);
  AddressSpace(const AddressSpace&) = delete;

  std::optional<Placed> place(size_t bytes);
  // Addresses alone: nothing is mapped there. At `wanted` if that is free and not 0.
  std::optional<Placed> reserve(size_t bytes, size_t alignment, uintptr_t wanted);
  void release(const Placed& placed);
  bool contains(uintptr_t address) const { return reserved_.contains(address); }

 private:
  using Extents = std::map<uintptr_t, size_t>;

  std::optional<Placed> cut(size_t pages, size_t alignment);
  std::optional<Placed> cut_with_gap(size_t pages, size_t alignment, size_t gap);
  Placed cut_from(Extents::iterator extent, size_t pages, size_t alignment, size_t gap);
  std::optional<Placed> cut_at(uintptr_t begin, size_t pages);
  void give_back(Span span);

  Span reserved_;
  Placement placement_;
  std::mutex mutex_;
  Extents free_;  // begin -> bytes, coalesced
  uintptr_t cursor_ = 0;
};

// Where in its pages an allocation lies. In strict placement at their end, but never off the
// alignment of vector types: a correct program may use them on memory of any size. The few bytes
// behind it are red zone, and checked kernels do not get there.
Span place_user(Span pages, size_t bytes, Placement placement);

// Gives the memory back to the host and makes any later access fault.
void unmap_pages(Span pages);

// The pattern in red zones, and the first damaged byte of one.
void fill_red_zones(const Placed& placed);
std::optional<uintptr_t> damaged_byte(const Placed& placed);

}  // namespace greta::sim
