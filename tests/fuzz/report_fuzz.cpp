// A whole export of Nsight Systems or database of rocprofv3 of any bytes: told apart, loaded by both readers, and every
// table of nsys stats made of it.
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "algo/nsys/reports.hpp"
#include "assay/algo/attribution.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/testing/plugin_under_test.hpp"
#include "catalog/catalog.hpp"
#include "dropped_rows.hpp"
#include "input_file.hpp"
#include "load/columns.hpp"
#include "load/every_column.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"

namespace assay::fuzz_of_report {

/// Every report of nsys, through the analyzer itself; what it throws ends the program, which is a find.
void make_tables(const Report& report) {
  static const assay::testing::OptionInputs options = [] {
    std::vector<std::string> names;
    for (const NsysReport& known : kNsysReports) names.emplace_back(known.name);
    return assay::testing::OptionInputs{{"reports", names}, {"gap_ns", 0}, {"util_chunks", 7}, {"corrected", true}};
  }();
  for (const assay::testing::RecordedTable& table : assay::testing::analyzed(report, options).tables) {
    if (table.id.empty()) std::abort();
  }
}

/// What the SDK's algorithms make of it.
void run_algorithms(const Report& report) {
  static_cast<void>(iteration_of_calls(report));
  if (report.calls == nullptr) return;
  const std::string names[] = {"iteration", "iteration_{i}", "forward"};
  const NamedRanges ranges(report, names);
  for (std::size_t c = 0; c < report.calls->rows; ++c) static_cast<void>(ranges.of_call(static_cast<Row>(c)));
}

bool load(const std::filesystem::path& file, FileKind kind, Reader reader) {
  static const std::set<ColumnId> columns = every_column();
  const auto profile = load_profile({file, kind}, "fuzzed", columns, 1, reader);
  if (!profile) {
    if (profile.error().sentence.empty()) std::abort();
    return false;
  }
  const auto view = profile->view({}, {"iteration_{i}"});
  if (!view) std::abort();
  if (reader == Reader::kSqlite) return true;
  make_tables(view->report());
  run_algorithms(view->report());
  return true;
}

extern "C" int report_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& file = fuzz::write_database({data, size});
  const FileKind told = sniff(file, "fuzzed.sqlite").kind;
  const FileKind kind = is_report(told) ? told : kind::kNsys;
  if (load(file, kind, Reader::kDirect)) {
    load(file, kind, Reader::kSqlite);
    if (const auto profile = fuzz::with_dropped_rows(file, kind, size)) {
      const auto view = profile->view({}, {"iteration_{i}"});
      if (!view) return 0;
      make_tables(view->report());
      run_algorithms(view->report());
    }
  }
  return 0;
}

}  // namespace assay::fuzz_of_report
