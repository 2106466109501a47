// Waves of a block: barriers, turns, faults.
#include <string>
#include <vector>

#include "check.h"
#include "isa/workgroup.h"

using namespace greta::isa;

namespace {

constexpr uint32_t kEnd = 0xbf810000, kBarrier = 0xbf8a0000;

class NoMemory : public Memory {
 public:
  bool allows(uint64_t, uint32_t, AccessKind, Range*) override { return false; }
};

Program loaded(const std::vector<uint32_t>& code) {
  Program program;
  std::string error;
  CHECK(program.load(code.data(), code.size() * 4, 0, Architecture::gfx942, best_lanes(), &error));
  CHECK_EQUAL(error, std::string());
  return program;
}

}  // namespace

TEST(a_barrier_holds_every_wave_until_the_last_one_comes) {
  // Wave 0 reads what wave 1 writes before the barrier.
  const Program program = loaded({
      0xbf068000,  // s_cmp_eq_u32 s0, 0
      0xbf850002,  // s_cbranch_scc1 over the write
      0xd81a0000,
      0x00000100,  // ds_write_b32 v0, v1
      kBarrier,
      0xd86c0000,
      0x02000000,  // ds_read_b32 v2, v0
      kEnd,
  });
  NoMemory none;
  Workgroup group(program, none, 2, 256, 0);
  for (uint32_t i = 0; i < 2; ++i) {
    Wave& wave = group.wave(i);
    wave.s[0] = i;
    for (uint32_t l = 0; l < kLanes; ++l) {
      wave.v[0][l] = 4 * l;
      wave.v[1][l] = 1000 + l;
    }
  }
  group.restart(0);
  CHECK(group.run(1000) == Workgroup::Outcome::ended);
  CHECK_EQUAL(group.wave(0).v[2][5], 1005u);
}

TEST(a_wave_that_waits_for_another_does_not_hang) {
  // Wave 0 spins until LDS is not zero; wave 1 writes it. No barrier.
  const Program program = loaded({
      0xbf068000,  // s_cmp_eq_u32 s0, 0
      0xbf840005,  // s_cbranch_scc0 to the writer
      0xd86c0000,
      0x02000000,  // spin: ds_read_b32 v2, v0
      0x7d8a0480,  // v_cmp_ne_u32 vcc, 0, v2 (0xc5 is ne_i32)
      0xbf86fffc,  // s_cbranch_vccz spin
      kEnd,
      0xd81a0000,
      0x00000100,  // ds_write_b32 v0, v1
      kEnd,
  });
  NoMemory none;
  Workgroup group(program, none, 2, 4, 0);
  for (uint32_t i = 0; i < 2; ++i) {
    group.wave(i).s[0] = i;
    for (uint32_t& lane : group.wave(i).v[1]) lane = 7;
  }
  group.restart(0);
  CHECK(group.run(1000000) == Workgroup::Outcome::ended);
}

TEST(an_endless_loop_comes_back_after_its_budget) {
  const Program program = loaded({0xbf82ffff, kEnd});  // s_branch to itself
  NoMemory none;
  Workgroup group(program, none, 1, 0, 0);
  group.restart(0);
  CHECK(group.run(5000) == Workgroup::Outcome::running);
  CHECK_EQUAL(group.instructions(), uint64_t{5000});
}

TEST(an_access_outside_lds_names_lane_and_offset) {
  const Program program = loaded({0xbf800000, 0xd86c0004, 0x02000000, kEnd});  // ds_read, offset 4
  NoMemory none;
  Workgroup group(program, none, 1, 256, 0);
  for (uint32_t l = 0; l < kLanes; ++l) group.wave(0).v[0][l] = 4 * l;
  group.restart(0);
  CHECK(group.run(100) == Workgroup::Outcome::faulted);
  CHECK(group.fault().kind == FaultKind::lds);
  CHECK_EQUAL(group.fault().lane, 63u);
  CHECK_EQUAL(group.fault().address, uint64_t{256});
  CHECK_EQUAL(program.steps[group.fault().step].offset, 4u);
}

TEST(an_opcode_that_is_not_implemented_is_named_when_the_program_is_loaded) {
  const std::vector<uint32_t> code = {0xbf910001, kEnd};  // s_sendmsghalt
  Program program;
  std::string error;
  CHECK(!program.load(code.data(), 8, 0, Architecture::gfx942, best_lanes(), &error));
  CHECK_EQUAL(error, std::string("s_sendmsghalt is not implemented (at byte 0)"));
}
