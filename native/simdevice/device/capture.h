// Stream capture: between hipStreamBeginCapture and hipStreamEndCapture what a stream is asked to
// do becomes nodes of a graph and does not run.
//
// A capture begins in one stream, its origin. A wait for an event recorded in a capturing stream
// draws the waiting stream in. Calls that the capture could not see, or that would wait for work
// that never runs, are refused; the refused call invalidates the capture, which then can only be
// ended (hipErrorStreamCaptureInvalidated) and gives no graph.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/event.h"
#include "device/graph.h"
#include "device/stream.h"

namespace greta::sim {

using CaptureId = unsigned long long;

struct CaptureSequence {
  struct Branch {
    std::weak_ptr<Stream> stream;
    std::vector<GraphNode*> last;         // what the stream's next node depends on
    std::vector<hipGraphNode_t> handles;  // of `last`, as hipStreamGetCaptureInfo_v2 gave them
  };

  CaptureSequence(hipStreamCaptureMode mode, const StreamRef& origin, GraphRef graph);
  ~CaptureSequence();

  Branch& branch(const Stream& stream) { return branches.at(&stream); }
  bool is_active() const { return status == hipStreamCaptureStatusActive; }

  const CaptureId id;
  const hipStreamCaptureMode mode;
  const Stream* const origin;
  const uint64_t owner_thread;
  const GraphRef graph;
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;  // None: it has ended
  std::map<const Stream*, Branch> branches;
};

using CaptureRef = std::shared_ptr<CaptureSequence>;

// --- What the other chapters ask first. All cost one atomic load while nothing captures, return
// --- hipSuccess if the call may go on, and otherwise have invalidated what they must.

extern std::atomic<int> g_captures;

inline bool anything_captures() { return g_captures.load(std::memory_order_acquire) != 0; }
inline bool is_capturing(const Stream& stream) {
  return stream.capturing.load(std::memory_order_acquire);
}

// hipMemcpy, hipMemset and other calls that wait on the default stream: 906 while any stream of the
// process captures, in whatever mode.
hipError_t capture_forbids_blocking_call();
// hipDeviceSynchronize: 900 while any stream of the process captures.
hipError_t capture_forbids_device_wait();
// hipMalloc, hipFree, hipHostMalloc, hipHostRegister ...: 900 while the calling thread captures in
// another mode than Relaxed, or anyone in Global mode, unless the thread has exchanged its own
// mode.
hipError_t capture_forbids_allocation();
// hipStreamSynchronize, hipStreamQuery, hipMemcpyWithStream: 900 on a capturing stream; on others
// the rule for allocations. The default stream is always free to be waited for.
hipError_t capture_forbids_stream_wait(const Stream& stream);
// hipStreamAddCallback: 900 on a capturing stream, 906 on the default stream while a blocking
// stream captures.
hipError_t capture_forbids_callback(const Stream& stream);
// hipEventSynchronize, hipEventQuery: 907 for an event recorded in a capture that goes on, for
// others the rule for allocations.
hipError_t capture_forbids_event_wait(const Event& event);
// hipStreamIsCapturing and its kin on the default stream: 906 while a blocking stream captures.
hipError_t capture_forbids_default_stream_query();

// --- Capturing. Streams must be capturing (is_capturing); 901 if their capture is invalidated.

// The stream's next node. Calls that cannot be captured: 900.
hipError_t capture_work(const StreamRef& stream, Work work);
hipError_t capture_node(const StreamRef& stream, NodeWork content);
// hipMallocAsync: the memory exists from the call on and is the same at each launch; the node only
// keeps the place.
hipError_t capture_allocation(const StreamRef& stream, const AllocationRef& allocation);
// hipFreeAsync: likewise; memory of a capture goes back to its pool with the last graph that can
// use it, other memory stays until the program frees it outside of captures.
hipError_t capture_free(const StreamRef& stream, const AllocationRef& allocation);
hipError_t capture_record(const StreamRef& stream, Event& event);
// The event was recorded in a capturing stream. The stream itself need not capture yet: this is how
// it is drawn in.
hipError_t capture_wait(const StreamRef& stream, const Event& event);
// A capturing stream is asked to wait for an event that the capture knows nothing of: 905.
hipError_t refuse_outside_event(const Stream& stream);

// Into a graph of its own, or one that there is, behind these nodes of it.
hipError_t begin_capture(const StreamRef& stream, hipStreamCaptureMode mode,
                         const GraphRef& into = nullptr,
                         const std::vector<GraphNode*>& behind = {});
// What the stream's next node depends on: these as well, or only these. With graph_lock held.
void update_dependencies(const Stream& stream, const std::vector<GraphNode*>& nodes, bool replace);
hipError_t end_capture(const StreamRef& stream, GraphRef* graph);
// The stream is being destroyed: its capture ends without a graph if it began there.
void abandon_capture(const StreamRef& stream);

// The calling thread's mode; returns the one before.
hipStreamCaptureMode exchange_thread_capture_mode(hipStreamCaptureMode mode);

// The stream's capture, null if it has none; call and use with graph_lock held.
CaptureRef capture_of(const Stream& stream);

}  // namespace greta::sim
