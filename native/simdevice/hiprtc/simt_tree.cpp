#include "hiprtc/simt_tree.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "hiprtc/files.h"
#include "hiprtc/fingerprint.h"

namespace greta::hiprtc {
namespace {

std::string library_path() {
  Dl_info info = {};
  if (!dladdr(reinterpret_cast<void*>(&library_path), &info) || !info.dli_fname) return "";
  std::error_code error;
  return std::filesystem::absolute(info.dli_fname, error).string();
}

std::string find_simt() {
  std::filesystem::path library = library_path();
  std::error_code error;
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

std::string simt_identity() {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(simt_directory(), error))
    if (entry.path().extension() == ".h") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  Fingerprint fingerprint;
  for (const std::string& path : paths) fingerprint.add(path).add(read_file(path).value_or(""));
  struct stat library = {};
  stat(library_path().c_str(), &library);
  fingerprint.add(std::to_string(library.st_size) + " " + std::to_string(library.st_mtim.tv_sec) +
                  "." + std::to_string(library.st_mtim.tv_nsec));
  return fingerprint.hex();
}

std::string simt_include_directory() { return simt_directory() + "/include"; }

}  // namespace greta::hiprtc
