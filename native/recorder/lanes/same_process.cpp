#include "recorder/lanes/same_process.h"

#include <sys/mman.h>
#include <unistd.h>

namespace greta::recorder {
namespace {

constexpr uint32_t kYes = 1;
uint32_t* g_page = nullptr;

// Null where the kernel, older than 4.14, cannot clear it.
uint32_t* cleared_in_children() {
  const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (madvise(page, bytes, MADV_WIPEONFORK) == 0) return static_cast<uint32_t*>(page);
  munmap(page, bytes);
  return nullptr;
}

}  // namespace

const uint32_t* g_same_process = &kYes;

void watch_for_forks() {
  if (g_page == nullptr) g_page = cleared_in_children();
  if (g_page == nullptr) return;
  *g_page = kYes;
  g_same_process = g_page;
}

}  // namespace greta::recorder
