// exit() called by plugin code becomes exit code 3.
#pragma once

namespace assay {

/// While it lives, this process ends with exit code 3 and a sentence, whoever calls exit, quick_exit, _exit or _Exit,
/// whatever code they name. Processes that it forks end as they want.
class NoEarlyExit {
 public:
  NoEarlyExit();
  ~NoEarlyExit();
  NoEarlyExit(const NoEarlyExit&) = delete;
  NoEarlyExit& operator=(const NoEarlyExit&) = delete;
};

}  // namespace assay
