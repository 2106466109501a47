#include "codeobject/memory_reader.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "codeobject/open_file.h"

namespace greta::codeobject {
namespace {

bool wraps_around(uintptr_t from, size_t bytes) { return from + bytes < from; }

}  // namespace

bool OwnMemory::read(uintptr_t from, void* to, size_t bytes) const {
  if (wraps_around(from, bytes)) return false;
  auto* next = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const iovec here{next, bytes};
    const iovec there{reinterpret_cast<void*>(from), bytes};
    const ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EFAULT) return PipedMemory().read(from, next, bytes);
    if (count <= 0) return false;
    next += count;
    from += static_cast<size_t>(count);
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

// The system answers a write from bad memory with an error. It is called directly, because the
// sanitizers' own version of it would object before.
bool PipedMemory::read(uintptr_t from, void* to, size_t bytes) const {
  constexpr size_t kStep = 4096;  // always fits into an empty pipe
  int ends[2];
  if (wraps_around(from, bytes) || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const OpenFile out(ends[0]), in(ends[1]);
  auto* next = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const long count = syscall(SYS_write, in.number(), from, std::min(bytes, kStep));
    if (count <= 0 || ::read(out.number(), next, static_cast<size_t>(count)) != count) return false;
    next += count;
    from += static_cast<size_t>(count);
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

bool BufferReader::read(uintptr_t from, void* to, size_t bytes) const {
  if (from > size_ || bytes > size_ - from) return false;
  if (bytes != 0) std::memcpy(to, bytes_ + from, bytes);
  return true;
}

bool FileReader::read(uintptr_t from, void* to, size_t bytes) const {
  if (wraps_around(from, bytes)) return false;
  auto* next = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const ssize_t count = pread(file_, next, bytes, static_cast<off_t>(from));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    from += static_cast<size_t>(count);
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace greta::codeobject
