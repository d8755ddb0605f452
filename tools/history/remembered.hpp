// The index of a history: what was read of each result, so that adding one result reads one.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "files/staged_file.hpp"
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

inline const files::OutputKind kHistoryIndex{
    .name = "an index of 'assay history'", .begins = "assayres", .mark = "assay index of a history", .in_folder = true};

/// A result of a history, in its place.
struct HistoryResult {
  std::string name;  ///< the folder's: a date or a commit
  std::filesystem::path folder;
  ResultPoints points;
};

/// The points of each result in order: remembered ones where the result's file is the one of then (by size, times and
/// inode), else read. `index` is then written anew, beside its place and by rename; empty: nothing is remembered. A
/// damaged index, or one of another version of assay, is as none; a link is neither read nor replaced.
struct ReadHistory {
  std::vector<HistoryResult> results;
  std::vector<Error> unreadable;  ///< of each result that could not be read: names it; it is not among `results`
  std::size_t read = 0;           ///< the others were remembered
  Status kept = ok();             ///< or why the index was not written
};
Result<ReadHistory> read_history(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& index);

/// The results below a folder, by name: folders that hold a results.sqlite, or what else a run writes, so that a result
/// which lost it is told.
std::vector<std::filesystem::path> results_below(const std::filesystem::path& folder);

}  // namespace assay
