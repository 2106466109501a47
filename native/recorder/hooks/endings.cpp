#include "recorder/hooks/endings.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/export.h"
#include "recorder/hooks/signal_hooks.h"
#include "recorder/lanes/process_recording.h"

namespace greta::recorder {
namespace {

constexpr int kSignals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT, SIGHUP};

bool raised_by_cpu(int number, const siginfo_t* info) {
  const bool fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  return fault && info->si_code > 0;
}

// Marks the end and lets it happen: the default action is put back, and the signal comes again. A
// fault of the CPU does so by itself when the instruction is tried again.
void on_signal(int number, siginfo_t* info, void*) {
  recording().mark_end(GRETA_END_SIGNAL, number);
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  next_sigaction()(number, &by_default, nullptr);
  if (!raised_by_cpu(number, info)) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

// A signal that the program already handles or ignores is the program's business.
void watch_signal(int number) {
  struct sigaction before;
  if (next_sigaction()(number, nullptr, &before) != 0) return;
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction ours = {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  next_sigaction()(number, &ours, nullptr);
}

void on_exit_with(int status, void*) { recording().mark_end(GRETA_END_EXIT, status); }

void in_forked_child() { recording().begin_anew(); }

// Looked up when the recorder is loaded: _exit may be called where nothing may be looked up.
using ExitFunction = void (*)(int);
ExitFunction g_next_exit = nullptr;
ExitFunction g_next_Exit = nullptr;

__attribute__((constructor)) void find_next_exits() {
  g_next_exit = next_function<ExitFunction>("_exit");
  g_next_Exit = next_function<ExitFunction>("_Exit");
}

[[noreturn]] void quick_exit_with(int status, ExitFunction next) {
  recording().mark_end(GRETA_END_QUICK, status);
  if (next != nullptr) next(status);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace

bool is_request(int number) { return number == SIGTERM || number == SIGINT || number == SIGHUP; }

bool is_note_of_end(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

void watch_endings() {
  static const bool once = [] {
    on_exit(on_exit_with, nullptr);
    pthread_atfork(nullptr, nullptr, in_forked_child);
    return true;
  }();
  (void)once;
  for (int number : kSignals) watch_signal(number);
}

__attribute__((destructor)) static void at_unload() { recording().mark_end_again(); }

extern "C" {
GRETA_EXPORT void _exit(int status) { quick_exit_with(status, g_next_exit); }
GRETA_EXPORT void _Exit(int status) { quick_exit_with(status, g_next_Exit); }
}

}  // namespace greta::recorder
