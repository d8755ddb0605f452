// The collectives of one report by group, step and size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/step_parts.hpp"

namespace assay::communication {

/// A name for each row of collectives, which identifies its group in the dims: the ranks as "0,1", with "#2" for a
/// second group of the same ranks; "group 1" if the ranks are unknown; empty if the group is unknown. Groups of equal
/// ranks are numbered by their names in the file.
std::vector<std::string> group_names(const Report& report);

struct OneCollective {
  CollectiveKind kind = CollectiveKind::kUnknown;
  std::size_t group = 0;  ///< of Collectives::groups
  std::int64_t group_size = kNone;
  std::optional<std::int64_t> bytes;  ///< S of nccl-tests
  Interval time;
};

struct Collectives {
  std::vector<std::string> groups;                ///< names
  std::vector<std::vector<OneCollective>> steps;  ///< of each step
  [[nodiscard]] bool several_groups() const { return groups.size() > 1; }
};

/// The collectives launched in each step.
Collectives collectives_of(const Report& report, const std::vector<DeviceStep>& steps);

/// Time of communication kernels on streams that also run compute, divided by the time of all of them; empty if there
/// are none.
std::optional<double> same_stream_ratio(const Report& report, const DeviceWork& work);

/// "7, 17": streams with communication kernels.
std::string streams_text(const Report& report);

}  // namespace assay::communication
