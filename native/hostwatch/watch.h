// What the recorder does with what is seen here (native/recorder/watch/host_watch.cpp).
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

extern "C" {
int greta_watch_fault(int signal, siginfo_t* info, void* context);
void greta_watch_system_call(uintptr_t memory, size_t bytes, int write, const void* site);
void greta_watch_mark_library_thread();
int greta_watch_is_inside_library();
void greta_watch_is_possible();
}

#define GRETA_HOSTWATCH_EXPORT extern "C" __attribute__((visibility("default")))
