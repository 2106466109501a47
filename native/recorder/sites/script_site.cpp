#include "recorder/sites/script_site.h"

#include <cstdlib>

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/lanes/tables.h"
#include "recorder/sites/python_site.h"

namespace greta::recorder {
namespace {

class TableSink final : public ScriptSink {
 public:
  uint32_t add_script(const std::string& body) override {
    const uint32_t id = ++scripts_;
    write_table_text("{\"t\":\"script\",\"id\":" + std::to_string(id) + "," + body + "}\n");
    return id;
  }
  void add_note(const std::string& text) override { write_note(text); }
  void forget() { scripts_ = 0; }

 private:
  uint32_t scripts_ = 0;  // current_script_site calls for one thread at a time
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

void look_for_python() { python_may_be_loaded(real_dlsym()); }

void forget_scripts() {
  sink().forget();
  forget_script_sites();
}

}  // namespace greta::recorder
