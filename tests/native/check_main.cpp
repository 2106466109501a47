// Runs the tests whose names contain one of the arguments, or all. `-l` lists them.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "check.h"

namespace {

int failures = 0;

bool is_chosen(const char* name, int count, char** words) {
  if (count <= 1) return true;
  for (int i = 1; i < count; ++i) {
    if (std::strstr(name, words[i]) != nullptr) return true;
  }
  return false;
}

bool run(const check::Test& test) {
  const int before = failures;
  const auto start = std::chrono::steady_clock::now();
  std::printf("%-64s", test.name);
  std::fflush(stdout);
  test.body();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  const bool passed = failures == before;
  std::printf("%s %8.1f ms\n", passed ? "ok  " : "FAIL", took.count());
  return passed;
}

}  // namespace

void check::report_failure(const char* file, int line, const std::string& what) {
  constexpr int kMostPrinted = 50;
  if (++failures <= kMostPrinted) {
    std::printf("\n  %s:%d: %s", std::strrchr(file, '/') + 1, line, what.c_str());
  }
}

int main(int count, char** words) {
  int ran = 0, failed = 0;
  for (const check::Test& test : check::tests()) {
    if (count == 2 && std::strcmp(words[1], "-l") == 0) {
      std::printf("%s\n", test.name);
    } else if (is_chosen(test.name, count, words)) {
      ++ran;
      failed += !run(test);
    }
  }
  std::printf("%d tests, %d failed\n", ran, failed);
  return failed != 0;
}
