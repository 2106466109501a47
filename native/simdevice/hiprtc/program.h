// A hipRTC program: what the user gave, and what came of it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "hip/hiprtc.h"
#include "hiprtc/build.h"

namespace greta::hiprtc {

class Program {
 public:
  Program(std::string source, std::string name,
          std::vector<std::pair<std::string, std::string>> headers);

  hiprtcResult add_name(const std::string& expression);
  hiprtcResult compile(std::vector<std::string> options);
  hiprtcResult lowered_name(const std::string& expression, const char** name) const;

  // All stay valid until the next compile.
  hiprtcResult code(const std::string** code) const;
  hiprtcResult bitcode(const std::string** bitcode) const;
  const std::string& log() const { return output_.log; }

 private:
  mutable std::mutex mutex_;
  BuildInput input_;
  BuildOutput output_;
  bool attempted_ = false;
};

}  // namespace greta::hiprtc
