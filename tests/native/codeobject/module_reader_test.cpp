#include "codeobject/module_reader.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "check.h"
#include "codeobject/fat_binary.h"
#include "codeobject/offload_bundle.h"
#include "sample_images.h"

namespace greta::codeobject {
namespace {

Image sample(const char* name) { return image_from_file(std::string(SAMPLE_IMAGES) + name); }

ModuleInfo read(const Image& image, std::string_view processor = {}) {
  return read_module(OwnMemory(), image.data(), processor);
}

bool is_installed(const char* library) { return dlopen(library, RTLD_NOW) != nullptr; }

struct Place {
  uint32_t offset;
  uint32_t bytes;
  ArgumentKind kind;
};

void check_places(const KernelInfo& kernel, const std::vector<Place>& expected) {
  CHECK_EQUAL(kernel.explicit_argument_count(), expected.size());
  for (size_t i = 0; i < expected.size() && i < kernel.arguments.size(); ++i) {
    CHECK_EQUAL(kernel.arguments[i].offset, expected[i].offset);
    CHECK_EQUAL(kernel.arguments[i].bytes, expected[i].bytes);
    CHECK(kernel.arguments[i].kind == expected[i].kind);
  }
}

void check_kernels(const ModuleInfo& module) {
  constexpr ArgumentKind kValue = ArgumentKind::by_value, kPointer = ArgumentKind::global_buffer;
  CHECK_EQUAL(module.problem, std::string());
  CHECK_EQUAL(module.kernels.size(), 4u);
  const KernelInfo* mixed = module.find_kernel("mixed");
  const KernelInfo* sized = module.find_kernel("sized");
  const KernelInfo* none = module.find_kernel("none");
  CHECK(mixed != nullptr && sized != nullptr && none != nullptr);
  if (mixed == nullptr || sized == nullptr || none == nullptr) return;
  check_places(*mixed, {{0, 8, kPointer},
                        {8, 1, kValue},
                        {16, 8, kValue},
                        {24, 16, kValue},
                        {40, 12, kValue},
                        {52, 1, kValue},
                        {56, 8, kValue},
                        {64, 2, kValue},
                        {80, 16, kValue},
                        {96, 2, kValue},
                        {104, 8, kPointer},
                        {112, 8, kPointer}});
  CHECK_EQUAL(mixed->arguments[0].access, std::string("read_only"));
  CHECK_EQUAL(mixed->arguments[10].access, std::string("write_only"));
  check_places(*sized, {{0, 8, kPointer}, {8, 1, kValue}});
  CHECK(sized->arguments.size() > 2 && sized->arguments[2].kind == ArgumentKind::hidden);
  CHECK_EQUAL(sized->explicit_bytes(), 9u);
  CHECK(sized->kernarg_bytes > 16);
  check_places(*none, {});
  CHECK_EQUAL(none->kernarg_bytes, 0u);
}

const std::string kId = "hipv4-amdgcn-amd-amdhsa--";

TEST(a_bare_code_object_is_read) {
  const Image image = sample("kernels.elf");
  const ModuleInfo module = read(image);
  check_kernels(module);
  CHECK_EQUAL(module.kind, std::string("elf"));
  CHECK_EQUAL(module.bytes, image.size());
  CHECK_EQUAL(module.target, std::string("amdgcn-amd-amdhsa--gfx942"));
  CHECK_EQUAL(module.targets.size(), 1u);
}

TEST(a_bundle_is_read) {
  const Image image = sample("kernels.bundle");
  const ModuleInfo module = read(image);
  check_kernels(module);
  CHECK_EQUAL(module.kind, std::string("bundle"));
  CHECK_EQUAL(module.bytes, image.size());
  CHECK_EQUAL(module.target, kId + "gfx942");
}

void check_compressed(const Image& image, const char* library) {
  const ModuleInfo module = read(image, "gfx942");
  CHECK_EQUAL(module.kind, std::string("compressed bundle"));
  CHECK_EQUAL(module.bytes, image.size());
  if (is_installed(library)) {
    check_kernels(module);
    CHECK_EQUAL(module.target, kId + "gfx942");
  } else {
    CHECK(module.problem.find(library) != std::string::npos);
  }
}

TEST(a_bundle_compressed_by_zstd_is_read) {
  check_compressed(sample("kernels.zstd"), "libzstd.so.1");
}

TEST(a_bundle_compressed_by_zlib_is_read) { check_compressed(sample("kernels.zlib"), "libz.so.1"); }

// The same under a header of version 3, whose sizes have 8 bytes.
Image with_version_3(const Image& image) {
  uint32_t sizes[2];
  std::memcpy(sizes, image.data() + 8, sizeof sizes);
  const uint64_t wide[2] = {sizes[0] + 8u, sizes[1]};
  Image changed(image.begin(), image.begin() + 8);
  changed[4] = 3;
  append(&changed, wide, sizeof wide);
  append(&changed, image.data() + 16, image.size() - 16);
  return changed;
}

TEST(a_compressed_bundle_of_version_3_is_read) {
  check_compressed(with_version_3(sample("kernels.zstd")), "libzstd.so.1");
  check_compressed(with_version_3(sample("kernels.zlib")), "libz.so.1");
}

TEST(other_versions_of_compressed_bundles_are_named) {
  Image image = sample("kernels.zlib");
  image[4] = 1;
  CHECK(read(image).problem.find("version 1") != std::string::npos);
  image[4] = 4;
  CHECK(read(image).problem.find("version 4") != std::string::npos);
}

TEST(a_compressed_bundle_that_lies_about_its_size_is_corrupt) {
  for (const char* name : {"kernels.zlib", "kernels.zstd"}) {
    for (const int change : {-1, 1}) {
      Image image = sample(name);
      image[12] = static_cast<unsigned char>(image[12] + change);
      const ModuleInfo module = read(image);
      CHECK(module.kernels.empty() && !module.problem.empty());
    }
  }
}

// --- Choosing among targets ------------------------------------------------------------------

TEST(the_wanted_processor_is_chosen) {
  const Image code = sample("kernels.elf");
  const Image bundle = bundle_of({{"host-x86_64-unknown-linux--", {}},
                                  {kId + "gfx90a:sramecc+:xnack-", code},
                                  {kId + "gfx942", code},
                                  {kId + "gfx1100", code}});
  CHECK_EQUAL(read(bundle).target, kId + "gfx90a:sramecc+:xnack-");
  CHECK_EQUAL(read(bundle, "gfx1100").target, kId + "gfx1100");
  CHECK_EQUAL(read(bundle, "gfx942:sramecc+:xnack-").target, kId + "gfx942");
  CHECK_EQUAL(read(bundle, "gfx90a").target, kId + "gfx90a:sramecc+:xnack-");
  CHECK_EQUAL(read(bundle, "gfx1030").target, kId + "gfx90a:sramecc+:xnack-");
  CHECK_EQUAL(read(bundle).targets.size(), 3u);
}

TEST(a_target_that_cannot_be_read_gives_way_to_the_next) {
  const Image spirv(64, 3), code = sample("kernels.elf");
  const ModuleInfo both = read(bundle_of({{kId + "amdgcnspirv", spirv}, {kId + "gfx942", code}}));
  CHECK_EQUAL(both.target, kId + "gfx942");
  check_kernels(both);
  const ModuleInfo alone = read(bundle_of({{kId + "amdgcnspirv", spirv}}));
  CHECK(alone.kernels.empty() && !alone.problem.empty() && alone.target.empty());
  CHECK_EQUAL(alone.targets.size(), 1u);
}

TEST(a_bundle_without_device_code_says_so) {
  const ModuleInfo module =
      read(bundle_of({{"host-x86_64-unknown-linux--", sample("kernels.elf")}}));
  CHECK_EQUAL(module.problem, std::string("its bundle holds no code for a device"));
  CHECK(module.targets.empty());
}

TEST(processors_are_found_in_the_names_of_targets) {
  CHECK(processor_of("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-") == "gfx90a");
  CHECK(processor_of("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic") == "gfx9-4-generic");
  CHECK(processor_of("gfx942:sramecc+:xnack-") == "gfx942");
  CHECK(processor_of("host-x86_64-unknown-linux--").empty());
}

// --- Wrappers and files ----------------------------------------------------------------------

TEST(what_a_compiler_registers_is_read) {
  const Image image = sample("kernels.bundle");
  FatBinaryWrapper wrapper{FatBinaryWrapper::kMagic, 1, image.data(), nullptr};
  check_kernels(read_fat_binary(OwnMemory(), &wrapper));
  wrapper.version = 2;
  CHECK(!read_fat_binary(OwnMemory(), &wrapper).problem.empty());
  wrapper = {FatBinaryWrapper::kMagic, 1, nullptr, nullptr};
  CHECK(!read_fat_binary(OwnMemory(), &wrapper).problem.empty());
  CHECK(!read_fat_binary(OwnMemory(), nullptr).problem.empty());
  CHECK(!read_fat_binary(OwnMemory(), reinterpret_cast<void*>(64)).problem.empty());
}

TEST(a_file_is_read) {
  check_kernels(read_module_file(std::string(SAMPLE_IMAGES) + "kernels.bundle"));
  CHECK(read_module_file(std::string(SAMPLE_IMAGES) + "missing").problem.find("cannot open") == 0);
}

TEST(a_path_that_is_no_ordinary_file_is_not_waited_for) {
  const std::string pipe = "/tmp/greta_codeobject_test_" + std::to_string(getpid());
  CHECK_EQUAL(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), std::string("/")}) {
    CHECK_EQUAL(read_module_file(path).problem, std::string("it is not an ordinary file"));
  }
  unlink(pipe.c_str());
}

// --- What never was an image -----------------------------------------------------------------

TEST(garbage_is_told_from_images) {
  const std::string text = "it is neither an ELF file nor an offload bundle";
  CHECK_EQUAL(read(Image(4096, 0)).problem, text);
  CHECK_EQUAL(read(Image(4096, 0xff)).problem, text);
  CHECK(read(Image(4096, 0)).kind.empty());
  CHECK_EQUAL(read_module(OwnMemory(), nullptr).problem, std::string("there is none"));
  for (const uintptr_t address : {uintptr_t{1}, uintptr_t{1} << 47, ~uintptr_t{15}}) {
    const void* image = reinterpret_cast<const void*>(address);
    CHECK_EQUAL(read_module(OwnMemory(), image).problem, std::string("it is cut short"));
  }
}

TEST(a_library_of_the_host_has_no_kernels) {
  const ModuleInfo module = read_module_file("/proc/self/exe");
  CHECK_EQUAL(module.problem, std::string("it has no AMDGPU metadata note"));
  CHECK(module.kernels.empty());
}

}  // namespace
}  // namespace greta::codeobject
