// A small test framework: TEST(name) { CHECK(...); } anywhere, check_main.cpp runs them all.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*body)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*body)()) { tests().push_back({name, body}); }
};

// Prints the failure and counts it; the test goes on.
void report_failure(const char* file, int line, const std::string& what);

template <typename A, typename B>
void check_equal(const char* file, int line, const char* text, const A& a, const B& b) {
  if (a == b) return;
  std::ostringstream message;
  message << text << ": " << a << " is not " << b;
  report_failure(file, line, message.str());
}

}  // namespace check

// For tests that are about numbers: how often to repeat something. ThreadSanitizer makes switching
// fibers a thousand times slower, and learns nothing from the repetition.
#if defined(__SANITIZE_THREAD__)
constexpr int repetitions(int usual) { return usual / 20 + 1; }
#else
constexpr int repetitions(int usual) { return usual; }
#endif

#define TEST(name)                                                          \
  static void test_##name();                                                \
  static const check::Registration registration_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition) \
  ((condition) ? void() : check::report_failure(__FILE__, __LINE__, #condition))

#define CHECK_EQUAL(a, b) check::check_equal(__FILE__, __LINE__, #a " == " #b, a, b)
