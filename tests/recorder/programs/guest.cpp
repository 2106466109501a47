// Things that programs do and that a recorder inside them must not disturb.  guest WHAT
#include <fcntl.h>
#include <glob.h>
#include <hip/hip_runtime.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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

// Acts as what was there before it would have.
void act_as_before(int number, siginfo_t*, void*) {
  if (g_before.sa_handler != SIG_DFL) _exit(3);
  signal(number, SIG_DFL);
  raise(number);
}

int handler_acts_as_before() {
  int value;
  hipGetDeviceCount(&value);
  const pid_t child = fork();
  if (child == 0) {
    hipGetDeviceCount(&value);
    struct sigaction ours = {};
    ours.sa_sigaction = act_as_before;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGTERM, &ours, &g_before);
    if (signal(SIGHUP, SIG_IGN) != SIG_DFL) _exit(4);
    raise(SIGTERM);
    _exit(5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 1;
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

// Waits for a second, and is called away by the handler after a tenth of it.
void wait_with(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGALRM, &action, nullptr);
  hipStream_t stream;
  hipStreamCreate(&stream);
  hipLaunchHostFunc(stream, [](void*) { sleep(1); }, nullptr);
  ualarm(100000, 0);
  hipStreamSynchronize(stream);
}

void jump_back(int) { siglongjmp(g_back, 1); }

int jumps_out_of_a_call() {
  if (sigsetjmp(g_back, 1) == 0) wait_with(jump_back);
  for (int i = 0; i < 10; ++i) hipPeekAtLastError();
  _exit(0);
}

// From a frame that lies deeper than that of the call that was left.
__attribute__((noinline)) void peek_from_below(int times) {
  volatile char room[16384];
  room[0] = 0;
  for (int i = 0; i < times; ++i) hipPeekAtLastError();
}

int jumps_and_goes_deeper() {
  if (sigsetjmp(g_back, 1) == 0) wait_with(jump_back);
  peek_from_below(10);
  _exit(0);
}

// While the program waits in a call.
int calls_in_a_handler() {
  wait_with([](int) { peek_from_below(5); });
  peek_from_below(5);
  return 0;
}

// A fork that the C library does not tell anybody of.
int forks_by_itself() {
  peek_from_below(20);
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) {
    peek_from_below(50);
    _exit(0);
  }
  int status = 1;
  waitpid(static_cast<pid_t>(child), &status, 0);
  peek_from_below(20);
  return status;
}

// No file can be opened for a while.
int has_no_descriptors() {
  hipPeekAtLastError();
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none = {0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 1000; ++i) hipPeekAtLastError();
  if (setrlimit(RLIMIT_NOFILE, &before) != 0) return 1;
  for (int i = 0; i < 1000; ++i) hipPeekAtLastError();
  return 0;
}

// Neither when HIP is called for the first time.
int has_no_descriptors_at_first() {
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none = {0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 10; ++i) hipPeekAtLastError();
  if (setrlimit(RLIMIT_NOFILE, &before) != 0) return 1;
  for (int i = 0; i < 100; ++i) hipPeekAtLastError();
  return 0;
}

std::atomic<bool> g_done{false};
std::atomic<long> g_written{0};

// Writes where nothing is open, as a library does that logs to a stream its program has closed.
void* log_to_closed_streams(void*) {
  const std::string line(200, '#');
  while (!g_done) {
    for (int stream = 0; stream < 3; ++stream) {
      if (write(stream, line.data(), line.size()) > 0) ++g_written;
    }
  }
  return nullptr;
}

int logs_to_closed_streams() {
  for (int stream = 0; stream < 3; ++stream) close(stream);
  pthread_t logger;
  if (pthread_create(&logger, nullptr, log_to_closed_streams, nullptr) != 0) return 1;
  const auto call = [](void*) -> void* {
    for (int i = 0; i < 50000; ++i) hipPeekAtLastError();
    return nullptr;
  };
  pthread_t others[2];
  for (pthread_t& other : others) pthread_create(&other, nullptr, call, nullptr);
  call(nullptr);
  for (pthread_t& other : others) pthread_join(other, nullptr);
  g_done = true;
  pthread_join(logger, nullptr);
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) return 1;
  }
  return g_written == 0 ? 0 : 1;
}

// What the recorder goes by must not be what it has written: others may write there, too.
int damages_its_recording() {
  hipPeekAtLastError();
  glob_t lanes = {};
  glob((std::string(getenv("GRETA_RECORD")) + "/*/lane.*").c_str(), 0, nullptr, &lanes);
  for (size_t i = 0; i < lanes.gl_pathc; ++i) {
    const int lane = open(lanes.gl_pathv[i], O_WRONLY);
    const std::string junk(16, '#');  // greta_lane.ring_records and .written
    if (pwrite(lane, junk.data(), junk.size(), 24) != 16) return 1;
    close(lane);
  }
  for (int i = 0; i < 5000; ++i) hipPeekAtLastError();
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
  if (what == "jumps and goes deeper") return jumps_and_goes_deeper();
  if (what == "calls in a handler") return calls_in_a_handler();
  if (what == "forks by itself") return forks_by_itself();
  if (what == "handler acts as before") return handler_acts_as_before();
  if (what == "has no descriptors") return has_no_descriptors();
  if (what == "has no descriptors at first") return has_no_descriptors_at_first();
  if (what == "logs to closed streams") return logs_to_closed_streams();
  if (what == "damages its recording") return damages_its_recording();
  if (what == "keeps errno") return keeps_errno();
  if (what == "exits in a handler") return exits_in_a_handler();
  if (what == "may write little") return may_write_little();
  return 2;
}
