// Repeat runs are known by their device work, whatever analyzers a question enables.
#include <sqlite3.h>

#include <map>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::fingerprint_test {

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/init/profiles";
constexpr const char* kQuestion =
    "[labels]\npatterns = [\"vit {vit} layers, run {run}\"]\nvit = { type = \"int\" }\nrun = { descriptive = true }\n"
    "[iterations]\nnvtx = \"step_{i}\"\n";

class Fingerprints : public ::testing::Test {
 protected:
  Fingerprints() { prepare_inputs(kCase, scratch_ / "profiles"); }

  /// By profile, as a run with these analyzers stores them.
  std::map<std::string, std::string> of(const std::string& id, const std::string& analyzers) {
    write_text(scratch_ / "q.toml", "[question]\nid = \"" + id + "\"\n" + kQuestion + analyzers);
    const Outcome run = run_assay(scratch_.path(), split_command("run q.toml --force -o out --reports profiles"));
    EXPECT_EQ(run.exit, 0) << run.err;
    std::map<std::string, std::string> found;
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open((scratch_ / "out/results.sqlite").c_str(), &db), SQLITE_OK);
    const auto add = [](void* to, int, char** cells, char**) {
      static_cast<decltype(found)*>(to)->emplace(cells[0], cells[1]);
      return 0;
    };
    sqlite3_exec(db, "SELECT report, value FROM attributes WHERE name = 'fingerprint'", add, &found, nullptr);
    sqlite3_close(db);
    return found;
  }

  TempFolder scratch_;
};

TEST_F(Fingerprints, AreThoseOfRunSummaryWithoutIt) {
  const auto known = of("a", "[analyzers.run_summary]\n");
  ASSERT_EQ(known.size(), 6U);
  constexpr const char* kOwn =
      "[analyzers.kernel_breakdown]\nfrom = [\"data/kernel_classes.toml\"]\n[analyzers.label_effect]\nlabel = "
      "\"vit\"\nmetrics = [\"kernel_class.time_sum_ns\"]\n";
  EXPECT_EQ(of("b", kOwn), known);
  EXPECT_EQ(of("b", kOwn), known) << "from the cache";
  EXPECT_TRUE(contains(read_text(scratch_ / "out/report.md"), "2.00x slower [1.99, 2.00] (6 runs)")) << "three a side";
}

}  // namespace assay::testing::fingerprint_test
