// Pause before a run.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "record/conditions.hpp"
#include "record/experiment.hpp"

namespace assay::record {

/// Waits for a time, or until a GPU is nearly as cool as before the first run. Thread-safe.
class CoolDown {
 public:
  explicit CoolDown(const std::atomic<bool>& stop) : stop_(stop) {}

  /// Returns false if `stop` was set. `gpu`: index, id, or empty for the hottest.
  bool wait(const CooldownSpec& cooldown, const std::string& gpu);

 private:
  bool is_cool(double within, const std::string& gpu);

  const std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::map<std::string, double> coolest_;  ///< by GPU
};

}  // namespace assay::record
