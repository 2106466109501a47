// Copies and fills: what is checked before they are queued, and what the host may assume after.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

#include "device/work.h"

namespace greta::sim {

// What HIP knows about one side of a copy. Pageable is all memory it does not know.
enum class SideKind { device, managed, pinned, pageable };

struct CopySide {
  SideKind kind = SideKind::pageable;
  int device = -1;  // owner of device memory
  bool sync_memops = false;

  bool is_host() const { return kind == SideKind::pinned || kind == SideKind::pageable; }
};

struct CopyPlan {
  CopyWork work;
  CopySide dst;
  CopySide src;

  size_t bytes() const { return work.width * work.height * work.depth; }
  // hipMemcpy: only a copy within one device returns before it is done.
  bool sync_call_waits() const;
  // hipMemcpyAsync: a pageable side cannot be left to the device.
  bool async_call_waits() const;
  // The pageable source is read at submission and the call returns at once.
  bool async_call_stages() const;
};

struct Rectangle {
  size_t width;
  size_t height;
  size_t dst_pitch;
  size_t src_pitch;
};

// Checks the arguments as HIP does, against the requested size of known allocations.
hipError_t prepare_copy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                        CopyPlan* plan);
hipError_t prepare_copy_2d(void* dst, const void* src, const Rectangle& rectangle,
                           hipMemcpyKind kind, CopyPlan* plan);
// The same for a box, whose rows and slices the caller has checked.
hipError_t prepare_copy_3d(const CopyWork& box, hipMemcpyKind kind, CopyPlan* plan);

// Reads the pageable source now, so that the program may reuse it. A source that cannot be read is
// a fault like any other.
hipError_t stage_source(CopyPlan& plan, const WorkPlace& place);

struct FillPlan {
  FillWork work;
  // The destination is host-visible or in the middle of an allocation: hipMemset waits.
  bool sync_call_waits = false;
};

hipError_t prepare_fill(void* dst, uint32_t value, unsigned element_bytes, size_t count,
                        FillPlan* plan);
hipError_t prepare_fill_2d(void* dst, size_t pitch, int value, size_t width, size_t height,
                           FillPlan* plan);
// Rows of elements, and slices of rows.
hipError_t prepare_fill_3d(const FillWork& box, FillPlan* plan);

// The begin of each row that a fill writes.
template <typename Visit>
void for_each_row(const FillWork& work, Visit visit) {
  for (size_t slice = 0; slice < work.depth; ++slice) {
    for (size_t row = 0; row < work.height; ++row) {
      visit(work.dst + slice * work.slice + row * work.pitch);
    }
  }
}

// The doing, on the calling thread, unguarded.
void do_copy(const CopyWork& work);
void do_fill(const FillWork& work);

}  // namespace greta::sim
