// The kernel does not fault when it is given memory that it may not touch: it says EFAULT, and the
// program would fail where it did not without us. So what is handed to the commonest of these calls
// is taken for touched before.
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "hostwatch/next_function.h"
#include "hostwatch/watch.h"

namespace {

enum Direction { kReadsIt = 0, kWritesIt = 1 };

#define GRETA_SITE __builtin_return_address(0)

// As a number: the compiler must not think that we look at it.
void touched(uintptr_t memory, size_t bytes, Direction direction, const void* site) {
  if (memory != 0 && bytes != 0) greta_watch_system_call(memory, bytes, direction, site);
}

void touched(const iovec* parts, int count, Direction direction, const void* site) {
  for (int i = 0; i < count; ++i) {
    touched(reinterpret_cast<uintptr_t>(parts[i].iov_base), parts[i].iov_len, direction, site);
  }
}

}  // namespace

GRETA_HOSTWATCH_EXPORT ssize_t read(int file, void* to, size_t bytes) {
  touched(reinterpret_cast<uintptr_t>(to), bytes, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(read)(file, to, bytes);
}

GRETA_HOSTWATCH_EXPORT ssize_t write(int file, const void* from, size_t bytes) {
  touched(reinterpret_cast<uintptr_t>(from), bytes, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(write)(file, from, bytes);
}

GRETA_HOSTWATCH_EXPORT ssize_t pread(int file, void* to, size_t bytes, off_t at) {
  touched(reinterpret_cast<uintptr_t>(to), bytes, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(pread)(file, to, bytes, at);
}

GRETA_HOSTWATCH_EXPORT ssize_t pread64(int file, void* to, size_t bytes, off64_t at) {
  touched(reinterpret_cast<uintptr_t>(to), bytes, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(pread64)(file, to, bytes, at);
}

GRETA_HOSTWATCH_EXPORT ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  touched(reinterpret_cast<uintptr_t>(from), bytes, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(pwrite)(file, from, bytes, at);
}

GRETA_HOSTWATCH_EXPORT ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t at) {
  touched(reinterpret_cast<uintptr_t>(from), bytes, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(pwrite64)(file, from, bytes, at);
}

GRETA_HOSTWATCH_EXPORT ssize_t readv(int file, const iovec* parts, int count) {
  touched(parts, count, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(readv)(file, parts, count);
}

GRETA_HOSTWATCH_EXPORT ssize_t writev(int file, const iovec* parts, int count) {
  touched(parts, count, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(writev)(file, parts, count);
}

GRETA_HOSTWATCH_EXPORT ssize_t send(int socket, const void* from, size_t bytes, int flags) {
  touched(reinterpret_cast<uintptr_t>(from), bytes, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(send)(socket, from, bytes, flags);
}

GRETA_HOSTWATCH_EXPORT ssize_t recv(int socket, void* to, size_t bytes, int flags) {
  touched(reinterpret_cast<uintptr_t>(to), bytes, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(recv)(socket, to, bytes, flags);
}

// These go to the kernel without passing through write() and read() above.
GRETA_HOSTWATCH_EXPORT size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  touched(reinterpret_cast<uintptr_t>(from), size * count, kReadsIt, GRETA_SITE);
  return GRETA_NEXT(fwrite)(from, size, count, file);
}

GRETA_HOSTWATCH_EXPORT size_t fread(void* to, size_t size, size_t count, FILE* file) {
  touched(reinterpret_cast<uintptr_t>(to), size * count, kWritesIt, GRETA_SITE);
  return GRETA_NEXT(fread)(to, size, count, file);
}
