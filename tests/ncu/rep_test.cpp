// Native reports of Nsight Compute: made ones, and a real one against the CSV that ncu printed of it.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "catalog/catalog.hpp"
#include "formats/ncu/metric_unit.hpp"
#include "formats/ncu/text_rows.hpp"
#include "formats/ncu/unit.hpp"
#include "made_rep.hpp"
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/kinds.hpp"
#include "support/real_data.hpp"
#include "support/temp_folder.hpp"

namespace assay::rep_test {

using ncu::unit_of_metric;

const std::vector<std::string> kNames = {"gpu__time_duration.sum", "dram__bytes_read.sum", "launch__grid_size",
                                         "smsp__inst_executed.sum"};

class NcuRep : public ::testing::Test {
 protected:
  NcuReport load(const std::string& bytes) {
    folder_.write("k.ncu-rep", bytes);
    return NcuReport(folder_ / "k.ncu-rep");
  }
  std::string refused(const std::string& bytes) { return load(bytes).problem(); }
  TempFolder folder_;
};

std::string two_results() {
  const auto first = made_result(
      "first", {made_metric(0, MadeMessage().fixed(3, 210720.0)), made_metric(1, MadeMessage().number(5, 1U << 30U)),
                made_metric(2, MadeMessage().number(4, 8)), made_metric(3, MadeMessage().fixed(2, 2.5F)),
                made_metric(3, MadeMessage().bytes(1, "a text is no counter"))});
  auto second = made_result("second", {made_metric(0, MadeMessage().fixed(3, 5.0))});
  second.number(999, 1).bytes(998, "fields of a later version");
  return made_block({}, {std::string(200, 'x')}, {}) + made_block(kNames, {}, {first}) +
         made_block({}, {"code"}, {second});
}

#ifndef __SANITIZE_ADDRESS__
/// kB in memory at most since the last `forget_peak`.
std::int64_t peak_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kb = 0;
    if (word == "VmHWM:" && status >> kb) return kb;
  }
  return 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

/// Files of nothing but the smallest of what a report may hold many of.
TEST_F(NcuRep, TakesAtMostFourTimesItsSize) {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  const auto repeated = [](const std::string& part) {
    std::string all;
    while (all.size() < kBytes) all += part;
    return all;
  };
  const auto block = [](const std::string& names, std::size_t results, const std::string& payload) {
    const MadeMessage header = MadeMessage().number(1, 0).number(2, results).bytes(4, names).number(5, payload.size());
    return with_size(header.text()) + payload;
  };
  const std::string tiny = with_size(made_result("k", {}).text()), name("\x0a\0", 2);
  const std::string metrics = made_result("k", {}).text() +
                              repeated(MadeMessage().message(13, made_metric(0, MadeMessage().fixed(2, 1.F))).text());
  const std::pair<const char*, std::string> files[] = {
      {"results without a byte", block("", kBytes / 4, std::string(kBytes, '\0'))},
      {"empty names", block(repeated(name), 1, tiny)},
      {"small results", block("", kBytes / tiny.size() + 1, repeated(tiny))},
      {"small metrics", block("\x0a\x01"
                              "a",
                              1, with_size(metrics))},
      {"empty metrics", block("", 1, with_size(made_result("k", {}).text() + repeated(std::string("\x6a\0", 2))))}};
  for (const auto& [what, bytes] : files) {
    folder_.write("k.ncu-rep", made_rep(bytes));
    forget_peak();
    const std::int64_t before = peak_kb();
    {
      const NcuReport report(folder_ / "k.ncu-rep");
    }
    EXPECT_LT((peak_kb() - before) * 1024, static_cast<std::int64_t>(4 * bytes.size())) << what;
  }
}
#endif

TEST_F(NcuRep, PartsThatNoHeaderCountsAreSaid) {
  const MadeMessage result = made_result("k", {made_metric(0, MadeMessage().fixed(3, 5.0))});
  std::string payload = with_size(result.text()) + with_size(result.text());
  MadeMessage names;
  for (const std::string& name : kNames) names.bytes(1, name);
  const MadeMessage header = MadeMessage().number(1, 0).number(2, 1).message(4, names).number(5, payload.size());
  const NcuReport report = load(made_rep(with_size(header.text()) + payload));
  EXPECT_EQ(report->profiled->rows, 1U);
  ASSERT_EQ(report->issues->rows, 1U);
  EXPECT_EQ(report->issues->name[0], "ncu_miscounted");
  EXPECT_EQ(report->issues->count[0], 1);
  EXPECT_EQ(report->issues->severity[0], Severity::kError);
}

TEST_F(NcuRep, LaunchesAndCounters) {
  const NcuReport r = load(made_rep(two_results()));
  const ProfiledTable& launches = *r->profiled;
  ASSERT_EQ(launches.rows, 2U);
  EXPECT_EQ(r->string(launches.name[0]), "first");
  EXPECT_EQ(launches.id[1], 1);
  EXPECT_EQ(launches.process[0], 42);
  EXPECT_EQ(launches.grid_x[0] * 100 + launches.grid_y[0], 402);
  EXPECT_EQ(launches.block_x[1], 128);
  EXPECT_EQ(launches.stream[0], 7);
  EXPECT_EQ(r.counter(0, "gpu__time_duration.sum"), "210720 ns");
  EXPECT_EQ(r.counter(0, "dram__bytes_read.sum"), "1073741824 byte");
  EXPECT_EQ(r.counter(0, "smsp__inst_executed.sum"), "2.5 inst");
  EXPECT_EQ(r.counter(0, "launch__grid_size"), "8");
  EXPECT_EQ(r.counter(1, "gpu__time_duration.sum"), "5 ns") << "names of the block before hold";
}

TEST_F(NcuRep, AnotherVersionIsRefusedByItsNumber) {
  EXPECT_TRUE(
      contains(refused(made_rep(two_results(), 8)), "is of version 8 of Nsight Compute's file format, but version 7"));
}

TEST_F(NcuRep, NoResultIsSaid) {
  EXPECT_TRUE(contains(refused(made_rep(made_block(kNames, {"x"}, {}))), "holds no kernel"));
}

TEST_F(NcuRep, EveryTruncationIsSaidOrLosesNothing) {
  const std::string whole = made_rep(two_results());
  std::size_t cut_off = 0, refusals = 0;
  for (std::size_t size = 4; size < whole.size(); ++size) {
    const NcuReport r = load(whole.substr(0, size));
    if (!r.ok()) {
      ++refusals;
      continue;
    }
    ASSERT_EQ(r->profiled->rows, 1U) << size;
    cut_off += r.issue("ncu_cut_off") ? 1U : 0U;
  }
  EXPECT_GT(refusals, 400U);
  // Where a block ends nothing tells that more was to come.
  EXPECT_GE(cut_off + 1, whole.size() - 4 - refusals);
  EXPECT_GT(cut_off, 100U);
}

TEST_F(NcuRep, FlippedBytesNeverCrash) {
  const std::string whole = made_rep(two_results());
  for (std::size_t at = 4; at < whole.size(); at += at > 40 && at < 200 ? 97 : 1) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      const NcuReport r = load(bytes);
      if (!r.ok()) {
        EXPECT_TRUE(contains(r.problem(), "k.ncu-rep'"));
      }
    }
  }
}

TEST_F(NcuRep, CsvsBesideItAreReadInItsPlace) {
  folder_.write("k.ncu-rep", made_rep(two_results()));
  EXPECT_EQ(sniff(folder_ / "k.ncu-rep", "k.ncu-rep").kind, kind::kNcu);
  folder_.write("k.ncu.raw.csv", "of another tool");
  EXPECT_EQ(sniff(folder_ / "k.ncu-rep", "k.ncu-rep").kind, kind::kNcu);
  folder_.write("k.ncu.raw.csv", "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
  EXPECT_EQ(sniff(folder_ / "k.ncu-rep", "k.ncu-rep").kind, FileKind::kSidecar);
}

TEST(NcuMetricUnit, ByRollupAndSubmetric) {
  EXPECT_EQ(unit_of_metric("dram__bytes.sum.per_second"), "byte/s");
  EXPECT_EQ(unit_of_metric("dram__bytes.sum.pct_of_peak_sustained_elapsed"), "%");
  EXPECT_EQ(unit_of_metric("sm__cycles_elapsed.avg.per_second"), "hz");
  EXPECT_EQ(unit_of_metric("sm__inst_executed.avg.per_cycle_active"), "inst/cycle");
  EXPECT_EQ(unit_of_metric("SM_B.TriageCompute.l1tex__t_sectors.sum"), "sector");
  EXPECT_EQ(unit_of_metric("launch__grid_size"), "");
  EXPECT_EQ(unit_of_metric("nobody__knows.this"), "");
}

/// The text of a cell as a number, and how far the true value may be from it.
struct PrintedNumber {
  double value = 0, half_digit = 0;
};
std::optional<PrintedNumber> printed(std::string text) {
  std::erase(text, ',');
  char* end = nullptr;
  PrintedNumber out{std::strtod(text.c_str(), &end), 0};
  if (text.empty() || *end != '\0' || !std::isfinite(out.value)) return std::nullopt;
  const std::size_t point = text.find('.');
  out.half_digit = 0.5 * std::pow(10., point == std::string::npos ? 0. : -static_cast<double>(text.size() - point - 1));
  return out;
}

// By a reading of the CSV of its own: cells as they are printed, and the scale of the unit above them.
TEST(NcuRealRep, EveryMetricEqualsTheRawPage) {
  ASSAY_REAL_FOLDER(data, "ops");
  const std::filesystem::path folder(data);
  TempFolder copy;  // where no CSV is beside it
  std::filesystem::create_symlink(folder / "ops_full.ncu-rep", copy / "ops_full.ncu-rep");
  const NcuReport r(copy / "ops_full.ncu-rep");
  std::vector<std::vector<std::string>> rows;
  ncu::read_text_rows(folder / "ops_full.raw.csv",
                      [&](std::span<const std::string> cells, auto) { rows.emplace_back(cells.begin(), cells.end()); });
  ASSERT_EQ(rows.size(), 10U) << "names, units, eight kernels";
  ASSERT_EQ(r->profiled->rows, 8U);

  std::map<std::pair<Row, std::string_view>, std::size_t> counters;
  for (std::size_t c = 0; c < r->counters->rows; ++c)
    counters[{r->counters->profiled[c], r->string(r->counters->name[c])}] = c;
  std::size_t compared = 0, units = 0;
  for (std::size_t kernel = 0; kernel < 8; ++kernel) {
    const std::vector<std::string>& cells = rows[kernel + 2];
    for (std::size_t column = 0; column < rows[0].size(); ++column) {
      const auto found = counters.find({static_cast<Row>(kernel), rows[0][column]});
      const auto cell = printed(cells[column]);
      const bool is_metric = column >= 13;  // what stands before is the launch
      if (found == counters.end()) {
        EXPECT_FALSE(is_metric && cell) << rows[0][column] << " of " << kernel << " is missing: " << cells[column];
        continue;
      }
      const ncu::BaseUnit unit = ncu::base_unit(rows[1][column]);
      EXPECT_EQ(r->string(r->counters->unit[found->second]), unit.name) << rows[0][column];
      ++units;
      if (!cell) continue;
      EXPECT_NEAR(r->counters->value[found->second], cell->value * unit.factor,
                  cell->half_digit * unit.factor * (1 + 1e-9) + std::abs(cell->value * unit.factor) * 1e-12)
          << rows[0][column] << " of kernel " << kernel;
      ++compared;
    }
  }
  const std::set<std::string> columns(rows[0].begin(), rows[0].end());
  for (const auto& [counter, place] : counters)
    EXPECT_TRUE(columns.contains(std::string(counter.second))) << counter.second << " is no column of the page";
  EXPECT_EQ(compared, counters.size()) << "every counter has a number on the page";
  EXPECT_GT(compared, 17600U);
  EXPECT_GE(units, compared);
  EXPECT_EQ(rows[0][12], "CC");
  EXPECT_EQ(rows[2][0], "0");

  std::size_t words = 0;
  for (std::size_t p = 0; r->properties != nullptr && p < r->properties->rows; ++p) {
    const std::string name(r->properties->name[p].view().substr(4));  // behind "ncu."
    const auto column = std::ranges::find(rows[0], name);
    ASSERT_NE(column, rows[0].end()) << name;
    EXPECT_EQ(r->properties->value[p].view(), rows[2][static_cast<std::size_t>(column - rows[0].begin())]) << name;
    ++words;
  }
  EXPECT_EQ(words, 5U) << "the words of the page; the name of the kernel is a column";
}

}  // namespace assay::rep_test
