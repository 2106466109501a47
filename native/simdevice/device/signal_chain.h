// Who else handles fault signals in this process. Our handler is installed in front of what was
// there before, and of what comes later; a fault that is not ours is passed on to them.
#pragma once

#include <csignal>

namespace greta::sim {

using SignalHandler = void (*)(int, siginfo_t*, void*);

// Installs `handler` for the fault signals, or again if someone replaced it; remembers them.
void install_in_front(SignalHandler handler);

// Called by the handler for a signal that is not its own: does what would have happened without
// it. Async-signal-safe.
void pass_on_signal(int signal, siginfo_t* info, void* context);

// For threads that block all signals but those a fault raises in them.
void remove_fault_signals(sigset_t* set);

}  // namespace greta::sim
