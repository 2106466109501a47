/* The same calls from a stack of so many frames: the fourth argument. */
#include "calls.h"

int hipMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream);

static volatile int after; /* so that no call is the last thing a function does */

__attribute__((noinline, noclone)) static void repeat(int depth, long calls) {
  if (depth > 0) {
    repeat(depth - 1, calls);
  } else {
    for (long i = 0; i < calls; ++i) {
      hipMemcpyAsync((void*)0x7f0000000000, (void*)0x7e0000000000, (size_t)i, 2, NULL);
    }
  }
  after = depth;
}

int main(int count, char** arguments) {
  if (count < 5) return 2;
  const long rounds = atol(arguments[1]), calls = atol(arguments[2]);
  const int depth = atoi(arguments[4]);
  repeat(depth, 1000);
  for (long round = 0; round < rounds; ++round) {
    const struct timespec pause = {0, atol(arguments[3]) * 1000000};
    nanosleep(&pause, NULL);
    const double begin = seconds();
    repeat(depth, calls);
    printf("%.2f\n", (seconds() - begin) * 1e9 / (double)calls);
  }
  return 0;
}
