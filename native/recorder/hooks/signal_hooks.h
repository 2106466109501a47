// A program that asks what happens at SIGTERM is told what would happen without the recorder.
#pragma once

#include <csignal>

namespace greta::recorder {

// The sigaction that would have been called without us.
decltype(&::sigaction) next_sigaction();

}  // namespace greta::recorder
