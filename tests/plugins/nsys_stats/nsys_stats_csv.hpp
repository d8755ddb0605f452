// What nsys_stats prints of a report, as the command `stats` writes it.
#pragma once

#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "algo/nsys/reports.hpp"
#include "analyze/one_report.hpp"
#include "assay/testing/options.hpp"
#include "assay/testing/recorder.hpp"
#include "plugins/analyzers.hpp"
#include "stats/stats_text.hpp"

namespace assay::testing {

enum class Counting { kExact, kCorrected };

/// Keeps the CSV of one table, written as its rows come.
class OneCsv final : public TableStream {
 public:
  void on_table(std::string_view, const TableView& table, bool) override { writer_.rows(table); }
  void end(std::string_view) override { writer_.finish(); }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
  CsvWriter writer_{out_};
};

inline AnalyzerOutput stats_output(const Report& report, const std::string& name, Counting counting,
                                   TableStream* stream) {
  const OptionMap options(
      under_test::nsys_stats::descriptor.options.view(),
      {{"reports", std::vector<std::string>{name}}, {"corrected", counting == Counting::kCorrected}});
  Recorder errors;
  const auto destroy = [](Analyzer* analyzer) { analyzer->destroy(); };
  const std::unique_ptr<Analyzer, decltype(destroy)> analyzer(
      under_test::nsys_stats::descriptor.create(options, errors), destroy);
  return run_analyzer(under_test::nsys_stats::descriptor, *analyzer, report, stream);
}

/// The CSV of one report, "(none: why)" where there is no table. The table is held, then written.
inline std::string csv(const Report& report, const std::string& name, Counting counting = Counting::kExact) {
  const AnalyzerOutput output = stats_output(report, name, counting, nullptr);
  if (output.tables.size() != 1) return "(none: " + output.skips.front().reason + ")";
  std::ostringstream text;
  write_stats(text, output.tables.front(), RowFormat::kCsv, 0);
  return text.str();
}

/// The same without holding the table.
inline std::string streamed_csv(const Report& report, const std::string& name) {
  OneCsv stream;
  const AnalyzerOutput output = stats_output(report, name, Counting::kExact, &stream);
  return output.skips.empty() ? stream.text() : "(none: " + output.skips.front().reason + ")";
}

}  // namespace assay::testing
