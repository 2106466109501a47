// The handler for page faults is ours, whatever the program and its libraries install: what they
// install is kept here, given back when they ask, and called for every fault that is not ours, with
// the mask and the flags they asked for. So is that for SIGTRAP, by which a step ends.
//
// A thread that blocks SIGSEGV would be killed by a touch of a watched page; so nobody can.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "hostwatch/next_function.h"
#include "hostwatch/watch.h"

namespace {

constexpr int kOurs[] = {SIGSEGV, SIGTRAP};
bool is_ours(int signal) { return signal == SIGSEGV || signal == SIGTRAP; }
size_t place_of(int signal) { return signal == SIGSEGV ? 0 : 1; }

// What the program thinks is installed. Its parts are read by a handler while another thread may
// install something else; a spin lock keeps them together.
struct Installed {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  struct sigaction action = {};
};
Installed g_installed[2];

struct sigaction exchange(int signal, const struct sigaction* fresh) {
  Installed& installed = g_installed[place_of(signal)];
  sigset_t all;
  uint64_t before = 0;
  sigfillset(&all);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof before);
  while (installed.busy.test_and_set(std::memory_order_acquire)) {
  }
  const struct sigaction old = installed.action;
  if (fresh != nullptr) installed.action = *fresh;
  installed.busy.clear(std::memory_order_release);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);
  return old;
}

bool raised_by_cpu(const siginfo_t* info) { return info->si_code > 0; }

// As if we had never been there. A fault of the CPU comes again by itself.
void act_by_default(int signal, const siginfo_t* info, const struct sigaction& action) {
  if (action.sa_handler == SIG_IGN && !raised_by_cpu(info)) return;
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  GRETA_NEXT(sigaction)(signal, &plain, nullptr);
  const bool comes_again = raised_by_cpu(info) && signal != SIGTRAP;
  if (!comes_again) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

// The mask of the interrupted code comes back when we return, or by siglongjmp.
void block_as_asked(int signal, const struct sigaction& action) {
  uint64_t mask = 0;
  std::memcpy(&mask, &action.sa_mask, sizeof mask);
  if ((action.sa_flags & SA_NODEFER) == 0) mask |= uint64_t{1} << (signal - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, nullptr, sizeof mask);
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = exchange(signal, nullptr);
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
    return act_by_default(signal, info, action);
  }
  if ((action.sa_flags & SA_RESETHAND) != 0) {
    struct sigaction plain = {};
    plain.sa_handler = SIG_DFL;
    exchange(signal, &plain);
  }
  block_as_asked(signal, action);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (greta_watch_fault(signal, info, context) == 0) pass_on(signal, info, context);
  errno = saved_errno;
}

__attribute__((constructor)) void install() {
  for (const int signal : kOurs) {
    struct sigaction ours = {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    struct sigaction before = {};
    if (GRETA_NEXT(sigaction)(signal, &ours, &before) != 0) return;
    exchange(signal, &before);
  }
  greta_watch_is_possible();
}

// Without the signals that must get through.
const sigset_t* without_ours(int how, const sigset_t* set, sigset_t* room) {
  if (set == nullptr || how == SIG_UNBLOCK) return set;
  *room = *set;
  for (const int signal : kOurs) sigdelset(room, signal);
  return room;
}

}  // namespace

GRETA_HOSTWATCH_EXPORT int sigaction(int signal, const struct sigaction* fresh,
                                     struct sigaction* old) noexcept {
  if (!is_ours(signal)) return GRETA_NEXT(sigaction)(signal, fresh, old);
  struct sigaction wanted = {};
  if (fresh != nullptr) wanted = *fresh;
  const struct sigaction before = exchange(signal, fresh != nullptr ? &wanted : nullptr);
  if (old != nullptr) *old = before;
  return 0;
}

GRETA_HOSTWATCH_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!is_ours(number)) return GRETA_NEXT(signal)(number, handler);
  struct sigaction wanted = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  return exchange(number, &wanted).sa_handler;
}

GRETA_HOSTWATCH_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  sigset_t room;
  return GRETA_NEXT(pthread_sigmask)(how, without_ours(how, set, &room), old);
}

GRETA_HOSTWATCH_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  sigset_t room;
  return GRETA_NEXT(sigprocmask)(how, without_ours(how, set, &room), old);
}
