#include "device/worker_thread.h"

#include <csignal>
#include <memory>

#include "device/signal_chain.h"

namespace greta::sim {
namespace {

// Kernels run on fibers; a worker's own stack carries only the device's code, the memory map's
// and printf.
constexpr size_t kStackBytes = 512 * 1024;

struct Start {
  const char* name;
  void (*body)(void*);
  void* argument;
};

void* thread_main(void* raw_start) {
  const std::unique_ptr<Start> start(static_cast<Start*>(raw_start));
  pthread_setname_np(pthread_self(), start->name);
  start->body(start->argument);
  return nullptr;
}

}  // namespace

bool start_worker_thread(const char* name, void (*body)(void*), void* argument, pthread_t* thread) {
  auto start = std::make_unique<Start>(Start{name, body, argument});
  // A new thread inherits the mask of its creator.
  sigset_t blocked, before;
  sigfillset(&blocked);
  remove_fault_signals(&blocked);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const bool started = pthread_create(thread, &attributes, &thread_main, start.get()) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (started) start.release();
  return started;
}

}  // namespace greta::sim
