// Fibers: threads of control on one OS thread that hand over to each other explicitly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/fiber_stack.h"
#include "device/sanitizers.h"

namespace greta::sim {

// A place where code was left and can be continued: a fiber, or the OS thread's own stack.
class Continuation {
 protected:
  friend class Fiber;
  friend void switch_continuation(Continuation& from, Continuation& to);
  void* stack_pointer_ = nullptr;
#if GRETA_ASAN
  void* fake_stack_ = nullptr;
  const void* stack_low_ = nullptr;
  size_t stack_bytes_ = 0;
#endif
#if GRETA_TSAN
  void* tsan_fiber_ = nullptr;
#endif
};

// What lies at a continuation's stack pointer, lowest address first, below whatever the compiler
// and switch_stacks have saved.
struct ControlWords {
  uint32_t mxcsr;
  uint16_t x87_control;
  uint16_t unused;
};

// Saves where we are, continues on another stack. The compiler saves the registers it still needs,
// since all are clobbered; only rbp, which cannot be, is saved here, and the floating-point
// control words, which it does not know of.
//
// Inline, and without call or ret: the CPU predicts returns from a stack of its own, which a call
// on one fiber and a return on another would put out of step, for a misprediction (5 ns) at every
// return that follows. Threads of a block mostly wait at the same place, so that with balanced
// calls even the returns after a switch are predicted.
__attribute__((always_inline)) inline void switch_stacks(void** save_here, void* continue_at) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the red zone
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rcx\n\t"
      "subq $8, %%rsp\n\t"
      "stmxcsr (%%rsp)\n\t"
      "fnstcw 4(%%rsp)\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "fldcw 4(%%rsp)\n\t"
      "ldmxcsr (%%rsp)\n\t"
      "movq 8(%%rsp), %%rcx\n\t"
      "addq $16, %%rsp\n\t"
      "jmpq *%%rcx\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(save_here), "+S"(continue_at)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}

// The calling OS thread's own stack, from which its fibers are entered.
class ThreadContinuation : public Continuation {
 public:
  // Notes where we are. To be called on the thread's own stack before a switch away from it.
  void prepare();
  // After a fault brought the thread back here without a switch.
  void returned_by_fault();
};

class Fiber : public Continuation {
 public:
  // The body must not return; it ends by switching away for good. It runs with the default
  // floating-point environment.
  Fiber(void (*body)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Forgets what the fiber was doing; it will begin anew. It must not be the running one.
  void restart();

  const FiberStack& stack() const { return stack_; }

 private:
  static void start(Fiber* fiber);
  friend void fiber_start(void* fiber);

  void (*body_)(void*);
  void* argument_;
  FiberStack stack_;
};

// Leaves the running code in `from` and continues `to`. Returns when someone continues `from`.
inline void switch_continuation(Continuation& from, Continuation& to) {
#if GRETA_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack_, to.stack_low_, to.stack_bytes_);
#endif
#if GRETA_TSAN
  __tsan_switch_to_fiber(to.tsan_fiber_, 0);
#endif
  switch_stacks(&from.stack_pointer_, to.stack_pointer_);
#if GRETA_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack_, nullptr, nullptr);
#endif
}

}  // namespace greta::sim
