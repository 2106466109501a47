// From a kernel to the entry function that the device calls, and to the description of its
// arguments that hipRTC writes into the code object's metadata note.
#pragma GCC system_header
#ifndef GRETA_SIMT_KERNEL_H
#define GRETA_SIMT_KERNEL_H

#include "greta_simt/block.h"
#include "greta_simt/checked.h"

namespace greta_simt {

constexpr uint32_t abi = GRETA_SIMT_ABI;
#if defined(GRETA_SIMT_CHECKED)
constexpr uint32_t checked = 1;
#else
constexpr uint32_t checked = 0;
#endif

// Bounds that let the compiler see that blockIdx.x * blockDim.x + threadIdx.x does not wrap in an
// int, without which it cannot vectorize accesses at that index. Blocks beyond take a slower path.
constexpr uint32_t max_block_dim = GRETA_SIMT_MAX_BLOCK_THREADS;
constexpr uint32_t narrow_block_index = 0x7fffffffu / max_block_dim - 1;

// Argument records, in the section .greta_layout; hipRTC reads them from the object file.
struct argument_record {
  uint32_t offset;
  uint32_t size;
  uint32_t is_pointer;
  uint32_t is_const;
};

constexpr uint32_t layout_magic = 0x4c524547;  // "GERL"

template <class Pointer, unsigned Count>
struct alignas(8) kernel_record {
  Pointer kernel;  // never followed: the name of the symbol it refers to is the kernel's name
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
  using record = kernel_record<void (*)(P...), sizeof...(P)>;

#if defined(GRETA_SIMT_CHECKED)
  // Prepares what the checks need, and so must do without them itself.
  GRETA_SIMT_UNCHECKED static void entry(const greta_simt_block* block, const void* kernarg,
                                         uint32_t thread) {
    current_block = block;
    service_table = *block->services;
    checked_thread = thread == GRETA_SIMT_WHOLE_BLOCK ? 0 : thread;
    stack_top = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    start(block, kernarg, thread);
  }
  __attribute__((noinline))
#else
  static void entry(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
    start(block, kernarg, thread);
  }
  GRETA_SIMT_INLINE
#endif
  static void
  start(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
    load(block, static_cast<const char*>(kernarg), thread,
         typename make_indices<sizeof...(P)>::type());
  }

  static constexpr record describe(uint32_t index, uint32_t max_threads) {
    return describe(index, max_threads, typename make_indices<sizeof...(P)>::type());
  }

 private:
  template <unsigned... I>
  static constexpr record describe(uint32_t index, uint32_t max_threads, indices<I...>) {
    return {Function,
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
    // Plain numbers throughout: the compiler loses the bounds of what it must first take out of
    // a struct.
    const uint32_t dim_x = block->block_dim.x;
    const uint32_t dim_y = block->block_dim.y;
    const uint32_t dim_z = block->block_dim.z;
    const uint32_t at_x = block->block_index.x;
    const uint32_t at_y = block->block_index.y;
    const uint32_t at_z = block->block_index.z;
    if (dim_x > max_block_dim) __builtin_unreachable();
    if (dim_y > max_block_dim) __builtin_unreachable();
    if (dim_z > max_block_dim) __builtin_unreachable();
    if (Narrow && at_x > narrow_block_index) __builtin_unreachable();
    uint32_t x_begin = 0, x_end = dim_x, y_begin = 0, y_end = dim_y, z_begin = 0, z_end = dim_z;
    if (thread != GRETA_SIMT_WHOLE_BLOCK) {
      uint32_t row = thread / dim_x;
      x_begin = thread - row * dim_x;
      x_end = x_begin + 1;
      z_begin = row / dim_y;
      y_begin = row - z_begin * dim_y;
      y_end = y_begin + 1;
      z_end = z_begin + 1;
    }
    begin_block(block);
    for (uint32_t z = z_begin; z < z_end; ++z)
      for (uint32_t y = y_begin; y < y_end; ++y) {
        GRETA_SIMT_INDEPENDENT_THREADS
        for (uint32_t x = x_begin; x < x_end; ++x) {
          // All of it in each iteration: the compiler's early passes, which find the bounds of
          // index computations, do not carry values over the loop's back edge.
          threadIdx = {x, y, z};
          blockIdx = {at_x, at_y, at_z};
          blockDim = {dim_x, dim_y, dim_z};
#if defined(GRETA_SIMT_CHECKED)
          checked_thread = linear_thread();
#endif
          Function(arguments...);
          if (leave_loop) return;
        }
      }
  }

  static GRETA_SIMT_INLINE void begin_block(const greta_simt_block* block) {
    current_block = block;
    gridDim = {block->grid_dim.x, block->grid_dim.y, block->grid_dim.z};
    leave_loop = false;
  }
};

}  // namespace greta_simt

#endif
