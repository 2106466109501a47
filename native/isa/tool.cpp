// greta-isa: the engine by itself, for tests and for a look at what it knows.
//   greta-isa opcodes                    name, architectures, implemented, approximate
//   greta-isa decode ARCH WORDS          from standard input, WORDS words for each instruction:
//                                        its length and text, or 0
//   greta-isa disassemble ARCH           code from standard input, one line for each instruction:
//                                        its byte offset, its words in hexadecimal, its text
//   greta-isa run                        jobs from standard input, results to standard output
#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "isa/decoder.h"
#include "isa/program.h"
#include "isa/workgroup.h"

namespace greta::isa {
namespace {

Architecture architecture_named(const char* name) {
  if (std::strcmp(name, "gfx90a") == 0) return Architecture::gfx90a;
  return std::strcmp(name, "gfx950") == 0 ? Architecture::gfx950 : Architecture::gfx942;
}

int list_opcodes() {
  size_t count;
  const OpcodeRow* rows = all_rows(&count);
  std::vector<unsigned> architectures(kOpcodes);
  for (size_t i = 0; i < count; ++i) {
    architectures[static_cast<size_t>(rows[i].opcode)] |= rows[i].architectures;
  }
  for (size_t i = 0; i < kOpcodes; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    std::printf("%s %u %d %d\n", name_of(opcode).data(), architectures[i], is_implemented(opcode),
                is_approximate(opcode));
  }
  return 0;
}

int decode_input(Architecture architecture, size_t slot) {
  std::vector<uint32_t> words(slot);
  while (std::fread(words.data(), 4, slot, stdin) == slot) {
    Instruction instruction;
    if (decode(words.data(), slot, architecture, &instruction)) {
      std::printf("%d %s\n", instruction.words, text_of(instruction, architecture).c_str());
    } else {
      std::puts("0");
    }
  }
  return 0;
}

// A word that is no instruction is data, as LLVM shows it.
int disassemble_input(Architecture architecture) {
  std::vector<uint32_t> code;
  uint32_t word;
  while (std::fread(&word, 4, 1, stdin) == 1) code.push_back(word);
  for (size_t at = 0; at < code.size();) {
    Instruction instruction;
    const bool known = decode(&code[at], code.size() - at, architecture, &instruction);
    const size_t words = known ? instruction.words : 1;
    std::printf("%zu ", at * 4);
    for (size_t i = 0; i < words; ++i) std::printf("%s%08X", i == 0 ? "" : ",", code[at + i]);
    if (known) {
      std::printf(" %s\n", text_of(instruction, architecture).c_str());
    } else {
      std::printf(" .long 0x%08x\n", code[at]);
    }
    at += words;
  }
  return 0;
}

// -- jobs
// ------------------------------------------------------------------------------------------
//
// Job, little-endian words:
//   architecture (1, 2, 4), lanes (0 best, 1 portable, 2 avx2, 3 avx512), code words, entry byte,
//   waves, LDS bytes, scratch bytes, VGPRs, AccVGPRs, regions, mode, budget (u64)
// then the code; for each wave 128 scalars, SCC, the vectors; LDS; for each region u64 address, u64
// bytes, u64 writable, and its bytes.
// Result: status (0 ended, 1 faulted, 2 still running, 3 not loaded).
//   3: u32 length and the reason. Else: fault kind, access, bytes, lane, byte of the code, faulting
//   wave, u64 lanes, u64 address, u64 instructions; for each wave scalars, SCC, vectors; LDS;
//   the bytes of each region.

struct JobHeader {
  uint32_t architecture, lanes, words, entry, waves, lds, scratch, vgprs, accs, regions, mode,
      unused;
  uint64_t budget;
};

struct Region {
  uint64_t address, bytes, writable;
};

template <class T>
bool get(T* to, size_t count = 1) {
  return count == 0 || std::fread(to, sizeof(T), count, stdin) == count;
}
template <class T>
void put(const T* from, size_t count = 1) {
  if (count != 0) std::fwrite(from, sizeof(T), count, stdout);
}
void put_word(uint32_t value) { put(&value); }

class Regions : public Memory {
 public:
  ~Regions() override {
    for (const Region& region : regions_) munmap(at(region), pages(region));
  }

  bool add(const Region& region) {
    void* memory = mmap(at(region), pages(region), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != at(region)) return false;
    regions_.push_back(region);
    return get(static_cast<uint8_t*>(memory), region.bytes);
  }

  bool allows(uint64_t address, uint32_t bytes, AccessKind kind, Range* around) override {
    for (const Region& region : regions_) {
      const bool inside = address >= region.address && bytes <= region.bytes &&
                          address - region.address <= region.bytes - bytes;
      if (!inside || (kind != AccessKind::read && !region.writable)) continue;
      *around = {region.address, region.address + region.bytes, region.writable != 0};
      return true;
    }
    return false;
  }

  void write() const {
    for (const Region& region : regions_) put(static_cast<uint8_t*>(at(region)), region.bytes);
  }

 private:
  // Regions start on pages.
  static void* at(const Region& region) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(region.address));
  }
  static size_t pages(const Region& region) { return (region.bytes + 4096) & ~size_t{4095}; }

  std::vector<Region> regions_;
};

Lanes lanes_of(uint32_t wanted) {
  return wanted == 0 ? best_lanes() : static_cast<Lanes>(wanted - 1);
}

bool read_wave(Wave& wave, const JobHeader& job) {
  uint32_t scc;
  if (!get(wave.s, 128) || !get(&scc)) return false;
  wave.scc = scc != 0;
  wave.mode = job.mode;
  return get(wave.v[0], job.vgprs * size_t{kLanes}) && get(wave.v[256], job.accs * size_t{kLanes});
}

void write_wave(const Wave& wave, const JobHeader& job) {
  put(wave.s, 128);
  put_word(wave.scc);
  put(wave.v[0], job.vgprs * size_t{kLanes});
  put(wave.v[256], job.accs * size_t{kLanes});
}

void write_fault(Workgroup& group, const Program& program) {
  const Fault& fault = group.fault();
  const bool known = fault.step < program.steps.size();
  put_word(static_cast<uint32_t>(fault.kind));
  put_word(static_cast<uint32_t>(fault.access));
  put_word(fault.bytes);
  put_word(fault.lane);
  put_word(known ? program.steps[fault.step].offset : 0);
  put_word(group.faulting_wave());
  put(&fault.lanes);
  put(&fault.address);
  const uint64_t instructions = group.instructions();
  put(&instructions);
}

bool run_job(const JobHeader& job) {
  std::vector<uint32_t> code(job.words);
  if (!get(code.data(), code.size())) return false;
  Program program;
  std::string error;
  const bool loaded =
      program.load(code.data(), code.size() * 4, job.entry,
                   static_cast<Architecture>(job.architecture), lanes_of(job.lanes), &error);
  Regions memory;
  Workgroup group(program, memory, job.waves, job.lds, job.scratch);
  for (uint32_t i = 0; i < job.waves; ++i) {
    if (!read_wave(group.wave(i), job)) return false;
  }
  if (job.lds != 0 && !get(group.lds(), job.lds)) return false;
  for (uint32_t i = 0; i < job.regions; ++i) {
    Region region;
    if (!get(&region) || !memory.add(region)) return false;
  }
  if (!loaded) {
    put_word(3);
    put_word(static_cast<uint32_t>(error.size()));
    put(error.data(), error.size());
    return true;
  }
  group.restart(static_cast<uint32_t>(program.step_of_byte(job.entry)));
  put_word(static_cast<uint32_t>(group.run(job.budget)));
  write_fault(group, program);
  for (uint32_t i = 0; i < job.waves; ++i) write_wave(group.wave(i), job);
  put(group.lds(), job.lds);
  memory.write();
  return true;
}

int run_jobs() {
  JobHeader job;
  while (get(&job)) {
    const bool sane = job.vgprs <= 256 && job.accs <= 256 && job.waves <= 16 && job.lanes <= 3 &&
                      job.words <= 1u << 24 && job.lds <= 1u << 20 && job.scratch <= 1u << 24;
    if (!sane || !run_job(job)) {
      std::fprintf(stderr, "greta-isa: a job is damaged or its memory cannot be had\n");
      return 2;
    }
  }
  return 0;
}

}  // namespace
}  // namespace greta::isa

int main(int count, char** arguments) {
  using namespace greta::isa;
  const std::string command = count > 1 ? arguments[1] : "";
  if (command == "opcodes") return list_opcodes();
  if (command == "run") return run_jobs();
  if (command == "disassemble" && count == 3) {
    return disassemble_input(architecture_named(arguments[2]));
  }
  if (command == "decode" && count == 4) {
    const int slot = std::atoi(arguments[3]);
    if (slot > 0 && slot <= 16) {
      return decode_input(architecture_named(arguments[2]), static_cast<size_t>(slot));
    }
  }
  std::fprintf(stderr, "usage: greta-isa opcodes | decode ARCH WORDS | disassemble ARCH | run\n");
  return 2;
}
