// Damaged images: an answer each time, never a crash, never a long wait. What is read out of bounds
// is found by the address sanitizer (make asan).
#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "check.h"
#include "codeobject/module_reader.h"
#include "sample_images.h"

namespace greta::codeobject {
namespace {

constexpr const char* kSamples[] = {"kernels.elf", "kernels.bundle", "kernels.zstd",
                                    "kernels.zlib"};

Image sample(const char* name) { return image_from_file(std::string(SAMPLE_IMAGES) + name); }

// What a launch may rely on, whatever the bytes were.
bool is_consistent(const ModuleInfo& module) {
  if (!module.problem.empty()) return module.kernels.empty();
  for (const KernelInfo& kernel : module.kernels) {
    for (const ArgumentInfo& argument : kernel.arguments) {
      if (uint64_t{argument.offset} + argument.bytes > kernel.kernarg_bytes) return false;
    }
  }
  return true;
}

// The image and nothing around it. It begins at the second page: an image at 0 is none.
class LoneImage final : public MemoryReader {
 public:
  explicit LoneImage(const Image& image) : bytes_(image.data(), image.size()) {}

  static const void* start() { return reinterpret_cast<const void*>(kStart); }

  bool read(uintptr_t from, void* to, size_t bytes) const override {
    return from >= kStart && bytes_.read(from - kStart, to, bytes);
  }

 private:
  static constexpr uintptr_t kStart = 4096;
  BufferReader bytes_;
};

ModuleInfo read_alone(const Image& image) {
  return read_module(LoneImage(image), LoneImage::start());
}

class Damage {
 public:
  explicit Damage(uint32_t seed) : random_(seed) {}

  // One to four changes, of the kinds that hurt readers: a flipped bit, an extreme length, bytes
  // moved from elsewhere, a cut.
  void apply_to(Image* image) {
    for (uint32_t left = 1 + below(4); left > 0 && image->size() > 8; --left) apply_one(image);
  }

 private:
  uint32_t below(size_t end) { return static_cast<uint32_t>(random_() % end); }

  // Headers are where the lengths are, so half of all changes go there.
  size_t place_in(const Image& image) {
    return below(2) == 0 ? below(std::min<size_t>(image.size() - 8, 600)) : below(image.size() - 8);
  }

  void apply_one(Image* image) {
    constexpr uint64_t kExtremes[] = {0,          1,          0x7f,       0xff, 0xffff,
                                      0x7fffffff, 0xffffffff, ~0ull >> 1, ~0ull};
    unsigned char* at = image->data() + place_in(*image);
    switch (below(8)) {
      case 0:
        image->resize(8 + below(image->size() - 8));
        break;
      case 1:
      case 2:
        std::memcpy(at, &kExtremes[below(std::size(kExtremes))], size_t{1} << below(4));
        break;
      case 3:
        std::memmove(at, image->data() + place_in(*image), 8);
        break;
      default:
        *at ^= static_cast<unsigned char>(1u << below(8));
    }
  }

  std::mt19937 random_;
};

TEST(twenty_thousand_damaged_images_are_survived) {
  Damage damage(1);
  int readable = 0;
  const int rounds = repetitions(20000) / 4;
  for (const char* name : kSamples) {
    const Image original = sample(name);
    CHECK(!original.empty());
    for (int i = 0; i < rounds; ++i) {
      Image image = original;
      damage.apply_to(&image);
      const ModuleInfo module = read_alone(image);
      CHECK(is_consistent(module));
      readable += module.problem.empty();
    }
  }
  CHECK(readable > 0 && readable < 4 * rounds);
}

// The same in this process' memory, where what follows an image is whatever lies there.
TEST(damaged_images_in_own_memory_are_survived) {
  Damage damage(2);
  for (const char* name : kSamples) {
    const Image original = sample(name);
    for (int i = 0; i < repetitions(1000); ++i) {
      Image image = original;
      damage.apply_to(&image);
      CHECK(is_consistent(read_module(OwnMemory(), image.data())));
    }
  }
}

TEST(images_cut_short_anywhere_have_no_kernels) {
  for (const char* name : kSamples) {
    const Image image = sample(name);
    ImageAtEdge edge(image);
    for (size_t size = 0; size < image.size(); size += 13) {
      const ModuleInfo module = read_module(OwnMemory(), edge.place(size));
      CHECK(!module.problem.empty() && module.kernels.empty());
    }
    CHECK_EQUAL(read_module(OwnMemory(), edge.place(image.size())).bytes, image.size());
  }
}

}  // namespace
}  // namespace greta::codeobject
