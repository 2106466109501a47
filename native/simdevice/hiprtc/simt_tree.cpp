#include "hiprtc/simt_tree.h"

#include <dlfcn.h>

#include <filesystem>

namespace greta::hiprtc {
namespace {

std::string find_simt() {
  if (const char* chosen = std::getenv("GRETA_SIM_SIMT")) return chosen;
  Dl_info info = {};
  if (!dladdr(reinterpret_cast<void*>(&find_simt), &info) || !info.dli_fname) return "";
  std::error_code error;
  std::filesystem::path library = std::filesystem::absolute(info.dli_fname, error);
  std::filesystem::path beside = library.parent_path().parent_path() / "simt";
  if (std::filesystem::exists(beside, error)) return beside.string();
  // The library may have been reached through a link.
  library = std::filesystem::canonical(library, error);
  return (library.parent_path().parent_path() / "simt").string();
}

}  // namespace

const std::string& simt_directory() {
  static const std::string found = find_simt();
  return found;
}

std::string simt_include_directory() { return simt_directory() + "/include"; }

}  // namespace greta::hiprtc
