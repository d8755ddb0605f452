// Limits on time and memory of an SQL statement: of `query`, and of every [[metric]] of `run`.
#pragma once

#include "sqlite/budget.hpp"

namespace assay {

struct SqlLimits {
  unsigned seconds = sqlite::kDefaultSeconds;      ///< 0: no limit
  unsigned megabytes = sqlite::kDefaultMegabytes;  ///< MiB; 0: no limit

  [[nodiscard]] sqlite::Limits with(const std::atomic<bool>& stop) const {
    return sqlite::limits_of(seconds, megabytes, &stop);
  }
};

}  // namespace assay
