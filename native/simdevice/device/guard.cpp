// How a fault ends a guarded region
//
//   run_guarded          puts a Region on its stack, makes it the thread's innermost one, and calls
//                        greta_sim_guard_call, which saves the callee-saved registers in it and
//                        calls the function.
//   the CPU faults       the kernel calls on_fault on the alternate stack. It notes the facts in
//                        the region and rewrites the interrupted context, so that returning from
//                        the signal continues at greta_sim_guard_resume.
//   ..._guard_resume     restores the saved registers and returns from greta_sim_guard_call,
//   with 1.
//
// Nothing of this cares which stack faulted. Returning from the handler, instead of jumping out of
// it, leaves the signal mask, the alternate stack and the sanitizers' view of signals in order.
//
// Rules for editing.
// - on_fault runs where anything may have been interrupted, with a lock of malloc's held perhaps:
// no
//   allocation, no lock, no thread_local that is made at its first use; plain data only.
// - A fault that is not the device's goes on to whoever had the signal before (signal_chain), as if
//   we were not there: a program's own handler, or the default action with its core dump.
// - The assembly and Region agree on offsets; the static_asserts hold them together.
// - After an edit: `make native-test`, tests/simdevice/faults, and `make asan` (it has a handler of
//   its own). Nothing here is in a recording, so no version changes.
#include "device/guard.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device/division_fault.h"
#include "device/instruction_reader.h"
#include "device/sanitizers.h"
#include "device/signal_chain.h"

namespace greta::sim {
namespace {

// What the handler notes; plain data, since a signal handler may not allocate.
struct SignalFacts {
  int signal = 0;
  int code = 0;
  uintptr_t address = 0;
  uint64_t trap_number = 0;
  uint64_t error_code = 0;
  uintptr_t instruction = 0;
};

struct Region {
  // The assembly below knows the layout of these.
  uint64_t rsp, rbx, rbp, r12, r13, r14, r15;
  uint32_t mxcsr;
  uint16_t x87_control;

  Region* outer = nullptr;
  FaultReport* report = nullptr;
  SignalFacts facts;
  uintptr_t abandoned_at = 0;  // the stack pointer where the region was left
};
static_assert(offsetof(Region, r15) == 48 && offsetof(Region, mxcsr) == 56 &&
              offsetof(Region, x87_control) == 60);

}  // namespace

extern "C" int greta_sim_guard_call(Region* region, void (*function)(void*), void* argument);
extern "C" [[noreturn]] void greta_sim_guard_resume(Region* region);

asm(R"(
  .text
  .p2align 4
  .hidden greta_sim_guard_call
  .globl greta_sim_guard_call
  .type greta_sim_guard_call, @function
greta_sim_guard_call:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  mov %rsp, 0(%rdi)
  mov %rbx, 8(%rdi)
  mov %rbp, 16(%rdi)
  mov %r12, 24(%rdi)
  mov %r13, 32(%rdi)
  mov %r14, 40(%rdi)
  mov %r15, 48(%rdi)
  stmxcsr 56(%rdi)
  fnstcw 60(%rdi)
  mov %rdx, %rdi
  call *%rsi
  xor %eax, %eax
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size greta_sim_guard_call, .-greta_sim_guard_call

  .p2align 4
  .hidden greta_sim_guard_resume
  .globl greta_sim_guard_resume
  .type greta_sim_guard_resume, @function
greta_sim_guard_resume:
  cld
  fninit
  fldcw 60(%rdi)
  ldmxcsr 56(%rdi)
  mov 48(%rdi), %r15
  mov 40(%rdi), %r14
  mov 32(%rdi), %r13
  mov 24(%rdi), %r12
  mov 16(%rdi), %rbp
  mov 8(%rdi), %rbx
  mov 0(%rdi), %rsp
  mov $1, %eax
  pop %rbp
  ret
  .size greta_sim_guard_resume, .-greta_sim_guard_resume
)");

namespace {

constexpr uint64_t kPageFault = 14;        // x86 exception number
constexpr uint64_t kWriteAccess = 1 << 1;  // in a page fault's error code
constexpr greg_t kTrapFlag = 0x100;
constexpr greg_t kDirectionFlag = 0x400;
constexpr greg_t kAlignmentCheckFlag = 0x40000;

// initial-exec: no lazy allocation, so the handler may read it in any thread at any time.
__attribute__((tls_model("initial-exec"))) thread_local Region* t_innermost = nullptr;
__attribute__((tls_model("initial-exec"))) thread_local bool t_prepared = false;

// A thread needs a second stack to survive the overflow of its first. Kept if it has one.
class AlternateStack {
 public:
  AlternateStack() {
    stack_t current;
    if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
    void* memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = kBytes;
    if (sigaltstack(&ours, nullptr) == 0) {
      memory_ = memory;
    } else {
      munmap(memory, kBytes);
    }
  }

  ~AlternateStack() {
    t_prepared = false;
    if (memory_ == nullptr) return;
    stack_t current;
    const bool still_ours = sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory_;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    if (still_ours && sigaltstack(&none, nullptr) != 0) return;
    munmap(memory_, kBytes);
  }

 private:
  static constexpr size_t kBytes = 64 * 1024;  // the vector registers alone take up to 12 KiB
  void* memory_ = nullptr;
};

// Continues at greta_sim_guard_resume(region) when the handler returns.
void redirect(ucontext_t* context, Region* region) {
  greg_t* registers = context->uc_mcontext.gregs;
  region->abandoned_at = static_cast<uintptr_t>(registers[REG_RSP]);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&greta_sim_guard_resume);
  registers[REG_RDI] = reinterpret_cast<greg_t>(region);
  registers[REG_EFL] &= ~(kTrapFlag | kDirectionFlag | kAlignmentCheckFlag);
}

void on_fault(int signal, siginfo_t* info, void* raw_context) {
  Region* region = t_innermost;
  const bool raised_by_cpu = info->si_code > 0;  // not sent by kill() or raise()
  if (region == nullptr || !raised_by_cpu) {
    const int saved_errno = errno;
    pass_on_signal(signal, info, raw_context);
    errno = saved_errno;
    return;
  }
  auto* context = static_cast<ucontext_t*>(raw_context);
  if (signal == SIGFPE && info->si_code == FPE_INTDIV && emulate_failed_division(context)) return;
  const greg_t* registers = context->uc_mcontext.gregs;
  region->facts = {signal,
                   info->si_code,
                   info->si_code == SI_KERNEL ? impossible_operand(context)
                                              : reinterpret_cast<uintptr_t>(info->si_addr),
                   static_cast<uint64_t>(registers[REG_TRAPNO]),
                   static_cast<uint64_t>(registers[REG_ERR]),
                   static_cast<uintptr_t>(registers[REG_RIP])};
  redirect(context, region);
}

void describe_memory_fault(const SignalFacts& facts, FaultReport* report) {
  report->kind = FaultKind::illegal_address;
  report->address_known = facts.code != SI_KERNEL || facts.address != 0;
  if (!report->address_known) {
    report->message = "misaligned vector access or non-canonical address";
    return;
  }
  report->address = facts.address;
  const bool is_write = facts.trap_number == kPageFault && (facts.error_code & kWriteAccess) != 0;
  report->access = is_write ? AccessKind::write : AccessKind::read;
  char text[80];
  std::snprintf(text, sizeof text, "%s an address that is not accessible: 0x%lx",
                is_write                          ? "write to"
                : facts.trap_number == kPageFault ? "read from"
                                                  : "access to",
                static_cast<unsigned long>(facts.address));
  report->message = text;
}

void describe(const SignalFacts& facts, FaultReport* report) {
  report->instruction = facts.instruction;
  if (facts.signal == SIGSEGV || facts.signal == SIGBUS) {
    describe_memory_fault(facts, report);
    return;
  }
  report->kind = FaultKind::trap;
  report->message = facts.signal == SIGFPE   ? "arithmetic exception"
                    : facts.signal == SIGILL ? "illegal instruction or trap"
                                             : "trap";
}

void prepare_thread() {
  static const bool installed = (ensure_guard_installed(), true);
  (void)installed;
  static thread_local AlternateStack alternate_stack;
  (void)alternate_stack;
  t_prepared = true;
}

#if GRETA_ASAN
// The abandoned frames left red zones behind on this stack. Fibers clean their own.
GRETA_NO_SANITIZE void forget_abandoned_frames(const Region& region) {
  constexpr uintptr_t kRedZone = 128;
  constexpr uintptr_t kLargestStack = 8 << 20;
  const uintptr_t low = region.abandoned_at - kRedZone;
  if (low >= region.rsp || region.rsp - low > kLargestStack) return;
  __asan_unpoison_memory_region(reinterpret_cast<void*>(low), region.rsp - low);
}
#else
void forget_abandoned_frames(const Region&) {}
#endif

#if GRETA_TSAN
// ThreadSanitizer keeps a call stack of its own, which a fault would leave too deep. So the guarded
// function gets another one, which is thrown away after a fault.
class ScratchCallStacks {
 public:
  ~ScratchCallStacks() {
    for (void* fiber : unused_) __tsan_destroy_fiber(fiber);
  }
  void* take() {
    if (unused_.empty()) return __tsan_create_fiber(0);
    void* fiber = unused_.back();
    unused_.pop_back();
    return fiber;
  }
  void give_back(void* fiber, bool still_good) {
    if (still_good) return unused_.push_back(fiber);
    __tsan_destroy_fiber(fiber);
  }

 private:
  std::vector<void*> unused_;
};

ScratchCallStacks& scratch_call_stacks() {
  static thread_local ScratchCallStacks stacks;
  return stacks;
}

GRETA_NO_SANITIZE int call_in_region(Region* region, void (*function)(void*), void* argument) {
  void* home = __tsan_get_current_fiber();
  void* scratch = scratch_call_stacks().take();
  __tsan_switch_to_fiber(scratch, 0);
  const int faulted = greta_sim_guard_call(region, function, argument);
  __tsan_switch_to_fiber(home, 0);
  scratch_call_stacks().give_back(scratch, !faulted);
  return faulted;
}
#else
int call_in_region(Region* region, void (*function)(void*), void* argument) {
  return greta_sim_guard_call(region, function, argument);
}
#endif

}  // namespace

FaultReport run_guarded(void (*function)(void*), void* argument) {
  if (!t_prepared) prepare_thread();
  FaultReport report;
  Region region;
  region.outer = t_innermost;
  region.report = &report;
  t_innermost = &region;
  const int faulted = call_in_region(&region, function, argument);
  t_innermost = region.outer;
  if (faulted) {
    forget_abandoned_frames(region);
    if (region.facts.signal != 0) describe(region.facts, &report);
  }
  return report;
}

void raise_fault(FaultReport report) {
  Region* region = t_innermost;
  if (region == nullptr) {
    std::fprintf(stderr, "greta: fault outside a kernel: %s\n", report.message.c_str());
    std::abort();
  }
  *region->report = std::move(report);
  region->abandoned_at = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  greta_sim_guard_resume(region);
}

bool inside_guarded_region() { return t_innermost != nullptr; }

void ensure_guard_installed() { install_in_front(on_fault); }

}  // namespace greta::sim
