#include "device/fiber.h"

#include <pthread.h>

namespace greta::sim {

// What greta_sim_switch leaves on a stack, lowest address first.
struct SavedRegisters {
  uint32_t mxcsr;
  uint16_t x87_control;
  uint16_t unused;
  uint64_t r15, r14, r13, r12, rbx, rbp;
  void (*resume_at)();
};
static_assert(sizeof(SavedRegisters) == 64);

extern "C" void greta_sim_switch(void** save_stack_pointer, void* load_stack_pointer);
extern "C" void greta_sim_fiber_entry();

// The System V ABI wants these registers and control words preserved over a call; all others the
// caller has saved already. greta_sim_fiber_entry is where a new fiber begins: its function comes
// in r13, its argument in r12; the undefined rip tells unwinders that nobody called it.
asm(R"(
  .text
  .p2align 4
  .hidden greta_sim_switch
  .globl greta_sim_switch
  .type greta_sim_switch, @function
greta_sim_switch:
  .cfi_startproc
  push %rbp
  .cfi_adjust_cfa_offset 8
  push %rbx
  .cfi_adjust_cfa_offset 8
  push %r12
  .cfi_adjust_cfa_offset 8
  push %r13
  .cfi_adjust_cfa_offset 8
  push %r14
  .cfi_adjust_cfa_offset 8
  push %r15
  .cfi_adjust_cfa_offset 8
  sub $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov %rsp, (%rdi)
  mov (%rsp), %eax
  movzwl 4(%rsp), %ecx
  mov %rsi, %rsp
  cmp (%rsp), %eax
  jne 1f
  cmp 4(%rsp), %cx
  jne 1f
2:
  add $8, %rsp
  .cfi_adjust_cfa_offset -8
  pop %r15
  .cfi_adjust_cfa_offset -8
  pop %r14
  .cfi_adjust_cfa_offset -8
  pop %r13
  .cfi_adjust_cfa_offset -8
  pop %r12
  .cfi_adjust_cfa_offset -8
  pop %rbx
  .cfi_adjust_cfa_offset -8
  pop %rbp
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_adjust_cfa_offset 56
1:
  fldcw 4(%rsp)
  ldmxcsr (%rsp)
  jmp 2b
  .cfi_endproc
  .size greta_sim_switch, .-greta_sim_switch

  .p2align 4
  .hidden greta_sim_fiber_entry
  .globl greta_sim_fiber_entry
  .type greta_sim_fiber_entry, @function
greta_sim_fiber_entry:
  .cfi_startproc
  .cfi_undefined %rip
  mov %r12, %rdi
  call *%r13
  ud2
  .cfi_endproc
  .size greta_sim_fiber_entry, .-greta_sim_fiber_entry
)");

namespace {

constexpr uint32_t kDefaultMxcsr = 0x1f80;
constexpr uint16_t kDefaultX87Control = 0x37f;

// Stacks lie at equal distances, so their tops would all fall into the same cache sets; each
// begins a few cache lines lower than its neighbour.
uintptr_t stack_top(const FiberStack& stack) {
  constexpr uintptr_t kCacheLine = 64;
  constexpr uintptr_t kColours = 32;
  const uintptr_t stride = stack.high - stack.guard;
  return stack.high - (stack.high / stride) % kColours * kCacheLine;
}

#if GRETA_ASAN
void before_switch(void** fake_stack, const void* low, size_t bytes) {
  __sanitizer_start_switch_fiber(fake_stack, low, bytes);
}
void after_switch(void* fake_stack) {
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}
#endif

}  // namespace

void fiber_start(void* fiber) { Fiber::start(static_cast<Fiber*>(fiber)); }

void Fiber::start(Fiber* fiber) {
#if GRETA_ASAN
  after_switch(nullptr);
#endif
  fiber->body_(fiber->argument_);
  __builtin_trap();
}

Fiber::Fiber(void (*body)(void*), void* argument)
    : body_(body), argument_(argument), stack_(acquire_fiber_stack()) {
#if GRETA_ASAN
  stack_low_ = reinterpret_cast<const void*>(stack_.low);
  stack_bytes_ = stack_.high - stack_.low;
#endif
  restart();
}

Fiber::~Fiber() {
#if GRETA_TSAN
  __tsan_destroy_fiber(tsan_fiber_);
#endif
#if GRETA_ASAN
  __asan_unpoison_memory_region(stack_low_, stack_bytes_);
#endif
  release_fiber_stack(stack_);
}

void Fiber::restart() {
#if GRETA_ASAN
  __asan_unpoison_memory_region(stack_low_, stack_bytes_);
  fake_stack_ = nullptr;
#endif
#if GRETA_TSAN
  if (tsan_fiber_ != nullptr) __tsan_destroy_fiber(tsan_fiber_);
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
  // The entry finds the stack aligned as after a call: 16 bytes, before it makes its own.
  const uintptr_t top = stack_top(stack_) - 64;
  auto* saved = reinterpret_cast<SavedRegisters*>(top - sizeof(SavedRegisters));
  *saved = {};
  saved->mxcsr = kDefaultMxcsr;
  saved->x87_control = kDefaultX87Control;
  saved->r13 = reinterpret_cast<uint64_t>(&fiber_start);
  saved->r12 = reinterpret_cast<uint64_t>(this);
  saved->resume_at = greta_sim_fiber_entry;
  stack_pointer_ = saved;
}

void ThreadContinuation::prepare() {
#if GRETA_ASAN
  if (stack_low_ == nullptr) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* low = nullptr;
    pthread_attr_getstack(&attributes, &low, &stack_bytes_);
    pthread_attr_destroy(&attributes);
    stack_low_ = low;
  }
#endif
#if GRETA_TSAN
  tsan_fiber_ = __tsan_get_current_fiber();
#endif
}

void ThreadContinuation::returned_by_fault() {
#if GRETA_ASAN
  void* abandoned = nullptr;
  before_switch(&abandoned, stack_low_, stack_bytes_);
  after_switch(fake_stack_);
#endif
}

// Not instrumented: ThreadSanitizer would count its entry on one fiber and its exit on another.
GRETA_NO_SANITIZE void switch_continuation(Continuation& from, Continuation& to) {
#if GRETA_ASAN
  before_switch(&from.fake_stack_, to.stack_low_, to.stack_bytes_);
#endif
#if GRETA_TSAN
  __tsan_switch_to_fiber(to.tsan_fiber_, 0);
#endif
  greta_sim_switch(&from.stack_pointer_, to.stack_pointer_);
#if GRETA_ASAN
  after_switch(from.fake_stack_);
#endif
}

}  // namespace greta::sim
