#include "device/virtual_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "device/device.h"
#include "device/fault.h"
#include "device/memory.h"
#include "device/settings.h"
#include "device/written.h"

namespace greta::sim {
namespace {

constexpr char kFileName[] = "greta-device-memory";
constexpr size_t kSpaceBytes = size_t{16} << 40;
// Above this, memory that is never used must cost nothing, and begins as zeros.
constexpr size_t kFilledAtOnce = size_t{256} << 20;

AddressSpace& space() {
  static AddressSpace* const instance = new AddressSpace(kSpaceBytes, Placement::paged);
  return *instance;
}

struct Reservations {
  std::mutex mutex;
  std::map<uintptr_t, Placed> by_begin;
};

Reservations& reservations() {
  static auto* const instance = new Reservations;
  return *instance;
}

std::optional<Span> reservation_around(uintptr_t address) {
  Reservations& known = reservations();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto next = known.by_begin.upper_bound(address);
  if (next == known.by_begin.begin()) return std::nullopt;
  const Span span = std::prev(next)->second.user;
  return span.contains(address) ? std::optional<Span>(span) : std::nullopt;
}

int make_file(size_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) return -1;
  const int file = memfd_create(kFileName, MFD_CLOEXEC);
  if (file < 0) return -1;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

// A file of another kind would change its size under the mapping, and end the process.
bool is_device_memory(int file) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  char target[PATH_MAX];
  const ssize_t length = readlink(link, target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = '\0';
  return std::strstr(target, kFileName) != nullptr;
}

bool show(const PhysicalMemory& memory, Span pages, int protection) {
  return mmap(reinterpret_cast<void*>(pages.begin), pages.bytes, protection,
              MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memory.file(), 0) != MAP_FAILED;
}

bool fill_with_pattern(const PhysicalMemory& memory) {
  void* at = mmap(nullptr, memory.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, memory.file(), 0);
  if (at == MAP_FAILED) return false;
  std::memset(at, settings().fresh_byte, memory.bytes());
  munmap(at, memory.bytes());
  return true;
}

int protection_of(unsigned rights) {
  if (rights == hipMemAccessFlagsProtReadWrite) return PROT_READ | PROT_WRITE;
  return rights == hipMemAccessFlagsProtRead ? PROT_READ : PROT_NONE;
}

void protect(const Allocation& allocation) {
  mprotect(reinterpret_cast<void*>(allocation.base), allocation.bytes,
           protection_of(allocation.mapping->of_anyone()));
}

// The mappings that make up exactly these bytes; none if there are gaps, or parts of a mapping.
std::vector<AllocationRef> mappings_of(uintptr_t address, size_t bytes) {
  std::vector<AllocationRef> found;
  uintptr_t at = address;
  while (at < address + bytes) {
    AllocationRef allocation = address_map().find(at);
    if (!allocation || !allocation->mapping || allocation->base != at) return {};
    at += allocation->bytes;
    found.push_back(std::move(allocation));
  }
  if (at != address + bytes) found.clear();
  return found;
}

void wait_for_users(const std::vector<AllocationRef>& mappings) {
  std::set<int> users;
  for (const AllocationRef& allocation : mappings) {
    users.insert(allocation->device);
    for (int device = 0; device < device_count(); ++device) {
      if (allocation->mapping->of(device)) users.insert(device);
    }
  }
  for (const int device : users) device_at(device).synchronize();
}

}  // namespace

std::shared_ptr<PhysicalMemory> PhysicalMemory::create(const hipMemAllocationProp& properties,
                                                       size_t bytes) {
  const bool on_device = properties.location.type == hipMemLocationTypeDevice;
  if (on_device && !device_at(properties.location.id).take_bytes(bytes)) return nullptr;
  const int file = make_file(bytes);
  if (file < 0) {
    if (on_device) device_at(properties.location.id).give_bytes(bytes);
    return nullptr;
  }
  PhysicalRef memory(new PhysicalMemory(file, bytes, properties, on_device));
  const bool filled = on_device && bytes <= kFilledAtOnce && fill_with_pattern(*memory);
  if (!filled) memory->fresh_ = false;
  return memory;
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::import(int file,
                                                       const hipMemAllocationProp& properties) {
  struct stat facts;
  if (file < 0 || !is_device_memory(file) || fstat(file, &facts) != 0) return nullptr;
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return nullptr;
  return PhysicalRef(
      new PhysicalMemory(own, static_cast<size_t>(facts.st_size), properties, false));
}

PhysicalMemory::~PhysicalMemory() {
  close(file_);
  if (counted_) device_at(properties_.location.id).give_bytes(bytes_);
}

int PhysicalMemory::export_file() const { return fcntl(file_, F_DUPFD_CLOEXEC, 0); }

unsigned VirtualMapping::of_anyone() const {
  unsigned all = host_rights.load();
  for (const auto& one : rights) all |= one.load();
  return all;
}

hipError_t reserve_addresses(size_t bytes, size_t alignment, uintptr_t wanted, uintptr_t* begin) {
  const auto placed = space().reserve(bytes, alignment, wanted);
  if (!placed) return hipErrorOutOfMemory;
  Reservations& known = reservations();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.by_begin[placed->user.begin] = *placed;
  *begin = placed->user.begin;
  return hipSuccess;
}

hipError_t free_addresses(uintptr_t begin) {
  Reservations& known = reservations();
  std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.by_begin.find(begin);
  if (found == known.by_begin.end()) return hipErrorInvalidValue;
  const Span span = found->second.user;
  for (const AllocationRef& allocation : address_map().all()) {
    if (allocation->mapping && span.contains(allocation->base)) return hipErrorUnknown;
  }
  space().release(found->second);
  known.by_begin.erase(found);
  return hipSuccess;
}

bool in_virtual_space(uintptr_t address) { return reservation_around(address).has_value(); }

hipError_t map_memory(uintptr_t address, size_t bytes, const PhysicalRef& memory) {
  const auto around = reservation_around(address);
  if (!around || around->end() - address < bytes) return hipErrorInvalidValue;
  if (address % kGranularity != 0 || bytes > memory->bytes()) return hipErrorInvalidValue;
  const hipMemLocation& location = memory->properties().location;
  auto allocation = std::make_shared<Allocation>();
  allocation->id = next_allocation_id();
  allocation->kind = memory->is_on_host() ? MemoryKind::pinned : MemoryKind::device;
  allocation->device = location.id;
  allocation->base = address;
  allocation->bytes = bytes;
  allocation->mapping = std::make_shared<VirtualMapping>();
  allocation->mapping->memory = memory;
  if (!address_map().insert(allocation)) return hipErrorInvalidValue;
  if (!show(*memory, {address, bytes}, PROT_NONE)) {
    address_map().remove(*allocation);
    return hipErrorOutOfMemory;
  }
  if (memory->take_fresh()) note_fresh(*allocation);
  return hipSuccess;
}

hipError_t unmap_memory(uintptr_t address, size_t bytes) {
  const auto mappings = mappings_of(address, bytes);
  if (mappings.empty()) return hipErrorInvalidValue;
  wait_for_users(mappings);
  if (device_lost()) return hipSuccess;  // work may still be in the middle of it
  for (const AllocationRef& allocation : mappings) release(allocation);
  return hipSuccess;
}

hipError_t set_access(uintptr_t address, size_t bytes, const hipMemAccessDesc& wanted) {
  const auto mappings = mappings_of(address, bytes);
  if (mappings.empty()) return hipErrorInvalidValue;
  for (const AllocationRef& allocation : mappings) {
    VirtualMapping& mapping = *allocation->mapping;
    const bool for_device = wanted.location.type == hipMemLocationTypeDevice;
    const auto device = static_cast<size_t>(wanted.location.id);
    (for_device ? mapping.rights[device] : mapping.host_rights) = wanted.flags;
    protect(*allocation);
  }
  forget_accessible_ranges();
  return hipSuccess;
}

void remove_view(const Allocation& allocation) { unmap_pages({allocation.base, allocation.bytes}); }

bool virtual_address_is_reachable(int device, uintptr_t address) {
  const AllocationRef allocation = address_map().find_reachable(address);
  return !allocation || !allocation->mapping || allocation->mapping->of(device) != 0;
}

std::string why_not_accessible(int device, uintptr_t address, bool is_write) {
  const auto around = reservation_around(address);
  if (!around) return {};
  const AllocationRef allocation = address_map().find(address);
  const unsigned rights = allocation && allocation->mapping ? allocation->mapping->of(device) : 0u;
  if (rights == hipMemAccessFlagsProtReadWrite) return {};
  const char* why = !allocation ? "nothing is mapped there"
                    : rights == 0u
                        ? "it is mapped, but hipMemSetAccess has given this device no access"
                    : is_write ? "it is mapped, but for this device read-only"
                               : nullptr;
  if (why == nullptr) return {};
  char text[200];
  std::snprintf(text, sizeof text,
                "%s (in the %zu bytes that hipMemAddressReserve gave at 0x%" PRIxPTR ")", why,
                around->bytes, around->begin);
  return text;
}

}  // namespace greta::sim
