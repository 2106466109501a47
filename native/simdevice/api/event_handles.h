// From hipEvent_t to the event it names.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/event.h"
#include "device/handle_table.h"

namespace greta::api {

sim::HandleTable<sim::Event>& event_table();

// Null for a handle that is null, stale or never was.
inline sim::EventRef find_event(hipEvent_t handle) { return event_table().find(handle); }

}  // namespace greta::api
