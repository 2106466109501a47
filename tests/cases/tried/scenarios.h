// One program for many small scenarios: `program NAME wrong|right`.
#ifndef GRETA_TESTS_CASES_TRIED_SCENARIOS_H
#define GRETA_TESTS_CASES_TRIED_SCENARIOS_H

#include <functional>
#include <map>

#include "gpu.h"

inline bool wrong;
inline hipModule_t kernels;
inline const int N = 1024;

inline hipFunction_t K(const char* name) { return kernel(kernels, name); }

inline std::map<std::string, std::function<void()>>& scenarios() {
  static std::map<std::string, std::function<void()>> all;
  return all;
}

#define SCENARIO(name)                                                   \
  static void name();                                                    \
  static const bool is_known_##name = (scenarios()[#name] = name, true); \
  static void name()

int main(int count, char** words) {
  expect(count == 3, "a scenario, wrong or right");
  wrong = std::string(words[2]) == "wrong";
  kernels = load_kernels();
  scenarios().at(words[1])();
  std::puts("STATUS=OK");
  return 0;
}

#endif  // GRETA_TESTS_CASES_TRIED_SCENARIOS_H
