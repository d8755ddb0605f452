// Turns exit() in plugin code into exit code 3.
#pragma once

namespace assay {

/// While alive, this process ends with exit code 3 and a message if anything calls exit, quick_exit, _exit or _Exit,
/// with whatever code. Does not apply to processes that it forks.
class NoEarlyExit {
 public:
  NoEarlyExit();
  ~NoEarlyExit();
  NoEarlyExit(const NoEarlyExit&) = delete;
  NoEarlyExit& operator=(const NoEarlyExit&) = delete;
};

}  // namespace assay
