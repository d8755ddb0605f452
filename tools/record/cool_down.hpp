// The pause before a run.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "record/conditions.hpp"
#include "record/experiment.hpp"

namespace assay::record {

/// Waits a time, or until a GPU is nearly as cool as it was before the first run. Any number of threads may wait.
class CoolDown {
 public:
  CoolDown(const Observer& observer, const std::atomic<bool>& stop) : observer_(observer), stop_(stop) {}

  /// False: `stop` was raised meanwhile. `gpu` is an index, an id, or empty for whichever is hottest.
  bool wait(const CooldownSpec& cooldown, const std::string& gpu);

 private:
  bool is_cool(double within, const std::string& gpu);

  const Observer& observer_;
  const std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::map<std::string, double> coolest_;  ///< by GPU
};

}  // namespace assay::record
