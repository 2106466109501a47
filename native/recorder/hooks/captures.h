// Whether work that is enqueued is only being captured into a graph.
#pragma once

namespace greta::recorder {

void count_capture(int change);
// Asks the library, if there is a capture at all.
bool is_captured(void* stream);

}  // namespace greta::recorder
