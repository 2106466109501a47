/* Copies from the device to the host that are checked, waited for and told: for a C++ engine.
 *
 *   #include <greta/d2h_safe.hpp>
 *
 *   D2HMetadata what;
 *   what.tensor = "logits";
 *   what.step = step;
 *   hipError_t error = greta_hip_memcpy_d2h_safe(host, device, bytes, stream, what);
 *
 * The copy is queued only if its bytes are all in one allocation, and it has arrived when the call
 * returns. Its name is a roctx range around it, which `greta run` and ROCm's profilers show. The
 * lines are those of `greta infer`, and `greta analyze LOG` reads them:
 *
 *   GCORE_D2H_AUDIT=1           [D2H_AUDIT_START], [D2H_AUDIT_END]; GCORE_D2H_AUDIT_LOG=FILE
 *   GRETA_D2H_DEBUG=1           [D2H SAFE], [D2H_CHECK], [D2H_BOUNDS], [D2H_ERROR]
 *   -DGRETA_TRACE_MEMCPY        [D2H TRACE], [D2H FATAL] before abort(); GRETA_TRACE_D2H_*
 *
 * C++11 and HIP's own headers; nothing to link beside HIP.
 */
#ifndef GRETA_D2H_SAFE_HPP
#define GRETA_D2H_SAFE_HPP

#include <dlfcn.h>
#include <fcntl.h>
#include <hip/hip_runtime_api.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

/* What the caller knows of a transfer. A step or layer of -1 is none. Offset and size of the
 * allocation count only where HIP does not know the memory: 0 bytes are not known. */
struct D2HMetadata {
  const char* tensor = "unnamed"; /* one word: it stands in lines made of words */
  int step = -1;
  int layer = -1;
  size_t offset = 0;
  size_t alloc = 0;
};

namespace greta {
namespace d2h {

inline bool is_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::strcmp(value, "1") == 0;
}

inline bool is_debug_mode() {
  static const bool on = is_on("GRETA_D2H_DEBUG");
  return on;
}

inline std::string hex(const void* address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

/* With one write, so that lines of several threads are whole and survive an abort. */
inline void write_lines(int file, const std::string& lines) {
  size_t written = 0;
  while (written < lines.size()) {
    ssize_t now = ::write(file, lines.data() + written, lines.size() - written);
    if (now <= 0) return;
    written += static_cast<size_t>(now);
  }
}

inline void say(const std::string& lines) { write_lines(STDERR_FILENO, lines); }

/* Where the audit's lines go; -1: nobody asked for them. */
inline int audit_file() {
  static const int file = [] {
    if (!is_on("GCORE_D2H_AUDIT")) return -1;
    const char* path = std::getenv("GCORE_D2H_AUDIT_LOG");
    if (path == nullptr || *path == '\0') return STDERR_FILENO;
    int opened = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0) say(std::string("greta: the D2H log ") + path + " cannot be opened\n");
    return opened;
  }();
  return file;
}

inline std::string seconds_now() {
  using std::chrono::duration_cast;
  using std::chrono::microseconds;
  auto now = std::chrono::system_clock::now().time_since_epoch();
  long long us = duration_cast<microseconds>(now).count();
  char text[40];
  std::snprintf(text, sizeof text, "%lld.%06lld", us / 1000000, us % 1000000);
  return text;
}

/* A roctx range, if a roctx library is in the process. */
class Range {
 public:
  explicit Range(const std::string& name) {
    if (functions().push == nullptr) return;
    functions().push(name.c_str());
    open_ = true;
  }
  ~Range() {
    if (open_) functions().pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  struct Functions {
    int (*push)(const char*) = nullptr;
    int (*pop)() = nullptr;
  };
  static const Functions& functions() {
    static const Functions found = [] {
      Functions roctx;
      void* push = ::dlsym(RTLD_DEFAULT, "roctxRangePushA");
      void* pop = ::dlsym(RTLD_DEFAULT, "roctxRangePop");
      if (push == nullptr || pop == nullptr) return roctx;
      std::memcpy(&roctx.push, &push, sizeof push);
      std::memcpy(&roctx.pop, &pop, sizeof pop);
      return roctx;
    }();
    return found;
  }
  bool open_ = false;
};

/* One transfer, as the lines tell it. */
struct Transfer {
  void* target;
  const void* source;
  size_t bytes;
  hipStream_t stream;
  std::string tensor;
  int step;
  int layer;
  size_t offset;
  size_t alloc;
  bool is_known; /* how large the allocation is */

  bool is_inside() const { return !is_known || (offset <= alloc && bytes <= alloc - offset); }
  std::string name() const { return "tensor=" + tensor; }
  std::string place() const {
    return " step=" + std::to_string(step) + " layer=" + std::to_string(layer);
  }
  std::string extent() const {
    return " offset=" + std::to_string(offset) + " size=" + std::to_string(bytes) +
           " alloc=" + std::to_string(alloc);
  }
};

/* A name as it may stand in a line: one word of printable ASCII. */
inline std::string as_word(const char* name) {
  std::string word = name != nullptr && *name != '\0' ? name : "unnamed";
  for (char& letter : word) {
    if (letter < '!' || letter > '~') letter = '_';
  }
  return word;
}

inline Transfer describe(void* target, const void* source, size_t bytes, hipStream_t stream,
                         const D2HMetadata& what) {
  Transfer transfer = {target,    source,     bytes,       stream,     as_word(what.tensor),
                       what.step, what.layer, what.offset, what.alloc, what.alloc > 0};
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  /* HIP takes a device pointer that is not const, and only looks at it. */
  hipDeviceptr_t address = const_cast<void*>(source);
  if (source != nullptr && hipMemGetAddressRange(&base, &size, address) == hipSuccess) {
    transfer.offset = static_cast<size_t>(static_cast<const char*>(source) -
                                          static_cast<const char*>(static_cast<void*>(base)));
    transfer.alloc = size;
    transfer.is_known = true;
  } else {
    (void)hipGetLastError(); /* the question's own answer is nobody else's error */
  }
  return transfer;
}

inline std::string check_line(const Transfer& transfer) {
  return "[D2H SAFE] engaged for " + transfer.name() + "\n[D2H_CHECK] " + transfer.name() +
         transfer.place() + " src_ptr=" + hex(transfer.source) +
         " dst_ptr=" + hex(transfer.target) + transfer.extent() + "\n";
}

inline std::string audit_start_line(unsigned long op, const Transfer& transfer) {
  return "[D2H_AUDIT_START] op_id=" + std::to_string(op) + " ts=" + seconds_now() +
         " stream=" + hex(transfer.stream) + " dev_ptr=" + hex(transfer.source) +
         " host_ptr=" + hex(transfer.target) + " bytes=" + std::to_string(transfer.bytes) + " " +
         transfer.name() + transfer.place() + "\n";
}

inline std::string audit_end_line(unsigned long op, const Transfer& transfer, hipError_t result) {
  return "[D2H_AUDIT_END] op_id=" + std::to_string(op) + " ts=" + seconds_now() +
         " stream=" + hex(transfer.stream) + " result=" + hipGetErrorName(result) + " " +
         transfer.name() + "\n";
}

inline void trace_before(const char* tensor, const void* source, size_t bytes, const void* stream) {
  say(std::string("[D2H TRACE] ") + tensor + ":before\n  src_ptr=" + hex(source) +
      "\n  bytes=" + std::to_string(bytes) + "\n  stream=" + hex(stream) + "\n");
}

inline void trace_after(const char* tensor, const void* target, size_t bytes) {
  say(std::string("[D2H TRACE] ") + tensor + ":after\n  dst_ptr=" + hex(target) +
      "\n  bytes=" + std::to_string(bytes) + "\n");
}

inline void trace_error(const char* tensor, const void* source, const void* target, size_t bytes,
                        hipError_t error) {
  say(std::string("[D2H FATAL] ") + tensor + ":FAILED\n  src_ptr=" + hex(source) +
      "\n  dst_ptr=" + hex(target) + "\n  bytes=" + std::to_string(bytes) +
      "\n  hipError=" + hipGetErrorString(error) + "\n");
}

}  // namespace d2h
}  // namespace greta

#ifdef GRETA_TRACE_MEMCPY
#define GRETA_TRACE_D2H_BEFORE(tensor_name, src, bytes, stream) \
  ::greta::d2h::trace_before((tensor_name), (src), (bytes), (stream))
#define GRETA_TRACE_D2H_AFTER(tensor_name, dst, bytes, stream) \
  (static_cast<void>(stream), ::greta::d2h::trace_after((tensor_name), (dst), (bytes)))
#define GRETA_TRACE_D2H_ERROR(tensor_name, src, dst, bytes, err)            \
  do {                                                                      \
    ::greta::d2h::trace_error((tensor_name), (src), (dst), (bytes), (err)); \
    std::abort();                                                           \
  } while (0)
#else
#define GRETA_TRACE_D2H_BEFORE(tensor_name, src, bytes, stream) static_cast<void>(0)
#define GRETA_TRACE_D2H_AFTER(tensor_name, dst, bytes, stream) static_cast<void>(0)
#define GRETA_TRACE_D2H_ERROR(tensor_name, src, dst, bytes, err) static_cast<void>(0)
#endif

/* Waits for the stream, copies, and waits again. What fails is written to stderr. */
inline bool safe_hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                                hipStream_t stream, const char* debug_name) {
  hipError_t error = hipStreamSynchronize(stream);
  if (error != hipSuccess) {
    greta::d2h::say(std::string("[D2H SAFE] Stream sync failed before ") + debug_name + ": " +
                    hipGetErrorString(error) + "\n");
    return false;
  }
  error = hipMemcpyAsync(dst, src, bytes, kind, stream);
  if (error == hipSuccess) error = hipStreamSynchronize(stream);
  if (error == hipSuccess) return true;
  greta::d2h::say(std::string("[D2H SAFE] Async copy failed ") + debug_name + ": " +
                  hipGetErrorString(error) + "\n");
  return false;
}

/* Checks, copies and waits. hipErrorInvalidValue: nothing was queued, because a pointer is null or
 * the bytes are not all in the allocation. In debug mode the stream is waited for first, so that
 * what failed before the copy is not blamed on it. */
inline hipError_t greta_hip_memcpy_d2h_safe(void* dst, const void* src, size_t bytes,
                                            hipStream_t stream, const D2HMetadata& what) {
  using namespace greta::d2h;
  static std::atomic<unsigned long> next_op{0};
  const Transfer transfer = describe(dst, src, bytes, stream, what);
  const bool debug = is_debug_mode();
  if (debug) say(check_line(transfer));
  if (dst == nullptr || src == nullptr || !transfer.is_inside()) {
    const bool is_null = dst == nullptr || src == nullptr;
    if (debug && !is_null) say("[D2H_BOUNDS] " + transfer.name() + transfer.extent() + "\n");
    if (debug) {
      say("[D2H_ERROR] " + transfer.name() +
          (is_null ? ": a pointer is null\n" : ": the bytes are not all in the allocation\n"));
    }
    return hipErrorInvalidValue;
  }
  const Range range(transfer.name());
  if (debug) {
    hipError_t earlier = hipStreamSynchronize(stream);
    if (earlier != hipSuccess) {
      say("[D2H SAFE] Stream sync failed before " + transfer.tensor + ": " +
          hipGetErrorString(earlier) + "\n");
      return earlier;
    }
  }
  GRETA_TRACE_D2H_BEFORE(transfer.tensor.c_str(), src, bytes, stream);
  const unsigned long op = next_op++;
  if (audit_file() >= 0) write_lines(audit_file(), audit_start_line(op, transfer));
  hipError_t error = hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToHost, stream);
  if (error == hipSuccess) error = hipStreamSynchronize(stream);
  if (audit_file() >= 0) write_lines(audit_file(), audit_end_line(op, transfer, error));
  if (error != hipSuccess) {
    if (debug) {
      say("[D2H SAFE] Async copy failed " + transfer.tensor + ": " + hipGetErrorString(error) +
          "\n");
    }
    GRETA_TRACE_D2H_ERROR(transfer.tensor.c_str(), src, dst, bytes, error);
    return error;
  }
  if (debug) say("[D2H SAFE] async copy succeeded: hipSuccess\n");
  GRETA_TRACE_D2H_AFTER(transfer.tensor.c_str(), dst, bytes, stream);
  return hipSuccess;
}

#endif
