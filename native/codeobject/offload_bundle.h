// The offload bundle of clang: code for several targets in one image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codeobject/image_bytes.h"

namespace greta::codeobject {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

struct BundleEntry {
  uint64_t offset = 0;  // from the bundle's beginning
  uint64_t size = 0;
  std::string id;  // hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-

  bool is_for_host() const { return id.compare(0, 4, "host") == 0; }
};

// None if the header is corrupt; that the entries are there is not looked at.
std::optional<std::vector<BundleEntry>> read_bundle(const ImageBytes& image);

// "gfx90a" in the id above, and in the name a device gives itself: "gfx90a:sramecc+:xnack-".
std::string_view processor_of(std::string_view target);

}  // namespace greta::codeobject
