#include "hiprtc/files.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace greta::hiprtc {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return content;
}

bool write_file(const std::string& path, std::string_view content) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  return static_cast<bool>(file);
}

bool is_local(const std::string& name) {
  if (name.empty() || name.front() == '/') return false;
  return ("/" + name + "/").find("/../") == std::string::npos;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::filesystem::path root = std::filesystem::temp_directory_path(error);
  std::string pattern = (error ? std::filesystem::path("/tmp") : root) / "greta-hiprtc-XXXXXX";
  if (mkdtemp(pattern.data())) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (exists()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace greta::hiprtc
