// How much static shared memory a kernel uses: the thread-local variables that its entry function,
// and the functions that it calls, refer to.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "hiprtc/object_file.h"

namespace greta::hiprtc {

class SharedUsage {
 public:
  explicit SharedUsage(const ObjectFile& object) : object_(object) {}

  uint32_t bytes_used_from(const std::string& function) const;

 private:
  using Found = std::set<uint32_t>;  // symbols

  void follow(uint32_t function, Found& seen) const;
  uint32_t resolve(const ObjectReference& reference) const;
  bool is_own_variable(const ObjectSymbol& symbol) const;

  const ObjectFile& object_;
};

}  // namespace greta::hiprtc
