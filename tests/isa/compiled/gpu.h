// One kernel source, three ways: for the GPU by clang, on nothing but its builtins; for the CPU by
// any C++ compiler, where the threads of a block are coroutines that take turns at barriers; and by
// hipRTC.
// Every kernel is KERNEL(name) { ... } with the arguments `out`, `in` and `n`.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef int i32;
typedef long i64;

#if defined(__HIP__) && !defined(__HIPCC_RTC__)

#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define KERNEL(name) extern "C" __attribute__((global)) void name(u32* out, const u32* in, u32 n)

static inline DEVICE u32 thread_x() { return __builtin_amdgcn_workitem_id_x(); }
static inline DEVICE u32 thread_y() { return __builtin_amdgcn_workitem_id_y(); }
static inline DEVICE u32 thread_z() { return __builtin_amdgcn_workitem_id_z(); }
static inline DEVICE u32 block_x() { return __builtin_amdgcn_workgroup_id_x(); }
static inline DEVICE u32 block_y() { return __builtin_amdgcn_workgroup_id_y(); }
static inline DEVICE u32 block_z() { return __builtin_amdgcn_workgroup_id_z(); }
static inline DEVICE u32 block_size_x() { return __builtin_amdgcn_workgroup_size_x(); }
static inline DEVICE u32 block_size_y() { return __builtin_amdgcn_workgroup_size_y(); }
static inline DEVICE u32 block_size_z() { return __builtin_amdgcn_workgroup_size_z(); }
static inline DEVICE u32 grid_size_x() {
  return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();
}

static inline DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// All threads of the block must come here.
static inline DEVICE u32 shuffle(u32 value, u32 lane) {
  return (u32)__builtin_amdgcn_ds_bpermute((int)(lane << 2), (int)value);
}
static inline DEVICE u64 ballot(bool condition) { return __builtin_amdgcn_ballot_w64(condition); }

// The compiler does not know what it is. Without this, clang-19, and clang-22 at -O0, take a number
// with few significant bits for a small unsigned one when they divide, negative ones too: ~2u % 128
// is 2045 (LLVM's pull requests 119325 and 196418).
template <class T>
static inline DEVICE T hidden(T value) {
  __asm__ volatile("" : "+v"(value));
  return value;
}

// What a loop changes, and an element of an array in a branch. clang-22 gives lanes that left a loop
// the value that a number has behind its last round if it is the same in all lanes of a round (LLVM's
// pull request 203256). And it moves what costs no instruction, as a store to an array in registers
// and the lower half of a number, out of a case of a switch, and lanes that come to this case by
// another way keep the old value (LLVM's pull request 183792).
template <class T>
static inline DEVICE T changed(T value) {
#if __clang_major__ == 22
  return hidden(value);
#else
  return value;
#endif
}

#define ATOMIC(name, builtin)                                            \
  template <class T>                                                     \
  static inline DEVICE T name(T* where, T value) {                       \
    return builtin(where, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
  }
ATOMIC(atomic_add, __hip_atomic_fetch_add)
ATOMIC(atomic_and, __hip_atomic_fetch_and)
ATOMIC(atomic_or, __hip_atomic_fetch_or)
ATOMIC(atomic_xor, __hip_atomic_fetch_xor)
ATOMIC(atomic_min, __hip_atomic_fetch_min)
ATOMIC(atomic_max, __hip_atomic_fetch_max)
ATOMIC(atomic_swap, __hip_atomic_exchange)
template <class T>
static inline DEVICE bool atomic_replace(T* where, T expected, T desired) {
  return __hip_atomic_compare_exchange_strong(where, &expected, desired, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#elif defined(__HIPCC_RTC__)

#define DEVICE __device__
#define SHARED __shared__
#define CONSTANT __constant__

static inline DEVICE u32 thread_x() { return threadIdx.x; }
static inline DEVICE u32 thread_y() { return threadIdx.y; }
static inline DEVICE u32 thread_z() { return threadIdx.z; }
static inline DEVICE u32 block_x() { return blockIdx.x; }
static inline DEVICE u32 block_y() { return blockIdx.y; }
static inline DEVICE u32 block_z() { return blockIdx.z; }
static inline DEVICE u32 block_size_x() { return blockDim.x; }
static inline DEVICE u32 block_size_y() { return blockDim.y; }
static inline DEVICE u32 block_size_z() { return blockDim.z; }
static inline DEVICE u32 grid_size_x() { return gridDim.x; }

static inline DEVICE void barrier() { __syncthreads(); }
static inline DEVICE u32 shuffle(u32 value, u32 lane) { return __shfl(value, (int)lane); }
static inline DEVICE u64 ballot(bool condition) { return __ballot(condition); }

template <class T>
struct AtomicType {
  typedef T type;
};
template <>
struct AtomicType<u64> {
  typedef unsigned long long type;
};
#define ATOMIC(name, function)                                                            \
  template <class T>                                                                      \
  static inline DEVICE T name(T* where, T value) {                                        \
    typedef typename AtomicType<T>::type Same;                                            \
    return (T)function((Same*)where, (Same)value);                                        \
  }
ATOMIC(atomic_add, atomicAdd)
ATOMIC(atomic_and, atomicAnd)
ATOMIC(atomic_or, atomicOr)
ATOMIC(atomic_xor, atomicXor)
ATOMIC(atomic_min, atomicMin)
ATOMIC(atomic_max, atomicMax)
ATOMIC(atomic_swap, atomicExch)
template <class T>
static inline DEVICE bool atomic_replace(T* where, T expected, T desired) {
  typedef typename AtomicType<T>::type Same;
  return (T)atomicCAS((Same*)where, (Same)expected, (Same)desired) == expected;
}

#else

#include <ucontext.h>

#include <cstdlib>
#include <vector>

#define DEVICE
#define SHARED static
#define CONSTANT
#define KERNEL(name) extern "C" void name(u32* out, const u32* in, u32 n)

namespace gpu {

struct Thread {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(1 << 16);
  bool ended = false;
};

struct State {
  u32 grid[3], block[3], block_index[3];
  u32 thread = 0;
  std::vector<Thread> threads;
  std::vector<u64> slots;
  ucontext_t scheduler;
  void (*kernel)(u32*, const u32*, u32);
  u32* out;
  const u32* in;
  u32 n;
};
inline State state;

inline void yield() { swapcontext(&state.threads[state.thread].context, &state.scheduler); }

inline void body() {
  state.kernel(state.out, state.in, state.n);
  state.threads[state.thread].ended = true;
  yield();
}

inline void run_block() {
  for (Thread& thread : state.threads) {
    thread.ended = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, body, 0);
  }
  for (bool any = true; any;) {
    any = false;
    for (u32 i = 0; i < state.threads.size(); ++i) {
      if (state.threads[i].ended) continue;
      any = true;
      state.thread = i;
      swapcontext(&state.scheduler, &state.threads[i].context);
    }
  }
}

}  // namespace gpu

extern "C" void gpu_run(void (*kernel)(u32*, const u32*, u32), u32* out, const u32* in, u32 n,
                        const u32* grid, const u32* block) {
  gpu::State& s = gpu::state;
  s.kernel = kernel, s.out = out, s.in = in, s.n = n;
  for (int i = 0; i < 3; ++i) s.grid[i] = grid[i], s.block[i] = block[i];
  s.threads.resize(block[0] * block[1] * block[2]);
  s.slots.resize(s.threads.size() + 64);
  for (u32 z = 0; z < grid[2]; ++z)
    for (u32 y = 0; y < grid[1]; ++y)
      for (u32 x = 0; x < grid[0]; ++x) {
        s.block_index[0] = x, s.block_index[1] = y, s.block_index[2] = z;
        gpu::run_block();
      }
}

static inline u32 thread_x() { return gpu::state.thread % gpu::state.block[0]; }
static inline u32 thread_y() {
  return gpu::state.thread / gpu::state.block[0] % gpu::state.block[1];
}
static inline u32 thread_z() {
  return gpu::state.thread / gpu::state.block[0] / gpu::state.block[1];
}
static inline u32 block_x() { return gpu::state.block_index[0]; }
static inline u32 block_y() { return gpu::state.block_index[1]; }
static inline u32 block_z() { return gpu::state.block_index[2]; }
static inline u32 block_size_x() { return gpu::state.block[0]; }
static inline u32 block_size_y() { return gpu::state.block[1]; }
static inline u32 block_size_z() { return gpu::state.block[2]; }
static inline u32 grid_size_x() { return gpu::state.grid[0]; }

static inline void barrier() { gpu::yield(); }
static inline u32 shuffle(u32 value, u32 lane) {
  const u32 me = gpu::state.thread;
  gpu::state.slots[me] = value;
  gpu::yield();
  const u32 result = (u32)gpu::state.slots[(me & ~63u) + (lane & 63)];
  gpu::yield();
  return result;
}
static inline u64 ballot(bool condition) {
  const u32 me = gpu::state.thread, first = me & ~63u;
  gpu::state.slots[me] = condition;
  gpu::yield();
  u64 mask = 0;
  for (u32 l = 0; l < 64 && first + l < gpu::state.threads.size(); ++l)
    mask |= gpu::state.slots[first + l] << l;
  gpu::yield();
  return mask;
}


#define ATOMIC(name, ...)              \
  template <class T>                   \
  static inline T name(T* where, T b) { \
    const T a = *where;                \
    *where = (T)(__VA_ARGS__);         \
    return a;                          \
  }
ATOMIC(atomic_add, a + b)
ATOMIC(atomic_and, a& b)
ATOMIC(atomic_or, a | b)
ATOMIC(atomic_xor, a ^ b)
ATOMIC(atomic_min, a < b ? a : b)
ATOMIC(atomic_max, a > b ? a : b)
ATOMIC(atomic_swap, b)
template <class T>
static inline bool atomic_replace(T* where, T expected, T desired) {
  if (*where != expected) return false;
  *where = desired;
  return true;
}

#endif

static inline DEVICE u32 global_id() { return block_x() * block_size_x() + thread_x(); }

// GCC takes 0 - x for -x if x was an integer, and -fma(a, b, c) for a subtraction: both lose the
// sign of a zero.
template <class T>
static inline DEVICE T hidden_from_gcc(T value) {
#if !defined(__clang__) && defined(__x86_64__)
  if constexpr ((T)0.5 == (T)0) {
    __asm__("" : "+r"(value));
  } else {
    __asm__("" : "+x"(value));
  }
#endif
  return value;
}
#if !defined(__HIP__) || defined(__HIPCC_RTC__)
template <class T>
static inline DEVICE T hidden(T value) {
  return hidden_from_gcc(value);
}
template <class T>
static inline DEVICE T changed(T value) {
  return value;
}
#endif

template <class To, class From>
static inline DEVICE To as(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
static inline DEVICE u32 reversed(u32 x) {
  x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
  x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
  x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
  return __builtin_bswap32(x);
}
// As functions: GCC folds 100 * (7 * x < -9 ? 7 * x : -9) as if products did not wrap.
template <class T>
static inline DEVICE T lesser(T a, T b) {
  return a < b ? a : b;
}
template <class T>
static inline DEVICE T greater(T a, T b) {
  return a > b ? a : b;
}
// clang-19 rounds some quotients of halves wrongly (LLVM's pull request 109295); rounded twice, from
// float, they are right.
template <class T>
static inline DEVICE T quotient(T a, T b) {
#if defined(__HIP__) && __clang_major__ < 20
  if constexpr (sizeof(T) == sizeof(_Float16)) return (T)(hidden((float)a) / hidden((float)b));
#endif
  return (T)(a / b);
}
static inline DEVICE float fused(float a, float b, float c) {
  return hidden_from_gcc(__builtin_fmaf(a, b, c));
}
static inline DEVICE double fused(double a, double b, double c) {
  return hidden_from_gcc(__builtin_fma(a, b, c));
}
// Processors differ in the bits of a NaN.
static inline DEVICE u32 bits(float x) { return x != x ? 0x7fc00000u : as<u32>(x); }
static inline DEVICE u64 bits(double x) { return x != x ? 0x7ff8000000000000ul : as<u64>(x); }
static inline DEVICE u32 bits(_Float16 x) { return x != x ? 0x7e00u : as<u16>(x); }
