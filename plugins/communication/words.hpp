// What the facts of the runs say about communication, in words.
#pragma once

#include <vector>

#include "assay/sdk.hpp"

namespace assay::communication {

/// One finding for all runs: what is hidden, what is exposed, what cannot overlap. None without communication.
std::vector<Finding> findings(const StudyView& view, const std::vector<std::size_t>& reports);

/// One row per profile.
Table report_table(const StudyView& view, const std::vector<std::size_t>& reports);

/// Shares of the mean step.
Plot parts_plot(const StudyView& view, const std::vector<std::size_t>& reports);

}  // namespace assay::communication
