// Layout of a recording of `assay record`: RECORDING/profiles/block_003/RUN.sqlite, with the journal next to the folder
// of the profiles.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace assay {

inline constexpr const char* kRecordedReports = "profiles";
inline constexpr const char* kRecordJournal = "journal.jsonl";

/// "block_001" for 1.
std::string block_name(std::size_t block);

struct RecordedRun {
  std::string_view block;  ///< "block_003"
  std::string_view below;  ///< part after its '/': "aa/run_a.sqlite"
};
/// From the name or path of a report; empty if none of its folders is a block. Views into `name`.
std::optional<RecordedRun> recorded_run(std::string_view name);

/// Environment name of a profile that is one of the windows of a recorded run, RUN.2.sqlite: "RUN".
inline constexpr std::string_view kWindowOf = "window_of";

/// Runs of a recording by its journal, as paths below the profiles: "block_001/aa/run_a".
std::set<std::string> recorded_runs(const std::filesystem::path& recording);

/// Number of blocks of a recording, if according to the journal it was fixed in advance and no claim was evaluated
/// during the recording. 0 otherwise, or without a journal.
std::size_t fixed_blocks(const std::filesystem::path& recording);

/// Folder with the blocks of the recording that contains the report; empty if none does.
std::filesystem::path recorded_reports(const std::filesystem::path& report);

}  // namespace assay
