// Waits for operations that the program does not wait for, so that an error shows at the operation
// that makes it (greta pin). GRETA_RECORD_SYNC says for which, numbered from 1 in their process:
//
//   all      every one
//   N        the N-th alone
//   ..N      all up to the N-th
#pragma once

#include "contract/recording.h"

namespace greta::recorder {

bool sync_is_asked_for();
// After the call that enqueued it. Waits if that is asked for, unless it was only captured, and
// writes a record of its own, begun before the wait: a process that dies in it has said so.
void sync_after(const greta_record& operation, void* stream, int result);
// In a forked child, which counts anew.
void forget_operations();

}  // namespace greta::recorder
