// C++ names as people write them.
#pragma once

#include <string>

namespace greta::codeobject {

// The name itself if it is no mangled one.
std::string readable_name(const std::string& name);

}  // namespace greta::codeobject
