// One entry of 16 bytes for every library and call. It says which call it is, the code behind it
// which library; then it jumps to the call's hook with everything as it was, the return address
// too. Only r10 and r11 are used, which belong to nobody between a call and its function.
#include "recorder/hooks/bound_hooks.h"

#include <cstddef>

#include "recorder/hooks/hook_table.h"

using greta::recorder::HookedCall;
using greta::recorder::kHipCalls;
using greta::recorder::kMostRuntimes;

// The code below knows these numbers.
static_assert(kHipCalls <= 1024 && kMostRuntimes == 4);
static_assert(sizeof(HookedCall) == 32 && offsetof(HookedCall, hook) == 16);
static_assert(offsetof(greta::recorder::BoundCall, runtime) == 8);

extern "C" {
__thread greta::recorder::BoundCall greta_recorder_bound{};
extern const char greta_recorder_bound_hooks[] __attribute__((visibility("hidden")));
extern const HookedCall* const greta_recorder_hooked __attribute__((visibility("hidden")));
const HookedCall* const greta_recorder_hooked = greta::recorder::kHooked;
}

asm(R"(
  .text
  .balign 64
  .globl greta_recorder_bound_hooks
  .hidden greta_recorder_bound_hooks
  .type greta_recorder_bound_hooks, @function
greta_recorder_bound_hooks:
  .cfi_startproc
  .set runtime, 0
  .rept 4
  .set runtime, runtime + 1
  .set entry, 16
  .rept 1024
  .balign 16
  mov $entry, %r11d
  jmp 1f
  .set entry, entry + 32
  .endr
1:
  add greta_recorder_hooked(%rip), %r11
  mov greta_recorder_bound@gottpoff(%rip), %r10
  mov %rsp, %fs:(%r10)
  movq $runtime, %fs:8(%r10)
  jmp *(%r11)
  .balign 64
  .endr
  .cfi_endproc
  .size greta_recorder_bound_hooks, .-greta_recorder_bound_hooks
)");

namespace greta::recorder {
namespace {

constexpr uint32_t kEntryBytes = 16;
constexpr uint32_t kEntries = 1024;
constexpr uint32_t kTailBytes = 64;

}  // namespace

BoundHook bound_hook(uint32_t runtime, Call call) {
  const uint32_t entry = static_cast<uint32_t>(call) - 1;
  const size_t offset = size_t{runtime} * (kEntries * kEntryBytes + kTailBytes);
  const char* code = greta_recorder_bound_hooks + offset + size_t{entry} * kEntryBytes;
  return reinterpret_cast<BoundHook>(const_cast<char*>(code));
}

bool is_bound_hook(uintptr_t function) {
  const auto begin = reinterpret_cast<uintptr_t>(greta_recorder_bound_hooks);
  return function - begin < kMostRuntimes * (kEntries * kEntryBytes + kTailBytes);
}

}  // namespace greta::recorder
