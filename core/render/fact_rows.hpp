// All facts of a run as the rows of facts.csv and of the table `facts`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// One row; borrows from the RunResult.
struct FactRow {
  std::string_view report;  ///< empty: study fact
  std::string dims;         ///< canonical; with `question=ID` where questions disagree
  std::string_view unit;
  const Fact* fact = nullptr;
};

/// Sorted bytewise by (report, metric, dims). What several questions found alike is one row. Where they differ (other
/// windows or options), and for study facts of a run with more than one question, the dim `question=ID` keeps the rows
/// apart.
std::vector<FactRow> fact_rows(const RunResult& run);

/// Place of a fact among `rows` as a question sees it; `rows.size()` when it is not there.
std::size_t fact_place(const std::vector<FactRow>& rows, std::string_view report, std::string_view metric,
                       const std::string& dims, std::string_view question);

/// Unit of a declared metric; empty when it is not among them. `metrics` is sorted by id.
std::string_view unit_of(const std::vector<OwnedMetric>& metrics, std::string_view id);

}  // namespace assay
