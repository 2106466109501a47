// Damaged code objects: each is loaded or refused, and what is loaded decodes, runs for a while and
// names its lines, or says that it cannot.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "check.h"
#include "gfx/lines.h"
#include "gfx/loaded_module.h"
#include "isa/workgroup.h"

using namespace greta;
using sim::gfx::LoadedModule;

namespace {

class NoMemory : public isa::Memory {
 public:
  bool allows(uint64_t, uint32_t, isa::AccessKind, isa::Range*) override { return false; }
};

std::vector<unsigned char> sample() {
  std::ifstream file(SAMPLE_MACHINE_CODE, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool run_kernel(const LoadedModule& module, const char* name) {
  const sim::gfx::KernelCode* kernel = module.find_kernel(name);
  std::string reason;
  if (kernel == nullptr || !kernel->prepare(&reason)) return false;
  NoMemory memory;
  isa::Workgroup group(kernel->program(), memory, 1, 256, 64);
  group.wave(0).code_base = kernel->code_begin();
  group.restart(kernel->entry_step());
  group.run(2000);
  sim::gfx::find_line(module.file(), module.file_address(kernel->code_begin()) + 16);
  return true;
}

// How many of the kernels run, at least for a while; -1 where the file is refused.
int run_all(std::vector<unsigned char> file) {
  LoadedModule module;
  std::string reason;
  if (!module.load(std::move(file), &reason)) {
    CHECK(!reason.empty());
    return -1;
  }
  int ran = 0;
  for (const char* name :
       {"copy_words.kd", "every_other.kd", "histogram.kd", "count.kd", "shared_at.kd"}) {
    ran += run_kernel(module, name);
  }
  return ran;
}

}  // namespace

TEST(the_sample_runs) { CHECK_EQUAL(run_all(sample()), 5); }

TEST(damaged_code_objects_load_or_are_refused) {
  const std::vector<unsigned char> good = sample();
  std::mt19937 random(1);
  int refused = 0, loaded = 0;
  for (int i = 0; i < repetitions(2000); ++i) {
    std::vector<unsigned char> bad = good;
    if (i % 10 == 0) bad.resize(random() % bad.size());
    // Half of the damage is in the headers, where it matters most.
    for (uint32_t n = 1 + random() % 8; n != 0 && !bad.empty(); --n) {
      const size_t within = random() % 2 ? bad.size() : std::min<size_t>(bad.size(), 0x400);
      const size_t at = random() % within;
      static constexpr unsigned char kCorners[] = {0, 1, 0x7f, 0x80, 0xff};
      bad[at] = random() % 2 ? kCorners[random() % 5] : static_cast<unsigned char>(random());
    }
    (run_all(std::move(bad)) < 0 ? refused : loaded)++;
  }
  CHECK(refused > repetitions(100));
  CHECK(loaded > repetitions(100));
}
