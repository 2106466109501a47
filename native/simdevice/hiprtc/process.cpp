#include "hiprtc/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace greta::hiprtc {
namespace {

// Our own process may be under a recorder or a sanitizer; the compiler must not be. Its messages
// must be in English, because tests and users' tools read them.
std::vector<std::string> compiler_environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry && *entry; ++entry) {
    bool dropped = !std::strncmp(*entry, "LD_PRELOAD=", 11) || !std::strncmp(*entry, "LC_", 3) ||
                   !std::strncmp(*entry, "LANG", 4);
    if (!dropped) variables.emplace_back(*entry);
  }
  variables.emplace_back("LC_ALL=C");
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// What it prints, to the end; of very much only the first part is kept, since a macro can make a
// compiler print for ever.
constexpr size_t kMostOutput = 1 << 20;

std::string read_all(int descriptor) {
  std::string text;
  size_t total = 0;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count > 0) {
      total += static_cast<size_t>(count);
      text.append(buffer, std::min(static_cast<size_t>(count), kMostOutput - text.size()));
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  if (total > text.size()) {
    text += "\n... (" + std::to_string(total - text.size()) + " bytes more)\n";
  }
  return text;
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    // The host program may have told the kernel to reap its children (SIGCHLD ignored). Then the
    // exit code is lost, and the caller must judge by what the program left behind.
    if (errno == ECHILD) return 0;
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class SpawnActions {
 public:
  explicit SpawnActions(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// The host program may block or ignore signals; the compiler starts with the usual settings.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::string& working_directory) {
  ProcessResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  // posix_spawn can change the folder itself since glibc 2.29 only.
  std::vector<std::string> words = {"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", working_directory};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = compiler_environment();
  pid_t process = 0;
  {
    SpawnActions actions(ends[1]);
    SpawnAttributes attributes;
    result.started = posix_spawn(&process, words[0].c_str(), actions.get(), attributes.get(),
                                 pointers(words).data(), pointers(environment).data()) == 0;
  }
  close(ends[1]);
  if (result.started) {
    result.output = read_all(ends[0]);
    result.exit_code = wait_for(process);
  }
  close(ends[0]);
  return result;
}

}  // namespace greta::hiprtc
