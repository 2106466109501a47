#include "recorder/watch/added_work.h"

#include <cstdlib>
#include <cstring>

#include "recorder/hooks/captures.h"
#include "recorder/hooks/own_calls.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/lanes/tables.h"
#include "recorder/lanes/thread_state.h"
#include "recorder/watch/added_sync.h"
#include "recorder/watch/host_watch.h"

namespace greta::recorder {

bool g_added_work = false;

namespace {

bool watch_is_asked_for() {
  const char* value = secure_getenv("GRETA_RECORD_WATCH_HOST");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

__attribute__((constructor)) void look_what_is_asked_for() {
  g_added_work = watch_is_asked_for() || sync_is_asked_for();
}

bool watching() { return host_watch().is_on(); }

uintptr_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
Stream stream_of(const void* handle) { return host_watch().stream_of(handle); }

constexpr unsigned kNonBlocking = 1;  // hipStreamNonBlocking

void write_entry(Call id, const char* name, const char* words) {
  write_table_line(JsonLine("call")
                       .field("id", static_cast<uint64_t>(id))
                       .field("name", name)
                       .raw("words", words));
}

std::vector<Flight> none() { return {}; }

}  // namespace

void* config_stream(const void* config) {
  constexpr size_t kStreamAt = 32;  // in both structs
  void* stream = nullptr;
  if (config == nullptr) return nullptr;
  std::memcpy(&stream, static_cast<const char*>(config) + kStreamAt, sizeof stream);
  return stream;
}

void copy_begins(const greta_record& copy, const HostCopy& sides, void* stream) {
  if (watching()) host_watch().copy_begins(copy, sides, stream);
}

void copy_was_enqueued(int result) {
  if (watching()) host_watch().copy_was_enqueued(result);
}

void work_was_enqueued(const greta_record& operation, void* stream, int result) {
  if (watching() && result == 0) {
    host_watch().follow([&](Flights& flights) {
      flights.enqueued(stream_of(stream));
      return none();
    });
  }
  if (sync_is_asked_for()) sync_after(operation, stream, result);
}

void host_memory_made(const void* memory, size_t bytes) {
  if (watching()) host_watch().memory_made(address(memory), bytes, false);
}

void host_memory_registered(const void* memory, size_t bytes) {
  if (watching()) host_watch().memory_made(address(memory), bytes, true);
}

void host_memory_ends(const void* memory) {
  if (watching()) host_watch().memory_ends(address(memory));
}

void stream_was_made(const void* stream, unsigned flags) {
  if (!watching()) return;
  host_watch().follow([&](Flights& flights) {
    Stream made = stream_of(stream);
    made.kind = (flags & kNonBlocking) != 0 ? StreamKind::non_blocking : StreamKind::blocking;
    flights.stream_made(made);
    return none();
  });
}

void stream_is_gone(const void* stream) {
  if (!watching()) return;
  host_watch().follow([&](Flights& flights) {
    flights.stream_gone(stream_of(stream));
    return none();
  });
}

void stream_was_waited_for(const void* stream) {
  if (!watching()) return;
  host_watch().follow([&](Flights& flights) { return flights.stream_waited(stream_of(stream)); });
}

void event_was_waited_for(const void* event) {
  if (!watching()) return;
  host_watch().follow(
      [&](Flights& flights) { return flights.event_waited(of_runtime(address(event))); });
}

void device_was_waited_for(int device) {
  if (!watching()) return;
  host_watch().follow(
      [&](Flights& flights) { return flights.device_waited(watched_device(device)); });
}

void event_was_recorded(const void* event, const void* stream) {
  if (!watching()) return;
  host_watch().follow([&](Flights& flights) {
    flights.event_recorded(of_runtime(address(event)), stream_of(stream));
    return none();
  });
}

void stream_will_wait(const void* stream, const void* event) {
  if (!watching()) return;
  host_watch().follow([&](Flights& flights) {
    flights.stream_waits(stream_of(stream), of_runtime(address(event)));
    return none();
  });
}

void capture_began() { count_capture(1); }
void capture_ended() { count_capture(-1); }

void write_own_entries() {
  if (!g_added_work) return;
  write_entry(kHostTouch, "greta_host_touch",
              R"(["address:void*:in","write:int:in","begin:void*:in","bytes:size_t:in",)"
              R"("copy_lane:int:in","copy_begin:uint64_t:in","stream:hipStream_t:in"])");
  write_entry(kAddedSync, "greta_added_sync",
              R"(["operation:uint64_t:in","stream:hipStream_t:in"])");
  if (watch_is_asked_for() && !watching()) {
    write_note("host memory is not watched: libgreta_hostwatch.so is not loaded");
  }
}

void forget_added_work() {
  if (!g_added_work) return;
  host_watch().forget();
  forget_operations();
}

}  // namespace greta::recorder
