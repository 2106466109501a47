// The variables of loaded code as device memory, which copies and pointer queries know.
#pragma once

#include <vector>

#include "device/address_map.h"
#include "device/code_object.h"

namespace greta::api {

class AdoptedVariables {
 public:
  AdoptedVariables() = default;
  ~AdoptedVariables() { release(); }
  AdoptedVariables(const AdoptedVariables&) = delete;

  void adopt(const sim::CodeObject& code, int device);
  void release();

 private:
  std::vector<sim::AllocationRef> allocations_;
};

}  // namespace greta::api
