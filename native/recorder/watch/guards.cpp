// Rules for editing.
// - A program must not be able to tell, but by faults: every call that is told of an allocation, or
//   tells of one, says what it would have said of the library's own (guarding() lists them).
// - Whatever fails on the way to a guarded allocation is undone, and the library's own hipMalloc
//   answers: with memory or with its error. Nothing is retried later.
// - hipFree waits for the device before anything is unmapped, as the library's does.
// - The library is called here in Phase::library: its calls are not recorded.
#include "recorder/watch/guards.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/tables.h"

namespace greta::recorder {

bool g_guards = secure_getenv("GRETA_RECORD_GUARD") != nullptr;

namespace {

// --- HIP, as far as it is needed here ------------------------------------------------------------

constexpr int kPinned = 1;       // hipMemAllocationTypePinned
constexpr int kOnDevice = 1;     // hipMemLocationTypeDevice
constexpr int kReadWrite = 3;    // hipMemAccessFlagsProtReadWrite
constexpr int kRangeStart = 11;  // HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR
constexpr int kRangeSize = 12;   // HIP_POINTER_ATTRIBUTE_RANGE_SIZE
constexpr int kMostDevices = 64;

struct Location {
  int type;
  int id;
};

struct Properties {
  int type;
  int handle_types;
  Location location;
  void* win32;
  unsigned char flags[4];
};

struct Access {
  Location location;
  int flags;
};

template <typename... Arguments>
int call_hip(Call call, Arguments... arguments) {
  return reinterpret_cast<int (*)(Arguments...)>(real_function(call))(arguments...);
}

// --- what is asked for ---------------------------------------------------------------------------

struct Asked {
  uint64_t least = 1;
  uint64_t most = UINT64_MAX;
  uint64_t budget = 0;  // 0: a quarter of the device's memory
};

// "LEAST:MOST:BUDGET" in bytes, each of which may be empty.
const Asked& asked() {
  static const Asked parsed = [] {
    Asked found;
    const char* text = secure_getenv("GRETA_RECORD_GUARD");
    uint64_t* const fields[] = {&found.least, &found.most, &found.budget};
    for (uint64_t* field : fields) {
      if (text == nullptr) break;
      char* end = nullptr;
      const uint64_t number = std::strtoull(text, &end, 10);
      if (end != text) *field = number;
      text = *end == ':' ? end + 1 : nullptr;
    }
    return found;
  }();
  return parsed;
}

// --- what is guarded -----------------------------------------------------------------------------

struct Guarded {
  uintptr_t begin = 0;  // reserved
  uint64_t reserved = 0;
  uint64_t mapped = 0;
  void* memory = nullptr;  // hipMemGenericAllocationHandle_t
  uintptr_t pointer = 0;   // what the program has
  uint64_t bytes = 0;
  int device = 0;
};

// Behind the allocation, before the next.
constexpr uint64_t kUnmapped = 128 << 10;

// Addresses of freed memory that stay unmapped, and how much of them: they cost nothing else.
constexpr size_t kMostFreed = 4096;
constexpr uint64_t kMostFreedBytes = 256ull << 30;

struct Freed {
  uintptr_t begin;
  uint64_t reserved;
};

struct Guards {
  std::mutex mutex;
  std::map<uintptr_t, Guarded> by_begin;
  std::deque<Freed> freed;
  uint64_t freed_bytes = 0;
  uint64_t mapped_bytes = 0;
  uint64_t budget[kMostDevices] = {};
  uint64_t granularity[kMostDevices] = {};
  bool said_why = false;
};

Guards& guards() {
  static Guards* const instance = new Guards;
  return *instance;
}

void say_once(const std::string& why) {
  Guards& all = guards();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    if (std::exchange(all.said_why, true)) return;
  }
  write_note("allocations without a guard page: " + why);
}

bool find(const void* pointer, Guarded* found) {
  Guards& all = guards();
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(all.mutex);
  auto next = all.by_begin.upper_bound(address);
  if (next == all.by_begin.begin()) return false;
  *found = std::prev(next)->second;
  return address >= found->pointer &&
         address - found->pointer < std::max<uint64_t>(found->bytes, 1);
}

Properties properties_of(int device) {
  Properties properties{};
  properties.type = kPinned;
  properties.location = {kOnDevice, device};
  return properties;
}

// 0: the device has no such memory.
uint64_t granularity_of(int device) {
  Guards& all = guards();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    if (all.granularity[device] != 0) return all.granularity[device];
  }
  const Properties properties = properties_of(device);
  size_t granularity = 0;
  const int minimum = 0;
  const int error = call_hip(Call::hipMemGetAllocationGranularity, static_cast<void*>(&granularity),
                             static_cast<const void*>(&properties), minimum);
  if (error != 0 || granularity == 0) return 0;
  size_t free = 0;
  size_t total = 0;
  call_hip(Call::hipMemGetInfo, static_cast<void*>(&free), static_cast<void*>(&total));
  std::lock_guard<std::mutex> lock(all.mutex);
  all.budget[device] = asked().budget != 0 ? asked().budget : total / 4;
  return all.granularity[device] = granularity;
}

bool take_budget(int device, uint64_t bytes) {
  Guards& all = guards();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (all.mapped_bytes + bytes > all.budget[device]) return false;
  all.mapped_bytes += bytes;
  return true;
}

void give_budget_back(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(guards().mutex);
  guards().mapped_bytes -= bytes;
}

uint64_t round_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// The end of the allocation is as near to the unmapped page as its own alignment allows: as much as
// its size has, at least what vector types need, at most what hipMalloc promises.
uint64_t alignment_of(uint64_t bytes) {
  const uint64_t own = bytes & (~bytes + 1);
  return std::clamp<uint64_t>(own, 16, 256);
}

// --- making one ----------------------------------------------------------------------------------

void unmap_guarded(const Guarded& one) {
  call_hip(Call::hipMemUnmap, reinterpret_cast<void*>(one.begin), size_t{one.mapped});
  call_hip(Call::hipMemRelease, one.memory);
}

// Devices that reach this one's memory once peer access is enabled; here they always do.
int set_access(const Guarded& one) {
  Access list[kMostDevices];
  int count = 0;
  list[count++] = {{kOnDevice, one.device}, kReadWrite};
  int devices = 0;
  call_hip(Call::hipGetDeviceCount, static_cast<void*>(&devices));
  for (int other = 0; other < std::min(devices, kMostDevices); ++other) {
    int can = 0;
    if (other == one.device) continue;
    call_hip(Call::hipDeviceCanAccessPeer, static_cast<void*>(&can), other, one.device);
    if (can != 0) list[count++] = {{kOnDevice, other}, kReadWrite};
  }
  return call_hip(Call::hipMemSetAccess, reinterpret_cast<void*>(one.begin), size_t{one.mapped},
                  static_cast<const void*>(list), static_cast<size_t>(count));
}

// The name of the call that failed; null if all went well.
const char* map_guarded(Guarded* one, uint64_t granularity) {
  void* begin = nullptr;
  one->mapped = round_up(one->bytes, granularity);
  one->reserved = one->mapped + round_up(kUnmapped, granularity);
  if (call_hip(Call::hipMemAddressReserve, static_cast<void*>(&begin), size_t{one->reserved},
               size_t{0}, static_cast<void*>(nullptr), 0ull) != 0) {
    return "hipMemAddressReserve";
  }
  one->begin = reinterpret_cast<uintptr_t>(begin);
  const Properties properties = properties_of(one->device);
  const char* failed = nullptr;
  if (call_hip(Call::hipMemCreate, static_cast<void*>(&one->memory), size_t{one->mapped},
               static_cast<const void*>(&properties), 0ull) != 0) {
    failed = "hipMemCreate";
  } else if (call_hip(Call::hipMemMap, begin, size_t{one->mapped}, size_t{0}, one->memory, 0ull) !=
             0) {
    call_hip(Call::hipMemRelease, one->memory);
    failed = "hipMemMap";
  } else if (set_access(*one) != 0) {
    unmap_guarded(*one);
    failed = "hipMemSetAccess";
  }
  if (failed != nullptr) call_hip(Call::hipMemAddressFree, begin, size_t{one->reserved});
  return failed;
}

// Null if it is guarded; else why not.
const char* make_guarded(size_t bytes, Guarded* one) {
  if (bytes < asked().least || bytes > asked().most) return "";  // as asked for
  if (call_hip(Call::hipGetDevice, static_cast<void*>(&one->device)) != 0) return "hipGetDevice";
  if (one->device < 0 || one->device >= kMostDevices) return "too many devices";
  const uint64_t granularity = granularity_of(one->device);
  if (granularity == 0) return "the device has no virtual memory management";
  one->bytes = bytes;
  const uint64_t mapped = round_up(bytes, granularity);
  if (!take_budget(one->device, mapped)) return "the budget is spent";
  const char* failed = map_guarded(one, granularity);
  if (failed != nullptr) {
    give_budget_back(mapped);
    return failed;
  }
  one->pointer = one->begin + one->mapped - round_up(bytes, alignment_of(bytes));
  return nullptr;
}

int guard_malloc(void** pointer, size_t bytes) {
  const ErrnoKeeper errno_keeper;
  Guarded one;
  const char* why = pointer == nullptr || bytes == 0 ? "" : make_guarded(bytes, &one);
  if (why != nullptr) {
    if (*why != '\0') {
      call_hip(Call::hipGetLastError);  // of what the program has not called
      say_once(why);
    }
    if (bytes != 0) recording().count_guarded(false);
    return call_hip(Call::hipMalloc, static_cast<void*>(pointer), bytes);
  }
  {
    std::lock_guard<std::mutex> lock(guards().mutex);
    guards().by_begin[one.begin] = one;
  }
  recording().count_guarded(true);
  *pointer = reinterpret_cast<void*>(one.pointer);
  return 0;
}

// --- and its end ---------------------------------------------------------------------------------

void keep_unmapped(const Guarded& one) {
  Guards& all = guards();
  std::deque<Freed> over;
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    all.freed.push_back({one.begin, one.reserved});
    all.freed_bytes += one.reserved;
    while (all.freed.size() > kMostFreed || all.freed_bytes > kMostFreedBytes) {
      over.push_back(all.freed.front());
      all.freed_bytes -= over.back().reserved;
      all.freed.pop_front();
    }
  }
  for (const Freed& range : over) {
    call_hip(Call::hipMemAddressFree, reinterpret_cast<void*>(range.begin), size_t{range.reserved});
  }
}

int guard_free(void* pointer) {
  const ErrnoKeeper errno_keeper;
  Guarded one;
  const bool ours = find(pointer, &one) && one.pointer == reinterpret_cast<uintptr_t>(pointer);
  if (!ours) return call_hip(Call::hipFree, pointer);
  if (const int error = call_hip(Call::hipDeviceSynchronize); error != 0) return error;
  {
    std::lock_guard<std::mutex> lock(guards().mutex);
    if (guards().by_begin.erase(one.begin) == 0) return call_hip(Call::hipFree, pointer);
  }
  unmap_guarded(one);
  give_budget_back(one.mapped);
  keep_unmapped(one);
  return 0;
}

int guard_reset() {
  std::map<uintptr_t, Guarded> gone;
  {
    std::lock_guard<std::mutex> lock(guards().mutex);
    gone.swap(guards().by_begin);
  }
  for (const auto& each : gone) {
    unmap_guarded(each.second);
    give_budget_back(each.second.mapped);
    keep_unmapped(each.second);
  }
  return call_hip(Call::hipDeviceReset);
}

// --- what the library says of one ----------------------------------------------------------------

int guard_address_range(void** base, size_t* bytes, void* pointer) {
  const int error = call_hip(Call::hipMemGetAddressRange, static_cast<void*>(base),
                             static_cast<void*>(bytes), pointer);
  Guarded one;
  if (error != 0 || !find(pointer, &one)) return error;
  if (base != nullptr) *base = reinterpret_cast<void*>(one.pointer);
  if (bytes != nullptr) *bytes = one.bytes;
  return error;
}

int guard_info(void* pointer, size_t* bytes) {
  const int error = call_hip(Call::hipMemPtrGetInfo, pointer, static_cast<void*>(bytes));
  Guarded one;
  if (error == 0 && bytes != nullptr && find(pointer, &one)) *bytes = one.bytes;
  return error;
}

void put_range(void* data, int attribute, const Guarded& one) {
  if (data == nullptr) return;
  if (attribute == kRangeStart) std::memcpy(data, &one.pointer, sizeof one.pointer);
  if (attribute == kRangeSize) std::memcpy(data, &one.bytes, sizeof one.bytes);
}

int guard_attribute(void* data, int attribute, void* pointer) {
  const int error = call_hip(Call::hipPointerGetAttribute, data, attribute, pointer);
  Guarded one;
  if (error == 0 && find(pointer, &one)) put_range(data, attribute, one);
  return error;
}

int guard_attributes(unsigned count, const int* attributes, void** data, void* pointer) {
  const int error =
      call_hip(Call::hipDrvPointerGetAttributes, count, static_cast<const void*>(attributes),
               static_cast<void*>(data), pointer);
  Guarded one;
  if (error != 0 || attributes == nullptr || data == nullptr || !find(pointer, &one)) return error;
  for (unsigned i = 0; i < count; ++i) put_range(data[i], attributes[i], one);
  return error;
}

int guard_ipc(void* handle, void* pointer) {
  const int error = call_hip(Call::hipIpcGetMemHandle, handle, pointer);
  Guarded one;
  if (error != 0 && find(pointer, &one)) {
    write_note(
        "hipIpcGetMemHandle was refused for an allocation with a guard page; for memory that "
        "other processes share, run without --guard, or leave its sizes out");
  }
  return error;
}

template <typename Function>
AnyFunction any(Function function) {
  return reinterpret_cast<AnyFunction>(function);
}

}  // namespace

AnyFunction guarding(Call call, AnyFunction real) {
  switch (call) {
    case Call::hipMalloc:
      return any(guard_malloc);
    case Call::hipFree:
      return any(guard_free);
    case Call::hipDeviceReset:
      return any(guard_reset);
    case Call::hipMemGetAddressRange:
      return any(guard_address_range);
    case Call::hipMemPtrGetInfo:
      return any(guard_info);
    case Call::hipPointerGetAttribute:
      return any(guard_attribute);
    case Call::hipDrvPointerGetAttributes:
      return any(guard_attributes);
    case Call::hipIpcGetMemHandle:
      return any(guard_ipc);
    default:
      return real;
  }
}

void forget_guards() {
  new (&guards()) Guards;
}  // the old one is left: another thread may have been at it

}  // namespace greta::recorder
