// The calls that code makes through its own import slots. A hook that is called so finds its HIP
// library by the return address, which is not that of the caller if the call was the last step of a
// function; and code that was opened with RTLD_DEEPBIND calls HIP itself, not us. So where it
// matters, the slots get the hooks that are bound to their library.
#pragma once

#include <vector>

#include "recorder/hooks/caller_scope.h"
#include "recorder/hooks/runtimes.h"

namespace greta::recorder {

struct LinkedCode {
  size_t object;
  Route* route;  // null: not known
};

// Looks at objects that were not looked at before, and at all of them when there is a second HIP
// library. The code whose slots were changed.
std::vector<LinkedCode> bind_linked_calls(const std::vector<LoadedObject>& objects);

bool is_linked_with_hip(const LoadedObject& object);

// After a library was unloaded, another may come to its place.
void forget_linked_code();
// In a forked child.
void forget_lock_of_linked_code();

}  // namespace greta::recorder
