// Calls, in several ways, a function that says where it was called from. Prints the libraries as
// the recorder writes them, and for each call its return address, function and line.
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <string>
#include <vector>

#define HERE (void)0, (expected_line = __LINE__)

static int expected_line;

extern "C" __attribute__((noinline)) void called(const char* function) {
  printf("site %p %d %s\n", __builtin_return_address(0), expected_line, function);
}

namespace shapes {

template <typename T>
struct Box {
  __attribute__((noinline)) void fill(T) {
    HERE, called("shapes::Box<int>::fill(int)");
    printf(" ");  // the call must not be the function's last act, or it becomes a jump
  }
};

}  // namespace shapes

// The call is the last thing there is: its return address lies in the next function.
__attribute__((noinline, noreturn)) static void last_act() {
  HERE, called("last_act()");
  fflush(stdout);
  _exit(0);
}

extern "C" __attribute__((noinline)) void plain_function() {
  HERE, called("plain_function");
  // A call spread over lines is at the line of its name.
  // clang-format off
  HERE, called(
            "plain_function");
  // clang-format on
  auto lambda = [](int) __attribute__((noinline)) {
    HERE, called("plain_function::{lambda(int)#1}::operator()(int) const");
    printf(" ");
  };
  lambda(1);
  printf(" ");
}

static int print_library(dl_phdr_info* info, size_t, void*) {
  std::string path = info->dlpi_name;
  if (path.empty()) {
    char buffer[4096] = {};
    if (readlink("/proc/self/exe", buffer, sizeof buffer - 1) > 0) path = buffer;
  }
  std::string build_id = "-";
  unsigned long begin = ~0ul, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    unsigned long address = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
      begin = address < begin ? address : begin;
      end = address + part.p_memsz > end ? address + part.p_memsz : end;
    }
    for (unsigned long at = 0; part.p_type == PT_NOTE && at + 16 <= part.p_memsz;) {
      auto* note = reinterpret_cast<const ElfW(Nhdr)*>(address + at);
      auto* id = reinterpret_cast<const unsigned char*>(note + 1) + 4;
      at += sizeof *note + (note->n_namesz + 3) / 4 * 4 + (note->n_descsz + 3) / 4 * 4;
      if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4) continue;
      build_id.clear();
      for (unsigned k = 0; k < note->n_descsz; ++k) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", id[k]);
        build_id += digits;
      }
    }
  }
  printf("library %lx %lx %lx %s %s\n", begin, end, (unsigned long)info->dlpi_addr,
         build_id.c_str(), path.c_str());
  return 0;
}

extern "C" void run_all() {
  dl_iterate_phdr(print_library, nullptr);
  plain_function();
  shapes::Box<int>().fill(1);
  last_act();
}

#ifndef LIBRARY
int main() { run_all(); }
#endif
