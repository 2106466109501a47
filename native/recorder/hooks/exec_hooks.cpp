// Where a program starts another one: whether the recorder will be in that is known here, and only
// here. What the HIP library starts for itself, such as hipRTC's compiler, is not the program.
#include <alloca.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/export.h"
#include "recorder/hooks/started_programs.h"
#include "recorder/lanes/own_files.h"

namespace greta::recorder {
namespace {

using Words = char* const*;

// For C libraries before glibc 2.34, which have no execveat. Not by syscall(): that is our own, and
// comes back here.
int kernel_execveat(int folder, const char* file, Words arguments, Words environment, int flags) {
  register Words in_r10 asm("r10") = environment;
  register long in_r8 asm("r8") = flags;
  long result = SYS_execveat;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(static_cast<long>(folder)), "S"(file), "d"(arguments), "r"(in_r10), "r"(in_r8)
               : "rcx", "r11", "memory");
  errno = static_cast<int>(-result);  // it returns only if it failed
  return -1;
}

constexpr char kShell[] = "/bin/sh";

// Looked up when the recorder is loaded: in a child made by vfork nothing may be looked up.
struct Next {
  decltype(&::execve) execve = nullptr;
  decltype(&::execvpe) execvpe = nullptr;
  decltype(&::fexecve) fexecve = nullptr;
  int (*execveat)(int, const char*, Words, Words, int) = nullptr;
  decltype(&::posix_spawn) posix_spawn = nullptr;
  decltype(&::posix_spawnp) posix_spawnp = nullptr;
  int (*system)(const char*) = nullptr;
  FILE* (*popen)(const char*, const char*) = nullptr;
};
Next g_next;

template <typename Function>
void look_up(Function& place, const char* name) {
  place = next_function<Function>(name);
}

__attribute__((constructor)) void find_next_starts() {
  if (g_next.execve != nullptr) return;
  look_up(g_next.execvpe, "execvpe");
  look_up(g_next.fexecve, "fexecve");
  look_up(g_next.execveat, "execveat");  // not before glibc 2.34
  look_up(g_next.posix_spawn, "posix_spawn");
  look_up(g_next.posix_spawnp, "posix_spawnp");
  look_up(g_next.system, "system");
  look_up(g_next.popen, "popen");
  look_up(g_next.execve, "execve");
}

const Next& next() {
  find_next_starts();
  return g_next;
}

// --- which file it is ----------------------------------------------------------------------------

// The file that PATH has under a name, as the C library looks for it; null if there is none.
const char* found_in_path(const char* name, char (&place)[PATH_MAX]) {
  if (std::strchr(name, '/') != nullptr) return access(name, X_OK) == 0 ? name : nullptr;
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) folders = "/bin:/usr/bin";
  for (const char* at = folders;;) {
    const int length = static_cast<int>(std::strcspn(at, ":"));
    const int bytes =
        std::snprintf(place, sizeof place, "%.*s%s%s", length, at, length > 0 ? "/" : "./", name);
    if (bytes > 0 && bytes < static_cast<int>(sizeof place) && access(place, X_OK) == 0) {
      return place;
    }
    if (at[length] == '\0') return nullptr;
    at += length + 1;
  }
}

const char* file_of(int descriptor, const char* below, char (&place)[PATH_MAX]) {
  char link[48];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t bytes = readlink(link, place, sizeof place - 1);
  if (bytes < 0) return nullptr;
  place[bytes] = '\0';
  const size_t used = static_cast<size_t>(bytes);
  if (*below != '\0') std::snprintf(place + used, sizeof place - used, "/%s", below);
  return place;
}

// --- how it is started ---------------------------------------------------------------------------

// Calls an exec function, which only returns if it fails.
template <typename Exec>
int replaced(const Start& start, Exec exec) {
  const bool noted = note_if_unfollowed(start, getpid(), open_before_exec);
  const int result = exec();
  if (noted) note_not_started(open_before_exec);
  return result;
}

int replaced_by_name(const char* by, const char* name, Words arguments, Words environment) {
  char place[PATH_MAX];
  const char* file = name != nullptr ? found_in_path(name, place) : nullptr;
  return replaced({by, file, arguments, environment},
                  [&] { return next().execvpe(name, arguments, environment); });
}

int replaced_by_file(const char* by, const char* file, Words arguments, Words environment) {
  const bool may_start = file != nullptr && access(file, X_OK) == 0;
  return replaced({by, may_start ? file : nullptr, arguments, environment},
                  [&] { return next().execve(file, arguments, environment); });
}

// Whether the call comes from the HIP library: its children are no more the program than its calls.
bool is_of_hip(const void* caller) {
  Dl_info found = {};
  if (dladdr(caller, &found) == 0 || found.dli_fname == nullptr) return false;
  const char* slash = std::strrchr(found.dli_fname, '/');
  const char* name = slash != nullptr ? slash + 1 : found.dli_fname;
  return std::strncmp(name, "libhiprtc", 9) == 0 || std::strncmp(name, "libamdhip64", 11) == 0 ||
         std::strncmp(name, "libamd_comgr", 12) == 0;
}

void note_spawned(const Start& start, pid_t child, const void* caller) {
  if (!is_of_hip(caller)) note_if_unfollowed(start, child, open_own);
}

void note_shell(const char* by, const char* command) {
  char shell[] = "sh";
  char option[] = "-c";
  char* const words[] = {shell, option, const_cast<char*>(command), nullptr};
  note_if_unfollowed({by, kShell, words, environ}, 0, open_own);
}

}  // namespace
}  // namespace greta::recorder

using namespace greta::recorder;

// The words of execl and its kind, and what follows them.
#define GRETA_LISTED(first)                                                \
  va_list list;                                                            \
  va_start(list, first);                                                   \
  size_t count = 1;                                                        \
  while (va_arg(list, char*) != nullptr) ++count;                          \
  va_end(list);                                                            \
  char** words = static_cast<char**>(alloca((count + 1) * sizeof(char*))); \
  va_start(list, first);                                                   \
  words[0] = const_cast<char*>(first);                                     \
  for (size_t i = 1; i <= count; ++i) words[i] = va_arg(list, char*)

extern "C" {

GRETA_EXPORT int execve(const char* file, Words arguments, Words environment) noexcept {
  return replaced_by_file("execve", file, arguments, environment);
}

GRETA_EXPORT int execv(const char* file, Words arguments) noexcept {
  return replaced_by_file("execv", file, arguments, environ);
}

GRETA_EXPORT int execvp(const char* name, Words arguments) noexcept {
  return replaced_by_name("execvp", name, arguments, environ);
}

GRETA_EXPORT int execvpe(const char* name, Words arguments, Words environment) noexcept {
  return replaced_by_name("execvpe", name, arguments, environment);
}

GRETA_EXPORT int execl(const char* file, const char* first, ...) noexcept {
  GRETA_LISTED(first);
  va_end(list);
  return replaced_by_file("execl", file, words, environ);
}

GRETA_EXPORT int execlp(const char* name, const char* first, ...) noexcept {
  GRETA_LISTED(first);
  va_end(list);
  return replaced_by_name("execlp", name, words, environ);
}

GRETA_EXPORT int execle(const char* file, const char* first, ...) noexcept {
  GRETA_LISTED(first);
  const Words environment = va_arg(list, char**);
  va_end(list);
  return replaced_by_file("execle", file, words, environment);
}

GRETA_EXPORT int fexecve(int file, Words arguments, Words environment) noexcept {
  char place[PATH_MAX];
  return replaced({"fexecve", file_of(file, "", place), arguments, environment},
                  [&] { return next().fexecve(file, arguments, environment); });
}

GRETA_EXPORT int execveat(int folder, const char* file, Words arguments, Words environment,
                          int flags) noexcept {
  char place[PATH_MAX];
  const bool is_whole = file != nullptr && (file[0] == '/' || folder == AT_FDCWD);
  const char* path = is_whole ? file : file_of(folder, file != nullptr ? file : "", place);
  return replaced({"execveat", path, arguments, environment}, [&] {
    if (next().execveat != nullptr) {
      return next().execveat(folder, file, arguments, environment, flags);
    }
    return kernel_execveat(folder, file, arguments, environment, flags);
  });
}

GRETA_EXPORT int posix_spawn(pid_t* child, const char* file,
                             const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, Words arguments,
                             Words environment) {
  pid_t started = 0;
  const int error = next().posix_spawn(&started, file, actions, attributes, arguments, environment);
  if (error != 0) return error;
  if (child != nullptr) *child = started;
  note_spawned({"posix_spawn", file, arguments, environment}, started, __builtin_return_address(0));
  return 0;
}

GRETA_EXPORT int posix_spawnp(pid_t* child, const char* name,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, Words arguments,
                              Words environment) {
  pid_t started = 0;
  const int error =
      next().posix_spawnp(&started, name, actions, attributes, arguments, environment);
  if (error != 0) return error;
  if (child != nullptr) *child = started;
  char place[PATH_MAX];
  const char* found = found_in_path(name, place);
  note_spawned({"posix_spawnp", found != nullptr ? found : name, arguments, environment}, started,
               __builtin_return_address(0));
  return 0;
}

GRETA_EXPORT int system(const char* command) {
  if (command != nullptr) note_shell("system", command);
  return next().system(command);
}

GRETA_EXPORT FILE* popen(const char* command, const char* mode) {
  FILE* const opened = next().popen(command, mode);
  if (opened != nullptr) note_shell("popen", command);
  return opened;
}

// --- system calls by number ----------------------------------------------------------------------

__attribute__((visibility("hidden"))) long greta_raw_execve(const char* file, Words arguments,
                                                            Words environment) {
  return replaced_by_file("syscall", file, arguments, environment);
}

__attribute__((visibility("hidden"))) long greta_raw_execveat(int folder, const char* file,
                                                              Words arguments, Words environment,
                                                              int flags) {
  return execveat(folder, file, arguments, environment, flags);
}

__attribute__((visibility("hidden"))) long greta_failed_call(int error) {
  errno = error;
  return -1;
}
}

// syscall(SYS_execve, ...), as some launchers start programs. All other calls go to the kernel as
// in the C library, with no frame of ours: one may be clone or vfork, which return twice.
asm(R"(
  .text
  .globl syscall
  .type syscall, @function
syscall:
  .cfi_startproc
  cmpq $59, %rdi    # SYS_execve
  je 1f
  cmpq $322, %rdi   # SYS_execveat
  je 2f
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  cmpq $-4095, %rax
  jae 3f
  ret
1:
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  jmp greta_raw_execve
2:
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %rcx
  movq %r9, %r8
  jmp greta_raw_execveat
3:
  negl %eax
  movl %eax, %edi
  jmp greta_failed_call
  .cfi_endproc
  .size syscall, .-syscall
)");
