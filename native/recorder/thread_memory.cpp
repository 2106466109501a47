#include "recorder/thread_memory.h"

#include <utility>

namespace greta::recorder {

__attribute__((tls_model("initial-exec"))) thread_local ThreadMemory* t_memory = nullptr;

ThreadMemory& new_thread_memory() {
  t_memory = new ThreadMemory{};
  return *t_memory;
}

void drop_thread_memory() { delete std::exchange(t_memory, nullptr); }

}  // namespace greta::recorder
