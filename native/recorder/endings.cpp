#include "recorder/endings.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iterator>

#include "recorder/export.h"
#include "recorder/process_recording.h"

namespace greta::recorder {
namespace {

constexpr int kSignals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT, SIGHUP};

struct sigaction g_before[std::size(kSignals)];

bool raised_by_cpu(int number, const siginfo_t* info) {
  const bool fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  return fault && info->si_code > 0;
}

// Marks the end and gives the signal to whoever had it before us: their action is put back, and the
// signal comes again. A fault of the CPU does so by itself when the instruction is tried again.
void on_signal(int number, siginfo_t* info, void*) {
  recording().mark_end(GRETA_END_SIGNAL, number);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] == number) sigaction(number, &g_before[i], nullptr);
  }
  if (!raised_by_cpu(number, info)) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

// A signal that the program already handles or ignores is the program's business.
void watch_signal(int number, struct sigaction* before) {
  if (sigaction(number, nullptr, before) != 0) return;
  if ((before->sa_flags & SA_SIGINFO) != 0 || before->sa_handler != SIG_DFL) return;
  struct sigaction ours = {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(number, &ours, before);
}

void on_exit_with(int status, void*) { recording().mark_end(GRETA_END_EXIT, status); }

void in_forked_child() { recording().begin_anew(); }

[[noreturn]] void quick_exit_with(int status) {
  recording().mark_end(GRETA_END_QUICK, status);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace

void watch_endings() {
  static const bool once = [] {
    on_exit(on_exit_with, nullptr);
    pthread_atfork(nullptr, nullptr, in_forked_child);
    return true;
  }();
  (void)once;
  for (size_t i = 0; i < std::size(kSignals); ++i) watch_signal(kSignals[i], &g_before[i]);
}

__attribute__((destructor)) static void at_unload() { recording().mark_end_again(); }

extern "C" {
GRETA_EXPORT void _exit(int status) { quick_exit_with(status); }
GRETA_EXPORT void _Exit(int status) { quick_exit_with(status); }
}

}  // namespace greta::recorder
