// What one finished result tells a history: a value for each metric of each cell.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "result.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// A series is one metric of one cell of one question on one kind of machine.
struct SeriesId {
  std::string question;
  std::string machine;  ///< models of GPU and CPU and the driver, as far as reports say them
  std::string cell;     ///< "dim=768 depth=12": the labels of its runs, without those that only describe and ranks
  std::string metric, dims;
  auto operator<=>(const SeriesId&) const = default;
};

struct MetricWord {
  std::string unit;
  Polarity polarity = Polarity::kNeutral;
  friend bool operator==(const MetricWord&, const MetricWord&) = default;
};

/// Of one result: the median over the runs of each cell whose labels are believed, of the ranks of a job the median.
struct ResultPoints {
  std::map<SeriesId, double> values;
  std::map<std::string, MetricWord> metrics;
};

/// `out` is a folder that `assay run` wrote. Errors as of read_results.
Result<ResultPoints> read_points(const std::filesystem::path& out);
ResultPoints points_of(std::span<const StoredQuestion> questions);

}  // namespace assay
