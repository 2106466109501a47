#include "recorder/watch/library_copies.h"

#include <atomic>
#include <cstdint>
#include <cstring>

#include "recorder/hooks/caller_scope.h"
#include "recorder/hooks/import_slots.h"
#include "recorder/watch/host_watch.h"

namespace greta::recorder {
namespace {

void* copy_around_watch(void* to, const void* from, size_t bytes) {
  if (host_watch().copy_around(to, from, bytes)) return to;
  return std::memmove(to, from, bytes);
}

bool is_copy(const char* name) {
  return std::strcmp(name, "memcpy") == 0 || std::strcmp(name, "memmove") == 0;
}

bool redirect_copies_of(const LoadedObject& library) {
  const auto ours = reinterpret_cast<uintptr_t>(&copy_around_watch);
  std::vector<SlotChange> changes;
  for (const ImportSlot& slot : import_slots(library, is_copy)) {
    changes.push_back({slot.address, slot.value, ours});
  }
  return change_slots(library, changes);
}

}  // namespace

void redirect_copies_of_library(const void* function) {
  static std::atomic<const void*> done{nullptr};
  if (done.exchange(function) == function) return;
  for (const LoadedObject& object : loaded_objects()) {
    if (!object.code.contains(reinterpret_cast<uintptr_t>(function))) continue;
    if (!redirect_copies_of(object)) done = nullptr;  // not yet: it is still being loaded
  }
}

}  // namespace greta::recorder
