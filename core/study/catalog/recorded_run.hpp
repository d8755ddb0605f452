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
  std::string_view below;  ///< what follows its '/': "aa/run_a.sqlite"
};
/// Of the name or path of a report; nothing where no folder in it is a block. Views of `name`.
std::optional<RecordedRun> recorded_run(std::string_view name);

/// How many blocks a recording has, if their number was fixed before it began and nobody looked at its claims
/// meanwhile: what its journal shows. 0: it was not, or there is no journal.
std::size_t fixed_blocks(const std::filesystem::path& recording);

/// The folder of a recording that holds the blocks, one of which a report lies in; empty: it is of no recording.
std::filesystem::path recorded_reports(const std::filesystem::path& report);

}  // namespace assay
