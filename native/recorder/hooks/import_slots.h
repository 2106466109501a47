// Slots: where the code of a loaded object finds the functions that it is linked with. The loader
// fills them, some of them only when a function is called for the first time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/hooks/caller_scope.h"

namespace greta::recorder {

struct ImportSlot {
  uintptr_t address;
  uintptr_t value;
  std::string name;
};

// Those of an object whose names are wanted; none if the object is gone.
std::vector<ImportSlot> import_slots(const LoadedObject& object, bool (*is_wanted)(const char*));

struct SlotChange {
  uintptr_t address;
  uintptr_t from;
  uintptr_t to;
};

// Each slot is changed if it still holds what was seen there. False if the loader has not finished
// with the object: what it still has to protect is left alone, and is to be tried again.
bool change_slots(const LoadedObject& object, const std::vector<SlotChange>& changes);

}  // namespace greta::recorder
