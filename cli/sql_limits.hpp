// Limits on time and memory of an SQL statement: of `query`, and of every [[metric]] of `run`.
#pragma once

#include "query/guard.hpp"

namespace assay {

struct SqlLimits {
  unsigned seconds = query::kDefaultSeconds;      ///< 0: no limit
  unsigned megabytes = query::kDefaultMegabytes;  ///< MiB; 0: no limit

  [[nodiscard]] query::Limits with(const std::atomic<bool>& stop) const {
    return query::limits_of(seconds, megabytes, &stop);
  }
};

}  // namespace assay
