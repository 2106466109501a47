// Objects of the program that graphs hold references to.
#include "device/user_object.h"

#include <climits>

#include "api/generated/impl.h"
#include "api/graph_handles.h"
#include "device/handle_table.h"

namespace greta::api {

using sim::UserObject;
using sim::UserObjectLease;
using sim::UserObjectRef;

namespace {

sim::HandleTable<UserObject>& object_table() {
  static auto* const table = new sim::HandleTable<UserObject>(11);
  return *table;
}

bool is_count(unsigned count) { return count > 0 && count <= INT_MAX; }

// The last reference takes the handle along.
void release(hipUserObject_t handle, const UserObjectRef& object, unsigned count) {
  if (object->count() == count) object_table().remove(handle);
  object->release(count);
}

}  // namespace

hipError_t hipUserObjectCreate(hipUserObject_t* out, void* pointer, hipHostFn_t destroy,
                               unsigned int count, unsigned int flags) {
  const bool possible = out && destroy && is_count(count);
  if (!possible || flags != hipUserObjectNoDestructorSync) return hipErrorInvalidValue;
  *out = static_cast<hipUserObject_t>(
      object_table().add(std::make_shared<UserObject>(pointer, destroy, count)));
  return hipSuccess;
}

// Of an object that is gone, or that has not so many references, nothing is done and nothing said,
// as in AMD's library.
hipError_t hipUserObjectRelease(hipUserObject_t handle, unsigned int count) {
  if (!handle || !is_count(count)) return hipErrorInvalidValue;
  const UserObjectRef object = object_table().find(handle);
  if (object && object->count() >= count) release(handle, object, count);
  return hipSuccess;
}

hipError_t hipUserObjectRetain(hipUserObject_t handle, unsigned int count) {
  if (!handle || !is_count(count)) return hipErrorInvalidValue;
  if (const UserObjectRef object = object_table().find(handle)) object->retain(count);
  return hipSuccess;
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph_handle, hipUserObject_t handle,
                                    unsigned int count, unsigned int flags) {
  const bool known = flags == 0 || flags == hipGraphUserObjectMove;
  if (!handle || !is_count(count) || !known) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  const sim::GraphRef graph = find_graph(graph_handle);
  if (!graph) return hipErrorInvalidValue;
  const UserObjectRef object = object_table().find(handle);
  if (!object) return hipSuccess;
  if (flags != hipGraphUserObjectMove) object->retain(count);
  auto& lease = graph->user_objects[object];
  if (!lease) lease = std::make_shared<UserObjectLease>(object, 0u);
  lease->count += count;
  return hipSuccess;
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph_handle, hipUserObject_t handle,
                                     unsigned int count) {
  if (!handle || !is_count(count)) return hipErrorInvalidValue;
  const auto lock = sim::graph_lock();
  const sim::GraphRef graph = find_graph(graph_handle);
  if (!graph) return hipErrorInvalidValue;
  const UserObjectRef object = object_table().find(handle);
  const auto found = graph->user_objects.find(object);
  if (!object || found == graph->user_objects.end() || found->second->count < count) {
    return hipSuccess;
  }
  found->second->count -= count;
  if (found->second->count == 0) graph->user_objects.erase(found);
  release(handle, object, count);
  return hipSuccess;
}

}  // namespace greta::api
