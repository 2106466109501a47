// How the process ends: noted in the header, then left to happen.
#pragma once

#include <csignal>

namespace greta::recorder {

// From the start of the recording on.
void watch_endings();

// Signals by which somebody asks the process to end.
bool is_request(int number);
// Whether it is the handler by which the recorder notes the end.
bool is_note_of_end(const struct sigaction& action);

}  // namespace greta::recorder
