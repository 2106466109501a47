// How the device starts its own threads.
#pragma once

#include <pthread.h>

namespace greta::sim {

// Starts body(argument) on a new thread that takes no signals but those its own faults raise.
// `name` has at most 15 characters. False if the system has no thread left.
bool start_worker_thread(const char* name, void (*body)(void*), void* argument, pthread_t* thread);

}  // namespace greta::sim
