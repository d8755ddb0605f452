#include "catalog/recorded_run.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace assay {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kBlock = "block_";

bool is_block(std::string_view folder) {
  return folder.size() > kBlock.size() && folder.starts_with(kBlock) &&
         folder.find_first_not_of("0123456789", kBlock.size()) == std::string_view::npos;
}

}  // namespace

std::string block_name(std::size_t block) { return fmt::format("{}{:03}", kBlock, block); }

std::optional<RecordedRun> recorded_run(std::string_view name) {
  for (std::size_t from = 0, slash = name.find('/'); slash != std::string_view::npos;
       from = slash + 1, slash = name.find('/', from)) {
    const std::string_view folder = name.substr(from, slash - from);
    if (is_block(folder)) return RecordedRun{folder, name.substr(slash + 1)};
  }
  return std::nullopt;
}

std::size_t fixed_blocks(const fs::path& recording) {
  std::ifstream in(recording / kRecordJournal);
  std::size_t blocks = 0;
  bool fixed = false;
  for (std::string line; std::getline(in, line);) {
    const auto says = [&](std::string_view text) { return line.find(text) != std::string::npos; };
    if (says(R"("event":"begin")")) fixed = says(R"("until_decided":false)");
    if (says(R"("event":"look")") || says(R"("event":"epoch")")) return 0;
    blocks += says(R"("event":"block",)") ? 1U : 0U;
  }
  return fixed ? blocks : 0;
}

std::set<std::string> recorded_runs(const fs::path& recording) {
  constexpr std::string_view kName = R"("run_id":")";
  std::set<std::string> runs;
  std::ifstream in(recording / kRecordJournal);
  for (std::string line; std::getline(in, line);) {
    if (line.find(R"("event":"start")") == std::string::npos) continue;
    for (std::size_t at = line.find(kName); at != std::string::npos; at = line.find(kName, at)) {
      at += kName.size();
      runs.insert(line.substr(at, line.find('"', at) - at));
    }
  }
  return runs;
}

fs::path recorded_reports(const fs::path& report) {
  std::error_code failed;
  for (fs::path folder = report.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path reports = folder.parent_path();
    if (is_block(folder.filename().native()) && fs::exists(reports.parent_path() / kRecordJournal, failed))
      return reports;
  }
  return {};
}

}  // namespace assay
