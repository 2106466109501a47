#include "hiprtc/build_cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "environment.h"
#include "hiprtc/files.h"
#include "hiprtc/fingerprint.h"

namespace greta::hiprtc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "greta hiprtc build 1\n";
constexpr uint64_t kMostBytes = 512ull << 20;
constexpr uint64_t kBytesAfterPruning = kMostBytes / 4 * 3;

std::string find_folder() {
  if (number_variable("GRETA_SIM_CACHE", 0, 1, 1) == 0) return "";
  if (std::string own = variable("GRETA_CACHE_DIR"); !own.empty()) return own + "/hiprtc";
  if (std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/greta/hiprtc";
  if (std::string home = variable("HOME"); !home.empty()) return home + "/.cache/greta/hiprtc";
  return "";
}

// Size and time of a file; "" if there is none.
std::string state_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return "";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

// An entry is machine code that will run: it is taken only from where nobody else can write.
bool is_ours_alone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_our_folder(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours_alone(status);
}

std::optional<std::string> read_our_file(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status;
  bool is_sound = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                  is_ours_alone(status) && static_cast<uint64_t>(status.st_size) <= kMostBytes;
  std::string content(is_sound ? static_cast<size_t>(status.st_size) : 0, '\0');
  size_t done = 0;
  while (is_sound && done < content.size()) {
    ssize_t now = read(descriptor, content.data() + done, content.size() - done);
    is_sound = now > 0;
    if (is_sound) done += static_cast<size_t>(now);
  }
  close(descriptor);
  if (!is_sound) return std::nullopt;
  return content;
}

// Makes it, or takes away what lets others write into one that is ours.
bool make_our_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  struct stat status;
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (status.st_uid != geteuid()) return false;
  return is_ours_alone(status) || chmod(path.c_str(), S_IRWXU) == 0;
}

// --- An entry: the magic, the fingerprint of the rest, a newline; then texts, each after its
// --- length in eight bytes: code, log, number of names, names and symbols, number of files, files
// --- and their states.

class EntryWriter {
 public:
  void text(std::string_view value) {
    uint64_t size = value.size();
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes_ += value;
  }
  void count(size_t value) { text(std::to_string(value)); }

  std::string finish() const {
    return std::string(kMagic) + Fingerprint().add(bytes_).hex() + "\n" + bytes_;
  }

 private:
  std::string bytes_;
};

class EntryReader {
 public:
  explicit EntryReader(std::string_view file) {
    size_t header = kMagic.size() + 33;
    if (file.size() < header || file.substr(0, kMagic.size()) != kMagic) return;
    bytes_ = file.substr(header);
    sound_ = Fingerprint().add(bytes_).hex() == file.substr(kMagic.size(), 32);
  }

  bool sound() const { return sound_; }

  std::string text() {
    uint64_t size = 0;
    if (bytes_.size() - at_ < sizeof size) return fail();
    std::memcpy(&size, bytes_.data() + at_, sizeof size);
    at_ += sizeof size;
    if (size > bytes_.size() - at_) return fail();
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }
  size_t count() { return strtoul(text().c_str(), nullptr, 10); }

 private:
  std::string fail() {
    sound_ = false;
    return "";
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool sound_ = false;
};

bool includes_are_unchanged(EntryReader& entry) {
  for (size_t left = entry.count(); left > 0 && entry.sound(); --left) {
    std::string path = entry.text();
    if (state_of(path) != entry.text()) return false;
  }
  return true;
}

void write_then_rename(const std::string& path, const std::string& content) {
  std::string temporary = path + ".XXXXXX";
  int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  close(descriptor);
  std::error_code ignored;
  if (write_file(temporary, content)) fs::rename(temporary, path, ignored);
  fs::remove(temporary, ignored);
}

struct StoredFile {
  fs::file_time_type used;
  uint64_t size;
  fs::path path;
};

// Removes the entries that have gone unused for longest, once they are too many together.
void prune(const std::string& folder) {
  std::error_code error;
  std::vector<StoredFile> files;
  uint64_t total = 0;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;
    StoredFile file = {entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone) continue;
    total += file.size;
    files.push_back(std::move(file));
  }
  if (total <= kMostBytes) return;
  std::sort(files.begin(), files.end(),
            [](const StoredFile& a, const StoredFile& b) { return a.used < b.used; });
  for (const StoredFile& file : files) {
    if (total <= kBytesAfterPruning) return;
    if (fs::remove(file.path, error)) total -= file.size;
  }
}

}  // namespace

BuildCache::BuildCache() : folder_(find_folder()) {}

std::optional<BuildOutput> BuildCache::find(const std::string& key) const {
  if (folder_.empty() || !is_our_folder(folder_)) return std::nullopt;
  std::string path = folder_ + "/" + key;
  std::optional<std::string> file = read_our_file(path);
  if (!file) return std::nullopt;
  EntryReader entry(*file);
  if (!entry.sound()) return std::nullopt;
  BuildOutput output;
  output.code = entry.text();
  output.log = entry.text();
  for (size_t left = entry.count(); left > 0 && entry.sound(); --left) {
    std::string name = entry.text();
    output.lowered_names[name] = entry.text();
  }
  if (!includes_are_unchanged(entry) || !entry.sound()) return std::nullopt;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // for prune(): it has been used
  output.succeeded = true;
  return output;
}

void BuildCache::store(const std::string& key, const BuildOutput& output,
                       const std::vector<std::string>& included_files) const {
  if (folder_.empty()) return;
  EntryWriter entry;
  entry.text(output.code);
  entry.text(output.log);
  entry.count(output.lowered_names.size());
  for (const auto& [name, symbol] : output.lowered_names) {
    entry.text(name);
    entry.text(symbol);
  }
  entry.count(included_files.size());
  for (const std::string& file : included_files) {
    entry.text(file);
    entry.text(state_of(file));
  }
  if (!make_our_folder(folder_)) return;
  write_then_rename(folder_ + "/" + key, entry.finish());
  prune(folder_);
}

}  // namespace greta::hiprtc
