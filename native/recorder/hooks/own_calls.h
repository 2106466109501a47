// Records that are not calls of the program, numbered after the calls of roctx.
#pragma once

#include "recorder/generated/calls.h"
#include "recorder/hooks/roctx_hooks.h"

namespace greta::recorder {

// The host touched memory of a copy that is in flight: address, write, begin and bytes of the
// copy's host side, lane and begin of the copy's record, its stream. For the site see touch_site.h.
constexpr Call kHostTouch = static_cast<Call>(kHipCalls + kRoctxCalls + 1);
// The recorder waited for the operation before it in the lane: its number, its stream.
constexpr Call kAddedSync = static_cast<Call>(kHipCalls + kRoctxCalls + 2);
// The program announced a block inside an allocation, or its end: base, bytes, name, stream.
constexpr Call kBlockCreated = static_cast<Call>(kHipCalls + kRoctxCalls + 3);
constexpr Call kBlockDestroyed = static_cast<Call>(kHipCalls + kRoctxCalls + 4);
// What a call that launches on several devices put on one of them; see launch_parts.h.
constexpr Call kPartLaunched = static_cast<Call>(kHipCalls + kRoctxCalls + 5);

}  // namespace greta::recorder
