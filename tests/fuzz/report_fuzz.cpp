// A whole export of any bytes: told apart, loaded by both readers, and every table of nsys stats made of it.
#include <cstdlib>
#include <set>
#include <string>

#include "assay/algo/attribution.hpp"
#include "assay/algo/named_ranges.hpp"
#include "device_sums.hpp"
#include "device_time.hpp"
#include "discover/catalog.hpp"
#include "input_file.hpp"
#include "launch_report.hpp"
#include "load/load.hpp"
#include "plugins/columns.hpp"
#include "range_reports.hpp"

namespace {

using namespace assay;

std::set<ColumnId> every_column() {
  std::set<ColumnId> columns;
  for (const ColumnInfo& info : column_infos()) columns.insert(info.id);
  return columns;
}

void check(const nsys::Made& made) {
  if (!made.table) {
    if (made.lack.empty()) std::abort();
    return;
  }
  made.table->with_view([](const TableView&) {});
}

void make_tables(const Report& report) {
  constexpr nsys::GapRule kGaps{0, 50};
  constexpr nsys::UseRule kUse{7, 100};
  check(nsys::kernel_sum(report, "cuda_gpu_kern_sum", &KernelTable::name));
  check(nsys::shape_sum(report));
  check(nsys::call_sum(report));
  check(nsys::memory_time_sum(report));
  check(nsys::memory_size_sum(report));
  check(nsys::range_sum(report));
  check(nsys::gaps(report, kGaps));
  check(nsys::low_use(report, kUse));
  if (report.calls == nullptr) return;
  const nsys::Launches launches(report);
  check(nsys::projection_sum(report, launches));
  check(nsys::range_kernel_sum(report, launches));
  check(nsys::launch_sum(report, launches));
}

/// What the SDK's algorithms make of it.
void run_algorithms(const Report& report) {
  static_cast<void>(iteration_of_calls(report));
  if (report.calls == nullptr) return;
  const std::string names[] = {"iteration", "iteration_{i}", "forward"};
  const NamedRanges ranges(report, names);
  for (std::size_t c = 0; c < report.calls->rows; ++c) static_cast<void>(ranges.of_call(static_cast<Row>(c)));
}

bool load(const std::filesystem::path& file, Reader reader) {
  static const std::set<ColumnId> columns = every_column();
  const auto profile = load_profile(file, "fuzzed", columns, 1, reader);
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto& file = fuzz::write_database({data, size});
  static_cast<void>(sniff(file, "fuzzed.sqlite"));
  if (load(file, Reader::kDirect)) load(file, Reader::kSqlite);
  return 0;
}
