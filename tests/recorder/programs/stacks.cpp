// Calls hipMalloc from stacks of all shapes. Before each it prints what the C library finds: the
// return addresses of `allocate` and its callers.
#include <execinfo.h>
#include <hip/hip_runtime_api.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define KEPT __attribute__((noinline, noclone))

static volatile int g_after;  // so that no call is the last thing a function does

static bool g_prints = true;

KEPT static void allocate() {
  void* frames[128];
  const int count = g_prints ? backtrace(frames, 128) : 0;
  for (int i = 1; i < count; ++i) std::printf("%p ", frames[i]);
  void* memory = nullptr;
  (void)hipMalloc(&memory, 64);
  if (g_prints) std::printf("\n");
  g_after = 1;
}

KEPT static void plain(int depth) {
  if (depth > 0) {
    plain(depth - 1);
  } else {
    allocate();
  }
  g_after = depth;
}

// rbp is used for the frame.
KEPT static void with_alloca(int bytes) {
  auto* memory = static_cast<volatile char*>(__builtin_alloca(static_cast<size_t>(bytes)));
  memory[0] = 1;
  plain(1);
  g_after = memory[0];
}

// The stack is aligned, and the frame ends where an address on it says.
KEPT static void aligned(int bytes) {
  alignas(64) volatile char memory[64];
  auto* more = static_cast<volatile char*>(__builtin_alloca(static_cast<size_t>(bytes)));
  memory[0] = more[0] = 1;
  with_alloca(bytes);
  g_after = memory[0] + more[0];
}

template <typename T>
struct Ops {
  KEPT static void run(T) {
    aligned(100);
    g_after = 2;
  }
};

struct Thrower {
  ~Thrower() { plain(2); }  // while an exception is on its way
};

KEPT static void throws() {
  const Thrower thrower;
  throw 1;
}

KEPT static int compare(const void*, const void*) {
  plain(0);
  return 0;
}

static ucontext_t g_main, g_fiber;
static void in_fiber() {
  Ops<float>::run(1);
  swapcontext(&g_fiber, &g_main);
}

static void on_signal(int) { plain(1); }

// Code that no unwind table knows: it calls the function it is given.
static void call_from_nowhere(void (*function)()) {
  const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(page, code, sizeof code);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  reinterpret_cast<void (*)(void (*)())>(page)(function);
}

// As far as rbp leads is nowhere, and the tables of the caller say that it is needed.
KEPT static void with_broken_rbp(int bytes) {
  auto* memory = static_cast<volatile char*>(__builtin_alloca(static_cast<size_t>(bytes)));
  memory[0] = 1;
  void* device = nullptr;
  void* arguments[2] = {&device, nullptr};
  asm volatile(
      "mov %%rbp, %%r12\n mov %%rsp, %%r13\n and $-16, %%rsp\n mov %1, %%rbp\n"
      "mov (%0), %%rdi\n mov $64, %%esi\n call *%2\n mov %%r13, %%rsp\n mov %%r12, %%rbp\n"
      :
      : "r"(arguments), "r"(static_cast<uintptr_t>(0x10)),
        "r"(static_cast<hipError_t (*)(void**, size_t)>(&hipMalloc))
      : "r12", "r13", "rdi", "rsi", "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
  g_after = memory[0];
}

static void run(const std::string& how) {
  if (how == "nested") Ops<std::vector<int>>::run({});
  if (how == "deep") plain(200);
  if (how == "throws") {
    try {
      throws();
    } catch (int) {
    }
  }
  if (how == "sorts") {
    int two[2] = {2, 1};
    std::qsort(two, 2, sizeof(int), compare);
  }
  if (how == "thread") std::thread([] { Ops<int>::run(1); }).join();
  if (how == "fiber") {
    getcontext(&g_fiber);
    std::vector<char> stack(1 << 16);
    g_fiber.uc_stack.ss_sp = stack.data();
    g_fiber.uc_stack.ss_size = stack.size();
    makecontext(&g_fiber, in_fiber, 0);
    swapcontext(&g_main, &g_fiber);
  }
  if (how == "handler") {
    std::vector<char> stack(1 << 16);
    const stack_t alternative{stack.data(), 0, stack.size()};
    sigaltstack(&alternative, nullptr);
    struct sigaction action{};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    raise(SIGUSR1);
  }
  if (how == "nowhere") {
    g_prints = false;
    call_from_nowhere(&allocate);
  }
  if (how == "broken") with_broken_rbp(64);
  if (how == "loop") {
    g_prints = false;
    for (int i = 0; i < 1000; ++i) plain(3);
  }
}

int main(int, char** arguments) {
  void* warm[4];
  if (std::string(arguments[1]) != "loop") backtrace(warm, 4);  // loads what it needs
  run(arguments[1]);
  g_after = 3;
  return 0;
}
