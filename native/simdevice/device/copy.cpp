#include "device/copy.h"

#include <algorithm>
#include <cstring>

#include "device/address_map.h"
#include "device/fault.h"
#include "device/guard.h"

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

// Bytes from the first to the last of a rectangle, or 0 if that overflows.
size_t extent_of(size_t width, size_t height, size_t pitch) {
  size_t rows;
  size_t extent;
  if (__builtin_mul_overflow(height - 1, pitch, &rows)) return 0;
  if (__builtin_add_overflow(rows, width, &extent)) return 0;
  return extent;
}

// Looks the address up; false if a known allocation ends before the access does.
bool describe_side(uintptr_t address, size_t extent, CopySide* side) {
  const AllocationRef allocation = address_map().find(address);
  if (!allocation) return true;
  side->kind = side_kind(allocation->kind);
  side->device = allocation->device;
  side->sync_memops = allocation->sync_memops.load();
  return address_map().bytes_from(*allocation, address) >= extent;
}

hipError_t describe_sides(CopyPlan& plan, hipMemcpyKind kind) {
  const CopyWork& work = plan.work;
  const size_t dst_extent = extent_of(work.width, work.height, work.dst_pitch);
  const size_t src_extent = extent_of(work.width, work.height, work.src_pitch);
  if (!dst_extent || !src_extent) return hipErrorInvalidValue;
  if (!describe_side(work.dst, dst_extent, &plan.dst)) return hipErrorInvalidValue;
  if (!describe_side(work.src, src_extent, &plan.src)) return hipErrorInvalidValue;
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
  const size_t extent = extent_of(work.width * work.element_bytes, work.height, work.pitch);
  if (!extent || address_map().bytes_from(*allocation, work.dst) < extent) {
    return hipErrorInvalidValue;
  }
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

hipError_t stage_source(CopyPlan& plan, const WorkPlace& place) {
  auto staged = std::make_shared<std::vector<unsigned char>>(plan.bytes());
  CopyWork read = plan.work;
  read.dst = reinterpret_cast<uintptr_t>(staged->data());
  read.dst_pitch = read.width;
  ensure_guard_installed();  // this is the program's thread, and the handlers may be the program's
  if (const FaultReport fault = run_guarded([&] { do_copy(read); })) {
    report_fault(record_of(fault, place, "copy"));
    return process_error();
  }
  plan.work.staged = std::move(staged);
  plan.work.src = read.dst;
  plan.work.src_pitch = read.width;
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
  return check_fill({address, value, element_bytes, count, 1, bytes}, plan);
}

hipError_t prepare_fill_2d(void* dst, size_t pitch, int value, size_t width, size_t height,
                           FillPlan* plan) {
  if (!dst) return hipErrorInvalidValue;
  if (width > pitch) return hipErrorInvalidValue;
  return check_fill(
      {reinterpret_cast<uintptr_t>(dst), static_cast<uint32_t>(value), 1, width, height, pitch},
      plan);
}

void do_copy(const CopyWork& work) {
  if (work.dst_pitch == work.width && work.src_pitch == work.width) {
    std::memmove(reinterpret_cast<void*>(work.dst), reinterpret_cast<const void*>(work.src),
                 work.width * work.height);
    return;
  }
  for (size_t row = 0; row < work.height; ++row) {
    std::memmove(reinterpret_cast<void*>(work.dst + row * work.dst_pitch),
                 reinterpret_cast<const void*>(work.src + row * work.src_pitch), work.width);
  }
}

void do_fill(const FillWork& work) {
  for (size_t row = 0; row < work.height; ++row) {
    const uintptr_t at = work.dst + row * work.pitch;
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
  }
}

}  // namespace greta::sim
