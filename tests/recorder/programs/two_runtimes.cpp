// Does what it is told, and prints for every call of HIP the file whose code answered.
//
//   handle:FILE   opens a HIP library for itself and calls it; global:FILE for everybody
//   plugin:FILE   opens a plugin (runtime_plugin.cpp); deep:FILE with RTLD_DEEPBIND
//   lazy:FILE     opens a plugin with RTLD_LAZY, and does not call it yet; lazydeep:FILE
//   silent:FILE   opens a plugin, and calls what it has registered: nobody asks for its functions
//   load:FILE     only opens it
//   close         the last that was opened
//   default       dlsym(RTLD_DEFAULT) of the program itself
//   linked        only if compiled with -DLINKED
//   again         all functions that are known by then
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

extern "C" const char* hipGetErrorName(int);

// Set by a plugin as it is loaded.
extern "C" __attribute__((visibility("default"))) const char* (*registered)();
const char* (*registered)() = nullptr;

namespace {

struct Asked {
  std::string how;
  void* function;
  bool takes_error;
};
std::vector<Asked> all_asked;
void* last_opened = nullptr;
size_t asked_before = 0;

void say(const Asked& asked) {
  const char* name = nullptr;
  if (asked.function != nullptr && asked.takes_error) {
    name = reinterpret_cast<const char* (*)(int)>(asked.function)(0);
  } else if (asked.function != nullptr) {
    name = reinterpret_cast<const char* (*)()>(asked.function)();
  }
  Dl_info info{};
  const bool found = name != nullptr && dladdr(name, &info) != 0;
  std::printf("%s %s\n", asked.how.c_str(), found ? info.dli_fname : "nobody");
}

void ask(const std::string& how, void* function, bool takes_error) {
  all_asked.push_back({how, function, takes_error});
  say(all_asked.back());
}

void* opened(const std::string& file, int how) {
  void* handle = dlopen(file.c_str(), (how & RTLD_LAZY) != 0 ? how : RTLD_NOW | how);
  if (handle == nullptr) std::printf("%s\n", dlerror());
  last_opened = handle;
  asked_before = all_asked.size();
  return handle;
}

// As its manual page says that dlsym is to be called.
void* function_in(void* plugin, const char* name) {
  dlerror();
  void* found = dlsym(plugin, name);
  if (const char* error = dlerror()) std::printf("%s\n", error);
  return found;
}

void ask_plugin(const std::string& file, int how) {
  void* plugin = opened(file, how);
  for (const char* name : {"by_tail", "by_link", "by_default", "by_next", "by_address"}) {
    ask(name, function_in(plugin, name), false);
  }
  reinterpret_cast<void* (*)()>(dlsym(plugin, "allocate"))();
}

void ask_later(const std::string& file, int how) {
  void* plugin = opened(file, RTLD_LAZY | how);
  for (const char* name : {"by_tail", "by_link", "by_late_link"}) {
    all_asked.push_back({name, function_in(plugin, name), false});
  }
}

void ask_registered(const std::string& file) {
  opened(file, RTLD_LOCAL);
  ask("registered", reinterpret_cast<void*>(registered), false);
}

void close_last() {
  dlclose(last_opened);
  all_asked.resize(asked_before);
}

void ask_library(const std::string& file, int how) {
  ask("handle", dlsym(opened(file, how), "hipGetErrorName"), true);
}

}  // namespace

int main(int, char** arguments) {
  for (char** argument = arguments + 1; *argument != nullptr; ++argument) {
    const std::string word = *argument;
    const size_t colon = word.find(':');
    const std::string what = word.substr(0, colon);
    const std::string file = colon != std::string::npos ? word.substr(colon + 1) : "";
    if (what == "handle") ask_library(file, RTLD_LOCAL);
    if (what == "global") ask_library(file, RTLD_GLOBAL);
    if (what == "plugin") ask_plugin(file, RTLD_LOCAL);
    if (what == "deep") ask_plugin(file, RTLD_LOCAL | RTLD_DEEPBIND);
    if (what == "lazy") ask_later(file, RTLD_LOCAL);
    if (what == "lazydeep") ask_later(file, RTLD_LOCAL | RTLD_DEEPBIND);
    if (what == "load") opened(file, RTLD_LOCAL);
    if (what == "silent") ask_registered(file);
    if (what == "close") close_last();
    if (what == "default") ask("default", dlsym(RTLD_DEFAULT, "hipGetErrorName"), true);
#ifdef LINKED
    if (what == "linked") ask("linked", reinterpret_cast<void*>(&hipGetErrorName), true);
#endif
    if (what == "again") {
      for (const Asked& asked : all_asked) say(asked);
    }
  }
}
