// Cooperative launches: all blocks are alive at once, so that they can wait for each other.
#pragma once

#include "device/executor.h"

namespace greta::sim {

// __shared__ memory belongs to the OS thread, so every block that waits keeps its thread, and the
// blocks that have not begun get a new one. A kernel that never waits for the grid needs no more
// threads than there are cores.
FaultReport execute_cooperative(const KernelLaunch& launch);

}  // namespace greta::sim
