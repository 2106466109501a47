// Touches pinned memory while a copy to or from it is in flight, or waits for it first.
// Usage: touches HOW WAIT; each HOW is a line of its own below, and so is each WAIT.
#include <fcntl.h>
#include <hip/hip_runtime_api.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

static void check(hipError_t error) {
  if (error == hipSuccess) return;
  fprintf(stderr, "%s\n", hipGetErrorName(error));
  exit(9);
}

static void slowly(void*) { usleep(150000); }

static volatile int g_sink;
static hipStream_t g_stream;
static hipEvent_t g_event;

static void wait_by(const std::string& way) {
  if (way == "stream") check(hipStreamSynchronize(g_stream));
  if (way == "event") check(hipEventSynchronize(g_event));
  if (way == "device") check(hipDeviceSynchronize());
  if (way == "query")
    while (hipEventQuery(g_event) != hipSuccess) usleep(1000);
  if (way == "asking")
    while (hipStreamQuery(g_stream) != hipSuccess) usleep(1000);
  if (way == "joined") {
    hipStream_t other;
    check(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    check(hipStreamWaitEvent(other, g_event, 0));
    check(hipStreamSynchronize(other));
  }
  if (way == "elapsed") {
    float ms;
    while (hipEventElapsedTime(&ms, g_event, g_event) != hipSuccess) usleep(1000);
  }
  void* other = nullptr;
  if (way == "free") {
    check(hipMalloc(&other, 64));
    check(hipFree(other));
  }
  if (way == "host_free") {
    check(hipHostMalloc(&other, 64, 0));
    check(hipHostFree(other));
  }
  if (way == "unregister") {
    static char own[8192];
    check(hipHostRegister(own, sizeof own, 0));
    check(hipHostUnregister(own));
  }
  if (way == "free_of_pool") {  // which waits for nothing
    hipStream_t stream;
    check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    check(hipMallocAsync(&other, 64, stream));
    check(hipFree(other));
  }
  if (way == "free_of_nothing") check(hipFree(nullptr));
  if (way == "landed") usleep(400000);  // it has, but the program does not know
}

static sigjmp_buf g_back;
static void on_fault(int) { siglongjmp(g_back, 1); }

// The program's own handler for its own fault.
static int own_fault() {
  struct sigaction mine = {};
  mine.sa_handler = on_fault;
  sigaction(SIGSEGV, &mine, nullptr);
  if (sigsetjmp(g_back, 1) == 0) *(volatile int*)8 = 1;
  struct sigaction found = {};
  sigaction(SIGSEGV, nullptr, &found);
  return found.sa_handler == on_fault ? 0 : 7;
}

// As little as the system allows, and less than a handler with buffers of its own would need.
static void read_on_small_stack(int* host) {
  static char room[16384];
  stack_t small = {};
  small.ss_sp = room + 4096;
  small.ss_size = 12288;
  if (sigaltstack(&small, nullptr) != 0) exit(8);
  memset(room, 0x5a, 4096);
  g_sink = host[3];  // SMALL
  for (int i = 0; i < 4096; ++i)
    if (room[i] != 0x5a) exit(6);
}

static void read_with_signals_blocked(int* host) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  g_sink = host[3];  // BLOCKED
}

static int read_in_child(int* host) {
  const pid_t child = fork();
  if (child == 0) _exit(host[3] == 0x01010101 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int main(int count, char** words) {
  const std::string how = count > 1 ? words[1] : "read", wait = count > 2 ? words[2] : "none";
  const size_t bytes = 1 << 20;
  int *device, *host;
  check(hipMalloc((void**)&device, bytes));
  if (how == "registered") {
    host = (int*)mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(hipHostRegister(host, bytes, 0));
  } else {
    check(hipHostMalloc((void**)&host, bytes, 0));
  }
  memset(host, 1, bytes);
  check(hipMemset(device, 2, bytes));
  check(hipDeviceSynchronize());
  check(hipStreamCreateWithFlags(&g_stream, hipStreamNonBlocking));
  check(hipEventCreate(&g_event));
  check(hipLaunchHostFunc(g_stream, slowly, nullptr));
  if (how == "source" || how == "source_read") {
    check(hipMemcpyAsync(device, host, bytes, hipMemcpyHostToDevice, g_stream));
  } else if (how == "rows") {
    check(hipMemcpy2DAsync(host, 8192, device, 4096, 64, 100, hipMemcpyDefault, g_stream));
  } else if (how == "neighbour") {
    check(hipMemcpyAsync(host + 16, device, 64, hipMemcpyDeviceToHost, g_stream));
  } else {
    check(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, g_stream));
  }
  check(hipEventRecord(g_event, g_stream));
  wait_by(wait);
  if (how == "read" || how == "registered") g_sink = host[5000];  // READ
  if (how == "write") host[7] = 3;                                // WRITE
  if (how == "source") host[9] = 4;                               // SOURCE
  if (how == "source_read") g_sink = host[9];
  if (how == "rows") {
    g_sink = host[8192 / 4 + 32];  // between the rows
    g_sink = host[8192 / 4 + 3];   // ROW
  }
  if (how == "neighbour") {
    for (int i = 0; i < 16; ++i) g_sink = host[i];
    g_sink = host[40];
    g_sink = host[17];  // NEIGHBOUR
  }
  if (how == "memcpy") {
    char* own = (char*)malloc(bytes);
    memcpy(own, host, bytes);  // MEMCPY
    g_sink = own[5];
  }
  if (how == "all")
    for (size_t i = 0; i < bytes / 4; ++i) g_sink = host[i];
  if (how == "thread") std::thread([&] { g_sink = host[0]; }).join();
  if (how == "file") {
    const int file = open("/dev/null", O_WRONLY);
    if (write(file, host, bytes) != (ssize_t)bytes) return 5;
  }
  if (how == "stdio") {
    FILE* file = fopen("/dev/null", "w");
    if (fwrite(host, 1, bytes, file) != bytes || fclose(file) != 0) return 5;
  }
  if (how == "small_stack") read_on_small_stack(host);
  if (how == "blocked") std::thread(read_with_signals_blocked, host).join();
  if (how == "fork" && read_in_child(host) != 0) return 4;
  if (how == "free") check(hipHostFree(host));
  if (how == "own_fault" && own_fault() != 0) return 7;
  if (how == "crash") *(volatile int*)8 = 1;
  check(hipStreamSynchronize(g_stream));
  if (how == "free" || how == "source" || how == "source_read") return 0;
  const int last = how == "rows" ? 99 * 8192 / 4 : how == "neighbour" ? 31 : (int)(bytes / 4) - 1;
  return host[last] == 0x02020202 ? 0 : 3;  // the copy itself was not disturbed
}
