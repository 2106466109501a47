#include "device/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

#include "device/device.h"
#include "device/memory.h"

namespace greta::sim {
namespace {

constexpr char kMemoryName[] = "greta-shared-memory";

bool has_name(int file, const char* name) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  char target[PATH_MAX];
  const ssize_t length = readlink(link, target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = '\0';
  return std::strstr(target, name) != nullptr;
}

// All of it, or false.
bool write_all(int file, const void* from, size_t bytes) {
  const char* at = static_cast<const char*>(from);
  for (size_t done = 0; done < bytes;) {
    const ssize_t wrote = pwrite(file, at + done, bytes - done, static_cast<off_t>(done));
    if (wrote <= 0) return false;
    done += static_cast<size_t>(wrote);
  }
  return true;
}

bool show(const SharedFile& file, Span pages) {
  return mmap(reinterpret_cast<void*>(pages.begin), pages.bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED, file.file(), 0) != MAP_FAILED;
}

}  // namespace

SharedFileRef SharedFile::create(const char* name, size_t bytes) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) return nullptr;
  SharedFileRef made(new SharedFile(file, bytes));
  return ftruncate(file, static_cast<off_t>(bytes)) == 0 ? made : nullptr;
}

SharedFileRef SharedFile::open(const char* name, int file) {
  struct stat facts;
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return nullptr;
  const bool good = has_name(own, name) && fstat(own, &facts) == 0;
  SharedFileRef opened(new SharedFile(own, good ? static_cast<size_t>(facts.st_size) : 0));
  return good ? opened : nullptr;
}

SharedFileRef SharedFile::open(const char* name, const FileTicket& ticket) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket.process, ticket.file);
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat facts;
  const bool same = fstat(file, &facts) == 0 && facts.st_ino == ticket.inode;
  const SharedFileRef opened = same ? open(name, file) : nullptr;
  close(file);
  return opened;
}

SharedFile::~SharedFile() { close(file_); }

FileTicket SharedFile::ticket() const {
  struct stat facts = {};
  fstat(file_, &facts);
  return {facts.st_ino, getpid(), file_};
}

bool share(Allocation& allocation, uintptr_t address, MemoryTicket* ticket) {
  const Span pages = allocation.placed.pages;
  if (!allocation.shared) {
    auto file = SharedFile::create(kMemoryName, pages.bytes);
    if (!file) return false;
    if (!write_all(file->file(), reinterpret_cast<void*>(pages.begin), pages.bytes)) return false;
    if (!show(*file, pages)) return false;
    allocation.shared = std::move(file);
  }
  *ticket = {allocation.shared->ticket(), pages.bytes, allocation.base - pages.begin,
             allocation.bytes, address - allocation.base};
  return true;
}

AllocationRef open_shared(Device& device, const MemoryTicket& ticket) {
  auto file = SharedFile::open(kMemoryName, ticket.file);
  const bool fits = file && ticket.pages == file->bytes() && ticket.begin <= ticket.pages &&
                    ticket.bytes <= ticket.pages - ticket.begin && ticket.offset < ticket.bytes;
  if (!fits) return nullptr;
  const auto placed = device.space().reserve(ticket.pages, 0, 0);
  if (!placed) return nullptr;
  if (!show(*file, placed->pages)) {
    device.space().release(*placed);
    return nullptr;
  }
  auto allocation = std::make_shared<Allocation>();
  allocation->id = next_allocation_id();
  allocation->device = device.ordinal();
  allocation->placed = *placed;
  allocation->placed.user = {placed->pages.begin + ticket.begin, ticket.bytes};
  allocation->base = allocation->placed.user.begin;
  allocation->bytes = ticket.bytes;
  allocation->red_zones_filled = false;  // the owner looks after them
  allocation->is_imported = true;
  allocation->shared = std::move(file);
  address_map().insert(allocation);
  return allocation;
}

}  // namespace greta::sim
