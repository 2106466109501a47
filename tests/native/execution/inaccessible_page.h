// A readable page followed by one that is not accessible.
#pragma once

#include <sys/mman.h>

namespace greta::sim {

class InaccessiblePage {
 public:
  InaccessiblePage()
      : start_(static_cast<char*>(mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(start_ + kBytes, kBytes, PROT_NONE);
  }
  ~InaccessiblePage() { munmap(start_, 2 * kBytes); }
  InaccessiblePage(const InaccessiblePage&) = delete;

  static constexpr unsigned long kBytes = 4096;
  char* accessible() const { return start_; }
  char* address() const { return start_ + kBytes; }

 private:
  char* start_;
};

}  // namespace greta::sim
