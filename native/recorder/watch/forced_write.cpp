#include "recorder/watch/forced_write.h"

#include <fcntl.h>
#include <unistd.h>

#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/own_files.h"

namespace greta::recorder {

bool write_by_force(uintptr_t to, const char* from, size_t bytes) {
  const ErrnoKeeper errno_keeper;
  // Opened anew each time: a descriptor that is kept could be closed by the program and come back
  // as one of its own files.
  const int file = open_own("/proc/self/mem", O_WRONLY);
  if (file < 0) return false;
  ssize_t written = 1;
  while (bytes != 0 && written > 0) {
    written = pwrite(file, from, bytes, static_cast<off_t>(to));
    if (written <= 0) break;
    to += static_cast<size_t>(written);
    from += written;
    bytes -= static_cast<size_t>(written);
  }
  close(file);
  return bytes == 0;
}

}  // namespace greta::recorder
