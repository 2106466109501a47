// Variables of loaded code that the device told of (contract/device_notes.h).
#pragma once

namespace greta::recorder {

// In a forked child: those of its parent are there as well, and nobody tells of them again.
void write_known_variables();

}  // namespace greta::recorder
