#include "device/signal_chain.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace greta::sim {
namespace {

constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};

// The handlers behind ours, newest first. Links are never changed or freed once published, so a
// signal handler can walk them at any time.
struct Link {
  struct sigaction action;
  const Link* older;
};

std::atomic<const Link*> g_newest[NSIG];
std::mutex g_install_mutex;

// Where this thread stands in a chain while it runs one of its handlers. Handlers commonly end by
// raising the signal again or by calling what they had found installed, which is us: that must
// reach the next older handler, not the same one for ever.
struct Position {
  const Link* current = nullptr;
  const siginfo_t* info = nullptr;
  const char* frame = nullptr;
};

// initial-exec: no lazy allocation, so the handler may touch it in any thread at any time.
__attribute__((tls_model("initial-exec"))) thread_local Position t_position;

bool is_same(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_handler == b.sa_handler && a.sa_flags == b.sa_flags;
}

// `links` without those equal to `action`; shares the tail where nothing changed.
const Link* without(const Link* links, const struct sigaction& action) {
  if (links == nullptr) return nullptr;
  const Link* rest = without(links->older, action);
  if (is_same(links->action, action)) return rest;
  return rest == links->older ? links : new Link{links->action, rest};
}

void install_for(int signal, SignalHandler handler) {
  struct sigaction current;
  if (sigaction(signal, nullptr, &current) != 0 || current.sa_sigaction == handler) return;
  std::lock_guard<std::mutex> lock(g_install_mutex);
  if (sigaction(signal, nullptr, &current) != 0 || current.sa_sigaction == handler) return;
  const Link* older = without(g_newest[signal].load(std::memory_order_relaxed), current);
  g_newest[signal].store(new Link{current, older}, std::memory_order_release);

  struct sigaction ours = {};
  ours.sa_sigaction = handler;
  // NODEFER: a fault while we pass one on must not kill the process without a word.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}

// A hardware fault happens again when the handler returns; a trap or a signal that was sent does
// not, and must be sent again.
bool repeats_by_itself(int signal, const siginfo_t* info) {
  return info->si_code > 0 && signal != SIGTRAP;
}

void act_by_default(int signal, siginfo_t* info, const struct sigaction& action) {
  if (action.sa_handler == SIG_IGN && info->si_code <= 0) return;
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  if (repeats_by_itself(signal, info)) return;
  // Plain tgkill rather than a copy of *info: the kernel refuses to queue positive si_codes.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

bool is_nested(const siginfo_t* info, const char* frame) {
  const bool deeper = t_position.current != nullptr && frame < t_position.frame;
  return deeper && (info == t_position.info || info->si_code <= 0);
}

void call(const Link* link, int signal, siginfo_t* info, void* context) {
  if (link->action.sa_flags & SA_SIGINFO) {
    link->action.sa_sigaction(signal, info, context);
  } else {
    link->action.sa_handler(signal);
  }
}

}  // namespace

void install_in_front(SignalHandler handler) {
  for (int signal : kFaultSignals) install_for(signal, handler);
}

void pass_on_signal(int signal, siginfo_t* info, void* context) {
  const auto* frame = static_cast<const char*>(__builtin_frame_address(0));
  const Link* link = is_nested(info, frame) ? t_position.current->older
                                            : g_newest[signal].load(std::memory_order_acquire);
  static const struct sigaction kDefault = {};
  const struct sigaction& action = link != nullptr ? link->action : kDefault;
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
    act_by_default(signal, info, action);
    return;
  }
  const Position outer = t_position;
  t_position = {link, info, frame};
  call(link, signal, info, context);
  t_position = outer;
}

void remove_fault_signals(sigset_t* set) {
  for (int signal : kFaultSignals) sigdelset(set, signal);
}

}  // namespace greta::sim
