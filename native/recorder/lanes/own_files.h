// How the recorder opens files. The program shares its descriptors with us: one that it has closed
// and still writes to must not be a file of ours.
#pragma once

namespace greta::recorder {

// As open(), close-on-exec; the answer is never 0, 1 or 2, not even for a moment, so that what a
// program prints after it has closed its standard streams does not get into a recording. Neither
// interrupted by signals nor a point where a thread may be cancelled.
int open_own(const char* path, int flags);

// For a thread of the recorder's own: from now on it has descriptors that nobody else sees, and
// none of the program's. Where the kernel cannot do that (before Linux 5.9), it shares them on.
void have_own_descriptors();

}  // namespace greta::recorder
