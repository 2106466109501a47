// Runs another program and collects what it prints. Never through a shell.
#pragma once

#include <string>
#include <vector>

namespace greta::hiprtc {

struct ProcessResult {
  bool started = false;
  int exit_code = -1;
  std::string output;  // stdout and stderr, as they came
};

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::string& working_directory);

}  // namespace greta::hiprtc
