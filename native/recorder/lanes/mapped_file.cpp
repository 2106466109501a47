#include "recorder/lanes/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "recorder/lanes/own_files.h"

namespace greta::recorder {
namespace {

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
constexpr size_t kPage = 4096;
constexpr int kMostTries = 3;

// What is left to others: a recording must not be what fills the disk.
constexpr uint64_t kReserve = uint64_t{256} << 20;

}  // namespace

bool file_may_reach(uint64_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
}

namespace {

bool has_room(int file, uint64_t bytes) {
  struct statvfs system;
  if (fstatvfs(file, &system) != 0) return true;
  return uint64_t{system.f_bavail} * system.f_frsize >= bytes + kReserve;
}

// Zeros are written rather than space asked for: file systems then take large pages, and mapping
// them costs a quarter of what it takes to fault in space that is only reserved.
bool write_zeros(int file, uint64_t from, uint64_t end) {
  static const char zeros[256 * 1024] = {};
  while (from < end) {
    const ssize_t written =
        pwrite(file, zeros, std::min<uint64_t>(sizeof zeros, end - from), static_cast<off_t>(from));
    if (written < 0 && errno != EINTR) return false;
    from += written > 0 ? static_cast<uint64_t>(written) : 0;
  }
  return true;
}

bool fails_for(int error) {
  errno = error;
  return false;
}

bool take_space(int file, uint64_t end) {
  struct stat status;
  if (fstat(file, &status) != 0) return false;
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size >= end) return true;
  if (!file_may_reach(end)) return fails_for(EFBIG);
  if (!has_room(file, end - size)) return fails_for(ENOSPC);
  return write_zeros(file, size, end);
}

// False if the file has no such pages, or the system no memory for them. Where the system does not
// know the request (before Linux 5.14) each page is touched.
bool fault_pages_in(char* address, size_t bytes) {
  if (madvise(address, bytes, MADV_POPULATE_WRITE) == 0) return true;
  if (errno != EINVAL) return fails_for(errno == ENOMEM || errno == EAGAIN ? errno : ENOSPC);
  for (size_t at = 0; at < bytes; at += kPage) {
    volatile char* page = address + at;
    *page = *page;
  }
  return true;
}

void* map_once(const char* path, uint64_t offset, size_t bytes) {
  const int file = open_own(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  if (file < 0) return nullptr;
  void* address = MAP_FAILED;
  if (take_space(file, offset + bytes)) {
    address =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  }
  const int error = errno;
  close(file);
  errno = error;
  if (address == MAP_FAILED) return nullptr;
  if (fault_pages_in(static_cast<char*>(address), bytes)) return address;
  const int reason = errno;
  unmap(address, bytes);
  errno = reason;
  return nullptr;
}

}  // namespace

void* map_file_part(const char* path, uint64_t offset, size_t bytes) {
  void* address = map_once(path, offset, bytes);
  // EBADF: a program that closes all descriptors closed ours, too, before we were done with it.
  for (int i = 0; address == nullptr && errno == EBADF && i < kMostTries; ++i) {
    address = map_once(path, offset, bytes);
  }
  return address;
}

void unmap(void* address, size_t bytes) {
  if (address != nullptr) munmap(address, bytes);
}

}  // namespace greta::recorder
