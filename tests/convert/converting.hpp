// A folder of reports and the stand-ins that convert them.
#pragma once

#include "convert/convert.hpp"
#include "stand_in.hpp"
#include "support/test.hpp"

namespace assay::testing {

class Converting : public ::testing::Test {
 protected:
  Converting() {
    options_.places = {reports_.path()};
    options_.nsys = tools_.nsys();
    options_.ncu = tools_.ncu();
    options_.jobs = 2;
  }

  [[nodiscard]] std::filesystem::path at(const std::string& below) const { return reports_.path() / below; }

  /// A report that tells the stand-in what to do, old enough for any export to be newer.
  std::filesystem::path report(const std::string& below, const std::string& word) const {
    const std::filesystem::path file = at(below);
    std::filesystem::create_directories(file.parent_path());
    write_text(file, word + "\n");
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    return file;
  }

  ConvertResult convert() {
    Result<ConvertResult> result = convert_reports(options_, [](std::size_t, std::size_t) {}, stop_);
    if (!result) throw std::runtime_error(result.error().sentence);
    return *std::move(result);
  }

  /// What became of one report: "converted", "up to date", or the reason.
  static std::string outcome(const ConvertResult& result, const std::filesystem::path& report) {
    for (const ConvertedReport& one : result.reports) {
      if (one.report != report) continue;
      if (one.state == ConvertState::kConverted) return "converted";
      return one.state == ConvertState::kUpToDate ? "up to date" : one.reason;
    }
    return "not there";
  }

  /// Converts a folder that holds this one report.
  std::string outcome_of_one(const std::string& below, const std::string& word) {
    const std::filesystem::path file = report(below, word);
    return outcome(convert(), file);
  }

  StandIn tools_;
  TempFolder reports_;
  ConvertOptions options_;
  std::atomic<bool> stop_ = false;
};

}  // namespace assay::testing
