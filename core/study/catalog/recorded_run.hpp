// Where `assay record` puts what a run left: RECORDING/profiles/block_003/RUN.sqlite, with the journal beside the
// folder of the profiles, which older recordings call otherwise.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

inline constexpr const char* kRecordedReports = "profiles";
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

/// The folder of a recording that holds the blocks, one of which a report lies in; empty: it is of no recording.
std::filesystem::path recorded_reports(const std::filesystem::path& report);

}  // namespace assay
