// Small file operations, and a private folder that disappears with its owner.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace greta::hiprtc {

std::optional<std::string> read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view content);

// A header is written where its name says, but nowhere outside the program's folder.
bool is_local(const std::string& name);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace greta::hiprtc
