// Parent and child make the same call.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  hipPeekAtLastError();
  const pid_t child = fork();
  hipPeekAtLastError();
  return child == 0 || waitpid(child, nullptr, 0) == child ? 0 : 1;
}
