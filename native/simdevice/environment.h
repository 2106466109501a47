// Variables of the environment that configure the simulated device, for both of its libraries.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace greta {

// Empty if it is not set.
inline std::string variable(const char* name) {
  const char* value = secure_getenv(name);
  return value ? value : "";
}

// A bad value changes nothing, but is not passed over in silence either. Some variables are read
// many times: each value is told once.
inline void complain(const char* name, const std::string& value, const std::string& expected,
                     const std::string& used) {
  static std::mutex mutex;
  static auto* const told = new std::set<std::string>;
  std::lock_guard<std::mutex> lock(mutex);
  if (!told->insert(std::string(name) + "=" + value).second) return;
  std::fprintf(stderr, "greta-sim: %s=%s is not understood: expected %s, using %s\n", name,
               value.c_str(), expected.c_str(), used.c_str());
}

inline long number_variable(const char* name, long least, long most, long otherwise) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (*end == '\0' && errno == 0 && value >= least && value <= most) return value;
  complain(name, text, "a number from " + std::to_string(least) + " to " + std::to_string(most),
           std::to_string(otherwise));
  return otherwise;
}

}  // namespace greta
