// Threads that are made inside a HIP call, or by such a thread, are the library's: they do the
// device's work, and what they touch is no touch of the program's.
#include <pthread.h>

#include <new>

#include "hostwatch/next_function.h"
#include "hostwatch/watch.h"

namespace {

struct Start {
  void* (*function)(void*);
  void* argument;
};

void* run_as_library(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  greta_watch_mark_library_thread();
  return start.function(start.argument);
}

}  // namespace

GRETA_HOSTWATCH_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                          void* (*function)(void*), void* argument) noexcept {
  const auto next = GRETA_NEXT(pthread_create);
  auto* start =
      greta_watch_is_inside_library() != 0 ? new (std::nothrow) Start{function, argument} : nullptr;
  if (start == nullptr) return next(thread, attributes, function, argument);
  const int error = next(thread, attributes, run_as_library, start);
  if (error != 0) delete start;
  return error;
}
