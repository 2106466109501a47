// A library that stands for the recorder: a Python program calls probe() through ctypes, as it
// would call HIP, and gets the site that was found. What the sink was given can be asked for.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "recorder/sites/python_site.h"

namespace {

class ListSink : public greta::recorder::ScriptSink {
 public:
  uint32_t add_script(const std::string& body) override {
    std::lock_guard<std::mutex> lock(mutex_);
    bodies_.push_back("{" + body + "}");
    return static_cast<uint32_t>(bodies_.size());
  }
  void add_note(const std::string& text) override { notes_ += text + "\n"; }

  const char* body(uint32_t id) {
    std::lock_guard<std::mutex> lock(mutex_);
    return id == 0 || id > bodies_.size() ? "null" : bodies_[id - 1].c_str();
  }
  const char* notes() const { return notes_.c_str(); }

 private:
  std::mutex mutex_;
  std::vector<std::string> bodies_;
  std::string notes_;
};

ListSink& sink() {
  static auto* all = new ListSink;  // probes may come from destructors
  return *all;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void probe_start() { greta::recorder::python_may_be_loaded(dlsym); }
EXPORTED uint32_t probe() { return greta::recorder::current_script_site(sink()); }
EXPORTED const char* probe_body(uint32_t id) { return sink().body(id); }
EXPORTED const char* probe_notes() { return sink().notes(); }
EXPORTED void probe_forget() { greta::recorder::forget_script_sites(); }

// The layout that is used for this interpreter, a line for each field.
EXPORTED const char* probe_layout() {
  static std::string text;
  greta::recorder::PythonInterpreter python;
  std::string note;
  if (find_python(dlsym, &python, &note) != greta::recorder::PythonSearch::kFound) return "";
  const greta::recorder::PythonLayout& layout = python.layout;
  const std::pair<const char*, int> fields[] = {
      {"thread_frame", layout.thread_frame},
      {"cframe_frame", layout.cframe_frame},
      {"frame_previous", layout.frame_previous},
      {"frame_code", layout.frame_code},
      {"frame_instruction", layout.frame_instruction},
      {"frame_owner", layout.frame_owner},
      {"code_first_line", layout.code_first_line},
      {"code_filename", layout.code_filename},
      {"code_name", layout.code_name},
      {"code_line_table", layout.code_line_table},
      {"code_units", layout.code_units},
      {"code_first_traceable", layout.code_first_traceable},
      {"code_version", layout.code_version},
      {"text_length", layout.text_length},
      {"text_state", layout.text_state},
      {"text_ascii_data", layout.text_ascii_data},
      {"text_other_data", layout.text_other_data},
  };
  text.clear();
  for (const auto& field : fields) {
    text += std::string(field.first) + " " + std::to_string(field.second) + "\n";
  }
  return text.c_str();
}

// Nanoseconds a call, in the best of some rounds.
EXPORTED double probe_cost(int calls) {
  double best = 1e30;
  for (int round = 0; round < 7; ++round) {
    auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) probe();
    std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}
