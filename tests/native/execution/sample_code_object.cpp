// A code object as hipRTC makes them, written by hand: two kernels, device variables, __shared__
// memory, and the AMDGPU metadata note.
#include <cstdint>

#include "simt/launch_abi.h"

extern "C" {

int counter = 5;  // __device__ int counter
extern const int limits[3];
const int limits[3] = {1, 2, 3};  // __constant__
alignas(16) char zeroed[300];

}  // extern "C"

// An inline variable: the compiler marks it "unique", one for the whole process.
inline int shared_by_all = 7;
extern "C" int* address_of_inline() { return &shared_by_all; }

namespace {

thread_local float t_tile[64];  // __shared__

struct AddArguments {
  int* out;
  int value;
};

void add_one_block(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
  const auto& arguments = *static_cast<const AddArguments*>(kernarg);
  const uint32_t first = thread == GRETA_SIMT_WHOLE_BLOCK ? 0 : thread;
  const uint32_t end = thread == GRETA_SIMT_WHOLE_BLOCK ? block->block_dim.x : thread + 1;
  for (uint32_t i = first; i < end; ++i) {
    arguments.out[block->block_index.x * block->block_dim.x + i] += arguments.value;
  }
}

// Checks that it may touch its own variables and shared memory, then counts.
void count_one_block(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
  int* out = *static_cast<int* const*>(kernarg);
  const auto check = [&](const void* address, uint64_t bytes, int write) {
    block->services->check_access(block, thread, address, bytes, write, nullptr);
  };
  t_tile[0] = 1;
  check(&t_tile[63], 4, 1);
  check(&counter, 4, 1);
  check(&limits[2], 4, 0);
  *out = ++counter + limits[2];
}

}  // namespace

extern "C" {

extern const uint32_t greta_simt_abi = GRETA_SIMT_ABI;
extern const uint32_t greta_simt_kernel_count = 2;
extern const greta_simt_kernel_row greta_simt_kernels[2] = {{"add", add_one_block},
                                                            {"count", count_one_block}};
}

// amdhsa.version: [1, 2], amdhsa.kernels: [{...}, {...}]
asm(R"(
  .macro text string
    .byte 0xa0 + (8f - 7f)
    7: .ascii "\string"
    8:
  .endm
  .macro long_text string
    .byte 0xd9, (8f - 7f)
    7: .ascii "\string"
    8:
  .endm
  .macro argument offset, size, kind
    .byte 0x83
    text ".offset"
    .byte \offset
    text ".size"
    .byte \size
    text ".value_kind"
    text "\kind"
  .endm
  .macro kernel name, kernarg_bytes, pairs
    .byte 0x80 + \pairs
    text ".name"
    text "\name"
    text ".symbol"
    text "\name\().kd"
    text ".kernarg_segment_size"
    .byte \kernarg_bytes
    text ".kernarg_segment_align"
    .byte 8
    text ".group_segment_fixed_size"
    .byte 0xcd, 1, 0
    text ".max_flat_workgroup_size"
    .byte 0xcd, 4, 0
    text ".args"
  .endm

  .pushsection .note.AMDGPU, "a", @note
  .balign 4
  .long 2f - 1f
  .long 4f - 3f
  .long 32
  1: .asciz "AMDGPU"
  2: .balign 4
  3:
  .byte 0x82
  text "amdhsa.version"
  .byte 0x92, 1, 2
  text "amdhsa.kernels"
  .byte 0x92
  kernel "add", 16, 8
  .byte 0x92
  argument 0, 8, "global_buffer"
  argument 8, 4, "by_value"
  text ".uses_dynamic_stack"
  .byte 0xc2
  kernel "count", 16, 7
  .byte 0x92
  argument 0, 8, "global_buffer"
  .byte 0x83
  text ".offset"
  .byte 8
  text ".size"
  .byte 8
  text ".value_kind"
  long_text "hidden_dynamic_lds_size"
  4: .balign 4
  .popsection
)");
