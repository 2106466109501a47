// Words that are no program, and every opcode with registers full of chance: nothing may crash.
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "check.h"
#include "isa/decoder.h"
#include "isa/workgroup.h"

using namespace greta::isa;

namespace {

class NoMemory : public Memory {
 public:
  bool allows(uint64_t, uint32_t, AccessKind, Range*) override { return false; }
};

// One block of real memory; whatever a lane asks for inside it is allowed.
class OneBuffer : public Memory {
 public:
  bool allows(uint64_t address, uint32_t bytes, AccessKind, Range* around) override {
    const auto begin = reinterpret_cast<uint64_t>(bytes_.data());
    if (address < begin || address - begin > bytes_.size() - bytes) return false;
    *around = {begin, begin + bytes_.size(), true};
    return true;
  }
  uint64_t begin() const { return reinterpret_cast<uint64_t>(bytes_.data()); }

 private:
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(1 << 16);
};

void fill(Wave& wave, std::mt19937& random, uint64_t pointer) {
  for (auto& row : wave.v) {
    for (uint32_t& lane : row) lane = random();
  }
  for (uint32_t& scalar : wave.s) scalar = random();
  // Addresses, so that some accesses are made: the pair v[0:1], and s[0:1].
  for (int l = 0; l < kLanes; ++l) {
    wave.v[0][l] = static_cast<uint32_t>(pointer + 4 * l);
    wave.v[1][l] = static_cast<uint32_t>(pointer >> 32);
    wave.v[2][l] = static_cast<uint32_t>(4 * l);
  }
  wave.set_pair(0, pointer);
}

// Runs one instruction that decodes, if it is implemented.
bool run_one(const uint32_t* words, const Instruction& instruction, Memory& memory,
             uint64_t pointer, std::mt19937& random) {
  std::vector<uint32_t> code(words, words + instruction.words);
  code.push_back(0xbf810000);  // s_endpgm
  Program program;
  std::string error;
  if (!program.load(code.data(), code.size() * 4, 0, Architecture::gfx942, best_lanes(), &error)) {
    return false;
  }
  Workgroup group(program, memory, 1, 4096, 64);
  fill(group.wave(0), random, pointer);
  group.restart(0);
  group.run(100);
  return true;
}

}  // namespace

TEST(random_words_decode_or_are_refused) {
  std::mt19937 random(1);
  uint32_t words[4];
  int decoded = 0;
  for (int i = 0; i < 300000; ++i) {
    for (uint32_t& word : words) word = random();
    const auto architecture = static_cast<Architecture>(1 << i % 3);
    Instruction instruction;
    const size_t count = random() % 4 + 1;
    if (!decode(words, count, architecture, &instruction)) continue;
    ++decoded;
    CHECK(instruction.words <= count);
    CHECK(!text_of(instruction, architecture).empty());
  }
  CHECK(decoded > 50000);
}

TEST(whatever_decodes_runs_or_is_refused) {
  std::mt19937 random(2);
  NoMemory none;
  OneBuffer buffer;
  int ran = 0;
  for (int i = 0; i < 20000; ++i) {
    uint32_t words[2] = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
    // Formats of two words are rare among random ones.
    static constexpr uint32_t kHeads[] = {0xd0000000, 0xd3800000, 0xd8000000, 0xdc000000,
                                          0xe0000000, 0xc0000000, 0x7e000000, 0x7c000000};
    if (i % 2 == 0) words[0] = (words[0] & 0x007fffff) | kHeads[random() % 8];
    if (i % 4 == 0) words[1] &= 0xffffff00;  // the address is v[0:1]
    Instruction instruction;
    if (!decode(words, 2, Architecture::gfx942, &instruction)) continue;
    Memory& memory = i % 3 == 0 ? static_cast<Memory&>(none) : buffer;
    ran += run_one(words, instruction, memory, buffer.begin(), random);
  }
  CHECK(ran > 2000);
}

TEST(random_programs_load_or_are_refused) {
  std::mt19937 random(3);
  NoMemory none;
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint32_t> code(random() % 64 + 1);
    for (uint32_t& word : code) word = random() % 2 == 0 ? random() : 0x7e000300 | random() % 256;
    Program program;
    std::string error;
    if (!program.load(code.data(), code.size() * 4, 0, Architecture::gfx942, best_lanes(),
                      &error)) {
      CHECK(!error.empty());
      continue;
    }
    Workgroup group(program, none, 2, 0, 0);
    group.restart(0);
    group.run(1000);
  }
}
