#include "device/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>

#include "device/fault.h"
#include "device/graph_allocation.h"
#include "device/recorder_notes.h"
#include "device/virtual_memory.h"
#include "device/written.h"

namespace greta::sim {
namespace {

AllocationRef fresh_allocation(MemoryKind kind, int device, unsigned flags, Span user) {
  auto allocation = std::make_shared<Allocation>();
  allocation->id = next_allocation_id();
  allocation->kind = kind;
  allocation->device = device;
  allocation->flags = flags;
  allocation->base = user.begin;
  allocation->bytes = user.bytes;
  return allocation;
}

AllocateResult place_in(AddressSpace& space, MemoryKind kind, int device, size_t bytes,
                        unsigned flags) {
  const auto placed = space.place(bytes);
  if (!placed) return {hipErrorOutOfMemory, nullptr};
  AllocationRef allocation = fresh_allocation(kind, device, flags, placed->user);
  allocation->placed = *placed;
  address_map().insert(allocation);
  return {hipSuccess, allocation};
}

// Something wrote past this allocation without leaving its pages. Hardware never notices; we do,
// but late: what is known is that it happened while the allocation lived.
void report_red_zone(const Allocation& allocation, uintptr_t address) {
  const auto byte = static_cast<intptr_t>(address - allocation.base);
  std::fprintf(stderr,
               "greta-sim: something wrote outside an allocation, 0x%" PRIxPTR
               " of %zu bytes: the first byte changed is number %" PRIdPTR
               ". Found when it was freed; GRETA_SIM_PLACEMENT=strict makes the write itself "
               "fault.\n",
               allocation.base, allocation.bytes, byte);
  FaultRecord record;
  record.what = FaultClass::red_zone_damage;
  record.operation = "free";
  record.device = allocation.device;
  record.address = address;
  record.address_known = true;
  record.access = AccessKind::write;
  record.allocation = {allocation.base, allocation.bytes};
  record.call = current_call();
  report_fault(std::move(record));
}

AddressSpace& space_of(const Allocation& allocation) {
  const bool on_device = allocation.kind == MemoryKind::device;
  return on_device ? device_at(allocation.device).space() : host_space();
}

// What the device may do with it; a mapping of hipMemMap has rights of its own.
unsigned rights_of(const Allocation& allocation, int device) {
  if (!allocation.present.load()) return hipMemAccessFlagsProtNone;
  if (allocation.mapping) return allocation.mapping->of(device);
  const bool foreign = allocation.kind == MemoryKind::device && allocation.device != device;
  const bool none = foreign && !device_at(device).peer_enabled(allocation.device);
  return none ? hipMemAccessFlagsProtNone : hipMemAccessFlagsProtReadWrite;
}

// Of memory around the address; empty if the device may not touch it so.
AccessibleRange accessible_at(int device, uintptr_t address, bool is_write) {
  const AllocationRef allocation = address_map().find_reachable(address);
  if (!allocation) return {};
  const unsigned rights = rights_of(*allocation, device);
  const bool writable = rights == hipMemAccessFlagsProtReadWrite;
  if (rights == hipMemAccessFlagsProtNone || (is_write && !writable)) return {};
  const Span reach = allocation->reach();
  return {reach.begin, reach.end(), writable};
}

}  // namespace

AllocationId next_allocation_id() {
  static std::atomic<AllocationId> next{1};
  return next.fetch_add(1);
}

AllocateResult allocate_device(Device& device, size_t bytes, unsigned flags) {
  if (!device.take_bytes(bytes)) return {hipErrorOutOfMemory, nullptr};
  auto result = place_in(device.space(), MemoryKind::device, device.ordinal(), bytes, flags);
  if (result.error != hipSuccess) {
    device.give_bytes(bytes);
    return result;
  }
  fill_fresh(result.allocation->placed);
  note_fresh(*result.allocation);
  return result;
}

AllocateResult allocate_host(MemoryKind kind, int device, size_t bytes, unsigned flags) {
  return place_in(host_space(), kind, device, bytes, flags);
}

AllocateResult adopt(MemoryKind kind, int device, Span span, unsigned flags) {
  AllocationRef allocation = fresh_allocation(kind, device, flags, span);
  if (!address_map().insert(allocation)) return {hipErrorHostMemoryAlreadyRegistered, nullptr};
  return {hipSuccess, allocation};
}

void release(const AllocationRef& allocation) {
  // Out of the map first: nobody may be told of it once its pages go.
  if (!address_map().remove(*allocation)) return;
  forget_written(*allocation);
  note_owner(*allocation, false);
  allocation->live = false;  // a graph that still names it must not give it back to its pool
  forget_accessible_ranges();
  if (allocation->mapping) remove_view(*allocation);
  if (allocation->placed.pages.bytes != 0) unmap(*allocation);
}

void check_red_zones(Allocation& allocation) {
  if (!allocation.red_zones_filled) return;
  allocation.red_zones_filled = false;
  if (auto address = damaged_byte(allocation.placed)) report_red_zone(allocation, *address);
}

void unmap(Allocation& allocation) {
  check_red_zones(allocation);
  space_of(allocation).release(allocation.placed);
  if (allocation.kind == MemoryKind::device && !allocation.is_imported) {
    device_at(allocation.device).give_bytes(allocation.placed.pages.bytes);
  }
}

AllocationRef reincarnate(const Allocation& block, size_t bytes) {
  Placed placed = block.placed;
  placed.user = place_user(placed.pages, bytes, settings().placement);
  AllocationRef next = fresh_allocation(block.kind, block.device, block.flags, placed.user);
  next->placed = placed;
  next->pool = block.pool;
  next->shared = block.shared;
  return next;
}

uintptr_t unreachable_alias(uintptr_t given) {
  constexpr size_t kSlots = 64;
  constexpr size_t kSlotBytes = size_t{16} << 30;
  static char* const space = static_cast<char*>(mmap(
      nullptr, kSlots * kSlotBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  static std::atomic<size_t> next{0};
  if (space == MAP_FAILED) return given & (kPageBytes - 1);  // the null page is unmapped too
  // In the middle of a slot: offsets either way stay in it. The low bits keep the alignment.
  const size_t slot = next.fetch_add(1) % kSlots;
  return reinterpret_cast<uintptr_t>(space) + slot * kSlotBytes + kSlotBytes / 2 + (given & 0xffff);
}

bool device_may_access(int device, uintptr_t address, size_t bytes, bool is_write,
                       AccessibleRange* around) {
  *around = accessible_at(device, address, is_write);
  if (around->begin == around->end) return false;
  // An access may go over the border of two mappings.
  for (uintptr_t end = around->end; end - address < bytes;) {
    const AccessibleRange next = accessible_at(device, end, is_write);
    if (next.begin != end || next.end == end || !in_virtual_space(end)) return false;
    end = next.end;
    around->end = end;
    around->writable = around->writable && next.writable;
  }
  return true;
}

}  // namespace greta::sim
