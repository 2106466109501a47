#include "recorder/watch/watchable_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include "recorder/lanes/own_files.h"
#include "recorder/lanes/tables.h"

namespace greta::recorder {
namespace {

// What /proc/self/maps says: whether a GPU's driver is at work here, and whose this address is.
struct Mapping {
  bool of_a_gpu = false;
  bool by_a_driver = false;
  bool writable = false;
};

FILE* open_maps() {
  const int file = open_own("/proc/self/maps", O_RDONLY);
  FILE* maps = file >= 0 ? fdopen(file, "r") : nullptr;
  if (file >= 0 && maps == nullptr) close(file);
  return maps;
}

Mapping mapping_of(uintptr_t address) {
  Mapping found;
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(open_maps(), std::fclose);
  char line[512];
  while (maps != nullptr && std::fgets(line, sizeof line, maps.get()) != nullptr) {
    const bool driver = std::strstr(line, "/dev/kfd") || std::strstr(line, "/dev/dri/");
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char rights[5] = {};
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) != 3) continue;
    if (driver) found.of_a_gpu = true;
    if (address < begin || address >= end) continue;
    found.by_a_driver = driver;
    found.writable = rights[0] == 'r' && rights[1] == 'w';
  }
  return found;
}

bool may_be_protected(uintptr_t address) {
  const Mapping mapping = mapping_of(address);
  if (!mapping.writable) return false;
  if (!mapping.of_a_gpu || mapping.by_a_driver) return true;
  static const bool said = [] {
    write_note(
        "host memory that the GPU reaches through the process' page tables is not watched; "
        "HSA_USERPTR_FOR_PAGED_MEM=0 makes hipHostMalloc use the driver's memory");
    return true;
  }();
  (void)said;
  return false;
}

}  // namespace

void WatchableMemory::add(uintptr_t address, size_t bytes, PageRange pages) {
  if (address == 0 || bytes == 0 || pages.empty()) return;
  by_begin_[address] = {address + bytes, pages};
}

void WatchableMemory::made(uintptr_t address, size_t bytes) {
  if (!may_be_protected(address)) return;
  add(address, bytes, {page_of(address), page_after(address + bytes)});
}

void WatchableMemory::registered(uintptr_t address, size_t bytes) {
  if (!may_be_protected(address)) return;
  add(address, bytes, {page_after(address), page_of(address + bytes)});
}

std::optional<PageRange> WatchableMemory::ended(uintptr_t address) {
  const auto found = by_begin_.find(address);
  if (found == by_begin_.end()) return std::nullopt;
  const PageRange all{found->first, found->second.end};
  by_begin_.erase(found);
  return all;
}

const WatchableMemory::Memory* WatchableMemory::memory_at(uintptr_t address) const {
  auto next = by_begin_.upper_bound(address);
  if (next == by_begin_.begin()) return nullptr;
  const Memory& memory = std::prev(next)->second;
  return address < memory.end ? &memory : nullptr;
}

PageRange WatchableMemory::pages_around(uintptr_t begin, uintptr_t end) const {
  const Memory* memory = memory_at(begin);
  return memory != nullptr && end <= memory->end ? memory->pages : PageRange{};
}

bool WatchableMemory::contains(uintptr_t address) const {
  const auto next = by_begin_.upper_bound(address);
  if (next == by_begin_.begin()) return memory_at(address) != nullptr;
  return std::prev(next)->second.pages.contains(address) || memory_at(address) != nullptr;
}

}  // namespace greta::recorder
