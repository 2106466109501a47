/* A loop of calls, timed in rounds; prints nanoseconds per call, one round a line. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* call(i) makes the i-th call. The pause lets what works beside the program catch up, as it does in
 * programs that do something between their calls. */
#define MEASURE(call)                                              \
  int main(int count, char** arguments) {                          \
    const long rounds = count > 1 ? atol(arguments[1]) : 20;       \
    const long calls = count > 2 ? atol(arguments[2]) : 20000;     \
    const long pause_ms = count > 3 ? atol(arguments[3]) : 30;     \
    for (long i = 0; i < 1000; ++i) call(i);                       \
    for (long round = 0; round < rounds; ++round) {                \
      const struct timespec pause = {0, pause_ms * 1000000};       \
      if (pause_ms) nanosleep(&pause, NULL);                       \
      const double begin = seconds();                              \
      for (long i = 0; i < calls; ++i) call(i);                    \
      printf("%.2f\n", (seconds() - begin) * 1e9 / (double)calls); \
    }                                                              \
    return 0;                                                      \
  }
