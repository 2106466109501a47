// In these tests nobody records.
#include "device/recorder_notes.h"

namespace greta::sim {

bool has_recorder() { return false; }

}  // namespace greta::sim
