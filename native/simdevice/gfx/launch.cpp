// Runs the blocks of a launch on the instruction engine.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>

#include "device/access_check.h"
#include "device/executor.h"
#include "gfx/device_heap.h"
#include "gfx/fault_text.h"
#include "gfx/heap_watch.h"
#include "gfx/hidden_arguments.h"
#include "gfx/hostcall.h"
#include "gfx/loaded_module.h"
#include "gfx/race_check.h"
#include "isa/workgroup.h"

namespace greta::sim::gfx {
namespace {

AccessKind kind_of(isa::AccessKind kind) {
  switch (kind) {
    case isa::AccessKind::read:
      return AccessKind::read;
    case isa::AccessKind::write:
      return AccessKind::write;
    case isa::AccessKind::atomic:
      return AccessKind::atomic;
  }
  return AccessKind::read;
}

// What a kernel with calls that cannot be counted gets for its frames: ROCm's default limit, with
// room to spare.
constexpr uint32_t kDynamicStackBytes = 16384;
// Instructions of a block between questions whether to stop. Blocks of a cooperative launch may
// wait in a loop for others that have not begun.
constexpr uint64_t kTurn = 2'000'000, kCooperativeTurn = 200'000;

uint32_t scratch_bytes_of(const KernelDescriptor& descriptor) {
  const uint32_t fixed = descriptor.private_segment_bytes;
  return descriptor.has(KernelDescriptor::kDynamicStack) ? fixed + kDynamicStackBytes : fixed;
}

// What a kernel may access: what its launch brings, its module, and the device's memory.
class KernelMemory final : public isa::Memory {
 public:
  KernelMemory(const KernelCode& code, const LaunchMemory& own, const KernelLaunch& launch)
      : code_(code),
        module_(code.module()),
        own_(own),
        device_(launch.device),
        footprint_(launch.footprint),
        heap_(launch.heap) {
    if (may_call_host(launch)) hostcall_ = hostcall_memory();
  }

  bool allows(uint64_t address, uint32_t bytes, isa::AccessKind kind, isa::Range* around) override {
    const bool write = kind != isa::AccessKind::read;
    if (address + bytes < address) return false;
    if (address >= own_.begin() && address + bytes <= own_.end()) {
      *around = {own_.begin(), own_.end(), false};
      return !write;
    }
    if (address >= hostcall_.begin && address + bytes <= hostcall_.end) {
      *around = {hostcall_.begin, hostcall_.end, true};
      return true;
    }
    Segment segment;
    if (module_.allows(address, bytes, write, &segment)) {
      *around = {segment.begin, segment.end, segment.writable,
                 window_of_module(address, segment.writable)};
      return true;
    }
    AccessibleRange range{address, address + bytes, write};
    if (!may_access(device_, address, bytes, write, &range))
      return allows_heap(address, bytes, around);
    *around = {range.begin, range.end, range.writable,
               footprint_ != nullptr ? footprint_->window_at(address) : nullptr};
    return true;
  }

  void note(const isa::Range& range, uint64_t address, uint64_t bytes,
            isa::AccessKind kind) override {
    static_cast<const AccessWindow*>(range.notes)->note(kind_of(kind), address, bytes);
  }

  void watch(const isa::WatchedAccess& access) override {
    const uint64_t first = access.base + access.offset[__builtin_ctzll(access.lanes | 1ull << 63)];
    if (first >= hostcall_.begin && first < hostcall_.end) return;
    // malloc and free order who has a block of memory with who gets it next by their own state.
    races->watch(access, DeviceHeap::instance().is_state(first) ? RaceCheck::Looks::only_order
                                                                : RaceCheck::Looks::all);
  }
  void passed_barrier(const isa::Wave* const* waves, uint32_t count) override {
    races->passed_barrier(waves, count);
  }

  isa::Handler reached(const isa::Wave& wave, const isa::Step& step) override {
    const auto at = static_cast<uint32_t>(&step - code_.program().steps.data());
    heap_.reached(wave, code_.heap_points().at(at));
    return code_.program().marked.at(at);
  }

  std::unique_ptr<RaceCheck> races;  // where waves are watched

 private:
  static bool allows_heap(uint64_t address, uint32_t bytes, isa::Range* around) {
    *around = isa::Range();
    around->writable = DeviceHeap::instance().find(address, bytes, &around->begin, &around->end);
    return around->writable;
  }

  const KernelCode& code_;
  const LoadedModule& module_;
  const LaunchMemory& own_;
  // Variables of the module are noted, those that only the host writes too; other constants are
  // not.
  const AccessWindow* window_of_module(uintptr_t address, bool is_variable) const {
    if (footprint_ == nullptr) return nullptr;
    for (const Segment& segment : module_.segments()) {
      const bool noted = segment.writable || is_variable;
      if (noted && address >= segment.begin && address < segment.end) {
        return footprint_->window_over(segment.begin, segment.end);
      }
    }
    return nullptr;
  }

  const int device_;
  LaunchFootprint* const footprint_;
  HostcallMemory hostcall_;
  HeapWatch heap_;
};

class RunningLaunch final : public Launch {
 public:
  explicit RunningLaunch(const KernelLaunch& launch)
      : launch_(launch),
        code_(*launch.kernel->machine_code),
        scratch_bytes_(scratch_bytes_of(code_.descriptor())),
        own_(launch, isa::Apertures().shared, isa::Apertures().priv, scratch_bytes_),
        memory_(code_, own_, launch),
        threads_(static_cast<uint32_t>(volume(launch.block))),
        waves_((threads_ + isa::kLanes - 1) / isa::kLanes),
        number_(next_number()),
        hostcalls_(may_call_host(launch)) {
    fill_scalars();
    fill_ids();
    if (launch.races != nullptr) {
      memory_.races = std::make_unique<RaceCheck>(code_.program(), threads_, lds_bytes());
    }
  }
  ~RunningLaunch() override {
    note_unknown_heap();
    if (memory_.races == nullptr) return;
    RaceCheck& found = *memory_.races;
    for (const Race& race : found.take_races()) launch_.races->push_back(report_of(race));
    for (const BarrierMiss& miss : found.take_misses()) launch_.races->push_back(report_of(miss));
    if (found.is_cut()) launch_.races->push_back({});  // a report of nothing: not all was watched
  }

  bool run(uint64_t block_index, BlockOwner& owner, FaultReport* fault) override {
    isa::Workgroup& group = workgroup();
    const Dim3 block = position_of(block_index, launch_.grid);
    const WatchedBlock watched(memory_.races.get(), block_index);
    start(group, block, block_index);
    for (;;) {
      switch (group.run(launch_.cooperative ? kCooperativeTurn : kTurn)) {
        case isa::Workgroup::Outcome::ended:
          return true;
        case isa::Workgroup::Outcome::faulted:
          *fault = report_of(group, block);
          return false;
        case isa::Workgroup::Outcome::running:
          if (owner.should_stop()) return true;
          break;
        case isa::Workgroup::Outcome::at_grid_barrier:
          if (pass_grid_barrier(owner)) {
            group.pass_grid_barrier();
            break;
          }
          if (owner.should_stop()) return true;
          *fault = grid_barrier_report(block);
          return false;
      }
    }
  }

 private:
  // Of code without symbols it is not known where it calls malloc, only that it does.
  void note_unknown_heap() const {
    if (launch_.heap == nullptr || requests_ == DeviceHeap::instance().requests()) return;
    const auto& arguments = launch_.kernel->arguments;
    const auto has_heap = [](const KernelArgument& one) {
      return one.value_kind == "hidden_heap_v1";
    };
    if (!code_.module().heap_functions().empty()) return;
    if (std::any_of(arguments.begin(), arguments.end(), has_heap)) launch_.heap->set_unknown();
  }

  // A block while it runs, where races are looked for.
  struct WatchedBlock {
    WatchedBlock(RaceCheck* races, uint64_t number) : races(races), number(number) {
      if (races != nullptr) races->begin_block(number);
    }
    ~WatchedBlock() {
      if (races != nullptr) races->end_block(number);
    }
    RaceCheck* const races;
    const uint64_t number;
  };

  // All accesses so far are before all that follow: they are forgotten while everybody waits.
  bool pass_grid_barrier(BlockOwner& owner) {
    if (!owner.pass_grid_barrier()) return false;
    if (memory_.races == nullptr) return true;
    memory_.races->forget_accesses();
    return owner.pass_grid_barrier();
  }

  FaultReport grid_barrier_report(const Dim3& block) const {
    FaultReport report;
    report.kernel = launch_.kernel->name;
    report.block = block;
    report.block_known = true;
    report.kind = FaultKind::trap;
    report.message = launch_.kernel->name + ": a grid barrier that not all blocks of the launch " +
                     (launch_.cooperative ? "reach" : "can reach, since it is not cooperative");
    return report;
  }

  // Of the calling thread: it keeps its registers from launch to launch.
  struct ThreadState {
    isa::Workgroup group;
    uint64_t launch = 0;
    uint64_t generation = 0;
  };

  static uint64_t next_number() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  uint32_t lds_bytes() const {
    return launch_.kernel->static_shared_bytes + launch_.dynamic_shared_bytes;
  }

  isa::Workgroup& workgroup() {
    static thread_local const std::unique_ptr<ThreadState> state(new ThreadState);
    const uint64_t generation = accessible_generation();
    if (state->launch != number_) {
      state->group.begin(code_.program(), memory_, waves_, lds_bytes(), scratch_bytes_);
      state->launch = number_;
    } else if (state->generation != generation) {
      state->group.forget_ranges();
    }
    state->generation = generation;
    return state->group;
  }

  // The scalar registers that every wave starts with, in the order of the ABI.
  void fill_scalars() {
    const KernelDescriptor& descriptor = code_.descriptor();
    uint32_t at = 0;
    const auto put = [&](uint64_t value, uint32_t words) {
      for (uint32_t i = 0; i < words && at < 32; ++i) {
        scalars_[at++] = static_cast<uint32_t>(value >> (32 * i));
      }
    };
    if (descriptor.has(KernelDescriptor::kDispatchPointer)) put(own_.packet(), 2);
    if (descriptor.has(KernelDescriptor::kQueuePointer)) put(own_.queue(), 2);
    if (descriptor.has(KernelDescriptor::kKernargPointer)) put(own_.kernarg(), 2);
    if (descriptor.has(KernelDescriptor::kDispatchId)) put(number_, 2);
    if (descriptor.has(KernelDescriptor::kFlatScratchInit)) put(0, 2);
    if (descriptor.has(KernelDescriptor::kPrivateSegmentSize)) put(scratch_bytes_, 1);
  }

  // The ids of the threads, packed as v0 has them.
  void fill_ids() {
    ids_.resize(static_cast<size_t>(waves_) * isa::kLanes);
    for (uint32_t i = 0; i < threads_; ++i) {
      const Dim3 id = position_of(i, launch_.block);
      ids_[i] = id.x | id.y << 10 | id.z << 20;
    }
  }

  void start(isa::Workgroup& group, const Dim3& block, uint64_t block_index) {
    for (uint32_t i = 0; i < waves_; ++i) {
      isa::Wave& wave = group.wave(i);
      std::memcpy(wave.s, scalars_, sizeof scalars_);
      place_block(wave, block, i);
      std::memcpy(wave.v[0], &ids_[static_cast<size_t>(i) * isa::kLanes], sizeof wave.v[0]);
      const uint32_t live = threads_ - i * isa::kLanes;
      wave.set_pair(isa::kExec, live >= isa::kLanes ? ~uint64_t{0} : (uint64_t{1} << live) - 1);
      wave.mode = code_.descriptor().float_mode();
      wave.code_base = code_.code_begin();
      wave.scc = false;
      wave.watched = memory_.races != nullptr;
      wave.number = block_index * waves_ + i;
    }
    group.restart(code_.entry_step());
  }

  void place_block(isa::Wave& wave, const Dim3& block, uint32_t index) const {
    const uint32_t rsrc2 = code_.descriptor().rsrc2;
    uint32_t at = code_.descriptor().user_sgprs();
    if (rsrc2 >> 7 & 1) wave.s[at++] = block.x;
    if (rsrc2 >> 8 & 1) wave.s[at++] = block.y;
    if (rsrc2 >> 9 & 1) wave.s[at++] = block.z;
    if (rsrc2 >> 10 & 1) wave.s[at++] = waves_ | (index == 0 ? 1u << 31 : 0);
  }

  static void put_space(MemorySpace space, size_t bytes, FaultReport* report) {
    report->space = space;
    report->space_bytes = bytes;
  }

  FaultReport report_of(const isa::Workgroup& group, const Dim3& block) const {
    const isa::Fault& fault = group.fault();
    FaultReport report;
    report.kernel = launch_.kernel->name;
    report.block = block;
    report.block_known = true;
    report.thread = position_of(group.faulting_wave() * isa::kLanes + fault.lane, launch_.block);
    report.thread_known = true;
    const auto& steps = code_.program().steps;
    const uint32_t offset = fault.step < steps.size() ? steps[fault.step].offset : 0;
    report.instruction = code_.code_begin() + offset;
    report.access = kind_of(fault.access);
    report.bytes = fault.bytes;
    report.kind = FaultKind::illegal_address;
    report.address = fault.address;
    const bool access = fault.kind != isa::FaultKind::trap && fault.kind != isa::FaultKind::program;
    if (!access) report.kind = FaultKind::trap;
    report.address_known = access;
    if (fault.kind == isa::FaultKind::lds) put_space(MemorySpace::shared, lds_bytes(), &report);
    if (fault.kind == isa::FaultKind::scratch)
      put_space(MemorySpace::thread_private, scratch_bytes_, &report);
    report.message = text_of_fault(fault, {report.kernel, code_, report.block, report.thread});
    return report;
  }

  FaultPlace place_of(const RaceSide& side) const {
    const auto thread = static_cast<uint32_t>(side.wave % waves_) * isa::kLanes + side.lane;
    return {launch_.kernel->name, code_, position_of(side.wave / waves_, launch_.grid),
            position_of(thread, launch_.block)};
  }

  FaultReport report_at(const RaceSide& side) const {
    const FaultPlace place = place_of(side);
    FaultReport report;
    report.kind = FaultKind::illegal_address;
    report.kernel = launch_.kernel->name;
    report.block = place.block;
    report.thread = place.thread;
    report.block_known = report.thread_known = true;
    report.instruction = code_.code_begin() + side.step->offset;
    report.access = kind_of(side.kind);
    return report;
  }

  FaultSide side_of(const RaceSide& side, bool accesses) const {
    const FaultPlace place = place_of(side);
    const uintptr_t at = side.step != nullptr ? code_.code_begin() + side.step->offset : 0;
    return {accesses, kind_of(side.kind), place.block, place.thread, at};
  }

  FaultReport report_of(const Race& race) const {
    FaultReport report = report_at(race.second);
    report.bytes = race.bytes;
    report.address = race.address;
    report.address_known = true;
    if (race.is_lds) put_space(MemorySpace::shared, lds_bytes(), &report);
    report.sides = {side_of(race.first, true), side_of(race.second, true)};
    if (race.is_lds) return report;
    for (const Object& object : code_.module().objects()) {
      if (race.address - object.begin >= object.bytes) continue;
      report.variable = object.name;
      report.variable_bytes = {object.begin, object.bytes};
    }
    return report;
  }

  FaultReport report_of(const BarrierMiss& miss) const {
    FaultReport report = report_at(miss.waiting);
    report.is_barrier = true;
    report.sides = {side_of(miss.waiting, false), side_of(miss.other, false)};
    return report;
  }

  const KernelLaunch& launch_;
  const KernelCode& code_;
  const uint32_t scratch_bytes_;
  const LaunchMemory own_;
  KernelMemory memory_;
  const uint32_t threads_;
  const uint32_t waves_;
  const uint64_t number_;
  const HostcallService hostcalls_;
  const uint64_t requests_ = DeviceHeap::instance().requests();
  uint32_t scalars_[32] = {};
  std::vector<uint32_t> ids_;
};

}  // namespace

std::string approximate_instructions(const KernelCode& code) {
  std::string names;
  for (const isa::Opcode opcode : code.program().approximate) {
    names += names.empty() ? "" : ", ";
    names += isa::name_of(opcode);
  }
  return names;
}

std::unique_ptr<Launch> Launch::begin(const KernelLaunch& launch) {
  return std::make_unique<RunningLaunch>(launch);
}

}  // namespace greta::sim::gfx
