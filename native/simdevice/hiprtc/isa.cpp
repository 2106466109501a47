#include "hiprtc/isa.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "environment.h"

namespace greta::hiprtc {
namespace {

// One instruction of each extension that compiler_flags() allows.
void execute_avx2() {
  asm volatile(
      "vpaddd %%ymm0, %%ymm0, %%ymm0\n"
      "vfmadd231ps %%ymm0, %%ymm0, %%ymm0\n"
      "vcvtps2ph $0, %%ymm0, %%xmm0\n"
      "andn %%ecx, %%ecx, %%ecx\n"
      "pdep %%ecx, %%ecx, %%ecx\n"
      "lzcnt %%ecx, %%ecx\n"
      "popcnt %%ecx, %%ecx\n"
      "vzeroupper\n" ::
          : "xmm0", "ecx", "cc");
}

void execute_avx512() {
  asm volatile(
      "vaddps %%zmm0, %%zmm0, %%zmm0\n"  // F
      "vpaddb %%zmm0, %%zmm0, %%zmm0\n"  // BW
      "vandps %%zmm0, %%zmm0, %%zmm0\n"  // DQ
      "vprold $3, %%ymm0, %%ymm0\n"      // VL
      "vzeroupper\n" ::
          : "xmm0");
}

struct Trial {
  void (*instructions)();
};

// Runs in a process of its own, so that neither the instruction's signal nor any change of signal
// settings reaches the program. Its stack is not one that a sanitizer knows.
__attribute__((no_sanitize_address)) int try_in_child(void* argument) {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGILL, &standard, nullptr);
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  static_cast<Trial*>(argument)->instructions();
  _exit(0);
}

bool executes(void (*instructions)()) {
  constexpr size_t kStackBytes = 256 * 1024;
  void* stack = aligned_alloc(64, kStackBytes);
  if (!stack) return false;
  Trial trial = {instructions};
  // Shares memory instead of copying it (the program may be large), and is no child in the sense
  // of SIGCHLD, so the program's own handling of children does not see it.
  pid_t child =
      clone(try_in_child, static_cast<char*>(stack) + kStackBytes, CLONE_VM | CLONE_VFORK, &trial);
  int status = -1;
  if (child > 0)
    while (waitpid(child, &status, __WCLONE) < 0 && errno == EINTR) continue;
  free(stack);
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Isa probe() {
  if (!executes(execute_avx2)) return Isa::kBaseline;
  return executes(execute_avx512) ? Isa::kAvx512 : Isa::kAvx2;
}

}  // namespace

Isa best_isa() {
  const std::string wanted = variable("GRETA_SIM_ISA");
  for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512})
    if (wanted == name_of(isa)) return isa;
  static const Isa found = probe();
  if (!wanted.empty())
    complain("GRETA_SIM_ISA", wanted, "baseline, avx2 or avx512", name_of(found));
  return found;
}

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::kAvx512:
      return "avx512";
    case Isa::kAvx2:
      return "avx2";
    default:
      return "baseline";
  }
}

std::vector<std::string> compiler_flags(Isa isa) {
  if (isa == Isa::kBaseline) return {"-march=x86-64"};
  std::vector<std::string> flags = {"-march=x86-64", "-mavx2", "-mfma",   "-mf16c",
                                    "-mbmi",         "-mbmi2", "-mlzcnt", "-mpopcnt"};
  if (isa == Isa::kAvx512)
    flags.insert(flags.end(), {"-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"});
  return flags;
}

}  // namespace greta::hiprtc
