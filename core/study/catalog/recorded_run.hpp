// Where `assay record` stores a run: RECORDING/nsys_reports/block_003/RUN.sqlite, with the journal next to
// nsys_reports.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

inline constexpr const char* kRecordedReports = "nsys_reports";
inline constexpr const char* kRecordJournal = "journal.jsonl";

/// "block_001".
std::string block_name(std::size_t block);

struct RecordedRun {
  std::string_view block;  ///< "block_003"
  std::string_view below;  ///< part after its '/': "aa/run_a.sqlite"
};
/// From the name or path of a report; empty if none of its folders is a block. Views into `name`.
std::optional<RecordedRun> recorded_run(std::string_view name);

/// Number of blocks of a recording, if it was fixed in advance and nobody evaluated its claims meanwhile, according to
/// the journal. 0 otherwise, or without a journal.
std::size_t fixed_blocks(const std::filesystem::path& recording);

/// The folder nsys_reports of the recording that a report is in; empty if there is none.
std::filesystem::path recorded_reports(const std::filesystem::path& report);

}  // namespace assay
