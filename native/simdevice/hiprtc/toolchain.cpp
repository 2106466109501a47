#include "hiprtc/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>

#include "hiprtc/process.h"

namespace greta::hiprtc {
namespace {

bool is_program(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

bool is_clang(const Toolchain& toolchain) {
  static std::mutex mutex;
  static std::map<std::string, bool> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = known.find(toolchain.path);
  if (found != known.end()) return found->second;
  std::string version = run_process({toolchain.path, "--version"}, "/").output;
  return known[toolchain.path] = version.find("clang") != std::string::npos;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = secure_getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_program(folder + "/" + name)) return folder + "/" + name;
  return "";
}

std::optional<Toolchain> find_toolchain() {
  const char* chosen = secure_getenv("GRETA_SIM_CXX");
  std::vector<std::string> names = {"c++", "g++", "clang++"};
  if (chosen && *chosen) names = {chosen};
  for (const std::string& name : names) {
    std::string path = find_program(name);
    if (!path.empty()) return Toolchain{path};
  }
  return std::nullopt;
}

std::string identity_of(const Toolchain& toolchain) {
  struct stat status = {};
  stat(toolchain.path.c_str(), &status);
  return toolchain.path + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

std::string missing_toolchain_text() {
  const char* chosen = secure_getenv("GRETA_SIM_CXX");
  if (chosen && *chosen)
    return "error: GRETA_SIM_CXX names no program that can be run: " + std::string(chosen) + "\n";
  return "error: no C++ compiler found. The simulated device compiles kernels with the system's "
         "C++ compiler: install g++ or clang (on Debian or Ubuntu: apt install g++), or set "
         "GRETA_SIM_CXX to one.\n";
}

std::vector<std::string> code_flags(const Toolchain& toolchain) {
  std::vector<std::string> flags = {
      "-fPIC", "-fno-semantic-interposition", "-ffp-contract=fast", "-fno-math-errno",
      "-fno-trapping-math",
      // Kernels often reinterpret memory. The loops over threads vectorize without the rule too.
      "-fno-strict-aliasing", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
      "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fcf-protection=none",
      "-fno-stack-clash-protection",
      // printf is the device's, and not to be replaced by puts.
      "-fno-builtin-printf",
      // Lines alone: where in the source an access is that faults.
      "-g1",
      // Attributes for GPUs, and what our own keywords expand to.
      "-Wno-attributes"};
  if (is_clang(toolchain))
    flags.insert(flags.end(), {"-Wno-gnu-inline-cpp-without-extern", "-Wno-pass-failed",
                               "-Wno-unused-command-line-argument", "-Wno-c99-designator"});
  else
    flags.insert(flags.end(), {"-fno-extern-tls-init", "-fno-gnu-unique", "-Wno-psabi"});
  return flags;
}

std::vector<std::string> checking_flags(const Toolchain& toolchain) {
  std::vector<std::string> flags = {"-fsanitize=thread",       "-fno-tree-vectorize",
                                    "-fno-omit-frame-pointer", "-fno-builtin-memcpy",
                                    "-fno-builtin-memmove",    "-fno-builtin-memset"};
  if (is_clang(toolchain))
    flags.insert(flags.end(), {"-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
                               "-tsan-instrument-read-before-write=1", "-mllvm",
                               "-tsan-distinguish-volatile=1"});
  else
    flags.insert(flags.end(),
                 {"--param", "tsan-instrument-func-entry-exit=0", "--param",
                  "tsan-distinguish-volatile=1", "-fno-tree-loop-distribute-patterns"});
  return flags;
}

std::vector<std::string> link_flags(const Toolchain&) {
  return {"-shared",        "-nostdlib",           "-nostartfiles",      "-Wl,-z,defs",
          "-Wl,-Bsymbolic", "-Wl,--build-id=none", "-Wl,-z,noexecstack", "-Wl,--no-warn-mismatch"};
}

}  // namespace greta::hiprtc
