#include "recorder/hooks/started_programs.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "contract/recording.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/own_files.h"
#include "recorder/lanes/secrets.h"

namespace greta::recorder {
namespace {

constexpr size_t kMostPath = 4096;
constexpr size_t kLineBytes = 3072;
constexpr int kMostArguments = 16;
constexpr int kMostInterpreters = 4;  // as in the kernel: a script may be interpreted by a script

// --- what this process was started with ----------------------------------------------------------

char g_given[kMostPath];                // GRETA_RECORD: the program may remove it
char g_notes[kMostPath];                // the file
const char* g_recorder_name = nullptr;  // of its file, as LD_PRELOAD has it

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

// When the recorder is loaded, or before if another library starts programs as it is loaded.
__attribute__((constructor)) void remember_start() {
  if (g_recorder_name != nullptr) return;
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&remember_start), &self);
  g_recorder_name = self.dli_fname != nullptr ? base_name(self.dli_fname) : "";
  const char* given = secure_getenv("GRETA_RECORD");
  if (given == nullptr || *given == '\0' || std::strlen(given) >= sizeof g_given) return;
  std::strcpy(g_given, given);
  char* resolved = realpath(given, nullptr);  // the program may change its folder
  const char* root = resolved != nullptr ? resolved : given;
  const int length = std::snprintf(g_notes, sizeof g_notes, "%s/" GRETA_PROCESSES_FILE, root);
  if (length < 0 || length >= static_cast<int>(sizeof g_notes)) g_notes[0] = '\0';
  std::free(resolved);
}

bool is_wanted() {
  remember_start();
  return g_notes[0] != '\0';
}

// --- would it be in the program? -----------------------------------------------------------------

const char* value_in(char* const* environment, const char* name) {
  const size_t length = std::strlen(name);
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
      return *environment + length + 1;
    }
  }
  return nullptr;
}

bool names_recorder(const char* preload) {
  const size_t length = std::strlen(g_recorder_name);
  for (const char* word = preload; *word != '\0';) {
    const size_t bytes = std::strcspn(word, ": ");
    const char* end = word + bytes;
    const bool fits = bytes >= length && std::strncmp(end - length, g_recorder_name, length) == 0;
    if (fits && (bytes == length || *(end - length - 1) == '/')) return true;
    word = *end != '\0' ? end + 1 : end;
  }
  return false;
}

bool asks_for_recorder(char* const* environment) {
  const char* preload = value_in(environment, "LD_PRELOAD");
  const char* folder = value_in(environment, "GRETA_RECORD");
  return preload != nullptr && folder != nullptr && std::strcmp(folder, g_given) == 0 &&
         names_recorder(preload);
}

// With more rights than its user's: the loader then ignores LD_PRELOAD.
bool gains_rights(const char* path, const struct stat& status) {
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) return true;
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()) return true;
  return getuid() != 0 && getxattr(path, "security.capability", nullptr, 0) > 0;
}

bool has_loader(int file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    const off_t at = static_cast<off_t>(header.e_phoff + uint64_t{i} * header.e_phentsize);
    if (pread(file, &part, sizeof part, at) != static_cast<ssize_t>(sizeof part)) return true;
    if (part.p_type == PT_INTERP) return true;
  }
  return false;
}

bool loads_our_kind(int file, const char* start, size_t bytes) {
  Elf64_Ehdr header;
  if (bytes < sizeof header || std::memcmp(start, ELFMAG, SELFMAG) != 0) return true;
  std::memcpy(&header, start, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) return false;
  return has_loader(file, header);
}

// The interpreter that a script names; false if it is none.
bool interpreter_in(const char* start, size_t bytes, char (&path)[PATH_MAX / 16]) {
  if (bytes < 3 || start[0] != '#' || start[1] != '!') return false;
  size_t at = 2, length = 0;
  while (at < bytes && (start[at] == ' ' || start[at] == '\t')) ++at;
  while (at + length < bytes && std::strchr(" \t\n", start[at + length]) == nullptr) ++length;
  if (length == 0 || length >= sizeof path) return false;
  std::memcpy(path, start + at, length);
  path[length] = '\0';
  return true;
}

// What cannot be looked at is taken for an ordinary program, into which the loader loads.
bool can_be_preloaded(const char* file, Opener opener) {
  char interpreter[PATH_MAX / 16];
  for (int i = 0; i < kMostInterpreters; ++i) {
    const int opened = opener(file, O_RDONLY);
    if (opened < 0) return true;
    char start[256];
    const ssize_t got = pread(opened, start, sizeof start, 0);
    const size_t bytes = got > 0 ? static_cast<size_t>(got) : 0;
    struct stat status = {};
    const bool known = fstat(opened, &status) == 0;
    const bool is_script = interpreter_in(start, bytes, interpreter);
    const bool loads = is_script || loads_our_kind(opened, start, bytes);
    syscall(SYS_close, opened);
    // The kernel does not heed the rights of a script.
    if (!is_script) return loads && !(known && gains_rights(file, status));
    file = interpreter;
  }
  return true;
}

// --- the lines -----------------------------------------------------------------------------------

// A line of JSON on the stack, cut where it is too long. Bytes that are not ASCII stay as they are.
class Line {
 public:
  Line& key(const char* name) {
    add(used_ == 0 ? '{' : ',');
    return text(name).add(':');
  }
  Line& number(const char* name, long value) {
    key(name);
    char digits[24];
    std::snprintf(digits, sizeof digits, "%ld", value);
    for (const char* digit = digits; *digit != '\0'; ++digit) add(*digit);
    return *this;
  }
  Line& string(const char* name, const char* value) { return key(name).text(value); }
  // A command line; secrets are ***.
  Line& command(const char* name, char* const* words) {
    key(name).add('[');
    for (int i = 0; words != nullptr && words[i] != nullptr && i < kMostArguments; ++i) {
      if (i > 0) add(',');
      ShortWord word(words[i]);
      if (i > 0) word.mask(i > 1 ? words[i - 1] : "");
      text(word.c_str());
    }
    return add(']');
  }
  void write_to(Opener opener) {
    add('}').add('\n');
    const int file = opener(g_notes, O_WRONLY | O_APPEND | O_CREAT);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size < GRETA_MOST_PROCESSES_BYTES) {
      const ssize_t written = write(file, bytes_, used_);
      static_cast<void>(written);  // a disk that is full: there is nobody to tell
    }
    syscall(SYS_close, file);
  }

 private:
  static constexpr size_t kKept = 64;  // for what closes the line
  static constexpr size_t kLongest = 384;

  Line& add(char one) {
    if (used_ < sizeof bytes_) bytes_[used_++] = one;
    return *this;
  }
  Line& text(const char* value) {
    add('"');
    for (size_t i = 0; value != nullptr && value[i] != '\0' && i < kLongest; ++i) {
      if (used_ + kKept > sizeof bytes_) break;
      const char one = value[i];
      if (static_cast<unsigned char>(one) < 0x20) {
        add(' ');
      } else {
        if (one == '"' || one == '\\') add('\\');
        add(one);
      }
    }
    return add('"');
  }

  char bytes_[kLineBytes];
  size_t used_ = 0;
};

}  // namespace

int open_before_exec(const char* path, int flags) {
  const long opened = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
  if (opened < 0 || opened > 2) return static_cast<int>(opened);
  // A standard stream is closed, and has to stay so for the program.
  const int moved = fcntl(static_cast<int>(opened), F_DUPFD_CLOEXEC, 3);
  syscall(SYS_close, opened);
  return moved;
}

bool note_if_unfollowed(const Start& start, pid_t child, Opener opener) {
  if (start.file == nullptr || !is_wanted()) return false;
  const ErrnoKeeper errno_keeper;
  const bool asked = asks_for_recorder(start.environment);
  if (asked && can_be_preloaded(start.file, opener)) return false;
  char folder[512];
  if (syscall(SYS_getcwd, folder, sizeof folder) < 0) folder[0] = '\0';
  Line line;
  line.string("kind", "unfollowed").number("pid", child).number("by_pid", getpid());
  line.string("by", start.by).number("asked", asked ? 1 : 0).string("file", start.file);
  line.string("folder", folder).command("arguments", start.arguments);
  line.write_to(opener);
  return true;
}

void note_not_started(Opener opener) {
  const ErrnoKeeper errno_keeper;
  Line line;
  line.string("kind", "not_started").number("pid", getpid());
  line.write_to(opener);
}

void note_recorded(const char* folder) {
  if (!is_wanted()) return;
  const ErrnoKeeper errno_keeper;
  Line line;
  line.string("kind", "recorded").number("pid", getpid()).string("name", base_name(folder));
  line.write_to(open_own);
}

}  // namespace greta::recorder
