#include "runs.hpp"

#include <map>
#include <set>
#include <utility>

namespace assay::runner {
namespace {

constexpr std::string_view kSheet = "runner";  // the host's, of all runners' files
constexpr double kNsPerS = 1e9;

/// Columns of the host's sheet, by name.
class SheetRow {
 public:
  SheetRow(const Sheet& sheet, std::size_t row) : sheet_(sheet), row_(row) {}

  [[nodiscard]] std::string_view text(std::string_view column) const {
    const auto at = sheet_.column(column);
    return at ? sheet_.text(row_, *at) : std::string_view();
  }
  void fill(std::optional<double>& value, std::string_view column, double unit) const {
    const auto at = sheet_.column(column);
    const auto number = at ? sheet_.number(row_, *at) : std::nullopt;
    if (!value && number) value = *number * unit;
  }

 private:
  const Sheet& sheet_;
  std::size_t row_;
};

}  // namespace

std::vector<RunTimes> runs_of(const StudyView& view) {
  std::map<std::string_view, std::size_t> reports;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (!view.is_noise(r)) reports.emplace(view.path(r), r);
  }
  std::map<std::size_t, RunTimes> runs;
  for (const Sheet& sheet : sheets_of(view.study(), kSheet)) {
    for (std::size_t i = 0; i < sheet.rows(); ++i) {
      const SheetRow row(sheet, i);
      const auto report = reports.find(row.text("report"));
      if (report == reports.end()) continue;
      RunTimes& run = runs[report->second];
      run.report = report->second;
      run.source += (run.source.empty() ? "" : ", ") + std::string(row.text("source"));
      row.fill(run.process_ns, "process_s", kNsPerS);
      row.fill(run.pass_ns, "pass_s", kNsPerS);
      row.fill(run.per_second, "throughput", 1);
      row.fill(run.batches, "batches", 1);
    }
  }
  std::vector<RunTimes> out;
  for (auto& [report, run] : runs) out.push_back(std::move(run));
  return out;
}

Outcomes outcomes_of(const StudyView& view) {
  std::set<std::string_view> noise;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) noise.insert(view.path(r));
  }
  struct Said {
    bool failed = false, measured = false;
  };
  std::map<std::pair<std::string_view, std::string_view>, Said> runs;  // report, or nothing and the run's name
  for (const Sheet& sheet : sheets_of(view.study(), kSheet)) {
    for (std::size_t i = 0; i < sheet.rows(); ++i) {
      const SheetRow row(sheet, i);
      const std::string_view report = row.text("report");
      if (noise.contains(report)) continue;
      Said& said = runs[{report, report.empty() ? row.text("run") : std::string_view()}];
      said.failed = said.failed || !row.text("failure").empty();
      for (const char* column : {"process_s", "pass_s", "throughput"})
        said.measured = said.measured || !row.text(column).empty();
    }
  }
  Outcomes out;
  for (const auto& [run, said] : runs) ++(said.failed ? out.failed : said.measured ? out.succeeded : out.unknown);
  return out;
}

bool impossible(const RunTimes& run) { return run.process_ns && run.pass_ns && *run.pass_ns > *run.process_ns; }

}  // namespace assay::runner
