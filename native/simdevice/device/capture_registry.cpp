#include "device/capture_registry.h"

#include <algorithm>

namespace greta::sim {
namespace {

std::vector<std::weak_ptr<CaptureSequence>>& registered() {
  static auto* const instance = new std::vector<std::weak_ptr<CaptureSequence>>;
  return *instance;
}

}  // namespace

std::atomic<int> g_captures{0};

uint64_t this_thread_number() {
  static std::atomic<uint64_t> last{0};
  thread_local const uint64_t number = last.fetch_add(1) + 1;
  return number;
}

void register_capture(const CaptureRef& capture) {
  auto& all = registered();
  auto is_gone = [](const std::weak_ptr<CaptureSequence>& other) { return other.expired(); };
  all.erase(std::remove_if(all.begin(), all.end(), is_gone), all.end());
  all.push_back(capture);
}

std::vector<CaptureRef> running_captures() {
  std::vector<CaptureRef> running;
  for (const auto& entry : registered()) {
    CaptureRef capture = entry.lock();
    if (capture && capture->status != hipStreamCaptureStatusNone) {
      running.push_back(std::move(capture));
    }
  }
  return running;
}

void invalidate(CaptureSequence& capture) {
  if (capture.is_active()) capture.status = hipStreamCaptureStatusInvalidated;
}

}  // namespace greta::sim
