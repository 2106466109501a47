// Where the simt headers are: beside this library's folder, in <tree>/simt.
#pragma once

#include <string>

namespace greta::hiprtc {

const std::string& simt_directory();
std::string simt_include_directory();

// Fingerprint of the headers' content, and of which build of this library it is.
std::string simt_identity();

}  // namespace greta::hiprtc
