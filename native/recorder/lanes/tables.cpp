#include "recorder/lanes/tables.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "recorder/hooks/hook_table.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/roctx_hooks.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/mapped_file.h"
#include "recorder/lanes/own_files.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/secrets.h"
#include "recorder/notes/known_variables.h"
#include "recorder/sites/libraries.h"
#include "recorder/watch/added_work.h"

extern char** environ;

namespace greta::recorder {
namespace {

// Longer ones are cut; no name of a file or kernel that is worth reading is longer.
constexpr size_t kMostText = 4096;
constexpr size_t kMostTexts = 1 << 20;

// What HIP, the tools around it and the loader look at. No other variable is kept but those below:
// environments hold secrets.
constexpr const char* kPrefixes[] = {"HIP_", "HSA_", "ROCR_",  "ROCM_",
                                     "AMD_", "GPU_", "GRETA_", "GCORE_",
                                     "LD_",  "OMP_", "PYTHON", "CUDA_VISIBLE"};

// By which launchers of several processes name each.
constexpr const char* kRanks[] = {"RANK",      "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                  "PMI_RANK",  "MV2_COMM_WORLD_RANK",  "SLURM_PROCID",
                                  "LOCAL_RANK"};

bool is_kept(std::string_view name) {
  const auto begins = [name](const char* with) {
    return name.substr(0, std::strlen(with)) == with;
  };
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes), begins) ||
         std::find(std::begin(kRanks), std::end(kRanks), name) != std::end(kRanks);
}

// Whether the last line was cut off in the middle.
std::atomic<bool> g_torn{false};

uint64_t size_of(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

struct Interned {
  std::mutex mutex;
  std::unordered_map<std::string, uint32_t> texts;
  std::map<std::pair<uint32_t, std::string>, uint32_t> annotations;
};

Interned& interned() {
  static Interned* const instance = new Interned;
  return *instance;
}

std::string link_target(const char* path) {
  char target[kMostPath];
  const ssize_t length = readlink(path, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<size_t>(length)) : std::string();
}

std::string read_whole(const char* path) {
  std::string content;
  const int file = open_own(path, O_RDONLY);
  if (file < 0) return content;
  char part[4096];
  for (ssize_t bytes; (bytes = read(file, part, sizeof part)) > 0;) {
    content.append(part, static_cast<size_t>(bytes));
  }
  close(file);
  return content;
}

std::string arguments_json() {
  const std::string line = read_whole("/proc/self/cmdline");
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find('\0', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  std::string list = "[";
  for (const std::string& word : masked_words(words)) {
    list += (list.size() > 1 ? "," : "") + json_string(word);
  }
  return list + "]";
}

int write_all(int file, std::string_view text) {
  const ssize_t written = write(file, text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return 0;
  const int error = written < 0 ? errno : ENOSPC;
  if (written > 0) g_torn = true;
  return error;
}

// 0, or the reason why not.
int append_text(const char* name, std::string_view text, uint64_t most) {
  const std::string path = std::string(recording().folder()) + "/" + name;
  const int file = open_own(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
  if (file < 0) return errno;
  const uint64_t size = size_of(file) + text.size();
  const int error = size <= most && file_may_reach(size) ? write_all(file, text) : EFBIG;
  close(file);
  return error;
}

int append(std::string_view lines) {
  std::string text = g_torn.exchange(false) ? "\n" : "";  // so that only one line is lost
  text += lines;
  return append_text("tables.jsonl", text, UINT64_MAX);
}

void write_environment() {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const char* equals = std::strchr(*variable, '=');
    if (equals == nullptr) continue;
    const std::string_view name(*variable, static_cast<size_t>(equals - *variable));
    if (!is_kept(name) || is_secret_variable(name)) continue;
    write_table_line(
        JsonLine("environment").field("name", name).field("value", without_secrets(equals + 1)));
  }
}

}  // namespace

bool write_table_text(std::string_view lines) {
  const ErrnoKeeper errno_keeper;
  const int error = append(lines);
  if (error != 0) recording().mark_incomplete();
  return error == 0;
}

bool append_to_recording(const char* file, std::string_view text, uint64_t most) {
  const ErrnoKeeper errno_keeper;
  return append_text(file, text, most) == 0;
}

bool write_table_line(const JsonLine& line) { return write_table_text(line.finished()); }

void write_note(std::string_view text) { write_table_line(JsonLine("note").field("text", text)); }

int write_process_entries() {
  write_table_line(JsonLine("process")
                       .field("pid", static_cast<uint64_t>(getpid()))
                       .field("executable", link_target("/proc/self/exe"))
                       .raw("arguments", arguments_json())
                       .field("folder", link_target("/proc/self/cwd"))
                       .field("recorder", GRETA_VERSION));
  write_environment();
  if (const int error = append(kCallEntries); error != 0) return error;
  write_roctx_entries();
  write_own_entries();
  note_new_libraries();
  write_library_entry();  // known from the parent in a forked child
  write_known_variables();
  return 0;
}

uint32_t text_id(const void* characters) {
  if (characters == nullptr || !recording().is_on()) return 0;
  const auto* start = static_cast<const char*>(characters);
  const std::string text(start, strnlen(start, kMostText));
  Interned& table = interned();
  std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.texts.find(text);
  if (found != table.texts.end()) return found->second;
  if (table.texts.size() >= kMostTexts) return 0;
  const auto id = static_cast<uint32_t>(table.texts.size() + 1);
  if (!write_table_line(JsonLine("text").field("id", id).field("text", text))) return 0;
  table.texts.emplace(text, id);
  return id;
}

uint32_t annotation_id(uint32_t parent, std::string_view text) {
  if (!recording().is_on()) return 0;
  Interned& table = interned();
  std::lock_guard<std::mutex> lock(table.mutex);
  const std::pair<uint32_t, std::string> key(parent, text.substr(0, kMostText));
  const auto found = table.annotations.find(key);
  if (found != table.annotations.end()) return found->second;
  if (table.annotations.size() >= kMostTexts) return parent;
  const auto id = static_cast<uint32_t>(table.annotations.size() + 1);
  const JsonLine line = JsonLine("annotation")
                            .field("id", id)
                            .field("parent", uint64_t{parent})
                            .field("text", key.second);
  if (!write_table_line(line)) return parent;
  table.annotations.emplace(key, id);
  return id;
}

void forget_tables() {
  new (&interned()) Interned;  // the old one is left: another thread may have been at it
}

}  // namespace greta::recorder
