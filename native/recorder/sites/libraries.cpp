#include "recorder/sites/libraries.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "recorder/lanes/clock.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/held_signals.h"
#include "recorder/lanes/tables.h"
#include "recorder/lanes/thread_memory.h"
#include "recorder/sites/script_site.h"

namespace greta::recorder {
namespace {

using Libraries = std::set<std::pair<uint64_t, std::string>>;  // base and path

struct Known {
  std::mutex mutex;
  Libraries libraries;
  std::unordered_set<uint64_t> sites;
  uint64_t unloads = 0;  // in the life of the process, as the loader counts
  // Ticks at which the last library was found to be gone. What is noted from now on was not there
  // before, or where nothing else has been.
  uint64_t since = 0;
};

Known& known() {
  static Known* const instance = new Known;
  return *instance;
}

std::string hex(const unsigned char* bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < count; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

size_t to_words(size_t bytes) { return (bytes + 3) / 4 * 4; }

// The notes are mapped with the library, and as trustworthy as its code.
std::string build_id_in(const unsigned char* notes, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const size_t name = sizeof note;
    const size_t content = name + to_words(note.n_namesz);
    const size_t end = content + to_words(note.n_descsz);
    if (end > bytes) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + name, "GNU", 4) == 0) {
      return hex(notes + content, note.n_descsz);
    }
    notes += end;
    bytes -= end;
  }
  return "";
}

std::string path_of(const dl_phdr_info& info) {
  if (info.dlpi_name != nullptr && *info.dlpi_name != '\0') return info.dlpi_name;
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

// False if it could not be written.
bool write_library(const dl_phdr_info& info, const std::string& path) {
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;
  std::string build_id;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const uint64_t address = info.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
      begin = std::min(begin, address);
      end = std::max(end, address + part.p_memsz);
    }
    if (part.p_type == PT_NOTE && build_id.empty()) {
      build_id = build_id_in(reinterpret_cast<const unsigned char*>(address), part.p_memsz);
    }
  }
  if (end == 0) return true;
  JsonLine line = JsonLine("library")
                      .field("path", path)
                      .address("begin", begin)
                      .address("end", end)
                      .address("base", info.dlpi_addr)
                      .field("build_id", build_id);
  if (known().since != 0) line.field("since", known().since);
  return write_table_line(line);
}

int note_library(dl_phdr_info* info, size_t, void*) {
  const std::string path = path_of(*info);
  const auto noted = known().libraries.emplace(info->dlpi_addr, path);
  if (noted.second && !write_library(*info, path)) known().libraries.erase(noted.first);
  return 0;
}

int take_unloads(dl_phdr_info* info, size_t, void* unloads) {
  *static_cast<uint64_t*>(unloads) = info->dlpi_subs;
  return 1;
}

int keep_if_known(dl_phdr_info* info, size_t, void* still_there) {
  std::pair<uint64_t, std::string> library(info->dlpi_addr, path_of(*info));
  if (known().libraries.count(library) != 0) {
    static_cast<Libraries*>(still_there)->insert(std::move(library));
  }
  return 0;
}

// The caller has the lock.
void forget_unloaded_libraries() {
  uint64_t unloads = 0;
  dl_iterate_phdr(take_unloads, &unloads);
  if (unloads == std::exchange(known().unloads, unloads) || known().libraries.empty()) return;
  Libraries still_there;
  dl_iterate_phdr(keep_if_known, &still_there);
  known().libraries = std::move(still_there);
  known().sites.clear();
  known().since = ticks();
  forget_sites_of_all_threads();
}

}  // namespace

void note_new_libraries() {
  const ErrnoKeeper errno_keeper;
  std::lock_guard<std::mutex> lock(known().mutex);
  forget_unloaded_libraries();
  dl_iterate_phdr(note_library, nullptr);
  look_for_python();
}

void note_unloaded_libraries() {
  const ErrnoKeeper errno_keeper;
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(known().mutex);
  if (!known().libraries.empty()) forget_unloaded_libraries();
}

void note_site(uint64_t address) {
  ThreadMemory& memory = thread_memory();
  // Call sites of one function lie close together; the multiplication spreads them.
  std::atomic<uint64_t>& place = memory.sites[(address * 0x9e3779b97f4a7c15ull) >> 56];
  if (place.load(std::memory_order_relaxed) == address) return;
  place.store(address, std::memory_order_relaxed);
  {
    std::lock_guard<std::mutex> lock(known().mutex);
    if (!known().sites.insert(address).second) return;
  }
  note_new_libraries();
}

void forget_libraries() {
  new (&known()) Known;  // the old one is left: another thread may have been at it
  forget_other_threads();
}

}  // namespace greta::recorder
