// What a run may ask for beyond its recording: that host memory is watched while copies are in
// flight (greta run --watch-host), that operations are waited for (greta pin).
//
// Hooks ask for g_added_work, which is false in an ordinary run: one branch that is never taken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/recording.h"

namespace greta::recorder {

extern bool g_added_work;

// hipMemcpyKind
constexpr int kHostToDevice = 1;
constexpr int kDeviceToHost = 2;
constexpr int kDeviceToDevice = 3;
constexpr int kDeviceToDeviceNoCu = 1024;

struct HostCopy {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch;
  size_t width;
  size_t height;
  int kind;
};

inline HostCopy plain_copy(void* to, const void* from, size_t bytes, int kind) {
  return {to, bytes, from, bytes, bytes, 1, kind};
}

// Of the twins NAME_spt, whose default stream is the thread's own (hipStreamPerThread).
inline void* own_stream(void* stream) {
  return stream != nullptr ? stream : reinterpret_cast<void*>(2);
}

// Of a launch that takes its stream from hipLaunchConfig_t or HIP_LAUNCH_CONFIG.
void* config_stream(const void* config);

// --- called by the hooks -------------------------------------------------------------------------

// Before and after the call is forwarded, by the same thread.
void copy_begins(const greta_record& copy, const HostCopy& sides, void* stream);
void copy_was_enqueued(int result);
void work_was_enqueued(const greta_record& operation, void* stream, int result);

void host_memory_made(const void* address, size_t bytes);
void host_memory_registered(const void* address, size_t bytes);
void host_memory_ends(const void* address);

void stream_was_made(const void* stream, unsigned flags);
void stream_is_gone(const void* stream);
void stream_was_waited_for(const void* stream);
void event_was_waited_for(const void* event);
void device_was_waited_for(int device);
void event_was_recorded(const void* event, const void* stream);
void stream_will_wait(const void* stream, const void* event);
void capture_began();
void capture_ended();

// --- called by the recording ---------------------------------------------------------------------

// The entries of the records that are not calls of the program; numbered after roctx.
void write_own_entries();
// In a forked child.
void forget_added_work();

}  // namespace greta::recorder
