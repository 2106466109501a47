#include "recorder/hooks/launch_parts.h"

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <type_traits>

#include "recorder/hooks/hook.h"
#include "recorder/hooks/outside_call.h"
#include "recorder/hooks/own_calls.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/sites/safe_read.h"

namespace greta::recorder {
namespace {

constexpr uint64_t kMostParts = 64;  // devices of a node

// Before the first one of a process; a forked child has tables of its own.
void write_entry_once() {
  static std::atomic<pid_t> written_by{0};
  static std::mutex mutex;
  if (written_by.load(std::memory_order_acquire) == getpid() || !recording().is_on()) return;
  std::lock_guard<std::mutex> lock(mutex);
  if (written_by.load(std::memory_order_relaxed) == getpid()) return;
  write_table_line(
      JsonLine("call")
          .field("id", static_cast<uint64_t>(kPartLaunched))
          .field("name", "greta_part_launched")
          .raw("words",
               R"(["function:void*:in","gridDimX:unsigned int:in","gridDimY:unsigned int:in",)"
               R"("gridDimZ:unsigned int:in","blockDimX:unsigned int:in",)"
               R"("blockDimY:unsigned int:in","blockDimZ:unsigned int:in",)"
               R"("stream:hipStream_t:in","call:uint64_t:in"])"));
  written_by.store(getpid(), std::memory_order_release);
}

// Without the device's own errors, HIP says no to the list itself.
bool was_launched(int result) { return result == 0 || result == 700 || result == 719; }

template <typename Element>
void record_part(const Element& part, const greta_record& of, int result, HookFrame hook) {
  const KernelArguments arguments(kernel_of_either(part.function), part.kernel_params, nullptr);
  RecordedCall call(kPartLaunched, reinterpret_cast<const void*>(of.site), arguments.parts(), hook);
  if (!call) return;
  const abi::dim3 sizes[] = {part.grid_dim, part.block_dim};
  call.word(0) = widened(part.function);
  for (unsigned at = 0; at < 2; ++at) {
    call.word(1 + 3 * at) = sizes[at].x;
    call.word(2 + 3 * at) = sizes[at].y;
    call.word(3 + 3 * at) = sizes[at].z;
  }
  call.word(7) = widened(part.stream);
  call.word(8) = of.begin;
  call.keep_arguments(arguments);
  call.begin(true);
  call.finish(result);
}

}  // namespace

template <typename Element>
void record_parts(const greta_record& call, const void* list, uint64_t count, int result,
                  HookFrame hook) {
  if (!was_launched(result) || list == nullptr || count > kMostParts) return;
  const ErrnoKeeper errno_keeper;
  write_entry_once();
  const OutsideCall outside;
  const greta_record of = call;  // the next record may take its place
  for (uint64_t at = 0; at < count; ++at) {
    Element part;
    if (!read_safely(reinterpret_cast<uintptr_t>(static_cast<const Element*>(list) + at), &part)) {
      return;
    }
    record_part(part, of, result, hook);
  }
}

template void record_parts<abi::hipLaunchParams>(const greta_record&, const void*, uint64_t, int,
                                                 HookFrame);
template void record_parts<abi::hipFunctionLaunchParams>(const greta_record&, const void*, uint64_t,
                                                         int, HookFrame);

}  // namespace greta::recorder
