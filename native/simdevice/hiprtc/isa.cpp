#include "hiprtc/isa.h"

#include <immintrin.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace greta::hiprtc {
namespace {

__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))) void execute_avx2() {
  __m256 a = _mm256_set1_ps(2.0f);
  a = _mm256_fmadd_ps(a, a, a);
  __m256i b = _mm256_slli_epi32(_mm256_castps_si256(a), 1);
  __m128i half = _mm256_cvtps_ph(_mm256_castsi256_ps(b), 0);
  unsigned bits = _pdep_u32(_lzcnt_u32(5), 0xff) + _blsr_u32(6) +
                  static_cast<unsigned>(_mm_popcnt_u32(7));
  asm volatile("" ::"x"(half), "r"(bits));
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void execute_avx512() {
  __m512 a = _mm512_set1_ps(2.0f);
  a = _mm512_and_ps(_mm512_fmadd_ps(a, a, a), a);               // DQ
  __m512i b = _mm512_add_epi8(_mm512_castps_si512(a), _mm512_set1_epi8(1));  // BW
  __m256i c = _mm256_rol_epi32(_mm512_castsi512_si256(b), 3);   // VL
  asm volatile("" ::"x"(c));
}

struct Trial {
  void (*instructions)();
};

// Runs in a process of its own, so that neither the instruction's signal nor any change of signal
// settings reaches the program.
int try_in_child(void* argument) {
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
  pid_t child = clone(try_in_child, static_cast<char*>(stack) + kStackBytes, CLONE_VM | CLONE_VFORK,
                      &trial);
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
  if (const char* wanted = std::getenv("GRETA_SIM_ISA"))
    for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512})
      if (!std::strcmp(wanted, name_of(isa))) return isa;
  static const Isa found = probe();
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
