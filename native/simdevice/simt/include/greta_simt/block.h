// Where a thread is: threadIdx and its kin, and the way to the device's services.
//
// These objects are static to the translation unit and their address is never given away, so the
// compiler can prove that no store of a kernel changes them, keeps them in registers, and
// vectorizes the loop over the threads. They are thread-local because several OS threads run
// blocks of the same kernel at once.
#pragma GCC system_header
#ifndef GRETA_SIMT_BLOCK_H
#define GRETA_SIMT_BLOCK_H

#include "../../launch_abi.h"
#include "greta_simt/platform.h"
#include "greta_simt/vector_types.h"

struct dim3 {
  uint32_t x, y, z;
  constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(const uint3& v) : x(v.x), y(v.y), z(v.z) {}
  operator uint3() const { return uint3(x, y, z); }
};

namespace greta_simt {

struct coordinates {
  uint32_t x, y, z;
  GRETA_SIMT_INLINE operator dim3() const { return dim3(x, y, z); }
  GRETA_SIMT_INLINE operator uint3() const { return uint3(x, y, z); }
};

}  // namespace greta_simt

static thread_local greta_simt::coordinates threadIdx, blockIdx, blockDim, gridDim;

static constexpr int warpSize = GRETA_SIMT_WAVE_SIZE;

namespace greta_simt {

static thread_local const greta_simt_block* current_block;
// What the device said last to the thread that runs: true in the thread whose fiber began as the
// loop, once those after it have fibers of their own.
static thread_local bool leave_loop;
#if defined(GRETA_SIMT_CHECKED)
// Upper end of what the entry function and its callees use of this fiber's stack.
static thread_local uintptr_t stack_top;
// Which thread runs. Volatile, because the compiler adds the checks last of all, when it has long
// moved what it thinks nobody reads out of the loop over the threads.
static thread_local volatile uint32_t checked_thread;
// The device's table, where reading it is no access to be checked.
static thread_local greta_simt_services service_table;
#endif

GRETA_SIMT_INLINE uint32_t linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

#if defined(GRETA_SIMT_CHECKED)
GRETA_SIMT_INLINE const greta_simt_services& services() { return service_table; }
#else
GRETA_SIMT_INLINE const greta_simt_services& services() { return *current_block->services; }
#endif

// Other threads of the block run on this OS thread while a service waits, and leave their own
// position behind. Keeps this thread's position over such a call.
class position_keeper {
 public:
  GRETA_SIMT_INLINE void resume(int answer) const {
    threadIdx = thread_;
#if defined(GRETA_SIMT_CHECKED)
    stack_top = stack_top_;
    checked_thread = checked_thread_;
#endif
    leave_loop = answer == GRETA_SIMT_LEAVE_LOOP;
  }

 private:
  coordinates thread_ = threadIdx;
#if defined(GRETA_SIMT_CHECKED)
  uintptr_t stack_top_ = stack_top;
  uint32_t checked_thread_ = checked_thread;
#endif
};

}  // namespace greta_simt

#endif
