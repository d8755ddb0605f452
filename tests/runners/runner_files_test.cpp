// results.json and experiment_summary.json beside reports: labels, failed runs, runs without a report, bad files.
#include "config/nsys_database.hpp"
#include "config/question_of.hpp"
#include "discover/discover.hpp"
#include "support/test.hpp"

namespace assay::runner_files_test {

constexpr const char* kLabels = R"(
[labels]
patterns = ["gpu{gpu}_numa{numa}_vit{patch}x{depth}x{dim}"]
gpu = { type = "int", fields = ["gpu_id"] }
numa = { type = "int", fields = ["numa_node"] }
patch = { type = "int" }
depth = { type = "int" }
dim = { type = "int" }
px = { type = "int", default = 224, fields = ["px", "img"] }
batch = { type = "int", default = 8 }
queue = { type = "int" }
[[labels.suffix]]
match = "_batch{batch}"
)";

class RunnersFiles : public ::testing::Test {
 protected:
  void report(const fs::path& below) { write_nsys(folder_ / below, "report " + std::to_string(100 + ++salt_)); }

  const QuestionCatalog& see(const std::string& toml) {
    const std::vector<Question> questions = {question_of("[question]\nid = \"q\"\n" + toml)};
    const fs::path folders[] = {folder_.path()};
    auto catalog = discover(questions, folders);
    if (!catalog) throw std::runtime_error(catalog.error().sentence);
    labels_ = questions[0].labels.labels;
    catalog_ = std::move(*catalog);
    return catalog_.questions[0];
  }
  const QuestionCatalog& see() { return see(kLabels); }

  /// "224 default" of a label of a report; empty when it has none.
  std::string label(const std::string& report, const std::string& name) {
    constexpr const char* kOrigins[] = {"name", "default", "implied", "results"};
    for (const CatalogEntry& entry : catalog_.questions[0].entries) {
      if (catalog_.files[entry.file].name != report) continue;
      for (const LabelOfReport& value : entry.labels) {
        if (labels_[value.label].name == name)
          return value.text + " " + kOrigins[static_cast<std::size_t>(value.origin)];
      }
    }
    return {};
  }
  std::vector<std::string> issues(const std::string& name) {
    std::vector<std::string> out;
    for (const FoundIssue& issue : catalog_.questions[0].issues) {
      if (issue.name == name) out.push_back(issue.file + ": " + issue.text);
    }
    return out;
  }

  TempFolder folder_;
  Catalog catalog_;

 private:
  std::vector<LabelSpec> labels_;
  int salt_ = 0;
};

TEST_F(RunnersFiles, TheProgramsSchemaFillsWhatTheNameDoesNotSay) {
  report("rq/gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("rq/results.json", R"([{"name": "gpu0_numa0_vit8x6x384", "elapsed_s": 0.075, "throughput": 4233.9,
    "batches": 40, "batch": 4, "img": 512, "config": {"name": "gpu0_numa0_vit8x6x384", "dim": 384, "img": 512,
    "queue": 2, "compile": null}}])");
  const QuestionCatalog& seen = see();
  const std::string report = "rq/gpu0_numa0_vit8x6x384.sqlite";
  EXPECT_EQ(label(report, "px"), "512 results");
  EXPECT_EQ(label(report, "batch"), "4 results");
  EXPECT_EQ(label(report, "queue"), "2 results");
  EXPECT_EQ(label(report, "dim"), "384 name");
  EXPECT_TRUE(is_empty(seen.issues));
  ASSERT_TRUE(size_is(seen.runs, 1));
  EXPECT_EQ(seen.runs[0].pass_s, 0.075);
  EXPECT_EQ(seen.runs[0].per_second, 4233.9);
  EXPECT_EQ(seen.runs[0].batches, 40);
  EXPECT_FALSE(seen.runs[0].process_s);
}

TEST_F(RunnersFiles, TheGuidesSchemaGivesLabelsByTextAndTheTimeOfTheProcess) {
  report("rq/gpu0_numa2_vit32x12x768_batch1.sqlite");
  folder_.write("rq/experiment_summary.json", R"({"total": 1, "results": [{"run_id": "gpu0_numa2_vit32x12x768_batch1",
    "gpu_id": 0, "numa_node": 2, "vit_config": "32x12x768", "test_config": {"px": 256}, "start_time": "2025-01-01",
    "duration": 31.5, "success": true, "exit_code": 0, "error": null}]})");
  const QuestionCatalog& seen =
      see(std::string(kLabels) + "[results.patterns]\nvit_config = \"{patch}x{depth}x{dim}\"\n");
  EXPECT_EQ(label("rq/gpu0_numa2_vit32x12x768_batch1.sqlite", "px"), "256 results");
  EXPECT_TRUE(is_empty(seen.issues));
  ASSERT_TRUE(size_is(seen.runs, 1));
  EXPECT_EQ(seen.runs[0].process_s, 31.5);
  EXPECT_FALSE(seen.runs[0].pass_s);
  EXPECT_EQ(seen.runs[0].failure, "");
}

TEST_F(RunnersFiles, AConflictIsSaidWithBothValuesAndTheNameIsBelieved) {
  report("gpu0_numa0_vit8x6x384_batch4.sqlite");
  folder_.write("results.json", R"([{"run_id": "gpu0_numa0_vit8x6x384_batch4", "numa_node": 2, "batch": 32}])");
  see();
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384_batch4.sqlite", "batch"), "4 name");
  EXPECT_TRUE(equals(issues("results_conflict"),
                     {"gpu0_numa0_vit8x6x384_batch4.sqlite: The label 'numa' is 0 by the file name and 2 by "
                      "results.json; the name was believed.",
                      "gpu0_numa0_vit8x6x384_batch4.sqlite: The label 'batch' is 4 by the file name and 32 by "
                      "results.json; the name was believed."}));
}

TEST_F(RunnersFiles, AFieldThatALabelIsNotToReadIsNotRead) {
  report("d1.sqlite");
  folder_.write("results.json", R"([{"name": "d1", "d": 7, "queue": 8}])");
  see("[labels]\npatterns = [\"d{d}\"]\nd = { type = \"int\", fields = [] }\nqueue = { type = \"int\", fields = [] "
      "}\n");
  EXPECT_EQ(label("d1.sqlite", "queue"), "");
  EXPECT_TRUE(is_empty(issues("results_conflict")));
}

TEST_F(RunnersFiles, FailedRunsAreListedWithTheirErrorAndLeftOut) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  report("gpu0_numa0_vit8x6x768.sqlite");
  report("gpu0_numa0_vit8x6x1024.sqlite");
  folder_.write("results.json", R"([
    {"run_id": "gpu0_numa0_vit8x6x384", "success": false, "exit_code": 1,
     "error": "Traceback (most recent call last):\n  File \"x.py\"\nRuntimeError: CUDA out of memory\n"},
    {"run_id": "gpu0_numa0_vit8x6x768", "success": true, "exit_code": 137},
    {"run_id": "gpu0_numa0_vit8x6x1024", "success": true, "exit_code": 0, "error": ""},
    {"run_id": "gpu0_numa0_vit8x6x1280", "success": false, "exit_code": null, "error": "timeout"},
    {"run_id": "gpu0_numa0_vit8x12x384", "success": true}])");
  const std::string matrix =
      "[[matrix]]\npatch = 8\ndepth = 6\ndim = [384, 768, 1024, 1280]\n[[matrix]]\npatch = 8\n"
      "depth = 12\ndim = [384, 768]\n";
  const QuestionCatalog& seen = see(kLabels + matrix);
  ASSERT_TRUE(size_is(seen.entries, 1));
  EXPECT_EQ(catalog_.files[seen.entries[0].file].name, "gpu0_numa0_vit8x6x1024.sqlite");
  ASSERT_TRUE(size_is(seen.left_out, 2));
  EXPECT_EQ(seen.left_out[0].first, "gpu0_numa0_vit8x6x384.sqlite");
  EXPECT_TRUE(contains(seen.left_out[0].second, "(exit code 1: RuntimeError: CUDA out of memory)"));
  EXPECT_TRUE(contains(seen.left_out[1].second, "(exit code 137)"));
  EXPECT_TRUE(equals(issues("run_failed"),
                     {"results.json: 'gpu0_numa0_vit8x6x1280' failed (not successful: timeout) but has no profile."}));
  EXPECT_TRUE(equals(issues("run_without_report"), {"results.json: 'gpu0_numa0_vit8x12x384' has no profile."}));
  EXPECT_EQ(seen.completeness.expected, 6U);
  EXPECT_EQ(seen.completeness.present, 1U);
  std::vector<std::string> missing;
  for (const MatrixCell& cell : seen.completeness.missing) missing.push_back(cell.with_reason());
  EXPECT_TRUE(equals(missing, {"patch=8;depth=6;dim=384 (results.json: exit code 1: RuntimeError: CUDA out of memory)",
                               "patch=8;depth=6;dim=768 (results.json: exit code 137)",
                               "patch=8;depth=6;dim=1280 (results.json: not successful: timeout)",
                               "patch=8;depth=12;dim=384 (results.json: the run was recorded but has no profile)",
                               "patch=8;depth=12;dim=768"}));
}

TEST_F(RunnersFiles, AFailedRunIsKeptWhereTheQuestionSaysSo) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("results.json", R"([{"run_id": "gpu0_numa0_vit8x6x384", "success": false}])");
  const QuestionCatalog& seen = see(std::string(kLabels) + "[results]\nfailed = \"keep\"\n");
  EXPECT_TRUE(size_is(seen.entries, 1));
  EXPECT_TRUE(each_contains(issues("run_failed"), {"measured although its run failed by results.json"}));
}

TEST_F(RunnersFiles, WithoutAMatrixTheRunsOfTheRunnerAreExpected) {
  report("a.sqlite");
  folder_.write("results.json", R"([{"name": "a"}, {"name": "b"}])");
  const QuestionCatalog& seen = see("");
  EXPECT_EQ(seen.completeness.expected, 2U);
  EXPECT_EQ(seen.completeness.present, 1U);
  ASSERT_TRUE(size_is(seen.completeness.missing, 1));
  EXPECT_TRUE(starts_with(seen.completeness.missing[0].with_reason(), "run=b (results.json: "));
}

TEST_F(RunnersFiles, EntriesWithoutANameOfAReportAreMatchedByTheirLabelsWhenTheyFitOne) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  report("gpu0_numa0_vit8x6x768.sqlite");
  folder_.write("results.json", R"([
    {"run_id": "run_1", "gpu_id": 0, "numa_node": 0, "patch": 8, "depth": 6, "dim": 768, "img": 512},
    {"run_id": "run_2", "gpu_id": 0, "numa_node": 0, "patch": 8, "depth": 6, "img": 256}])");
  see();
  EXPECT_EQ(label("gpu0_numa0_vit8x6x768.sqlite", "px"), "512 results");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "224 default");
  EXPECT_TRUE(each_contains(issues("run_without_report"), {"'run_2'"}));
}

TEST_F(RunnersFiles, AmbiguousEntriesAreSaidAndNotGuessed) {
  report("one/gpu0_numa0_vit8x6x384.sqlite");
  report("two/gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("results.json", R"([{"name": "gpu0_numa0_vit8x6x384", "img": 512},
                                    {"name": "two/gpu0_numa0_vit8x6x384", "batch": 1}])");
  see();
  EXPECT_EQ(label("one/gpu0_numa0_vit8x6x384.sqlite", "px"), "224 default");
  EXPECT_EQ(label("two/gpu0_numa0_vit8x6x384.sqlite", "px"), "224 default");
  EXPECT_EQ(label("one/gpu0_numa0_vit8x6x384.sqlite", "batch"), "8 default");
  EXPECT_EQ(label("two/gpu0_numa0_vit8x6x384.sqlite", "batch"), "1 results");
  EXPECT_TRUE(is_one_with(issues("results_ambiguous"), {"one/gpu0", "two/gpu0"}));
}

TEST_F(RunnersFiles, TwoFilesOfOneStemAreOneRun) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("gpu0_numa0_vit8x6x384.pt.trace.json", R"({"schemaVersion": 1, "traceEvents": [{"ph": "X"}]})");
  folder_.write("results.json", R"([{"name": "gpu0_numa0_vit8x6x384", "img": 512}])");
  see();
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "512 results");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.pt.trace.json", "px"), "512 results");
}

TEST_F(RunnersFiles, UseOnlyWhatEntriesOfARunAgreeOn) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  report("gpu0_numa0_vit8x6x768.sqlite");
  folder_.write("results.json", R"([
    {"name": "gpu0_numa0_vit8x6x384", "img": 512, "batch": 1, "elapsed_s": 1, "batches": 40},
    {"name": "gpu0_numa0_vit8x6x384", "img": 512, "batch": 2, "elapsed_s": 2, "batches": 40},
    {"name": "gpu0_numa0_vit8x6x768", "success": false, "img": 1}, {"name": "gpu0_numa0_vit8x6x768", "img": 256}])");
  const QuestionCatalog& seen = see();
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "512 results");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "batch"), "8 default");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x768.sqlite", "px"), "256 results");
  ASSERT_TRUE(size_is(seen.runs, 2));
  EXPECT_FALSE(seen.runs[0].pass_s);
  EXPECT_EQ(seen.runs[0].batches, 40);
  EXPECT_TRUE(each_contains(issues("results_twice"), {"neither is used", "the one that did not fail counts"}));
}

TEST_F(RunnersFiles, TheNearerFileIsBelievedAndTheUpperOneAddsToIt) {
  report("rq/gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("rq/results.json", R"([{"name": "gpu0_numa0_vit8x6x384", "img": 512, "elapsed_s": 0.5}])");
  folder_.write("experiment_summary.json",
                R"([{"run_id": "gpu0_numa0_vit8x6x384", "img": 224, "batch": 2, "duration": 30},
                    {"run_id": "gpu0_numa0_vit8x6x768"}])");
  const QuestionCatalog& seen = see(std::string("[reports]\nfolder = \"rq\"\n") + kLabels);
  EXPECT_EQ(label("rq/gpu0_numa0_vit8x6x384.sqlite", "px"), "512 results");
  EXPECT_EQ(label("rq/gpu0_numa0_vit8x6x384.sqlite", "batch"), "2 results");
  EXPECT_TRUE(each_contains(issues("results_conflict"), {"512 by a nearer file and 224 by experiment_summary"}));
  EXPECT_TRUE(is_empty(issues("run_without_report"))) << "the upper file speaks of other questions too";
  EXPECT_TRUE(size_is(seen.runs, 3));
}

TEST_F(RunnersFiles, AReportWhoseNameSaysNothingTakesAllLabelsFromItsEntry) {
  report("run_001.sqlite");
  report("run_002.sqlite");
  folder_.write("results.json", R"([{"run_id": "run_001", "d": 3}, {"run_id": "run_002", "other": 3}])");
  const QuestionCatalog& seen = see("[labels]\npatterns = [\"d{d}\"]\nd = { type = \"int\" }\n");
  EXPECT_EQ(label("run_001.sqlite", "d"), "3 results");
  EXPECT_EQ(label("run_002.sqlite", "d"), "");
  EXPECT_TRUE(is_empty(seen.entries[0].name_problems));
  EXPECT_TRUE(size_is(seen.entries[1].name_problems, 1));
}

TEST_F(RunnersFiles, OtherFilesAreReadWhereTheQuestionNamesThem) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("log/summary_1.json", "[]");
  folder_.write("summary_2.json", R"({"ok": [{"name": "gpu0_numa0_vit8x6x384", "img": 96}], "bad": [{"name": "x"}]})");
  folder_.write("results.json", R"([{"name": "gpu0_numa0_vit8x6x384", "img": 512}])");
  const QuestionCatalog& seen = see(std::string(kLabels) + "[results]\nfiles = [\"summary_*.json\"]\n");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "96 results");
  EXPECT_TRUE(size_is(seen.runs, 2));
}

/// Large texts are made where they are written: each start of the program makes all parameters.
struct BadFile {
  std::function<std::string()> text;
  const char* said;
  friend void PrintTo(const BadFile& it, std::ostream* out) { *out << it.said; }
};
class BadRunnerFile : public RunnersFiles, public ::testing::WithParamInterface<BadFile> {};

TEST_P(BadRunnerFile, IsAnIssueAndTheReportsAreReadAnyhow) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("results.json", GetParam().text());
  const QuestionCatalog& seen = see();
  EXPECT_TRUE(size_is(seen.entries, 1));
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "224 default");
  ASSERT_TRUE(size_is(seen.issues, 1));
  EXPECT_EQ(seen.issues[0].file, "results.json");
  EXPECT_TRUE(contains(seen.issues[0].text, GetParam().said));
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

BadFile bad_file(const char* text, const char* sentence) {
  return {[text] { return std::string(text); }, sentence};
}

INSTANTIATE_TEST_SUITE_P(
    Hostile, BadRunnerFile,
    ::testing::Values(
        bad_file("", "is not JSON"), bad_file(R"([{"name": "a")", "is not JSON"), bad_file("3", "holds no table"),
        bad_file("[1, 2]", "holds no table"), bad_file("\xff\xfe", "is not JSON"),
        BadFile{[] { return repeated("[", 1000000); }, "nested more than 64 deep"},
        BadFile{[] { return repeated("{\"a\":", 100000) + "1" + repeated("}", 100000); }, "nested more than 64 deep"},
        bad_file(R"([{"accuracy": 0.9}])", "No entry of this file has a 'name'"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "img": "many"}])", "'many', which is not an integer"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "img": 1.5}])", "'1.5', which is not an integer"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "img": true}])", "'true', which is not an integer"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "img": 1, "config": {"img": 2}}])", "neither is used"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "elapsed_s": -1}])", "a number of at least 0 was expected"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "duration": "long"}])", "a number of at least 0 was expected"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "success": "perhaps"}])", "true or false was expected"),
        bad_file(R"([{"name": "gpu0_numa0_vit8x6x384", "exit_code": [1, 2]}])", "a number was expected"),
        BadFile{[] { return "[" + repeated("{\"name\": \"x\"},", 100001) + "{}]"; }, "more than 100000 entries"}));

TEST_F(RunnersFiles, ValuesThatAreNotNumberDoNotCostTheFile) {
  report("gpu0_numa0_vit8x6x384.sqlite");
  folder_.write("results.json",
                "\xEF\xBB\xBF"
                R"([{"name": "gpu0_numa0_vit8x6x384", "img": 96, "elapsed_s": NaN,
    "throughput": -Infinity, "duration": Infinity, "error": "NaN, \" Infinity"}])");
  const QuestionCatalog& seen = see(std::string(kLabels) + "[results]\nfailed = \"keep\"\n");
  EXPECT_EQ(label("gpu0_numa0_vit8x6x384.sqlite", "px"), "96 results");
  ASSERT_TRUE(size_is(seen.runs, 1));
  EXPECT_FALSE(seen.runs[0].pass_s || seen.runs[0].process_s || seen.runs[0].per_second);
  EXPECT_EQ(seen.runs[0].failure, "not successful: NaN, \" Infinity");
}

TEST_F(RunnersFiles, ManyMissingRunsAreNotListedWithoutEnd) {
  report("a.sqlite");
  std::string entries;
  for (int i = 0; i < 500; ++i) entries += R"({"name": "run)" + std::to_string(i) + "\"},";
  folder_.write("results.json", "[" + entries + R"({"name": "a"}])");
  const QuestionCatalog& seen = see("");
  EXPECT_TRUE(size_is(seen.issues, 101));
  EXPECT_EQ(seen.issues.back().count, 400);
}

TEST(RunnerSection, MistakesAreRefusedWithTheirPlace) {
  const auto refused = [](const std::string& toml) -> std::string {
    try {
      question_of("[question]\nid = \"q\"\n" + std::string(kLabels) + toml);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_TRUE(contains(refused("[results]\nfailed = \"maybe\"\n"), "expected \"leave_out\" or \"keep\""));
  EXPECT_TRUE(contains(refused("[results]\nfile = [\"x\"]\n"), "files"));
  EXPECT_TRUE(contains(refused("[results.patterns]\nvit = \"{height}\"\n"), "'height', which is not"));
  EXPECT_TRUE(contains(refused("[results.patterns]\nvit = 3\n"), "expected a pattern"));
  EXPECT_TRUE(contains(refused("[[sheet]]\nid = \"runner\"\nfiles = [\"x.json\"]\n"), "use another id"));
}

}  // namespace assay::runner_files_test
