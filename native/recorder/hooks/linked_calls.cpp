#include "recorder/hooks/linked_calls.h"

#include <dlfcn.h>

#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "recorder/hooks/bound_hooks.h"
#include "recorder/hooks/dlopen_hook.h"
#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/import_slots.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/lanes/held_signals.h"

namespace greta::recorder {
namespace {

struct Looked {
  std::mutex mutex;
  std::set<std::pair<uintptr_t, std::string>> objects;  // base and path
  bool at_several = false;                              // HIP libraries
  bool at_deep = false;
};

Looked& looked() {
  static Looked* const instance = new Looked;
  return *instance;
}

// What there is to do depends on these; when it changes, all is looked at again.
void note_changes(bool several, bool deep) {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(looked().mutex);
  const bool more = (several && !looked().at_several) || (deep && !looked().at_deep);
  looked().at_several = several;
  looked().at_deep = deep;
  if (more) looked().objects.clear();
}

std::vector<size_t> new_among(const std::vector<LoadedObject>& objects) {
  std::vector<size_t> found;
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(looked().mutex);
  for (size_t i = 0; i < objects.size(); ++i) {
    if (looked().objects.emplace(objects[i].base, objects[i].path).second) found.push_back(i);
  }
  return found;
}

void look_again_at(const LoadedObject& object) {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(looked().mutex);
  looked().objects.erase({object.base, object.path});
}

constexpr char kDlsym[] = "dlsym";

bool is_wanted(const char* name) {
  return std::strncmp(name, "hip", 3) == 0 || std::strncmp(name, "__hip", 5) == 0 ||
         std::strncmp(name, "_Z2", 3) == 0 || std::strcmp(name, kDlsym) == 0;
}

bool is_recorder(const LoadedObject& object) {
  return object.code.contains(reinterpret_cast<uintptr_t>(&bind_linked_calls));
}

// One object, and where its calls go.
class Binding {
 public:
  Binding(const std::vector<LoadedObject>& objects, size_t object)
      : objects_(objects), number_(object), object_(objects[object]) {}

  // Whether all is done.
  bool bind() {
    for (const ImportSlot& slot : import_slots(object_, is_wanted)) consider(slot);
    if (bypasses_) note_bypass(object_.path.empty() ? path_of(code()) : object_.path);
    return changes_.empty() || change_slots(object_, changes_);
  }
  bool has_changed() const { return !changes_.empty(); }
  Route* route() const { return route_; }

 private:
  const void* code() const { return reinterpret_cast<const void*>(object_.code.begin); }

  bool is_deep() const {
    return has_opened_deep() && is_opened_deep(opened_with(objects_, number_).path);
  }

  void consider(const ImportSlot& slot) {
    if (slot.name == kDlsym) {
      // Code that finds HIP itself would find it past us, too.
      if (is_deep()) changes_.push_back({slot.address, slot.value, our_dlsym()});
      return;
    }
    const Call call = call_named(slot.name);
    if (call == Call{} || is_bound_hook(slot.value)) return;
    const AnyFunction bound = hook_in_place_of(slot, call);
    if (bound == nullptr) return;
    changes_.push_back({slot.address, slot.value, reinterpret_cast<uintptr_t>(bound)});
  }

  AnyFunction hook_in_place_of(const ImportSlot& slot, Call call) {
    const HookedCall& hooked = kHooked[static_cast<uint32_t>(call) - 1];
    const bool is_ours = slot.value == reinterpret_cast<uintptr_t>(hooked.hook);
    const bool is_lazy = object_.code.contains(slot.value);
    if (is_ours || is_lazy) return for_our_hook(hooked, call, is_lazy);
    const auto real = reinterpret_cast<AnyFunction>(slot.value);
    const void* library = library_of(real);
    if (library == nullptr) return nullptr;
    const AnyFunction bound = bound_hook_to(real, library, call);
    bypasses_ |= bound != nullptr || is_hip_library(library);
    return bound;
  }

  // A slot that leads to us, or will if the loader looks there first.
  AnyFunction for_our_hook(const HookedCall& hooked, Call call, bool is_lazy) {
    const bool deep = is_deep();
    if (known_runtimes() < 2 && !(is_lazy && deep)) return nullptr;
    if (route_ == nullptr) route_ = &route_for(objects_, number_);
    const AnyFunction real =
        is_lazy ? found_at_first_call(hooked, deep) : find_along(*route_, hooked);
    return real != nullptr ? bound_hook_to(real, library_of(real), call) : nullptr;
  }

  AnyFunction found_at_first_call(const HookedCall& hooked, bool deep) {
    const Opened opened(opened_with(objects_, number_).path);
    void* own = opened.handle();
    if (deep && own != nullptr) {
      if (const AnyFunction found = find_in(own, hooked)) return found;
    }
    if (const AnyFunction found = find_in(RTLD_NEXT, hooked)) return found;
    return own != nullptr ? find_in(own, hooked) : nullptr;
  }

  const std::vector<LoadedObject>& objects_;
  size_t number_;
  const LoadedObject& object_;
  Route* route_ = nullptr;
  bool bypasses_ = false;
  std::vector<SlotChange> changes_;
};

bool is_hip_itself(const LoadedObject& object) {
  return is_named_as_hip(object) || is_in_hip_library(reinterpret_cast<void*>(object.code.begin));
}

}  // namespace

std::vector<LinkedCode> bind_linked_calls(const std::vector<LoadedObject>& objects) {
  std::vector<LinkedCode> changed;
  if (known_runtimes() == 0) return changed;
  note_changes(known_runtimes() > 1, has_opened_deep());
  for (const size_t i : new_among(objects)) {
    if (is_recorder(objects[i]) || is_hip_itself(objects[i])) continue;
    Binding binding(objects, i);
    if (!binding.bind()) look_again_at(objects[i]);
    if (binding.has_changed()) changed.push_back({i, binding.route()});
  }
  return changed;
}

bool is_linked_with_hip(const LoadedObject& object) {
  for (const ImportSlot& slot : import_slots(object, is_wanted)) {
    if (slot.name != kDlsym) return true;
  }
  return false;
}

void forget_linked_code() {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(looked().mutex);
  looked().objects.clear();
}

void forget_lock_of_linked_code() { new (&looked().mutex) std::mutex; }

}  // namespace greta::recorder
