// What the recorder does on the way must not show in the program's errno.
#pragma once

#include <cerrno>

namespace greta::recorder {

class ErrnoKeeper {
 public:
  ErrnoKeeper() : kept_(errno) {}
  ~ErrnoKeeper() { errno = kept_; }
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;

 private:
  const int kept_;
};

}  // namespace greta::recorder
