// Processes that start others: a fork that calls HIP, an exec, a fork that only exits.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

int main(int count, char** arguments) {
  int devices;
  if (count > 1 && std::strcmp(arguments[1], "grandchild") == 0) {
    return hipGetDeviceCount(&devices);
  }
  if (fork() == 0) {  // before the first call: HIP works in the child
    hipGetDeviceCount(&devices);
    hipDriverGetVersion(&devices);
    _exit(7);
  }
  wait(nullptr);
  hipGetDevice(&devices);
  if (fork() == 0) _exit(0);
  wait(nullptr);
  if (fork() == 0) execl(arguments[0], arguments[0], "grandchild", nullptr);
  wait(nullptr);
  hipGetDevice(&devices);
  return 0;
}
