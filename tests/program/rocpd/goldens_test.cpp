// Every analyzer that works on rocpd, on one real file: each of its facts as plain SQL over AMD's tables has it.
#include "real_files.hpp"
#include "support/test.hpp"

namespace assay::goldens_test {

using namespace testing;

struct Golden {
  std::string analyzer, metric, sql;
};

struct GoldenList {
  std::string views;
  std::vector<Golden> list;
};

/// A line "-- ANALYZER METRIC" names the statement behind it; what stands before the first is for all.
GoldenList read_goldens() {
  GoldenList goldens;
  std::istringstream lines(read_text(ASSAY_SOURCE_DIR "/tests/program/rocpd/bmm_21.sql"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mark, analyzer, metric, more;
    words >> mark >> analyzer >> metric;
    if (mark == "--" && metric.find('.') != std::string::npos && !(words >> more))
      goldens.list.push_back({analyzer, metric, ""});
    else if (!line.starts_with("--"))
      (goldens.list.empty() ? goldens.views : goldens.list.back().sql) += line + "\n";
  }
  return goldens;
}

using Facts = std::map<std::string, std::map<std::string, double>>;  ///< by metric and dims

class Goldens : public RealFiles {
 protected:
  /// What the analyzers say of the file, by the results that the program wrote.
  Facts facts_of(const std::string& file, const std::set<std::string>& analyzers) {
    install("reports", {file});
    std::string question = "[question]\nid = \"all\"\ntext = \"all\"\n";
    for (const std::string& analyzer : analyzers) question += "[analyzers." + analyzer + "]\n";
    write_text(scratch_ / "all.toml", question);
    const testing::Outcome outcome = run({"run", "all.toml", "--reports", "reports", "-o", "out"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    ReadOnlyDatabase results(scratch_ / "out/results.sqlite");
    Facts facts;
    for (const auto& [name, value] : results.rows("SELECT metric || ' ' || dims, value FROM facts")) {
      const std::size_t space = name.find(' ');
      facts[name.substr(0, space)][name.substr(space + 1)] = value;
    }
    return facts;
  }
};

TEST_F(Goldens, EveryFactIsWhatSqlSays) {
  const GoldenList goldens = read_goldens();
  std::set<std::string> analyzers;
  for (const Golden& golden : goldens.list) analyzers.insert(golden.analyzer);
  ASSERT_EQ(analyzers.size(), 6U);
  Facts facts = facts_of("bmm_21.db", analyzers);
  ReadOnlyDatabase file(data("bmm_21.db"));
  file.run(goldens.views);
  std::size_t compared = 0;
  for (const Golden& golden : goldens.list) {
    std::map<std::string, double> expected;
    for (const auto& [dims, value] : file.rows(golden.sql)) expected[dims] = value;
    const std::map<std::string, double>& actual = facts[golden.metric];
    EXPECT_FALSE(expected.empty()) << golden.metric;
    EXPECT_EQ(actual.size(), expected.size()) << golden.metric;
    for (const auto& [dims, value] : expected) {
      const auto found = actual.find(dims);
      ASSERT_NE(found, actual.end()) << golden.metric << " " << dims;
      EXPECT_NEAR(found->second, value, 1e-12 * std::abs(value)) << golden.metric << " " << dims;
      ++compared;
    }
    facts.erase(golden.metric);
  }
  EXPECT_GT(compared, 100U);
  std::vector<std::string> left;
  for (const auto& [metric, values] : facts) left.push_back(metric);
  // By the names of kernels; classes of no name that ran here.
  EXPECT_TRUE(equals(left, {"tensor_core.time_ratio"})) << "facts that no statement checks";
}

/// Names in the table "analyzer | | on rocpd" of docs/profiling.md, each with its second cell.
std::map<std::string, std::string> documented_analyzers() {
  std::map<std::string, std::string> out;
  std::istringstream lines(read_text(ASSAY_SOURCE_DIR "/docs/profiling.md"));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| analyzer |")) inside = true;
    if (line.empty()) inside = false;
    if (!inside) continue;
    const std::size_t first = line.find('|', 1), second = line.find('|', first + 1);
    std::string mark = line.substr(first + 1, second - first - 1);
    std::erase(mark, ' ');
    std::istringstream names(line.substr(1, first - 1));
    for (std::string name; names >> name;) {
      if (name.ends_with(',')) name.pop_back();
      out[name] = mark;
    }
  }
  return out;
}

TEST(RocpdDocs, TheTableOfAnalyzersIsWhatTheGoldensHold) {
  const auto documented = documented_analyzers();
  std::set<std::string> held = {"nsys_stats"};  // whose tables commands_test.cpp compares
  for (const Golden& golden : read_goldens().list) held.insert(golden.analyzer);
  std::set<std::string> said;
  for (const auto& [name, mark] : documented)
    if (mark == "golden") said.insert(name);
  EXPECT_EQ(said, held);
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/plugins")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(documented.contains(entry.path().filename().string()))
        << "docs/profiling.md does not say whether " << entry.path().filename() << " works on rocpd";
  }
}

// Those that cannot answer of such a file say why, and state nothing.
TEST_F(Goldens, ReportsWhatDoesNotApply) {
  install("reports", {"bmm_21.db"});
  std::string question = "[question]\nid = \"all\"\ntext = \"all\"\n";
  std::vector<std::string> asked;
  for (const auto& [name, mark] : documented_analyzers()) {
    if (mark != "no") continue;
    asked.push_back(name);
    question += "[analyzers." + name + "]\n";
  }
  ASSERT_EQ(asked, (std::vector<std::string>{"kernel_bound", "operator_roofline", "pipeline"}));
  write_text(scratch_ / "all.toml", question);
  const testing::Outcome outcome = run({"run", "all.toml", "--reports", "reports", "-o", "out"});
  ReadOnlyDatabase results(scratch_ / "out/results.sqlite");
  EXPECT_TRUE(results.rows("SELECT metric, value FROM facts").empty()) << outcome.out;
  for (const std::string& name : asked) {
    EXPECT_FALSE(results.rows("SELECT reason, 0 FROM skipped WHERE failed = 0 AND analyzer = '" + name + "'").empty())
        << name;
  }
}

}  // namespace assay::goldens_test
