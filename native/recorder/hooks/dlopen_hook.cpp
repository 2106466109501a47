// The C library finds out by the return address whose search path counts, so our dlopen must not be
// seen there: it notes what is about to be opened, and jumps to the real one with everything as it
// was.
#include "recorder/hooks/dlopen_hook.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <set>

#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/held_signals.h"
#include "recorder/lanes/thread_memory.h"

extern "C" {
__attribute__((visibility("hidden"))) greta::recorder::DlopenFunction greta_recorder_real_dlopen;
__attribute__((visibility("hidden"))) void greta_recorder_before_dlopen(const char* file, int how);
}

asm(R"(
  .text
  .globl dlopen
  .type dlopen, @function
dlopen:
  .cfi_startproc
  push %rdi
  .cfi_def_cfa_offset 16
  push %rsi
  .cfi_def_cfa_offset 24
  sub $8, %rsp
  .cfi_def_cfa_offset 32
  call greta_recorder_before_dlopen
  add $8, %rsp
  .cfi_def_cfa_offset 24
  pop %rsi
  .cfi_def_cfa_offset 16
  pop %rdi
  .cfi_def_cfa_offset 8
  jmp *greta_recorder_real_dlopen(%rip)
  .cfi_endproc
  .size dlopen, .-dlopen
)");

namespace greta::recorder {
namespace {

std::atomic<bool> g_has_opened{false};
std::atomic<bool> g_has_opened_deep{false};
std::atomic<uint64_t> g_loads{0};  // in the life of the process, as the loader counts

struct DeepFiles {
  std::mutex mutex;
  std::set<std::string> names;
};
DeepFiles& deep_files() {
  static DeepFiles* const instance = new DeepFiles;
  return *instance;
}

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void note_deep(const char* file) {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(deep_files().mutex);
  deep_files().names.insert(name_in(file));
  g_has_opened_deep = true;
}

int take_loads(dl_phdr_info* info, size_t, void* loads) {
  *static_cast<uint64_t*>(loads) = info->dlpi_adds;
  return 1;
}

}  // namespace

DlopenFunction real_dlopen() {
  if (greta_recorder_real_dlopen == nullptr) {
    void* found = dlvsym(RTLD_NEXT, "dlopen", "GLIBC_2.34");
    if (found == nullptr) found = dlvsym(RTLD_NEXT, "dlopen", "GLIBC_2.2.5");
    greta_recorder_real_dlopen = reinterpret_cast<DlopenFunction>(found);
  }
  return greta_recorder_real_dlopen;
}

bool has_opened_more() {
  if (!g_has_opened.load(std::memory_order_relaxed)) return false;
  uint64_t loads = 0;
  dl_iterate_phdr(take_loads, &loads);
  return g_loads.exchange(loads) != loads;
}

bool has_opened_deep() { return g_has_opened_deep.load(std::memory_order_relaxed); }

bool is_opened_deep(const std::string& path) {
  if (!has_opened_deep()) return false;
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(deep_files().mutex);
  return deep_files().names.count(name_in(path)) != 0;
}

void forget_lock_of_openings() { new (&deep_files().mutex) std::mutex; }

}  // namespace greta::recorder

extern "C" void greta_recorder_before_dlopen(const char* file, int how) {
  using namespace greta::recorder;
  const ErrnoKeeper errno_keeper;
  real_dlopen();
  if (file == nullptr || (how & RTLD_NOLOAD) != 0) return;
  g_has_opened.store(true, std::memory_order_relaxed);
  if ((how & RTLD_DEEPBIND) != 0) note_deep(file);
  // What is opened may make its calls in the last step of a function, so that they seem to come
  // from code that is known: every thread looks again.
  forget_callers_of_all_threads();
}
