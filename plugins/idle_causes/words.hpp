// Texts about idle time.
#pragma once

#include <array>
#include <vector>

#include "assay/detail/idle.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::idle {

/// Idle time of one report, from its facts.
struct ReportIdle {
  std::size_t report = 0;
  double window = 0;                    ///< ns times number of devices
  std::array<double, kCauses> times{};  ///< ns
  std::vector<std::int64_t> evidence;   ///< rows of Study::facts
  [[nodiscard]] double total() const;
  [[nodiscard]] Cause largest() const;
};

/// "host code between launches".
std::string_view cause_words(Cause cause);

std::vector<Finding> findings(const std::vector<ReportIdle>& reports, const StudyView& view);
/// The cost of calls that block the host, one finding per kind that took 1 % of the idle time of some report.
std::vector<Finding> wait_findings(const std::vector<ReportIdle>& reports, const StudyView& view);
Table cause_table(const std::vector<ReportIdle>& reports, const StudyView& view);
Table stretch_table(std::string id, std::string title, const std::vector<Stretch>& stretches);

}  // namespace assay::idle
