// The variables of loaded code as device memory, which copies and pointer queries know.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/address_map.h"
#include "device/code_object.h"

namespace greta::api {

class AdoptedVariables {
 public:
  AdoptedVariables() = default;
  ~AdoptedVariables() { release(); }
  AdoptedVariables(const AdoptedVariables&) = delete;

  // `symbols`: the addresses by which the program names variables.
  void adopt(const sim::CodeObject& code, int device,
             const std::map<std::string, const void*, std::less<>>& symbols = {});
  void release();

 private:
  std::vector<sim::AllocationRef> allocations_;
};

}  // namespace greta::api
