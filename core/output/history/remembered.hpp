// The index of a history: what was read of each result, so that adding one result reads one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/staged_file.hpp"
#include "history/result_points.hpp"

namespace assay {

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
