// How the process ends: noted in the header, then left to happen.
#pragma once

namespace greta::recorder {

// From the start of the recording on.
void watch_endings();

}  // namespace greta::recorder
