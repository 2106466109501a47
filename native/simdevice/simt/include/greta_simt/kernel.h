// From a kernel to the entry function that the device calls, and to the description of its
// arguments that hipRTC writes into the code object's metadata note.
#pragma GCC system_header
#ifndef GRETA_SIMT_KERNEL_H
#define GRETA_SIMT_KERNEL_H

#include "greta_simt/block.h"

namespace greta_simt {

// Bounds that let the compiler see that blockIdx.x * blockDim.x + threadIdx.x does not wrap in an
// int, without which it cannot vectorize accesses at that index. Blocks beyond take a slower path.
constexpr uint32_t max_block_dim = GRETA_SIMT_MAX_BLOCK_THREADS;
constexpr uint32_t narrow_block_index = 0x7fffffffu / max_block_dim - 1;

// The threads [begin, end) of a block, in each direction.
struct thread_range {
  coordinates begin, end;
};

GRETA_SIMT_INLINE thread_range threads_to_run(const greta_simt_dim& dim, uint32_t thread) {
  if (thread == GRETA_SIMT_WHOLE_BLOCK) return {{0, 0, 0}, {dim.x, dim.y, dim.z}};
  uint32_t row = thread / dim.x;
  coordinates begin = {thread % dim.x, row % dim.y, row / dim.y};
  return {begin, {begin.x + 1, begin.y + 1, begin.z + 1}};
}

// Argument records, in the section .greta_layout; hipRTC reads them from the object file.
struct argument_record {
  uint32_t offset;
  uint32_t size;
  uint32_t is_pointer;
  uint32_t is_const;
};

constexpr uint32_t layout_magic = 0x4c524547;  // "GERL"

template <unsigned Count>
struct alignas(8) kernel_record {
  const void* kernel;  // never followed: the name of the symbol it refers to is the kernel's name
  greta_simt_entry entry;
  uint32_t magic;
  uint32_t index;
  uint32_t max_threads;
  uint32_t kernarg_size;
  uint32_t kernarg_align;
  uint32_t argument_count;
  argument_record arguments[Count ? Count : 1];
};

struct name_record {
  const void* address;
  uint64_t index;
};

template <class T>
struct pointer_traits {
  static constexpr bool is_pointer = false, is_const = false;
};
template <class T>
struct pointer_traits<T*> {
  static constexpr bool is_pointer = true, is_const = false;
};
template <class T>
struct pointer_traits<const T*> {
  static constexpr bool is_pointer = true, is_const = true;
};

template <unsigned... I>
struct indices {};
template <unsigned N, unsigned... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <unsigned... I>
struct make_indices<0, I...> {
  using type = indices<I...>;
};

// Kernel arguments lie one after the other, each at its natural alignment.
template <class... P>
struct argument_layout {
  static constexpr unsigned count = sizeof...(P);
  static constexpr uint32_t sizes[count + 1] = {sizeof(P)..., 0};
  static constexpr uint32_t aligns[count + 1] = {alignof(P)..., 1};

  static constexpr uint32_t offset(unsigned index) {
    uint32_t at = 0;
    for (unsigned i = 0;; ++i) {
      at = (at + aligns[i] - 1) / aligns[i] * aligns[i];
      if (i == index) return at;
      at += sizes[i];
    }
  }
  static constexpr uint32_t alignment() {
    uint32_t widest = 4;
    for (uint32_t align : aligns) widest = align > widest ? align : widest;
    return widest;
  }
};
template <class... P>
constexpr uint32_t argument_layout<P...>::sizes[];
template <class... P>
constexpr uint32_t argument_layout<P...>::aligns[];

template <class Pointer, Pointer Function>
struct kernel;

template <class... P, void (*Function)(P...)>
struct kernel<void (*)(P...), Function> {
  using layout = argument_layout<P...>;
  using record = kernel_record<sizeof...(P)>;

  static void entry(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
    load(block, static_cast<const char*>(kernarg), thread,
         typename make_indices<sizeof...(P)>::type());
  }

  static constexpr record describe(uint32_t index, uint32_t max_threads) {
    return describe(index, max_threads, typename make_indices<sizeof...(P)>::type());
  }

 private:
  template <unsigned... I>
  static constexpr record describe(uint32_t index, uint32_t max_threads, indices<I...>) {
    return {(const void*)Function,
            &kernel::entry,
            layout_magic,
            index,
            max_threads,
            layout::offset(layout::count),
            layout::alignment(),
            layout::count,
            {{layout::offset(I), sizeof(P), pointer_traits<P>::is_pointer,
              pointer_traits<P>::is_const}...}};
  }

  // The arguments are loaded before the loop over the threads: inside it they would have to be
  // read again after each store of the kernel.
  template <unsigned... I>
  static GRETA_SIMT_INLINE void load(const greta_simt_block* block, const char* kernarg,
                                     uint32_t thread, indices<I...>) {
    if (__builtin_expect(block->block_index.x > narrow_block_index, 0))
      run_wide(block, thread, *(const P*)(kernarg + layout::offset(I))...);
    else
      run<true>(block, thread, *(const P*)(kernarg + layout::offset(I))...);
  }

  static __attribute__((cold, noinline)) void run_wide(const greta_simt_block* block,
                                                       uint32_t thread, P... arguments) {
    run<false>(block, thread, arguments...);
  }

  template <bool Narrow>
  static GRETA_SIMT_INLINE void run(const greta_simt_block* block, uint32_t thread,
                                    P... arguments) {
    const greta_simt_dim dim = block->block_dim;
    const greta_simt_dim at = block->block_index;
    if (dim.x > max_block_dim) __builtin_unreachable();
    if (dim.y > max_block_dim) __builtin_unreachable();
    if (dim.z > max_block_dim) __builtin_unreachable();
    if (Narrow && at.x > narrow_block_index) __builtin_unreachable();
    const thread_range range = threads_to_run(dim, thread);
    begin_block(block);
    // Not for a single thread: its start must not undo what a waiting loop has been told.
    if (thread == GRETA_SIMT_WHOLE_BLOCK) leave_loop = false;
    for (uint32_t z = range.begin.z; z < range.end.z; ++z)
      for (uint32_t y = range.begin.y; y < range.end.y; ++y) {
        GRETA_SIMT_INDEPENDENT_THREADS
        for (uint32_t x = range.begin.x; x < range.end.x; ++x) {
          // All of it in each iteration: the compiler's early passes, which find the bounds of
          // index computations, do not carry values over the loop's back edge.
          threadIdx = {x, y, z};
          blockIdx = {at.x, at.y, at.z};
          blockDim = {dim.x, dim.y, dim.z};
          Function(arguments...);
          if (leave_loop) return;
        }
      }
  }

  static GRETA_SIMT_INLINE void begin_block(const greta_simt_block* block) {
    current_block = block;
    gridDim = {block->grid_dim.x, block->grid_dim.y, block->grid_dim.z};
#if defined(GRETA_SIMT_CHECKED)
    stack_top = (uintptr_t)__builtin_frame_address(0);
#endif
  }
};

}  // namespace greta_simt

#endif
