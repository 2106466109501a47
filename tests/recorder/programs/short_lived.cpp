// Many threads that make some calls and end.  short_lived THREADS CALLS
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int threads = std::atoi(arguments[1]);
  const int calls = std::atoi(arguments[2]);
  for (int first = 0; first < threads; first += 4) {
    std::vector<std::thread> running;
    for (int i = 0; i < 4; ++i) {
      running.emplace_back([calls] {
        for (int call = 0; call < calls; ++call) hipPeekAtLastError();
      });
    }
    for (std::thread& thread : running) thread.join();
  }
  return 0;
}
