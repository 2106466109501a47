// Calls, in several ways, a function that says where it was called from. Prints the libraries as
// the recorder writes them, and for each call its return address, function and line.
#include <unistd.h>

#include "print_libraries.h"

#define HERE (void)0, (expected_line = __LINE__)

static int expected_line;

extern "C" __attribute__((noinline)) void called(const char* function) {
  printf("site %p %d %s\n", __builtin_return_address(0), expected_line, function);
}

namespace shapes {

template <typename T>
struct Box {
  __attribute__((noinline)) void fill(T) {
    HERE, called("shapes::Box<int>::fill(int)");
    printf(" ");  // the call must not be the function's last act, or it becomes a jump
  }
};

}  // namespace shapes

// The call is the last thing there is: its return address lies in the next function.
__attribute__((noinline, noreturn)) static void last_act() {
  HERE, called("last_act()");
  fflush(stdout);
  _exit(0);
}

extern "C" __attribute__((noinline)) void plain_function() {
  HERE, called("plain_function");
  // A call spread over lines is at the line of its name.
  // clang-format off
  HERE, called(
            "plain_function");
  // clang-format on
  auto lambda = [](int) __attribute__((noinline)) {
    HERE, called("plain_function::{lambda(int)#1}::operator()(int) const");
    printf(" ");
  };
  lambda(1);
  printf(" ");
}

extern "C" void run_all() {
  print_libraries();
  plain_function();
  shapes::Box<int>().fill(1);
  last_act();
}

#ifndef LIBRARY
int main() { run_all(); }
#endif
