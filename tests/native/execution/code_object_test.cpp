#include "device/code_object.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <random>

#include "check.h"
#include "device/access_check.h"
#include "device/code_seal.h"
#include "device/executor.h"
#include "sample_images.h"

namespace greta::sim {
namespace {

Image unsealed_sample() { return image_from_file(SAMPLE_CODE_OBJECT); }

Image read_sample() {
  Image image = unsealed_sample();
  seal_code_object(image.data(), image.size());
  return image;
}

FaultReport launch(const Kernel* kernel, const void* kernarg, Dim3 grid, Dim3 block) {
  KernelLaunch launch;
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = block;
  launch.kernarg = kernarg;
  return execute(launch);
}

TEST(a_code_object_loads_and_describes_its_kernels) {
  const Image image = read_sample();
  CodeObjectLoad loaded = CodeObject::load(image.data());
  CHECK_EQUAL(loaded.message, std::string());
  CHECK_EQUAL(int{loaded.error}, int{hipSuccess});
  if (!loaded.code_object) return;
  const Kernel* add = loaded.code_object->find_kernel("add");
  CHECK(add != nullptr && loaded.code_object->find_kernel("nothing") == nullptr);
  CHECK_EQUAL(add->symbol, std::string("add.kd"));
  CHECK_EQUAL(add->arguments.size(), 2u);
  CHECK(add->arguments[0].kind == ArgumentKind::global_buffer);
  CHECK_EQUAL(add->arguments[1].offset, 8u);
  CHECK_EQUAL(add->arguments[1].bytes, 4u);
  CHECK_EQUAL(add->kernarg_bytes, 16u);
  CHECK_EQUAL(add->static_shared_bytes, 256u);
  CHECK_EQUAL(add->max_block_threads, 1024u);
  const Kernel* count = loaded.code_object->find_kernel("count");
  CHECK(count->arguments[1].kind == ArgumentKind::hidden);
  CHECK_EQUAL(count->explicit_argument_count(), 1u);
}

TEST(kernels_of_a_code_object_run) {
  const Image image = read_sample();
  CodeObjectLoad loaded = CodeObject::load(image.data());
  if (!loaded.code_object) return CHECK(false);
  std::vector<int> out(1000 * 64, 1);
  struct {
    int* out;
    int value;
  } arguments{out.data(), 41};
  CHECK(!launch(loaded.code_object->find_kernel("add"), &arguments, {1000, 1, 1}, {64, 1, 1}));
  for (int value : out) CHECK_EQUAL(value, 42);
}

TEST(device_variables_are_found) {
  const Image image = read_sample();
  CodeObjectLoad loaded = CodeObject::load(image.data());
  if (!loaded.code_object) return CHECK(false);
  const GlobalVariable* counter = loaded.code_object->find_global("counter");
  CHECK(counter != nullptr && counter->bytes == 4);
  CHECK_EQUAL(*static_cast<int*>(counter->address), 5);
  const GlobalVariable* limits = loaded.code_object->find_global("limits");
  CHECK(limits != nullptr && limits->bytes == 12);
  const GlobalVariable* zeroed = loaded.code_object->find_global("zeroed");
  CHECK(zeroed != nullptr && zeroed->bytes == 300);
  CHECK(loaded.code_object->find_global("greta_simt_kernels") == nullptr);
  CHECK(loaded.code_object->contains(reinterpret_cast<uintptr_t>(zeroed->address), 300));
  bool writable = false;
  for (const CodeObjectSegment& segment : loaded.code_object->segments()) {
    const auto address = reinterpret_cast<uintptr_t>(counter->address);
    if (address >= segment.begin && address < segment.end) writable = segment.writable;
  }
  CHECK(writable);
}

TEST(two_loads_have_their_own_variables) {
  const Image image = read_sample();
  CodeObjectLoad first = CodeObject::load(image.data());
  CodeObjectLoad second = CodeObject::load(image.data());
  if (!first.code_object || !second.code_object) return CHECK(false);
  for (const char* name : {"counter", "zeroed", "shared_by_all"}) {
    const GlobalVariable* a = first.code_object->find_global(name);
    const GlobalVariable* b = second.code_object->find_global(name);
    CHECK(a != nullptr && b != nullptr && a->address != b->address);
  }
  int out_value = 0;
  int* out = &out_value;
  CHECK(!launch(first.code_object->find_kernel("count"), &out, {1, 1, 1}, {1, 1, 1}));
  CHECK(!launch(first.code_object->find_kernel("count"), &out, {1, 1, 1}, {1, 1, 1}));
  CHECK_EQUAL(out_value, 7 + 3);
  CHECK(!launch(second.code_object->find_kernel("count"), &out, {1, 1, 1}, {1, 1, 1}));
  CHECK_EQUAL(out_value, 6 + 3);
}

bool deny_all(int, uintptr_t, size_t, bool, AccessibleRange*) { return false; }

TEST(a_kernel_may_touch_its_own_variables_and_shared_memory) {
  const Image image = read_sample();
  CodeObjectLoad loaded = CodeObject::load(image.data());
  if (!loaded.code_object) return CHECK(false);
  int out_value = 0;
  int* out = &out_value;
  set_access_checker(deny_all);
  CHECK(!launch(loaded.code_object->find_kernel("count"), &out, {1, 1, 1}, {1, 1, 1}));
  set_access_checker(nullptr);
}

size_t count_mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("greta-code") != line.npos;
  return count;
}

TEST(a_thousand_loads_and_unloads_leave_nothing_mapped) {
  const Image image = read_sample();
  const size_t before = count_mappings();
  for (int i = 0; i < 1000; ++i) {
    CodeObjectLoad loaded = CodeObject::load(image.data());
    CHECK(loaded.code_object != nullptr);
  }
  CHECK_EQUAL(count_mappings(), before);
}

// --- Containers ----------------------------------------------------------------------------------

Image amdgpu_elf() {
  Image image = read_sample();
  auto* header = reinterpret_cast<Elf64_Ehdr*>(image.data());
  header->e_machine = 224;
  return image;
}

hipError_t error_of(const Image& image) { return CodeObject::load(image.data()).error; }

TEST(bundles_are_searched_for_our_code) {
  const std::pair<std::string, Image> host{"host-x86_64-unknown-linux--", {}};
  const std::pair<std::string, Image> gpu{"hipv4-amdgcn-amd-amdhsa--gfx942", amdgpu_elf()};
  const std::pair<std::string, Image> ours{"hipv4-x86_64-unknown-linux--gretasim", read_sample()};
  const std::pair<std::string, Image> unnamed{"hipv4-x86_64--gfx942", read_sample()};
  CHECK_EQUAL(int{error_of(bundle_of({host, gpu, ours}))}, int{hipSuccess});
  CHECK_EQUAL(int{error_of(bundle_of({host, unnamed}))}, int{hipSuccess});
  CHECK_EQUAL(int{error_of(bundle_of({host, gpu}))}, int{hipErrorNoBinaryForGpu});
  CHECK_EQUAL(int{error_of(bundle_of({host}))}, int{hipErrorNoBinaryForGpu});
}

TEST(other_images_are_refused_with_the_right_error) {
  CHECK_EQUAL(int{error_of(amdgpu_elf())}, int{hipErrorNoBinaryForGpu});
  Image compressed(64);
  std::memcpy(compressed.data(), "CCOB\2\0\1\0", 8);
  CHECK_EQUAL(int{error_of(compressed)}, int{hipErrorNoBinaryForGpu});
  CHECK_EQUAL(int{error_of(Image(4096, 0))}, int{hipErrorInvalidImage});
  CHECK_EQUAL(int{error_of(Image(4096, 0xff))}, int{hipErrorInvalidImage});
  CHECK_EQUAL(int{CodeObject::load(nullptr).error}, int{hipErrorInvalidValue});
  CHECK_EQUAL(int{CodeObject::load(reinterpret_cast<void*>(64)).error}, int{hipErrorInvalidImage});
  Image bundle = bundle_of({{"gretasim", read_sample()}});
  bundle[24 + 5] = 0xff;  // the count of entries
  CHECK_EQUAL(int{error_of(bundle)}, int{hipErrorInvalidImage});
}

// --- Damage --------------------------------------------------------------------------------------

TEST(an_image_cut_short_anywhere_is_invalid) {
  const Image image = read_sample();
  ImageAtEdge edge(image);
  for (size_t size = 0; size < image.size(); size += 97) {
    const CodeObjectLoad loaded = CodeObject::load(edge.place(size));
    CHECK_EQUAL(int{loaded.error}, int{hipErrorInvalidImage});
  }
}

TEST(an_image_with_flipped_bytes_is_invalid) {
  Image image = read_sample();
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const size_t at = random() % image.size();
    const auto flip = static_cast<unsigned char>(1 + random() % 255);
    image[at] ^= flip;
    const hipError_t error = error_of(image);
    CHECK(error == hipErrorInvalidImage || error == hipErrorNoBinaryForGpu);
    image[at] ^= flip;
  }
  CHECK_EQUAL(int{error_of(image)}, int{hipSuccess});
}

TEST(an_image_without_a_seal_is_invalid) {
  CHECK_EQUAL(int{error_of(unsealed_sample())}, int{hipErrorInvalidImage});
}

// Images with a right seal over wrong tables: nothing the tables say may lead out of the image.
TEST(wrong_tables_under_a_right_seal_do_no_harm) {
  const Image original = unsealed_sample();
  Elf64_Ehdr header;
  std::memcpy(&header, original.data(), sizeof header);
  std::mt19937 random(2);
  const auto flip_somewhere = [&](size_t begin, size_t size) {
    Image image = original;
    image[begin + random() % size] ^= static_cast<unsigned char>(1 + random() % 255);
    seal_code_object(image.data(), image.size());
    CodeObject::load(image.data());
  };
  for (int i = 0; i < 500; ++i) flip_somewhere(0, sizeof header);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(original.data() + header.e_shoff);
  for (int i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    const bool is_table = section.sh_type == SHT_GNU_HASH || section.sh_type == SHT_NOTE;
    for (int round = 0; is_table && round < 500; ++round) {
      flip_somewhere(section.sh_offset, section.sh_size);
    }
  }
}

}  // namespace
}  // namespace greta::sim
