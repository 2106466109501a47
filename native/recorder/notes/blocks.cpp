// Blocks that a program announces inside its allocations (greta/blocks.h), as records.
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "recorder/hooks/export.h"
#include "recorder/hooks/own_calls.h"
#include "recorder/hooks/recorded_call.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/tables.h"

namespace greta::recorder {
namespace {

void write_entry(Call id, const char* name, const char* words) {
  write_table_line(JsonLine("call")
                       .field("id", static_cast<uint64_t>(id))
                       .field("name", name)
                       .raw("words", words));
}

// Before the first block of a process; a forked child has tables of its own.
void write_entries_once() {
  static std::atomic<pid_t> written_by{0};
  static std::mutex mutex;
  if (written_by.load(std::memory_order_acquire) == getpid() || !recording().is_on()) return;
  std::lock_guard<std::mutex> lock(mutex);
  if (written_by.load(std::memory_order_relaxed) == getpid()) return;
  write_entry(
      kBlockCreated, "greta_block_created",
      R"(["base:void*:in","bytes:size_t:in","name:char*:in:text","stream:hipStream_t:in"])");
  write_entry(
      kBlockDestroyed, "greta_block_destroyed",
      R"(["base:void*:in","bytes:size_t:in","name:char*:in:text","stream:hipStream_t:in"])");
  written_by.store(getpid(), std::memory_order_release);
}

void record(Call what, const void* site, const void* base, size_t bytes, const char* name,
            const void* stream) {
  const ErrnoKeeper errno_keeper;
  if (!is_same_process()) recording().begin_anew();
  write_entries_once();
  RecordedCall call(what, site, 0);
  if (!call) return;
  call.word(0) = reinterpret_cast<uint64_t>(base);
  call.word(1) = bytes;
  call.word(2) = text_id(name);
  call.word(3) = reinterpret_cast<uint64_t>(stream);
  call.begin();
  call.finish(0);
}

}  // namespace

extern "C" GRETA_EXPORT void greta_recorder_block_created(const void* base, size_t bytes,
                                                          const char* name, const void* stream) {
  record(kBlockCreated, __builtin_return_address(0), base, bytes, name, stream);
}

extern "C" GRETA_EXPORT void greta_recorder_block_destroyed(const void* base, size_t bytes,
                                                            const char* name, const void* stream) {
  record(kBlockDestroyed, __builtin_return_address(0), base, bytes, name, stream);
}

}  // namespace greta::recorder
