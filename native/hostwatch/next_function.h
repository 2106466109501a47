// The function of that name that would have been called without us.
#pragma once

namespace greta::hostwatch {

void* next_function(const char* name);

}  // namespace greta::hostwatch

// A function pointer of the type of NAME. Looked up at its first use, which for some of these is
// before any constructor has run.
#define GRETA_NEXT(name)                                                                   \
  ([]() {                                                                                  \
    static decltype(&::name) found = nullptr;                                              \
    if (found == nullptr) {                                                                \
      found = reinterpret_cast<decltype(&::name)>(greta::hostwatch::next_function(#name)); \
    }                                                                                      \
    return found;                                                                          \
  }())
