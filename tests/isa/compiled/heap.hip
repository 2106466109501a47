// Kernels that allocate for each other. Compiled by `greta hipcc --genco -O1`, and kept; launched with
// 4 blocks of 64 threads, n is 256. Each line that leaves something says so: LEFT.
#include <hip/hip_runtime.h>

typedef unsigned u32;
#define KERNEL(name) extern "C" __global__ void name(u32* out, const u32* in, u32 n)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

struct Node {
  u32 value;
  Node* next;
};
__device__ Node* lists[256];
__device__ u32* blocks[256];

// Three nodes of each thread, which another kernel takes away.
KERNEL(build) {
  for (u32 i = 0; i < 3; ++i) {
    Node* const node = new Node{in[INDEX] + i, lists[INDEX]};  // LEFT
    lists[INDEX] = node;
  }
}
KERNEL(take_one) {
  Node* const node = lists[INDEX];
  if (node == nullptr) return;
  out[INDEX] += node->value;
  lists[INDEX] = node->next;
  delete node;
}

// Small and large, through a function that is called; every eighth thread keeps one of each.
static __device__ __attribute__((noinline)) u32* get(u32 words) {
  return static_cast<u32*>(malloc(4 * words));  // LEFT
}
KERNEL(keeps) {
  u32* const small = get(10);
  u32* const large = get(2000 + INDEX);
  small[9] = large[1999] = in[INDEX];
  out[INDEX] = small[9] + large[1999];
  if (INDEX % 8 == 0) return;
  free(small);
  free(large);
}
KERNEL(keeps_none) {
  u32* const small = get(10);
  u32* const large = get(2000 + INDEX);
  small[9] = large[1999] = in[INDEX];
  out[INDEX] = small[9] + large[1999];
  free(large);
  free(small);
}

// Of one size that the compiler knows, by `malloc` and `new` beside each other.
KERNEL(one_of_two) {
  u32* const first = static_cast<u32*>(malloc(48));
  u32* const second = new u32[12];  // LEFT
  second[11] = first[11] = in[INDEX];
  out[INDEX] = second[11];
  blocks[INDEX] = second;
  free(first);
}
KERNEL(frees_second) { delete[] blocks[INDEX]; }

// What was not allocated is not freed.
KERNEL(none) {
  void* const empty = malloc(0);
  void* const too_large = malloc(size_t{1} << 60);
  out[INDEX] = empty == nullptr && too_large == nullptr;
  free(empty);
  free(too_large);
  free(nullptr);
}
