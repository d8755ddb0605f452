// Which files are CSVs of Nsight Compute, and which reports they belong to.
#include "config/nsys_database.hpp"
#include "config/question_of.hpp"
#include "discover/discover.hpp"
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/kinds.hpp"
#include "support/temp_folder.hpp"

namespace assay::find_test {

class NcuFind : public ::testing::Test {
 protected:
  FileKind kind(const std::string& text, const char* name = "a.csv") {
    return sniff(folder_.write(name, text), name).kind;
  }
  void csv(const char* below) {
    folder_.write(below, details_header() + details_row("Duration", "us", std::to_string(100 + ++salt_)));
  }
  void report(const char* below) { write_nsys(folder_ / below, std::to_string(100 + ++salt_)); }

  /// "run.sqlite: run.csv" for every entry.
  std::vector<std::string> found(const std::string& toml = "") {
    const auto catalog =
        discover({question_of("[question]\nid = \"q\"\n" + toml)}, std::vector<std::filesystem::path>{folder_.path()});
    if (!catalog) return {catalog.error().sentence};
    notes_ = catalog->questions[0].notes;
    std::vector<std::string> out;
    for (const CatalogEntry& entry : catalog->questions[0].entries) {
      out.push_back(catalog->files[entry.file].name + ":");
      for (const std::size_t f : entry.counters) out.back() += " " + catalog->files[f].name;
    }
    return out;
  }
  TempFolder folder_;
  std::vector<std::string> notes_;

 private:
  int salt_ = 0;
};

TEST_F(NcuFind, TellsThemByWhatTheyHold) {
  EXPECT_EQ(kind(details_header()), kind::kNcu);
  EXPECT_EQ(kind("\xEF\xBB\xBF" + details_header()), kind::kNcu);
  EXPECT_EQ(kind("loading...\n" + details_header(), "A.CSV"), kind::kNcu);
  EXPECT_EQ(kind("==ERROR== no\n"), kind::kNcu);
  EXPECT_EQ(kind("[INFO] started\n==PROF== Connected to process 1\n"), kind::kNcu);
  std::string utf16 = "\xFF\xFE";
  for (const char c : details_header()) utf16.append({c, '\0'});
  EXPECT_EQ(kind(utf16), kind::kNcu) << "to be refused with a sentence, not passed over";
  EXPECT_EQ(kind("batch_size,model,tp,latency_ms\n1,baseline,2,3\n"), FileKind::kSidecar) << "a sweep";
  EXPECT_EQ(kind("==123== Profiling result:\n\"Type\",\"Time(%)\"\n"), FileKind::kSidecar) << "nvprof";
  EXPECT_EQ(kind(""), FileKind::kSidecar);
  EXPECT_EQ(kind(details_header(), "a.txt"), FileKind::kSidecar);
}

TEST_F(NcuFind, TablesThatAnotherProgramSavedAreTold) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
    return text;
  };
  const std::string header = details_header(), bare = changed(header, "\"", "");
  const auto problem = [&](const std::string& text) {
    const FoundFile found = sniff(folder_.write("a.csv", text), "a.csv");
    EXPECT_EQ(found.kind, FileKind::kUnreadable) << text;
    return found.problem;
  };
  for (const std::string& text : {changed(header, ",", ";"), changed(bare, ",", ";")})
    EXPECT_TRUE(contains(problem(text), "separated by semicolons"));
  for (const auto& [from, to] : {std::pair("\"ID\",", "\"No\","), std::pair("Kernel Name", "Name")})
    EXPECT_TRUE(contains(problem(changed(header, from, to)), "lacks the column")) << to;
  EXPECT_EQ(kind("ID;Process;Name\n1;2;3\n"), FileKind::kSidecar) << "a table of others";
}

TEST_F(NcuFind, ByFolderAndStem) {
  report("a/run.sqlite");
  csv("a/run.csv");
  csv("a/run.ncu.raw.csv");
  csv("a/run.ncu.details.csv");
  csv("b/run.csv");
  csv("a/other.csv");
  csv("a/other.ncu.csv");
  EXPECT_TRUE(equals(found(), {"a/other.csv: a/other.ncu.csv",
                               "a/run.sqlite: a/run.csv a/run.ncu.details.csv a/run.ncu.raw.csv", "b/run.csv:"}));
  EXPECT_TRUE(equals(found("[reports]\nexclude = [\"*.raw.csv\", \"other*\", \"b/*\"]\n"),
                     {"a/run.sqlite: a/run.csv a/run.ncu.details.csv"}));
  EXPECT_TRUE(equals(found("[reports]\ninclude = [\"*.sqlite\"]\n"),
                     {"a/run.sqlite: a/run.csv a/run.ncu.details.csv a/run.ncu.raw.csv"}))
      << "files of a report come with it";
}

TEST_F(NcuFind, ReportsFilesThatOnlyLookLikeNcuReports) {
  const char* binary = "NVR\x01 not for us";
  folder_.write("alone.ncu-rep", binary);
  const FoundFile alone = sniff(folder_ / "alone.ncu-rep", "alone.ncu-rep");
  EXPECT_EQ(alone.kind, FileKind::kUnreadable);
  EXPECT_TRUE(contains(alone.problem, "is not a readable Nsight Compute report"));
  csv("alone.ncu.raw.csv");
  EXPECT_EQ(sniff(folder_ / "alone.ncu-rep", "alone.ncu-rep").kind, FileKind::kSidecar);

  report("run.sqlite");
  folder_.write("run.ncu-rep", binary);
  const std::vector<Question> questions = {question_of("[question]\nid = \"q\"\n")};
  const auto catalog = require(discover(questions, std::vector<std::filesystem::path>{folder_.path()}));
  const QuestionCatalog& q = catalog->questions[0];
  EXPECT_TRUE(is_empty(q.completeness.unreadable)) << "the run is there, only its counters are not";
  ASSERT_EQ(q.issues.size(), 1U);
  EXPECT_EQ(q.issues[0].file, "run.sqlite");
  EXPECT_TRUE(
      contains(q.issues[0].text, "'run.ncu-rep' is next to it: This file is not a readable Nsight Compute report"));
}

TEST_F(NcuFind, ASheetIsNotAReport) {
  report("run.sqlite");
  csv("sheet.csv");
  EXPECT_TRUE(equals(found("[[sheet]]\nid = \"s\"\nfiles = [\"sheet.csv\"]\n"), {"run.sqlite:"}));
}

TEST_F(NcuFind, ByRule) {
  report("d1.sqlite");
  report("d2.sqlite");
  csv("counters_d2.csv");
  csv("all.csv");
  csv("x9_counters.csv");
  const std::string labels = "[labels]\npatterns = [\"d{d}\"]\nd = {type = \"int\"}\n";
  const std::string by_label =
      "[[join]]\nfiles = [\"counters_*.csv\"]\npatterns = [\"counters_d{d}\"]\n[[join]]\nfiles = [\"all.csv\"]\n"
      "[[join]]\nfiles = [\"x9*\"]\nreports = [\"d9*\"]\n[[join]]\nfiles = [\"gone*.csv\"]\n";
  EXPECT_TRUE(equals(found(labels + by_label), {"d1.sqlite: all.csv", "d2.sqlite: counters_d2.csv all.csv"}));
  EXPECT_TRUE(each_contains(
      notes_, {"'x9_counters.csv' of a [[join]] could not be joined to a profile", "No file of the [[join]]"}));
}

/// A run without graphs lends its operators to the graphs of another where a question says so.
TEST_F(NcuFind, ATraceIsJoinedWithOtherProfilesByRuleAlone) {
  const auto trace = [&](const char* name, int start) {
    folder_.write(name,
                  R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":)" +
                      std::to_string(start) + R"(,"dur":1,"args":{}}]})");
  };
  trace("eager.pt.trace.json", 1);
  trace("graph.pt.trace.json", 2);
  EXPECT_TRUE(equals(found(), {"eager.pt.trace.json:", "graph.pt.trace.json:"}));
  EXPECT_TRUE(equals(found("[[join]]\nfiles = [\"eager*\"]\n"),
                     {"eager.pt.trace.json:", "graph.pt.trace.json: eager.pt.trace.json"}));
  std::filesystem::create_directory(folder_ / "capture_traces");
  trace("capture_traces/any_name.pt.trace.json", 3);
  EXPECT_TRUE(equals(found(), {"eager.pt.trace.json: capture_traces/any_name.pt.trace.json",
                               "graph.pt.trace.json: capture_traces/any_name.pt.trace.json"}));
}

TEST_F(NcuFind, AJoinNeedsFilesAndKnownLabels) {
  EXPECT_THROW(question_of("[question]\nid = \"q\"\n[[join]]\nreports = [\"a\"]\n"), std::runtime_error);
  EXPECT_THROW(question_of("[question]\nid = \"q\"\n[[join]]\nfiles = [\"a\"]\npatterns = [\"{x}\"]\n"),
               std::runtime_error);
  EXPECT_THROW(question_of("[question]\nid = \"q\"\n[[join]]\nfiles = [\"a\"]\nreport = [\"a\"]\n"),
               std::runtime_error);
}

}  // namespace assay::find_test
