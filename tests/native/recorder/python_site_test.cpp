// Python frames that are not what they seem: made up here, in memory, without any Python.
#include "recorder/sites/python_site.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <vector>

#include "check.h"
#include "recorder/sites/python_description.h"

using namespace greta::recorder;

namespace {

class CountingSink : public ScriptSink {
 public:
  uint32_t add_script(const std::string& body) override {
    last_body = body;
    return ++scripts;
  }
  void add_note(const std::string&) override { ++notes; }
  uint32_t scripts = 0;
  int notes = 0;
  std::string last_body;
};

template <typename T>
void put(void* object, int field, T value) {
  memcpy(static_cast<char*>(object) + field, &value, sizeof value);
}

// A thread of a made-up Python 3.12 with one frame, whose parts a test may spoil.
struct FakePython {
  alignas(16) char thread[256] = {};
  alignas(16) char cframe[64] = {};
  alignas(16) char frame[128] = {};
  alignas(16) char code[256] = {};
  alignas(16) char file[128] = {};
  alignas(16) char name[128] = {};
  alignas(16) char table[128] = {};
  char code_type = 0, text_type = 0, bytes_type = 0;
  unsigned long version = 0x030c01f0;
  bool finalizing = false;

  FakePython() {
    const PythonLayout layout = python_3_12();
    put(thread, layout.thread_frame, &cframe);
    put(cframe, layout.cframe_frame, &frame);
    put(frame, layout.frame_code, &code);
    put(frame, layout.frame_instruction, code + layout.code_units + 4);
    put(code, kObjectType, &code_type);
    put(code, kObjectSize, int64_t{16});
    put(code, layout.code_first_line, 7);
    put(code, layout.code_filename, &file);
    put(code, layout.code_name, &name);
    put(code, layout.code_line_table, &table);
    put_text(file, "a.py");
    put_text(name, "f");
    put(table, kObjectType, &bytes_type);
    put(table, kObjectSize, int64_t{2});
    put(table, kBytesData, uint16_t{0x0080});
  }

  void put_text(char* object, const char* ascii) {
    const PythonLayout layout = python_3_12();
    put(object, kObjectType, &text_type);
    put(object, layout.text_length, static_cast<int64_t>(strlen(ascii)));
    put(object, layout.text_state, uint32_t{1 << 2 | 1 << 5 | 1 << 6});
    memcpy(object + layout.text_ascii_data, ascii, strlen(ascii));
  }

  PythonInterpreter interpreter() const {
    PythonInterpreter python;
    python.layout = python_3_12();
    strcpy(python.version, "3.12");
    python.code_type = &code_type;
    python.text_type = &text_type;
    python.bytes_type = &bytes_type;
    return python;
  }

  Description describe(std::string* body) const {
    return describe_frames(interpreter(), reinterpret_cast<uintptr_t>(&thread), body);
  }
};

FakePython* current_fake = nullptr;

void* fake_thread() { return current_fake->thread; }
int fake_is_finalizing() { return current_fake->finalizing; }

void* fake_lookup(void*, const char* symbol) {
  const std::string name = symbol;
  if (!current_fake) return nullptr;
  if (name == "PyGILState_GetThisThreadState") return reinterpret_cast<void*>(fake_thread);
  if (name == "_Py_IsFinalizing") return reinterpret_cast<void*>(fake_is_finalizing);
  if (name == "Py_Version") return &current_fake->version;
  if (name == "PyCode_Type") return &current_fake->code_type;
  if (name == "PyUnicode_Type") return &current_fake->text_type;
  if (name == "PyBytes_Type") return &current_fake->bytes_type;
  return nullptr;
}

// Whether there is a Python is settled once in a process, so each case has one of its own.
template <typename Body>
bool holds_in_child(Body body) {
  pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

std::vector<unsigned char> debug_offsets(uint64_t version, uint64_t free_threaded) {
  std::vector<unsigned char> table(kDebugOffsetsBytes);
  memcpy(table.data(), "xdebugpy", 8);
  put(table.data(), kDebugOffsetsVersion, version);
  put(table.data(), kDebugOffsetsFreeThreaded, free_threaded);
  return table;
}

}  // namespace

TEST(a_process_without_python_has_no_sites) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    bool none = current_script_site(sink) == 0;
    python_may_be_loaded(fake_lookup);
    return none && current_script_site(sink) == 0 && sink.notes == 0 && sink.scripts == 0;
  }));
}

TEST(python_is_found_when_it_comes_later) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    python_may_be_loaded(fake_lookup);
    bool none = current_script_site(sink) == 0;
    FakePython python;
    current_fake = &python;
    none = none && current_script_site(sink) == 0;  // nobody said that anything was loaded
    python_may_be_loaded(fake_lookup);
    return none && current_script_site(sink) == 1;
  }));
}

TEST(a_site_is_described_once_and_errno_is_kept) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    errno = 1234;
    bool same = current_script_site(sink) == 1 && current_script_site(sink) == 1;
    return same && errno == 1234 && sink.scripts == 1 && sink.notes == 0 &&
           sink.last_body ==
               "\"python\":\"3.12\",\"frames\":[{\"file\":\"a.py\",\"function\":\"f\","
               "\"first_line\":7,\"instruction\":4,\"line_table\":\"8000\"}]";
  }));
}

TEST(a_code_object_at_the_same_address_is_another_site) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    uint32_t first = current_script_site(sink);
    put(python.code, python_3_12().code_version, 99);
    python.put_text(python.file, "b.py");
    return first == 1 && current_script_site(sink) == 2;
  }));
}

TEST(in_a_forked_child_ids_begin_again) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    current_script_site(sink);
    sink.scripts = 0;
    forget_script_sites();
    return current_script_site(sink) == 1 && sink.scripts == 1;
  }));
}

TEST(frames_that_are_not_as_expected_are_refused_with_a_note) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    put(python.code, kObjectType, &python.text_type);
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    bool none = current_script_site(sink) == 0 && current_script_site(sink) == 0;
    put(python.code, kObjectType, &python.code_type);
    python_may_be_loaded(fake_lookup);
    return none && current_script_site(sink) == 0 && sink.notes == 1 && sink.scripts == 0;
  }));
}

TEST(a_site_that_cannot_be_read_later_costs_its_own_lines_only) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    bool first = current_script_site(sink) == 1;
    put(python.name, kObjectType, &python.code_type);
    put(python.code, python_3_12().code_version, 2);
    bool none = current_script_site(sink) == 0 && current_script_site(sink) == 0;
    put(python.name, kObjectType, &python.text_type);
    put(python.code, python_3_12().code_version, 3);
    return first && none && sink.notes == 1 && current_script_site(sink) == 1;
  }));
}

TEST(a_version_that_is_not_known_is_refused_with_a_note) {
  for (unsigned long version : {0x030801f0ul, 0x030f00f0ul, 0x040000f0ul, 0x030c00a1ul, 0ul}) {
    CHECK(holds_in_child([version] {
      CountingSink sink;
      FakePython python;
      python.version = version;
      current_fake = &python;
      python_may_be_loaded(fake_lookup);
      return current_script_site(sink) == 0 && current_script_site(sink) == 0 && sink.notes == 1;
    }));
  }
}

TEST(a_python_that_ends_is_read_by_the_main_thread_only) {
  CHECK(holds_in_child([] {
    CountingSink sink;
    FakePython python;
    current_fake = &python;
    python_may_be_loaded(fake_lookup);
    python.finalizing = true;
    return current_script_site(sink) == 1;  // a forked child's only thread is its main one
  }));
}

TEST(characters_of_all_widths_are_written) {
  const PythonLayout layout = python_3_12();
  FakePython python;
  std::string body;
  put(python.file, layout.text_length, int64_t{3});
  put(python.file, layout.text_state, uint32_t{4 << 2 | 1 << 5});
  const uint32_t wide[3] = {'"', 0x1f600, 0xdcff};
  memcpy(python.file + layout.text_other_data, wide, sizeof wide);
  CHECK(python.describe(&body) == Description::kComplete);
  CHECK(body.find("\"file\":\"\\\"\xf0\x9f\x98\x80\\udcff\"") != std::string::npos);

  body.clear();
  put(python.file, layout.text_state, uint32_t{2 << 2 | 1 << 5});
  const uint16_t middle[3] = {0x3c0, '\n', 0xe9};
  memcpy(python.file + layout.text_other_data, middle, sizeof middle);
  CHECK(python.describe(&body) == Description::kComplete);
  CHECK(body.find("\"file\":\"\xcf\x80\\u000a\xc3\xa9\"") != std::string::npos);
}

TEST(a_chain_of_frames_that_never_ends_is_cut) {
  FakePython python;
  std::string body;
  put(python.frame, python_3_12().frame_previous, &python.frame);
  CHECK(python.describe(&body) == Description::kComplete);
  put(python.frame, python_3_12().frame_owner, uint8_t{kFirstOwnerWithoutCode});
  CHECK(python.describe(&body) == Description::kEmpty);
}

TEST(wild_pointers_are_not_followed) {
  std::mt19937_64 random(1);
  for (int round = 0; round < repetitions(3000); ++round) {
    FakePython python;
    char* parts[] = {python.thread, python.cframe, python.frame, python.code,
                     python.file,   python.name,   python.table};
    char* part = parts[random() % 7];
    size_t field = random() % 16 * 8;
    if (part == python.cframe) field %= 64;
    // A number, an unmapped address, or one of the parts themselves.
    uint64_t kinds[] = {random(), random() % 4096, reinterpret_cast<uint64_t>(parts[random() % 7]),
                        0xffffffffffffff00ull};
    put(part, static_cast<int>(field), kinds[random() % 4]);
    std::string body;
    python.describe(&body);
  }
  CHECK(true);  // it is still alive
}

TEST(offsets_that_python_publishes_are_used_if_they_make_sense) {
  PythonLayout layout;
  auto table = debug_offsets(0x030d00f0, 0);
  put(table.data(), kDebugOffsets_3_13.thread_frame, uint64_t{72});
  put(table.data(), kDebugOffsets_3_13.code_units, uint64_t{200});
  CHECK(layout_from_debug_offsets(table.data(), 0x030d00f0, &layout));
  CHECK_EQUAL(layout.thread_frame, 72);
  CHECK_EQUAL(layout.code_first_traceable, 184);
  CHECK(!layout_from_debug_offsets(table.data(), 0x030d01f0, &layout));

  put(table.data(), kDebugOffsets_3_13.code_units, uint64_t{1} << 40);
  CHECK(!layout_from_debug_offsets(table.data(), 0x030d00f0, &layout));
  auto free_threaded = debug_offsets(0x030d00f0, 1);
  CHECK(!layout_from_debug_offsets(free_threaded.data(), 0x030d00f0, &layout));
  table[0] = 'y';
  CHECK(!layout_from_debug_offsets(table.data(), 0x030d00f0, &layout));
}
