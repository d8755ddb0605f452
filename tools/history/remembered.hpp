// Index of a history: caches what was read from each result, so that adding a result reads only that one.
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
  std::string machine;  ///< models of GPU and CPU, and the driver, as far as reports state them
  std::string cell;     ///< "dim=768 depth=12": labels of its runs, without descriptive ones and ranks
  std::string metric, dims;
  auto operator<=>(const SeriesId&) const = default;
};

struct MetricWord {
  std::string unit;
  Polarity polarity = Polarity::kNeutral;
  friend bool operator==(const MetricWord&, const MetricWord&) = default;
};

/// Points of one result: the median over the runs of each cell whose labels are believed; for the ranks of a job their
/// median.
struct ResultPoints {
  std::map<SeriesId, double> values;
  std::map<std::string, MetricWord> metrics;
};

/// `out` is a folder written by `assay run`. Errors as of read_results.
Result<ResultPoints> read_points(const std::filesystem::path& out);
ResultPoints points_of(std::span<const StoredQuestion> questions);

inline const files::OutputKind kHistoryIndex{
    .name = "an index of 'assay history'", .begins = "assayres", .mark = "assay index of a history", .in_folder = true};

/// A result at its position in a history.
struct HistoryResult {
  std::string name;  ///< of the folder: a date or a commit
  std::filesystem::path folder;
  ResultPoints points;
};

/// Points of each result in order: from the index if the result's file is unchanged (by size, times and inode), else
/// read. Then replaces `index` by a rename; empty: no index. A damaged index, or one of another version of assay, is
/// ignored; a link is neither read nor replaced.
struct ReadHistory {
  std::vector<HistoryResult> results;
  std::vector<Error> unreadable;  ///< one error per unreadable result, with its name; it is not among `results`
  std::size_t read = 0;           ///< the others came from the index
  Status kept = ok();             ///< or why the index was not written
};
Result<ReadHistory> read_history(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& index);

/// Results below a folder, by name: folders with a results.sqlite or another file of a run, so that a result which lost
/// its database is reported.
std::vector<std::filesystem::path> results_below(const std::filesystem::path& folder);

}  // namespace assay
