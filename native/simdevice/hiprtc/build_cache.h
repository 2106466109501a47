// Finished builds, kept on disk, so that a program that starts again need not compile again.
//
// One file per build, named by the fingerprint of everything that the build depends on, except the
// files that the source includes from elsewhere: those are listed in the entry and compared by
// size and time. An entry that is damaged, or of another format, counts as absent; so does one that
// somebody else wrote or could have written, since it will run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hiprtc/build.h"

namespace greta::hiprtc {

class BuildCache {
 public:
  // In $GRETA_CACHE_DIR/hiprtc, or else ${XDG_CACHE_HOME:-~/.cache}/greta/hiprtc.
  // GRETA_SIM_CACHE=0 turns it off.
  BuildCache();

  std::optional<BuildOutput> find(const std::string& key) const;
  void store(const std::string& key, const BuildOutput& output,
             const std::vector<std::string>& included_files) const;

 private:
  std::string folder_;  // empty: off
};

}  // namespace greta::hiprtc
