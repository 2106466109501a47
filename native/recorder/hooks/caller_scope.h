// In which order the loader looks for the functions that a piece of code is linked with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/sites/loaded_code.h"

namespace greta::recorder {

// What the loader has brought in, in the order it did.
struct LoadedObject {
  std::string path;  // empty: the program itself
  uintptr_t base = 0;
  Code code;
  std::string soname;
  std::vector<std::string> needed;
};

std::vector<LoadedObject> loaded_objects();

// The object that was opened, and with which this one came: after the program's own libraries, the
// loader looks through that one's dependencies. It is the first that needs it, or itself.
const LoadedObject& opened_with(const std::vector<LoadedObject>& objects, size_t object);

}  // namespace greta::recorder
