// Makes many calls on one thread; prints how much memory it had in use half-way and at the end, in
// KiB.  many CALLS
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::atol(line.c_str() + 6);
  }
  return -1;
}

}  // namespace

int main(int, char** arguments) {
  const long calls = std::atol(arguments[1]);
  void* kept;
  hipMalloc(&kept, 4096);
  for (long i = 0; i < calls / 2; ++i) hipPeekAtLastError();
  const long half = resident_kib();
  for (long i = 0; i < calls / 2; ++i) hipPeekAtLastError();
  std::printf("%ld %ld\n", half, resident_kib());
  return 0;
}
