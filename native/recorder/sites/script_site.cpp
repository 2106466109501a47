#include "recorder/sites/script_site.h"

#include <atomic>
#include <cstdlib>

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/lanes/tables.h"
#include "recorder/sites/python_site.h"

namespace greta::recorder {
namespace {

std::atomic<uint32_t> g_ids{0};

class TableSink final : public ScriptSink {
 public:
  uint32_t add_script(const std::string& body) override {
    const uint32_t id = new_stack_id();
    write_table_text("{\"t\":\"script\",\"id\":" + std::to_string(id) + "," + body + "}\n");
    return id;
  }
  void add_note(const std::string& text) override { write_note(text); }
};

TableSink& sink() {
  static TableSink* const instance = new TableSink;
  return *instance;
}

bool is_wanted() {
  static const bool wanted = [] {
    const char* value = secure_getenv("GRETA_RECORD_PYTHON");
    return value == nullptr || *value != '0';
  }();
  return wanted;
}

}  // namespace

uint32_t current_script() { return is_wanted() ? current_script_site(sink()) : 0; }

Code interpreter_code() { return python_interpreter_code(); }

uint32_t new_stack_id() { return g_ids.fetch_add(1) + 1; }

void look_for_python() { python_may_be_loaded(real_dlsym()); }

void forget_scripts() {
  g_ids = 0;
  forget_script_sites();
}

}  // namespace greta::recorder
