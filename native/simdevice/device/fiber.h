// Fibers: threads of control on one OS thread that hand over to each other explicitly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/fiber_stack.h"
#include "device/sanitizers.h"

namespace greta::sim {

// A place where code was left and can be continued: a fiber, or the OS thread's own stack.
class Continuation {
 public:
  // Leaves the running code in `from` and continues `to`. Returns when someone continues `from`.
  friend void switch_continuation(Continuation& from, Continuation& to);

 protected:
  friend class Fiber;
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

void switch_continuation(Continuation& from, Continuation& to);

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

}  // namespace greta::sim
