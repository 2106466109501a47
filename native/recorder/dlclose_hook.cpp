// Where a library was, another may come: what is known of call sites there ends with it.
#include "recorder/dlsym_hook.h"
#include "recorder/export.h"
#include "recorder/libraries.h"
#include "recorder/real_functions.h"

namespace greta::recorder {
namespace {

auto real_dlclose() {
  static const auto found = next_function<int (*)(void*)>("dlclose");
  return found;
}

}  // namespace

extern "C" GRETA_EXPORT int dlclose(void* handle) noexcept {
  const int result = real_dlclose()(handle);
  forget_unloaded_routes();
  note_unloaded_libraries();
  return result;
}

}  // namespace greta::recorder
