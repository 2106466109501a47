// Handlers commonly call what they found installed, or act as it would have: if they found ours, a
// program that ends by SIGTERM would go on, or one that goes on would end. For faults ours may be
// seen: a handler that passes one on is done with the program.
#include "recorder/hooks/signal_hooks.h"

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/endings.h"
#include "recorder/hooks/export.h"

namespace greta::recorder {
namespace {

bool is_to_be_hidden(int number, const struct sigaction& action) {
  return is_request(number) && is_note_of_end(action);
}

void hide(struct sigaction& action) {
  action = {};
  action.sa_handler = SIG_DFL;
}

}  // namespace

// Looked up at its first use, which may be before any constructor has run.
decltype(&::sigaction) next_sigaction() {
  static const auto next = next_function<decltype(&::sigaction)>("sigaction");
  return next;
}

extern "C" {

GRETA_EXPORT int sigaction(int number, const struct sigaction* fresh,
                           struct sigaction* old) noexcept {
  const int result = next_sigaction()(number, fresh, old);
  if (result == 0 && old != nullptr && is_to_be_hidden(number, *old)) hide(*old);
  return result;
}

GRETA_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction before = {};
  const bool known = next_sigaction()(number, nullptr, &before) == 0;
  static const auto next = next_function<decltype(&::signal)>("signal");
  const sighandler_t found = next(number, handler);
  return found != SIG_ERR && known && is_to_be_hidden(number, before) ? SIG_DFL : found;
}
}

}  // namespace greta::recorder
