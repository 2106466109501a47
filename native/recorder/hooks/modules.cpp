#include "recorder/hooks/modules.h"

#include <new>
#include <utility>

#include "recorder/hooks/real_functions.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/tables.h"
#include "recorder/lanes/thread_memory.h"

namespace greta::recorder {
namespace {

using codeobject::ArgumentInfo;
using codeobject::ArgumentKind;
using codeobject::KernelInfo;
using codeobject::ModuleInfo;

// Two HIP libraries may give out the same handle.
const void* key_of(const void* handle) {
  return reinterpret_cast<const void*>(of_runtime(reinterpret_cast<uint64_t>(handle)));
}

std::string list_json(const std::vector<std::string>& words) {
  std::string list = "[";
  for (const std::string& word : words) list += (list.size() > 1 ? "," : "") + json_string(word);
  return list + "]";
}

std::string argument_json(const ArgumentInfo& argument) {
  std::string json = "{\"offset\":" + std::to_string(argument.offset) +
                     ",\"bytes\":" + std::to_string(argument.bytes) +
                     ",\"kind\":" + json_string(argument.value_kind);
  if (!argument.name.empty()) json += ",\"name\":" + json_string(argument.name);
  if (!argument.type_name.empty()) json += ",\"type\":" + json_string(argument.type_name);
  const std::string access =
      argument.access.empty() && argument.is_const ? "read_only" : argument.access;
  if (!access.empty()) json += ",\"access\":" + json_string(access);
  return json + "}";
}

std::string arguments_json(const KernelInfo& kernel) {
  std::string list = "[";
  for (const ArgumentInfo& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::hidden) continue;
    list += (list.size() > 1 ? "," : "") + argument_json(argument);
  }
  return list + "]";
}

void write_kernel(uint32_t id, uint32_t module, const void* function, const std::string& name,
                  const KernelInfo* info) {
  JsonLine line("kernel");
  line.field("id", uint64_t{id})
      .field("module", uint64_t{module})
      .address("function", reinterpret_cast<uint64_t>(function))
      .field("name", name);
  if (info != nullptr) {
    line.field("kernarg_bytes", uint64_t{info->kernarg_bytes})
        .raw("arguments", arguments_json(*info));
  }
  write_table_line(line);
}

const KernelLayout* make_layout(uint32_t id, const KernelInfo* info) {
  auto* layout = new KernelLayout;  // launches on other threads may use it at any time: kept
  layout->id = id;
  if (info == nullptr) return layout;
  layout->bytes = static_cast<uint32_t>(info->explicit_bytes());
  for (const ArgumentInfo& argument : info->arguments) {
    if (argument.kind == ArgumentKind::hidden) continue;
    layout->arguments.push_back({argument.offset, argument.bytes});
  }
  return layout;
}

}  // namespace

Modules& modules() {
  static Modules* const instance = new Modules;
  return *instance;
}

void Modules::write(const Module& module) {
  JsonLine line("module");
  line.field("id", uint64_t{module.id})
      .address("handle", reinterpret_cast<uint64_t>(module.handle))
      .field("bytes", module.info.bytes)
      .field("kind", module.info.kind)
      .raw("targets", list_json(module.info.targets));
  if (!module.file.empty()) line.field("file", module.file);
  if (!module.info.problem.empty()) line.field("problem", module.info.problem);
  write_table_line(line);
}

void Modules::add(const void* module, ModuleInfo info, const void* file) {
  if (module == nullptr || !recording().is_on()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  const char* const path = file != nullptr ? static_cast<const char*>(file) : "";
  auto& added = modules_[key_of(module)];
  added.reset(new Module{++modules_seen_, module, std::move(info), path, {}});
  write(*added);
  epoch_.fetch_add(1, std::memory_order_release);
}

void Modules::loaded(const void* module, const void* image) {
  const ErrnoKeeper errno_keeper;
  add(module, codeobject::read_module(codeobject::OwnMemory(), image), nullptr);
}

void Modules::loaded_file(const void* module, const void* path) {
  if (path == nullptr) return;
  const ErrnoKeeper errno_keeper;
  add(module, codeobject::read_module_file(static_cast<const char*>(path)), path);
}

void Modules::registered_binary(const void* module, const void* wrapper) {
  const ErrnoKeeper errno_keeper;
  add(module, codeobject::read_fat_binary(codeobject::OwnMemory(), wrapper), nullptr);
}

void Modules::unloaded(const void* module) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto function = functions_.begin(); function != functions_.end();) {
    function = function->second.module == key_of(module) ? functions_.erase(function) : ++function;
  }
  modules_.erase(key_of(module));
  epoch_.fetch_add(1, std::memory_order_release);
}

const KernelLayout* Modules::layout_of(Module& module, const std::string& name,
                                       const void* function) {
  const KernelLayout*& layout = module.kernels[name];
  if (layout == nullptr) {
    if (module.id == 0) {
      module.id = ++modules_seen_;
      write(module);
    }
    const KernelInfo* info = module.info.find_kernel(name);
    const uint32_t id = ++kernels_seen_;
    write_kernel(id, module.id, function, name, info);
    layout = make_layout(id, info);
  }
  return layout;
}

void Modules::found_function(const void* function, const void* module, const void* name) {
  if (function == nullptr || name == nullptr || !recording().is_on()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = modules_.find(key_of(module));
  if (found == modules_.end()) return;
  const std::string text = static_cast<const char*>(name);
  functions_[key_of(function)] = {key_of(module), layout_of(*found->second, text, function), text};
  epoch_.fetch_add(1, std::memory_order_release);
}

void Modules::registered_function(const void* module, const void* stub, const void* name) {
  found_function(stub, module, name);
}

void Modules::same_kernel(const void* function, const void* known) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = functions_.find(key_of(known));
  if (function == nullptr || found == functions_.end()) return;
  const Function same = found->second;
  functions_[key_of(function)] = same;
  epoch_.fetch_add(1, std::memory_order_release);
}

const KernelLayout* Modules::find(const void* function) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = functions_.find(key_of(function));
  if (found == functions_.end()) return nullptr;
  Function& known = found->second;
  const auto module = modules_.find(known.module);
  if (known.layout == nullptr && module != modules_.end() && recording().is_on()) {
    known.layout = layout_of(*module->second, known.name, function);
  }
  return known.layout;
}

void Modules::forget() {
  const uint32_t next_epoch = epoch() + 1;
  decltype(modules_) modules;
  decltype(functions_) functions;
  if (mutex_.try_lock()) {
    modules.swap(modules_);
    functions.swap(functions_);
  }
  new (this) Modules;
  for (auto& [handle, module] : modules) {
    module->id = 0;
    module->kernels.clear();
  }
  for (auto& [handle, function] : functions) function.layout = nullptr;
  modules_ = std::move(modules);
  functions_ = std::move(functions);
  epoch_.store(next_epoch, std::memory_order_release);
}

const KernelLayout* kernel_of_function(const void* given) {
  const void* function = key_of(given);
  ThreadMemory& memory = thread_memory();
  auto& place =
      memory.kernels[(reinterpret_cast<uintptr_t>(function) >> 6) % memory.kernels.size()];
  const uint32_t epoch = modules().epoch();
  if (place.function != function || place.epoch != epoch) {
    place = {function, modules().find(given), epoch};
  }
  return place.layout;
}

}  // namespace greta::recorder
