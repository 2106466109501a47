#include "device/guard.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csetjmp>
#include <thread>

#include "check.h"
#include "inaccessible_page.h"

namespace greta::sim {
namespace {

void write_byte(char* address) { *static_cast<volatile char*>(address) = 1; }
char read_byte(const char* address) { return *static_cast<const volatile char*>(address); }

TEST(guard_lets_sound_code_through) {
  int result = 0;
  const FaultReport report = run_guarded([&] { result = 42; });
  CHECK(!report);
  CHECK_EQUAL(result, 42);
  CHECK(!inside_guarded_region());
}

TEST(guard_reports_a_bad_write) {
  InaccessiblePage page;
  const FaultReport report = run_guarded([&] { write_byte(page.address() + 12); });
  CHECK(report.kind == FaultKind::illegal_address);
  CHECK(report.address_known);
  CHECK(report.access == AccessKind::write);
  CHECK_EQUAL(report.address, reinterpret_cast<uintptr_t>(page.address() + 12));
  CHECK(report.instruction != 0);
}

TEST(guard_reports_a_bad_read) {
  InaccessiblePage page;
  const FaultReport report = run_guarded([&] { read_byte(page.address()); });
  CHECK(report.kind == FaultKind::illegal_address);
  CHECK(report.access == AccessKind::read);
}

TEST(guard_reports_a_null_pointer) {
  char* null = nullptr;
  asm("" : "+r"(null));
  const FaultReport report = run_guarded([&] { write_byte(null + 8); });
  CHECK(report.kind == FaultKind::illegal_address);
  CHECK(report.address_known);
  CHECK_EQUAL(report.address, uintptr_t{8});
}

// As instructions of all kinds name it: each gets 0x1234567812345678 in rax, and rcx = 4.
#define WILD_ACCESS(instruction)                                                     \
  run_guarded([] {                                                                   \
    asm volatile("movabs $0x1234567812345678, %%rax; mov $4, %%ecx; " instruction :: \
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r13", "xmm0", "memory");  \
  })

TEST(guard_reads_an_impossible_address_from_the_instruction) {
  const struct {
    FaultReport report;
    uintptr_t offset;
  } accesses[] = {
      {WILD_ACCESS("movb $0, (%%rax)"), 0},
      {WILD_ACCESS("mov 0x20(%%rax), %%rdx"), 0x20},
      {WILD_ACCESS("mov -8(%%rax,%%rcx,4), %%edx"), 8},
      {WILD_ACCESS("mov %%rax, %%r13; addl $1, 0x12345(%%r13)"), 0x12345},
      {WILD_ACCESS("lock cmpxchg %%edx, (%%rax,%%rax,1)"), 0x1234567812345678},
      {WILD_ACCESS("movzbl 1(%%rax), %%edx"), 1},
      {WILD_ACCESS("movss (%%rax), %%xmm0"), 0},
      {WILD_ACCESS("mov %%rax, %%rdi; xor %%eax, %%eax; rep stosb"), 0},
      {WILD_ACCESS("mov %%rax, %%rsi; lea -64(%%rsp), %%rdi; movsb"), 0},
      {WILD_ACCESS("push %%rax; flds (%%rax)"), 0},
  };
  for (const auto& [report, offset] : accesses) {
    CHECK(report.kind == FaultKind::illegal_address);
    CHECK(report.address_known);
    CHECK_EQUAL(report.address, uintptr_t{0x1234567812345678} + offset);
  }
}

TEST(guard_reads_an_impossible_address_from_vector_instructions) {
  if (!__builtin_cpu_supports("avx2")) return;
  const FaultReport vex = WILD_ACCESS("vmovss 4(%%rax), %%xmm0");
  CHECK_EQUAL(vex.address, uintptr_t{0x123456781234567c});
  const FaultReport long_vex = WILD_ACCESS("mov %%rax, %%r13; vpbroadcastd 4(%%r13), %%xmm0");
  CHECK_EQUAL(long_vex.address, uintptr_t{0x123456781234567c});
  const FaultReport gather = WILD_ACCESS(
      "vpxor %%xmm0, %%xmm0, %%xmm0; vpcmpeqd %%xmm1, %%xmm1, %%xmm1;"
      "vgatherdps %%xmm1, (%%rax,%%xmm0), %%xmm2");
  CHECK(!gather.address_known);
  if (!__builtin_cpu_supports("avx512f")) return;
  const FaultReport evex = WILD_ACCESS("vmovups (%%rax), %%zmm0");
  CHECK_EQUAL(evex.address, uintptr_t{0x1234567812345678});
  CHECK(!WILD_ACCESS("vmovups 64(%%rax), %%zmm0").address_known);
}

TEST(guard_takes_no_other_register_for_the_address) {
  alignas(16) char bytes[32];
  const FaultReport misaligned = run_guarded([&] {
    asm volatile("movabs $0x1234567812345678, %%rax; movaps %%xmm0, 1(%0)"
                 :
                 : "r"(bytes)
                 : "rax", "memory");
  });
  CHECK(misaligned.kind == FaultKind::illegal_address);
  CHECK(!misaligned.address_known);
}

TEST(guard_reports_traps) {
  CHECK(run_guarded([] { asm volatile("ud2"); }).kind == FaultKind::trap);
  CHECK(run_guarded([] { asm volatile("int3"); }).kind == FaultKind::trap);
}

TEST(guard_restores_the_callers_registers_and_control_words) {
  unsigned before, after;
  asm volatile("stmxcsr %0" : "=m"(before));
  InaccessiblePage page;
  const FaultReport report = run_guarded([&] {
    const unsigned flush_to_zero = 0x9fc0;
    asm volatile("ldmxcsr %0; std" : : "m"(flush_to_zero));
    write_byte(page.address());
  });
  asm volatile("stmxcsr %0" : "=m"(after));
  CHECK(report.kind == FaultKind::illegal_address);
  CHECK_EQUAL(before, after);
  char from[16] = "direction", to[16];
  __builtin_memcpy(to, from, sizeof to);
  CHECK_EQUAL(std::string(to), std::string("direction"));
}

TEST(guard_nests) {
  InaccessiblePage page;
  FaultReport inner;
  bool went_on = false;
  const FaultReport outer = run_guarded([&] {
    inner = run_guarded([&] { write_byte(page.address() + 1); });
    went_on = true;
    write_byte(page.address() + 2);
  });
  CHECK(went_on);
  CHECK_EQUAL(inner.address, reinterpret_cast<uintptr_t>(page.address() + 1));
  CHECK_EQUAL(outer.address, reinterpret_cast<uintptr_t>(page.address() + 2));
}

TEST(guard_raise_fault_ends_the_innermost_region) {
  FaultReport inner;
  const FaultReport outer = run_guarded([&] {
    inner = run_guarded([] {
      FaultReport report;
      report.kind = FaultKind::trap;
      report.message = "a message that is long enough to be on the heap";
      raise_fault(std::move(report));
    });
  });
  CHECK(!outer);
  CHECK(inner.kind == FaultKind::trap);
  CHECK_EQUAL(inner.message, std::string("a message that is long enough to be on the heap"));
}

int overflow_stack(int depth) {
  if (depth < 0) return 0;  // never: the stack ends first
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return overflow_stack(depth + 1) + frame[0];
}

void* overflow_in_thread(void* report) {
  *static_cast<FaultReport*>(report) = run_guarded([] { overflow_stack(0); });
  return nullptr;
}

TEST(guard_survives_a_stack_overflow) {
  FaultReport report;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread;
  pthread_create(&thread, &attributes, overflow_in_thread, &report);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  CHECK(report.kind == FaultKind::illegal_address);
}

TEST(guard_recovers_ten_thousand_times) {
  InaccessiblePage page;
  int faults = 0;
  for (int i = 0; i < 10000; ++i) {
    faults += run_guarded([&] { write_byte(page.address()); }).kind == FaultKind::illegal_address;
  }
  CHECK_EQUAL(faults, 10000);
}

TEST(guard_works_in_several_threads_at_once) {
  std::vector<std::thread> threads;
  std::vector<int> faults(4);
  for (size_t t = 0; t < faults.size(); ++t) {
    threads.emplace_back([&, t] {
      InaccessiblePage page;
      for (int i = 0; i < 500; ++i) {
        const FaultReport report = run_guarded([&] { write_byte(page.address() + i); });
        faults[t] += report.address == reinterpret_cast<uintptr_t>(page.address() + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int count : faults) CHECK_EQUAL(count, 500);
}

// --- Integer division ----------------------------------------------------------------------------

struct Divided {
  uint64_t quotient, remainder;
};

#define DIVIDE(instruction, low, high, divisor, result)              \
  run_guarded([&] {                                                  \
    uint64_t rax = (low), rdx = (high);                              \
    asm volatile(instruction : "+a"(rax), "+d"(rdx) : "r"(divisor)); \
    (result) = {rax, rdx};                                           \
  })

TEST(division_by_zero_gives_all_ones_and_the_dividend) {
  Divided result{};
  const uint64_t zero = 0;
  CHECK(!DIVIDE("divl %k2", 1234, 0, zero, result));
  CHECK_EQUAL(result.quotient, 0xffffffffu);
  CHECK_EQUAL(result.remainder, 1234u);
  CHECK(!DIVIDE("idivl %k2", static_cast<uint32_t>(-5), 0xffffffff, zero, result));
  CHECK_EQUAL(result.quotient, 0xffffffffu);
  CHECK_EQUAL(result.remainder, static_cast<uint32_t>(-5));
  CHECK(!DIVIDE("divq %2", uint64_t{1} << 40, 0, zero, result));
  CHECK_EQUAL(result.quotient, ~uint64_t{0});
  CHECK_EQUAL(result.remainder, uint64_t{1} << 40);
  CHECK(!DIVIDE("divw %w2", 0xabcd00000007, 0xeeee0000, zero, result));
  CHECK_EQUAL(result.quotient, 0xabcd0000ffffu);
  CHECK_EQUAL(result.remainder, 0xeeee0007u);
  CHECK(!DIVIDE("divb %b2", 0xff0021, 77, zero, result));
  CHECK_EQUAL(result.quotient, 0xff21ffu);
  CHECK_EQUAL(result.remainder, 77u);
}

TEST(division_overflow_keeps_the_low_bits) {
  Divided result{};
  const uint64_t minus_one = ~uint64_t{0};
  CHECK(!DIVIDE("idivl %k2", 0x80000000u, 0xffffffffu, minus_one, result));
  CHECK_EQUAL(result.quotient, 0x80000000u);
  CHECK_EQUAL(result.remainder, 0u);
  CHECK(!DIVIDE("idivq %2", uint64_t{1} << 63, ~uint64_t{0}, minus_one, result));
  CHECK_EQUAL(result.quotient, uint64_t{1} << 63);
  const uint64_t two = 2;
  CHECK(!DIVIDE("divl %k2", 6, 2, two, result));
  CHECK_EQUAL(result.quotient, 3u);
}

#define DIVIDE_BY_MEMORY(operand, ...)                                              \
  run_guarded([&] {                                                                 \
    uint64_t rax = 9, rdx = 0;                                                      \
    asm volatile("idivl " operand : "+a"(rax), "+d"(rdx) : __VA_ARGS__ : "memory"); \
    result = {rax, rdx};                                                            \
  })

thread_local int t_divisor = 0;
int g_divisor = 0;

// Every addressing form: the decoder must find the divisor, and the instruction's end.
class DivisionInMemory {
 public:
  void expect_gpu_result(const FaultReport& report) {
    CHECK(!report);
    CHECK_EQUAL(result.quotient, 0xffffffffu);
    CHECK_EQUAL(result.remainder, 9u);
    result = {};
  }
  Divided result{};
};

TEST(division_by_zero_in_memory) {
  int zeros[64] = {};
  int* const base = zeros;
  const uint64_t index = 3;
  DivisionInMemory division;
  Divided& result = division.result;
  division.expect_gpu_result(DIVIDE_BY_MEMORY("(%2)", "b"(base)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("8(%2)", "S"(base)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("-8(%2)", "D"(base + 4)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("0x80(%2)", "b"(base)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("-0x100(%2)", "r"(base + 64)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("(%2,%3,4)", "r"(base), "r"(index)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("16(%2,%3,8)", "r"(base), "r"(index)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("0x80(%2,%3,1)", "r"(base), "r"(index)));
  division.expect_gpu_result(DIVIDE_BY_MEMORY("%2", "m"(g_divisor)));
}

// These registers have encodings of their own: r12 needs a SIB byte, r13 a displacement.
#define DIVIDE_AT(operand)                                                                    \
  run_guarded([&] {                                                                           \
    uint64_t rax = 9, rdx = 0;                                                                \
    asm volatile("mov %2, %%r12; mov %2, %%r13; mov $2, %%r14d; mov %2, %%r8; idivl " operand \
                 : "+a"(rax), "+d"(rdx)                                                       \
                 : "r"(base)                                                                  \
                 : "r8", "r12", "r13", "r14", "memory");                                      \
    result = {rax, rdx};                                                                      \
  })

TEST(division_by_zero_through_awkward_registers) {
  int zeros[64] = {};
  int* const base = zeros;
  DivisionInMemory division;
  Divided& result = division.result;
  division.expect_gpu_result(DIVIDE_AT("(%%r12)"));
  division.expect_gpu_result(DIVIDE_AT("(%%r13)"));
  division.expect_gpu_result(DIVIDE_AT("4(%%r12)"));
  division.expect_gpu_result(DIVIDE_AT("0x84(%%r13)"));
  division.expect_gpu_result(DIVIDE_AT("(%%r13,%%r14,4)"));
  division.expect_gpu_result(DIVIDE_AT("(%%r14,%%r12)"));
  division.expect_gpu_result(DIVIDE_AT("(%%r8,%%r14,8)"));
}

TEST(division_by_zero_in_thread_local_memory) {
  DivisionInMemory division;
  division.expect_gpu_result(run_guarded([&] {
    uint64_t rax = 9, rdx = 0, thread;
    asm("mov %%fs:0, %0" : "=r"(thread));
    const uint64_t offset = reinterpret_cast<uint64_t>(&t_divisor) - thread;
    asm volatile("idivl %%fs:(%2)" : "+a"(rax), "+d"(rdx) : "r"(offset) : "memory");
    division.result = {rax, rdx};
  }));
}

TEST(division_of_the_compiler_goes_on) {
  volatile int zero = 0, seven = 7, smallest = INT_MIN, minus_one = -1;
  int quotient = 0, remainder = 0, wrapped = 0;
  const FaultReport report = run_guarded([&]() __attribute__((no_sanitize("undefined"))) {
    quotient = seven / zero;
    remainder = seven % zero;
    wrapped = smallest / minus_one;
  });
  CHECK(!report);
  CHECK_EQUAL(quotient, -1);
  CHECK_EQUAL(remainder, 7);
  CHECK_EQUAL(wrapped, INT_MIN);
}

// --- Faults outside guarded regions --------------------------------------------------------------

// Runs `body` in a child process; returns its wait status.
template <typename Body>
int status_of_child(Body&& body) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    body();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

bool was_killed_by(int status, int signal) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // A sanitizer's own handler is the one behind ours; it exits with a code of its own.
  if (WIFEXITED(status)) return WEXITSTATUS(status) != 99;
#endif
  return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

TEST(outside_the_guard_a_fault_kills_as_before) {
  InaccessiblePage page;
  run_guarded([] {});
  CHECK(was_killed_by(status_of_child([&] { write_byte(page.address()); }), SIGSEGV));
  CHECK(was_killed_by(status_of_child([] { asm volatile("ud2"); }), SIGILL));
  CHECK(was_killed_by(status_of_child([] { asm volatile("int3"); }), SIGTRAP));
  CHECK(was_killed_by(status_of_child([] { raise(SIGSEGV); }), SIGSEGV));
  volatile int zero = 0;
  const auto divide = [&]() __attribute__((no_sanitize("undefined"))) { zero = 7 / zero; };
  CHECK(was_killed_by(status_of_child(divide), SIGFPE));
}

TEST(a_signal_that_was_sent_is_not_taken_for_a_fault) {
  CHECK(was_killed_by(status_of_child([] { run_guarded([] { raise(SIGSEGV); }); }), SIGSEGV));
}

// A child with a handler of its own for SIGSEGV, installed before or after ours.
void exit_seven(int, siginfo_t*, void*) { _exit(7); }

void install(void (*handler)(int, siginfo_t*, void*), struct sigaction* previous = nullptr) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, previous);
}

TEST(a_handler_that_came_later_still_gets_its_faults) {
  InaccessiblePage page;
  const int status = status_of_child([&] {
    run_guarded([] {});
    install(exit_seven);
    ensure_guard_installed();
    const FaultReport ours = run_guarded([&] { write_byte(page.address()); });
    if (ours.kind != FaultKind::illegal_address) _exit(1);
    write_byte(page.address());
  });
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

#if !defined(__SANITIZE_THREAD__)  // which delays signals that are raised inside a handler
// Like Python's faulthandler: puts back what it found installed, and raises the signal again.
struct sigaction g_found;
void restore_and_raise(int signal, siginfo_t*, void*) {
  sigaction(signal, &g_found, nullptr);
  raise(signal);
}

// Like many crash reporters: calls what it found installed.
void call_what_was_found(int signal, siginfo_t* info, void* context) {
  g_found.sa_sigaction(signal, info, context);
}

TEST(handlers_that_lead_back_to_us_end) {
  InaccessiblePage page;
  for (auto* handler : {restore_and_raise, call_what_was_found}) {
    const int status = status_of_child([&] {
      alarm(10);
      run_guarded([] {});
      install(handler, &g_found);
      ensure_guard_installed();
      write_byte(page.address());
    });
    CHECK(was_killed_by(status, SIGSEGV));
  }
}

#endif

sigjmp_buf g_probe;
void jump_out(int, siginfo_t*, void*) { siglongjmp(g_probe, 1); }

TEST(handlers_that_jump_out_work_again_and_again) {
  InaccessiblePage page;
  const int status = status_of_child([&] {
    run_guarded([] {});
    install(jump_out);
    ensure_guard_installed();
    volatile int jumps = 0;
    while (jumps < 5) {
      if (sigsetjmp(g_probe, 1) == 0) {
        write_byte(page.address());
      } else {
        jumps = jumps + 1;
      }
    }
    _exit(5);
  });
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

}  // namespace
}  // namespace greta::sim
