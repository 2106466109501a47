// hipUserObject_t: something of the program's that is destroyed when the last reference is gone. A
// graph can hold references, and so does everything that is instantiated from it.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <memory>
#include <utility>

namespace greta::sim {

class UserObject {
 public:
  UserObject(void* object, hipHostFn_t destroy, unsigned count)
      : object_(object), destroy_(destroy), count_(count) {}

  unsigned count() const { return count_.load(); }
  void retain(unsigned count) { count_ += count; }
  // The last one destroys it.
  void release(unsigned count) {
    if (count_.fetch_sub(count) == count) destroy_(object_);
  }

 private:
  void* const object_;
  const hipHostFn_t destroy_;
  std::atomic<unsigned> count_;
};

using UserObjectRef = std::shared_ptr<UserObject>;

// References that somebody holds until the end of its own life.
struct UserObjectLease {
  UserObjectLease(UserObjectRef object, unsigned count) : object(std::move(object)), count(count) {}
  ~UserObjectLease() {
    if (count > 0) object->release(count);
  }
  UserObjectLease(const UserObjectLease&) = delete;

  const UserObjectRef object;
  unsigned count;
};

}  // namespace greta::sim
