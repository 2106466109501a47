// Things that programs do and that a recorder inside them must not disturb.  guest WHAT
#include <fcntl.h>
#include <hip/hip_runtime.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

// A child that was forked after the parent's first call, calls HIP itself and dies of a signal.
int forked_child_dies(int signal_number) {
  int value;
  hipGetDeviceCount(&value);
  const pid_t child = fork();
  if (child == 0) {
    hipDriverGetVersion(&value);
    raise(signal_number);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WTERMSIG(status) == signal_number ? 0 : 1;
}

struct sigaction g_before;
volatile int g_seen = 0;

// Calls whatever was there before it, as libraries do.
void chain(int number, siginfo_t* info, void* context) {
  g_seen = g_seen + 1;
  if (g_before.sa_flags & SA_SIGINFO) return g_before.sa_sigaction(number, info, context);
  if (g_before.sa_handler != SIG_DFL && g_before.sa_handler != SIG_IGN) g_before.sa_handler(number);
}

int handler_chains() {
  int value;
  hipGetDeviceCount(&value);
  struct sigaction ours = {};
  ours.sa_sigaction = chain;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGTERM, &ours, &g_before);
  raise(SIGTERM);
  raise(SIGTERM);
  return g_seen == 2 ? 0 : 1;
}

int small_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  const auto call = [](void*) -> void* {
    hipPeekAtLastError();
    return nullptr;
  };
  pthread_t thread;
  if (pthread_create(&thread, &attributes, call, nullptr) != 0) return 1;
  return pthread_join(thread, nullptr);
}

sigjmp_buf g_back;

int jumps_out_of_a_call() {
  struct sigaction jump = {};
  jump.sa_handler = [](int) { siglongjmp(g_back, 1); };
  sigaction(SIGALRM, &jump, nullptr);
  hipStream_t stream;
  hipStreamCreate(&stream);
  if (sigsetjmp(g_back, 1) == 0) {
    hipLaunchHostFunc(stream, [](void*) { sleep(1); }, nullptr);
    ualarm(100000, 0);
    hipStreamSynchronize(stream);
  }
  for (int i = 0; i < 10; ++i) hipPeekAtLastError();
  _exit(0);
}

// No file can be opened for a while.
int has_no_descriptors() {
  hipPeekAtLastError();
  const rlimit none = {0, 4096};
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 1000; ++i) hipPeekAtLastError();
  setrlimit(RLIMIT_NOFILE, &before);
  for (int i = 0; i < 1000; ++i) hipPeekAtLastError();
  return 0;
}

int keeps_errno() {
  errno = 77;
  hipPeekAtLastError();
  return errno == 77 ? 0 : 1;
}

int exits_in_a_handler() {
  struct sigaction leave = {};
  leave.sa_handler = [](int) { _exit(0); };
  sigaction(SIGALRM, &leave, nullptr);
  ualarm(20000, 0);
  for (;;) {  // mostly inside malloc
    std::string text(1000, 'x');
    text += text;
  }
}

int may_write_little() {
  signal(SIGXFSZ, SIG_DFL);
  const rlimit little = {50 * 1024, 50 * 1024};
  setrlimit(RLIMIT_FSIZE, &little);
  for (int i = 0; i < 2000; ++i) hipPeekAtLastError();
  return 0;
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "forked child terminated") return forked_child_dies(SIGTERM);
  if (what == "forked child crashed") return forked_child_dies(SIGSEGV);
  if (what == "handler chains") return handler_chains();
  if (what == "small stack") return small_stack();
  if (what == "jumps out of a call") return jumps_out_of_a_call();
  if (what == "has no descriptors") return has_no_descriptors();
  if (what == "keeps errno") return keeps_errno();
  if (what == "exits in a handler") return exits_in_a_handler();
  if (what == "may write little") return may_write_little();
  return 2;
}
