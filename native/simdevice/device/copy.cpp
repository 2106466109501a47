#include "device/copy.h"

#include <algorithm>
#include <cstring>

#include "device/address_map.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/guard.h"
#include "device/virtual_memory.h"

namespace greta::sim {
namespace {

// HIP stages pageable sources up to this size and waits for larger copies.
constexpr size_t kStagingBytes = size_t{1} << 20;

bool is_copy_kind(hipMemcpyKind kind) {
  const int value = static_cast<int>(kind);
  return (value >= hipMemcpyHostToHost && value <= hipMemcpyDefault) ||
         value == hipMemcpyDeviceToDeviceNoCU;
}

SideKind side_kind(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
    case MemoryKind::module:
      return SideKind::device;
    case MemoryKind::managed:
      return SideKind::managed;
    default:
      return SideKind::pinned;
  }
}

// Bytes from the first to the last of a box, or 0 if that overflows.
size_t extent_of(size_t width, size_t height, size_t pitch, size_t depth, size_t slice) {
  size_t rows;
  size_t slices;
  size_t extent;
  if (__builtin_mul_overflow(height - 1, pitch, &rows)) return 0;
  if (__builtin_mul_overflow(depth - 1, slice, &slices)) return 0;
  if (__builtin_add_overflow(rows, width, &extent)) return 0;
  if (__builtin_add_overflow(extent, slices, &extent)) return 0;
  return extent;
}

// What hipMemMap put there needs a right of the current device, or AMD's library says so.
hipError_t check_rights(const Allocation& allocation, bool is_write) {
  if (!allocation.mapping) return hipSuccess;
  const unsigned rights = allocation.mapping->of(current_ordinal());
  const bool allowed = rights == hipMemAccessFlagsProtReadWrite || (rights != 0 && !is_write);
  return allowed ? hipSuccess : hipErrorUnknown;
}

// Looks the address up; an error if a known allocation ends before the access does.
hipError_t describe_side(uintptr_t address, size_t extent, bool is_write, CopySide* side) {
  const AllocationRef allocation = address_map().find(address);
  if (!allocation) return hipSuccess;
  side->kind = side_kind(allocation->kind);
  side->device = allocation->device;
  side->sync_memops = allocation->sync_memops.load();
  const bool inside = address_map().bytes_from(*allocation, address) >= extent;
  return inside ? check_rights(*allocation, is_write) : hipErrorInvalidValue;
}

hipError_t describe_sides(CopyPlan& plan, hipMemcpyKind kind) {
  const CopyWork& work = plan.work;
  const size_t dst_extent =
      extent_of(work.width, work.height, work.dst_pitch, work.depth, work.dst_slice);
  const size_t src_extent =
      extent_of(work.width, work.height, work.src_pitch, work.depth, work.src_slice);
  if (!dst_extent || !src_extent) return hipErrorInvalidValue;
  if (const hipError_t error = describe_side(work.dst, dst_extent, true, &plan.dst)) return error;
  if (const hipError_t error = describe_side(work.src, src_extent, false, &plan.src)) return error;
  const bool both_unknown =
      plan.dst.kind == SideKind::pageable && plan.src.kind == SideKind::pageable;
  const bool may_be_host = kind == hipMemcpyHostToHost || kind == hipMemcpyDefault;
  return both_unknown && !may_be_host ? hipErrorInvalidValue : hipSuccess;
}

template <typename Element>
void fill_row(uintptr_t at, uint32_t value, size_t count) {
  std::fill_n(reinterpret_cast<Element*>(at), count, static_cast<Element>(value));
}

bool is_host_visible(const Allocation& allocation) {
  const bool on_device =
      allocation.kind == MemoryKind::device || allocation.kind == MemoryKind::module;
  return !on_device || allocation.flags == hipDeviceMallocFinegrained;
}

hipError_t check_fill(const FillWork& work, FillPlan* plan) {
  const AllocationRef allocation = address_map().find(work.dst);
  if (!allocation) return hipErrorInvalidValue;
  const size_t extent =
      extent_of(work.width * work.element_bytes, work.height, work.pitch, work.depth, work.slice);
  if (!extent || address_map().bytes_from(*allocation, work.dst) < extent) {
    return hipErrorInvalidValue;
  }
  if (const hipError_t error = check_rights(*allocation, true)) return error;
  plan->work = work;
  plan->sync_call_waits = is_host_visible(*allocation) || work.dst != allocation->base ||
                          allocation->sync_memops.load();
  return hipSuccess;
}

}  // namespace

bool CopyPlan::sync_call_waits() const {
  const bool within_one_device =
      dst.kind == SideKind::device && src.kind == SideKind::device && dst.device == src.device;
  return !within_one_device || (dst.sync_memops && src.sync_memops);
}

bool CopyPlan::async_call_stages() const {
  return src.kind == SideKind::pageable && !dst.is_host() && bytes() <= kStagingBytes;
}

bool CopyPlan::async_call_waits() const {
  if (async_call_stages()) return false;
  const bool pageable = dst.kind == SideKind::pageable || src.kind == SideKind::pageable;
  return pageable || (dst.is_host() && src.is_host());
}

hipError_t prepare_copy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                        CopyPlan* plan) {
  if (!is_copy_kind(kind)) return hipErrorInvalidMemcpyDirection;
  if (!dst || !src) return hipErrorInvalidValue;
  CopyWork& work = plan->work;
  work.dst = reinterpret_cast<uintptr_t>(dst);
  work.src = reinterpret_cast<uintptr_t>(src);
  work.width = work.dst_pitch = work.src_pitch = bytes;
  return describe_sides(*plan, kind);
}

hipError_t prepare_copy_2d(void* dst, const void* src, const Rectangle& rectangle,
                           hipMemcpyKind kind, CopyPlan* plan) {
  if (!is_copy_kind(kind)) return hipErrorInvalidMemcpyDirection;
  if (!dst || !src) return hipErrorInvalidValue;
  if (rectangle.width > rectangle.dst_pitch || rectangle.width > rectangle.src_pitch) {
    return hipErrorInvalidPitchValue;
  }
  CopyWork& work = plan->work;
  work.dst = reinterpret_cast<uintptr_t>(dst);
  work.src = reinterpret_cast<uintptr_t>(src);
  work.width = rectangle.width;
  work.height = rectangle.height;
  work.dst_pitch = rectangle.dst_pitch;
  work.src_pitch = rectangle.src_pitch;
  return describe_sides(*plan, kind);
}

hipError_t prepare_copy_3d(const CopyWork& box, hipMemcpyKind kind, CopyPlan* plan) {
  if (!is_copy_kind(kind)) return hipErrorInvalidMemcpyDirection;
  if (!box.dst || !box.src) return hipErrorInvalidValue;
  plan->work = box;
  return describe_sides(*plan, kind);
}

hipError_t stage_source(CopyPlan& plan, const WorkPlace& place) {
  auto staged = std::make_shared<std::vector<unsigned char>>(plan.bytes());
  CopyWork read = plan.work;
  read.dst = reinterpret_cast<uintptr_t>(staged->data());
  read.dst_pitch = read.width;
  read.dst_slice = read.width * read.height;
  ensure_guard_installed();  // this is the program's thread, and the handlers may be the program's
  if (const FaultReport fault = run_guarded([&] { do_copy(read); })) {
    report_fault(record_of(fault, place, "copy"));
    return process_error();
  }
  plan.work.staged = std::move(staged);
  plan.work.src = read.dst;
  plan.work.src_pitch = read.width;
  plan.work.src_slice = read.dst_slice;
  return hipSuccess;
}

hipError_t prepare_fill(void* dst, uint32_t value, unsigned element_bytes, size_t count,
                        FillPlan* plan) {
  size_t bytes;
  if (!dst || __builtin_mul_overflow(count, size_t{element_bytes}, &bytes)) {
    return hipErrorInvalidValue;
  }
  const auto address = reinterpret_cast<uintptr_t>(dst);
  if (address % element_bytes != 0) return hipErrorInvalidValue;
  FillWork work;
  work.dst = address;
  work.value = value;
  work.element_bytes = element_bytes;
  work.width = count;
  work.pitch = bytes;
  return check_fill(work, plan);
}

hipError_t prepare_fill_2d(void* dst, size_t pitch, int value, size_t width, size_t height,
                           FillPlan* plan) {
  if (!dst) return hipErrorInvalidValue;
  if (width > pitch) return hipErrorInvalidValue;
  FillWork work;
  work.dst = reinterpret_cast<uintptr_t>(dst);
  work.value = static_cast<uint32_t>(value);
  work.width = width;
  work.height = height;
  work.pitch = pitch;
  return check_fill(work, plan);
}

hipError_t prepare_fill_3d(const FillWork& box, FillPlan* plan) {
  size_t row;
  if (!box.dst || __builtin_mul_overflow(box.width, size_t{box.element_bytes}, &row)) {
    return hipErrorInvalidValue;
  }
  if (box.dst % box.element_bytes != 0) return hipErrorInvalidValue;
  if (row > box.pitch && (box.height > 1 || box.depth > 1)) return hipErrorInvalidValue;
  return check_fill(box, plan);
}

void do_copy(const CopyWork& work) {
  const bool in_one_piece =
      work.depth == 1 && work.dst_pitch == work.width && work.src_pitch == work.width;
  const size_t rows = in_one_piece ? 1 : work.height;
  const size_t bytes = in_one_piece ? work.width * work.height : work.width;
  for (size_t slice = 0; slice < work.depth; ++slice) {
    const uintptr_t dst = work.dst + slice * work.dst_slice;
    const uintptr_t src = work.src + slice * work.src_slice;
    for (size_t row = 0; row < rows; ++row) {
      std::memmove(reinterpret_cast<void*>(dst + row * work.dst_pitch),
                   reinterpret_cast<const void*>(src + row * work.src_pitch), bytes);
    }
  }
}

void do_fill(const FillWork& work) {
  for_each_row(work, [&](uintptr_t at) {
    switch (work.element_bytes) {
      case 2:
        fill_row<uint16_t>(at, work.value, work.width);
        break;
      case 4:
        fill_row<uint32_t>(at, work.value, work.width);
        break;
      default:
        fill_row<uint8_t>(at, work.value, work.width);
        break;
    }
  });
}

}  // namespace greta::sim
