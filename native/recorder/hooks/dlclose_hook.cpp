// Where a library was, another may come: what is known of call sites there ends with it.
#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/export.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/sites/libraries.h"

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
