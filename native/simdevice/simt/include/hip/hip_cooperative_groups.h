// Cooperative groups: blocks, grids, tiles of a wave, and the lanes that happen to be together.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_COOPERATIVE_GROUPS_H
#define GRETA_SIMT_HIP_COOPERATIVE_GROUPS_H

#include "hip/hip_runtime.h"

namespace cooperative_groups {

// What the groups have in common. A tile stands for the lanes of one wave in `lanes`.
class thread_group {
 public:
  enum class kind { block, grid, tile, coalesced, multi_grid };

  GRETA_SIMT_INLINE uint32_t size() const { return size_; }
  GRETA_SIMT_INLINE uint32_t num_threads() const { return size_; }
  GRETA_SIMT_INLINE uint32_t thread_rank() const { return rank_; }
  GRETA_SIMT_INLINE bool is_valid() const {
    return (kind_ != kind::grid && kind_ != kind::multi_grid) || greta_simt::has_grid_barrier();
  }
  GRETA_SIMT_INLINE void sync() const {
    if (kind_ == kind::block)
      __syncthreads();
    else if (kind_ == kind::grid || kind_ == kind::multi_grid)
      greta_simt::grid_barrier();
    else
      __syncwarp();
  }

 protected:
  GRETA_SIMT_INLINE thread_group(kind kind, uint32_t size, uint32_t rank,
                                 unsigned long long lanes = ~0ull)
      : kind_(kind), size_(size), rank_(rank), lanes_(lanes) {}

  kind kind_;
  uint32_t size_;
  uint32_t rank_;
  unsigned long long lanes_;

  friend GRETA_SIMT_INLINE thread_group this_thread();
  friend GRETA_SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size);
};

GRETA_SIMT_INLINE thread_group this_thread() {
  return thread_group(thread_group::kind::coalesced, 1, 0, 1ull << greta_simt::lane());
}

// Tiles of a size that is known when the kernel runs: 1 to 64 and a power of two. The last one of a
// block may be smaller.
GRETA_SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (size == 0 || size > 64 || (size & (size - 1)) != 0) __builtin_trap();
  const unsigned first = parent.rank_ & ~(size - 1), left = parent.size_ - first;
  return thread_group(thread_group::kind::tile, left < size ? left : size, parent.rank_ - first);
}

class thread_block : public thread_group {
 public:
  GRETA_SIMT_INLINE thread_block()
      : thread_group(kind::block, blockDim.x * blockDim.y * blockDim.z,
                     greta_simt::linear_thread()) {}
  static GRETA_SIMT_INLINE dim3 group_index() { return blockIdx; }
  static GRETA_SIMT_INLINE dim3 thread_index() { return threadIdx; }
  static GRETA_SIMT_INLINE dim3 group_dim() { return blockDim; }
  static GRETA_SIMT_INLINE dim3 dim_threads() { return blockDim; }
};
GRETA_SIMT_INLINE thread_block this_thread_block() { return thread_block(); }

class grid_group : public thread_group {
 public:
  GRETA_SIMT_INLINE grid_group()
      : thread_group(kind::grid, blocks() * threads_in_block(),
                     block_rank() * threads_in_block() + greta_simt::linear_thread()) {}
  static GRETA_SIMT_INLINE dim3 group_dim() { return blockDim; }
  static GRETA_SIMT_INLINE dim3 dim_blocks() { return gridDim; }
  static GRETA_SIMT_INLINE dim3 block_index() { return blockIdx; }
  static GRETA_SIMT_INLINE uint32_t num_blocks() { return blocks(); }
  static GRETA_SIMT_INLINE uint32_t block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }

 private:
  static GRETA_SIMT_INLINE uint32_t blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  static GRETA_SIMT_INLINE uint32_t threads_in_block() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
};
GRETA_SIMT_INLINE grid_group this_grid() { return grid_group(); }

// The grids of one launch on several devices. Here a launch is on one.
class multi_grid_group : public thread_group {
 public:
  GRETA_SIMT_INLINE multi_grid_group()
      : thread_group(kind::multi_grid, grid_group().size(), grid_group().thread_rank()) {}
  static GRETA_SIMT_INLINE uint32_t num_grids() { return 1; }
  static GRETA_SIMT_INLINE uint32_t grid_rank() { return 0; }
};
GRETA_SIMT_INLINE multi_grid_group this_multi_grid() { return multi_grid_group(); }

// `Size` consecutive threads, 1 to 64 and a power of two.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
 public:
  static_assert(Size >= 1 && Size <= 64 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two, at most the size of a wave");

  GRETA_SIMT_INLINE thread_block_tile()
      : thread_group(kind::tile, Size, greta_simt::linear_thread() % Size, own_lanes()) {}

  static GRETA_SIMT_INLINE uint32_t meta_group_rank() { return greta_simt::linear_thread() / Size; }
  static GRETA_SIMT_INLINE uint32_t meta_group_size() {
    return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
  }
  static GRETA_SIMT_INLINE constexpr unsigned size() { return Size; }
  static GRETA_SIMT_INLINE constexpr unsigned num_threads() { return Size; }

  template <class T>
  GRETA_SIMT_INLINE T shfl(T value, int source, GRETA_SIMT_CALLER) const {
    return __shfl(value, source, static_cast<int>(Size), file, line);
  }
  template <class T>
  GRETA_SIMT_INLINE T shfl_up(T value, unsigned delta, GRETA_SIMT_CALLER) const {
    return __shfl_up(value, delta, static_cast<int>(Size), file, line);
  }
  template <class T>
  GRETA_SIMT_INLINE T shfl_down(T value, unsigned delta, GRETA_SIMT_CALLER) const {
    return __shfl_down(value, delta, static_cast<int>(Size), file, line);
  }
  template <class T>
  GRETA_SIMT_INLINE T shfl_xor(T value, unsigned mask, GRETA_SIMT_CALLER) const {
    return __shfl_xor(value, static_cast<int>(mask), static_cast<int>(Size), file, line);
  }
  GRETA_SIMT_INLINE unsigned long long ballot(int predicate, GRETA_SIMT_CALLER) const {
    return (__ballot(predicate, file, line) & lanes_) >> first_lane();
  }
  GRETA_SIMT_INLINE int any(int predicate, GRETA_SIMT_CALLER) const {
    return ballot(predicate, file, line) != 0;
  }
  GRETA_SIMT_INLINE int all(int predicate, GRETA_SIMT_CALLER) const {
    return ballot(!predicate, file, line) == 0;
  }
  template <class T>
  GRETA_SIMT_INLINE unsigned long long match_any(T value, GRETA_SIMT_CALLER) const {
    return (__match_any(value, file, line) & lanes_) >> first_lane();
  }
  template <class T>
  GRETA_SIMT_INLINE unsigned long long match_all(T value, int& same, GRETA_SIMT_CALLER) const {
    same = (__match_any(value, file, line) & lanes_) == (__activemask(file, line) & lanes_);
    same = all(same, file, line);
    return same ? (__activemask(file, line) & lanes_) >> first_lane() : 0;
  }
  GRETA_SIMT_INLINE unsigned long long lanes_of_wave() const { return lanes_; }

 private:
  static GRETA_SIMT_INLINE unsigned first_lane() { return greta_simt::lane() / Size * Size; }
  static GRETA_SIMT_INLINE unsigned long long own_lanes() {
    return (Size == 64 ? ~0ull : (1ull << (Size % 64)) - 1) << first_lane();
  }
};

template <unsigned Size, class Parent>
GRETA_SIMT_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

// The lanes of the wave that run the same code at this moment, numbered without gaps.
class coalesced_group : public thread_group {
 public:
  GRETA_SIMT_INLINE explicit coalesced_group(unsigned long long lanes)
      : thread_group(kind::coalesced, __popcll(lanes),
                     __popcll(lanes & ((1ull << greta_simt::lane()) - 1)), lanes) {}

  template <class T>
  GRETA_SIMT_INLINE T shfl(T value, int source, GRETA_SIMT_CALLER) const {
    return __shfl(value, lane_of(static_cast<unsigned>(source) % size_), warpSize, file, line);
  }
  template <class T>
  GRETA_SIMT_INLINE T shfl_up(T value, unsigned delta, GRETA_SIMT_CALLER) const {
    int source = delta > rank_ ? lane_of(rank_) : lane_of(rank_ - delta);
    return __shfl(value, source, warpSize, file, line);
  }
  template <class T>
  GRETA_SIMT_INLINE T shfl_down(T value, unsigned delta, GRETA_SIMT_CALLER) const {
    int source = rank_ + delta >= size_ ? lane_of(rank_) : lane_of(rank_ + delta);
    return __shfl(value, source, warpSize, file, line);
  }
  GRETA_SIMT_INLINE unsigned long long ballot(int predicate, GRETA_SIMT_CALLER) const {
    return packed(__ballot(predicate, file, line) & lanes_);
  }
  GRETA_SIMT_INLINE int any(int predicate, GRETA_SIMT_CALLER) const {
    return (__ballot(predicate, file, line) & lanes_) != 0;
  }
  GRETA_SIMT_INLINE int all(int predicate, GRETA_SIMT_CALLER) const {
    return (__ballot(!predicate, file, line) & lanes_) == 0;
  }
  template <class T>
  GRETA_SIMT_INLINE unsigned long long match_any(T value, GRETA_SIMT_CALLER) const {
    return packed(__match_any(value, file, line) & lanes_);
  }
  template <class T>
  GRETA_SIMT_INLINE unsigned long long match_all(T value, int& same, GRETA_SIMT_CALLER) const {
    same = all((__match_any(value, file, line) & lanes_) == lanes_, file, line);
    return same ? packed(lanes_) : 0;
  }
  GRETA_SIMT_INLINE unsigned long long lanes_of_wave() const { return lanes_; }
  static GRETA_SIMT_INLINE uint32_t meta_group_rank() { return 0; }
  static GRETA_SIMT_INLINE uint32_t meta_group_size() { return 1; }

 private:
  GRETA_SIMT_INLINE unsigned long long packed(unsigned long long lanes) const {
    unsigned long long ranks = 0;
    for (unsigned i = 0; i < size_; ++i) ranks |= (lanes >> lane_of(i) & 1) << i;
    return ranks;
  }
  GRETA_SIMT_INLINE int lane_of(unsigned rank) const {
    unsigned long long left = lanes_;
    for (unsigned i = 0; i < rank; ++i) left &= left - 1;
    return __builtin_ctzll(left);
  }
};
GRETA_SIMT_INLINE coalesced_group coalesced_threads(GRETA_SIMT_CALLER) {
  return coalesced_group(__activemask(file, line));
}

// Those of a group of lanes that say the same, each its own group.
template <class Lanes>
GRETA_SIMT_INLINE coalesced_group binary_partition(const Lanes& group, bool predicate,
                                                   GRETA_SIMT_CALLER) {
  const unsigned long long yes = __ballot(predicate, file, line) & group.lanes_of_wave();
  const unsigned long long no = __ballot(!predicate, file, line) & group.lanes_of_wave();
  return coalesced_group(predicate ? yes : no);
}

template <class Group>
GRETA_SIMT_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
GRETA_SIMT_INLINE uint32_t thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
GRETA_SIMT_INLINE uint32_t group_size(const Group& group) {
  return group.size();
}

template <class T>
struct plus {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  GRETA_SIMT_INLINE T operator()(T a, T b) const { return a ^ b; }
};

// The same result in every thread of the tile.
template <unsigned Size, class Parent, class T, class F>
GRETA_SIMT_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, F fold,
                           GRETA_SIMT_CALLER) {
  for (unsigned step = Size / 2; step > 0; step /= 2)
    value = fold(value, tile.shfl_xor(value, step, file, line));
  return value;
}

}  // namespace cooperative_groups

#endif
