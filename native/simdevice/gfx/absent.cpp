// In place of the engine, in builds without it.
#include "gfx/module.h"

namespace greta::sim::gfx {

std::shared_ptr<const Module> Module::load(std::vector<unsigned char>, std::string* reason) {
  *reason = "this build of the simulated device does not run machine code of AMD GPUs";
  return nullptr;
}

bool prepare(const KernelCode&, std::string*) { return false; }

std::string approximate_instructions(const KernelCode&) { return ""; }

std::unique_ptr<Launch> Launch::begin(const KernelLaunch&) { return nullptr; }

}  // namespace greta::sim::gfx
