#include "device/fault.h"

#include <pthread.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "device/log.h"
#include "device/recorder_notes.h"
#include "device/settings.h"
#include "device/virtual_memory.h"

namespace greta::sim {
namespace {

constexpr uintptr_t kPageMask = 4095;

std::atomic<int> g_error{hipSuccess};
std::mutex g_mutex;

std::vector<FaultRecord>& records() {
  static auto* const instance = new std::vector<FaultRecord>;
  return *instance;
}

hipError_t code_of(const FaultRecord& record) {
  return record.what == FaultClass::trap ? hipErrorLaunchFailure : hipErrorIllegalAddress;
}

// Hardware tells only the page.
void* page_of(const FaultRecord& record) {
  return reinterpret_cast<void*>(record.address & ~kPageMask);
}

// Hardware has no address either: LDS and scratch are no memory that is mapped.
bool has_page(const FaultRecord& record) {
  return record.what != FaultClass::trap && record.space == MemorySpace::global;
}

// A trap ends the queue it happened in; HIP tells, with ROCr's words.
void print_queue_error() {
  log_line(0, "rocdevice.cpp",
           "Callback: Queue %p aborting with error : HSA_STATUS_ERROR_EXCEPTION: "
           "An HSAIL operation resulted in a hardware exception. code: 0x1016",
           static_cast<void*>(&records()));
}

// ROCr names nodes from 1 (0 is the CPU) and gives an opaque agent handle.
void print_memory_fault(const FaultRecord& record) {
  std::fprintf(stderr,
               "Memory access fault by GPU node-%u (Agent handle: %p) on address %p. "
               "Reason: Page not present or supervisor privilege.\n",
               static_cast<unsigned>(record.device) + 1, static_cast<void*>(&records()),
               page_of(record));
}

[[noreturn]] void abort_like_rocr(const FaultRecord& record) {
  if (has_page(record)) {
    print_memory_fault(record);
  } else {
    print_queue_error();
  }
  std::fflush(stderr);
  std::abort();
}

void log_fault(const FaultRecord& record) {
  if (!has_page(record)) return print_queue_error();
  char host[64] = "localhost";
  gethostname(host, sizeof host - 1);
  log_line(0, "rocdevice.cpp",
           "Memory Fault Error [host: %s, GPU index: %d, faulting addr: %p, "
           "kernel: %s]",
           host, record.device, page_of(record), record.kernel.c_str());
}

// Reserved addresses are an allocation that is not there yet, or no longer: worth a sentence.
void explain_reserved(FaultRecord& record) {
  if (record.what != FaultClass::illegal_access || !record.address_known || !has_page(record))
    return;
  const std::string why =
      why_not_accessible(record.device, record.address, record.access != AccessKind::read);
  if (why.empty()) return;
  record.message += record.message.empty() ? why : "; " + why;
  std::fprintf(stderr, "greta-sim: illegal access at 0x%" PRIxPTR ": %s\n", record.address,
               why.c_str());
}

}  // namespace

void refuse_forked_children() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    int none = hipSuccess;
    g_error.compare_exchange_strong(none, hipErrorNotInitialized);
  });
  (void)registered;
}

bool device_lost() { return g_error.load(std::memory_order_acquire) != hipSuccess; }

hipError_t process_error() {
  return static_cast<hipError_t>(g_error.load(std::memory_order_acquire));
}

void report_fault(FaultRecord record) {
  const bool harmless =
      record.what == FaultClass::red_zone_damage || record.what == FaultClass::outside;
  explain_reserved(record);
  tell_fault(record);  // first: the process may end here
  if (!harmless && settings().abort_on_fault) abort_like_rocr(record);
  if (!harmless) log_fault(record);
  const hipError_t code = code_of(record);
  {
    std::lock_guard<std::mutex> lock(g_mutex);
    records().push_back(std::move(record));
  }
  int none = hipSuccess;
  if (!harmless) g_error.compare_exchange_strong(none, code, std::memory_order_acq_rel);
}

std::vector<FaultRecord> reported_faults() {
  std::lock_guard<std::mutex> lock(g_mutex);
  return records();
}

}  // namespace greta::sim
