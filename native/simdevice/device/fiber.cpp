#include "device/fiber.h"

#include <pthread.h>

namespace greta::sim {

// What a fiber that has not begun has on its stack, lowest address first.
struct FirstFrame {
  ControlWords control;
  void (*continue_at)();
  void* argument;
  void (*function)(void*);
};

extern "C" void greta_sim_fiber_entry();

// Calls the function of the first frame; the undefined rip tells unwinders that nobody called us.
asm(R"(
  .text
  .p2align 4
  .hidden greta_sim_fiber_entry
  .globl greta_sim_fiber_entry
  .type greta_sim_fiber_entry, @function
greta_sim_fiber_entry:
  .cfi_startproc
  .cfi_undefined %rip
  pop %rdi
  .cfi_adjust_cfa_offset -8
  pop %rax
  .cfi_adjust_cfa_offset -8
  call *%rax
  ud2
  .cfi_endproc
  .size greta_sim_fiber_entry, .-greta_sim_fiber_entry
)");

namespace {

constexpr uint32_t kDefaultMxcsr = 0x1f80;
constexpr uint16_t kDefaultX87Control = 0x37f;

// Stacks lie at equal distances, so their tops would all fall into the same sets of the first-level
// cache; each begins one line lower than its neighbour, over the 4 KiB that the sets span.
uintptr_t stack_top(const FiberStack& stack) {
  constexpr uintptr_t kCacheLine = 64;
  constexpr uintptr_t kColours = 64;
  const uintptr_t stride = stack.high - stack.guard;
  return stack.high - (stack.high / stride) % kColours * kCacheLine;
}

}  // namespace

void fiber_start(void* fiber) { Fiber::start(static_cast<Fiber*>(fiber)); }

void Fiber::start(Fiber* fiber) {
#if GRETA_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
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
  // The entry finds the stack aligned to 16 bytes once it has taken the frame.
  auto* frame = reinterpret_cast<FirstFrame*>(stack_top(stack_)) - 1;
  *frame = {};
  frame->control.mxcsr = kDefaultMxcsr;
  frame->control.x87_control = kDefaultX87Control;
  frame->continue_at = greta_sim_fiber_entry;
  frame->argument = this;
  frame->function = &fiber_start;
  stack_pointer_ = frame;
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
  __sanitizer_start_switch_fiber(&abandoned, stack_low_, stack_bytes_);
  __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
}

}  // namespace greta::sim
