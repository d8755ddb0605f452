#include "plugins/formats.hpp"

#include <nlohmann/json.hpp>

#include "catalog/places.hpp"
#include "config/config.hpp"
#include "config/nsys_database.hpp"
#include "config/question_of.hpp"
#include "discover/discover.hpp"
#include "inspect/list_command.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"
#include "pipeline/pipeline.hpp"
#include "propose/toml.hpp"
#include "query/session.hpp"
#include "record/experiment.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"
#include "timeline/chrome_trace.hpp"

namespace assay::formats_test {

const std::filesystem::path kFolders = ASSAY_FORMAT_FOLDERS;

class Formats : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path folders[] = {kFolders / "libraries"};
    load_formats(folders);
    ASSERT_NE(load::format_named("json_lines"), nullptr);
  }
  void SetUp() override {
    std::ofstream(file()) << R"lines({"format": "json_lines", "device": "H100"}
{"kernel": "late", "start": 300, "end": 450, "stream": 7, "call": 60, "call_end": 70}
{"kernel": "void ns::early<int>(float*)", "start": 100, "end": 200, "stream": 7, "call": 40, "call_end": 50}
{"watts": 310.5, "time": 100}
{"watts": 420, "time": 300}
{"clock": 1980, "time": 300}
)lines";
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "run.json_lines.jsonl"; }
  Result<Profile> load(const std::set<ColumnId>& columns) const {
    const FoundFile found = sniff(file(), "run");
    return load_profile({found.path, found.kind}, found.name, columns);
  }
  TempFolder folder_;
};

TEST_F(Formats, AnAddedFormatIsDiscovered) {
  const std::filesystem::path folders[] = {folder_.path()};
  const Result<Catalog> catalog = discover({}, folders);
  ASSERT_TRUE(catalog) << catalog.error().sentence;
  ASSERT_EQ(catalog->files.size(), 1U);
  EXPECT_EQ(catalog->files[0].kind.word, "json_lines");
  EXPECT_TRUE(is_report(catalog->files[0].kind));
  EXPECT_EQ(catalog->files[0].environment, (Environment{{"device", "H100"}, {"profiler", "json_lines"}}));
}

TEST_F(Formats, AnAddedFormatIsLoaded) {
  const auto profile =
      load({col::kernels, col::kernel_name, col::kernel_short_name, col::calls, col::call_full_name, col::declared});
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  ASSERT_TRUE(view) << view.error().sentence;
  const Report& report = view->report();
  ASSERT_EQ(report.kernels->rows, 2U);
  EXPECT_EQ(report.string(report.kernels->short_name[0]), "early");
  EXPECT_EQ(report.kernels->end[1], 450);
  EXPECT_EQ(report.kernels->device[0], 0);
  EXPECT_EQ(report.kernels->call[1], 1) << "linked by correlation";
  EXPECT_EQ(report.calls->kind[1], CallKind::kKernelLaunch) << "by its name";
  EXPECT_EQ(report.string(report.calls->full_name[1]), "cudaLaunchKernel") << "a name without a version";
  EXPECT_EQ(report.window->end, 450);
  ASSERT_EQ(report.issues->rows, 1U);
  EXPECT_EQ(report.issues->name[0], "passed_over");
  EXPECT_EQ(report.issues->count[0], 1);
  const DeclaredTable* power = report.table("json_lines_power");
  ASSERT_NE(power, nullptr);
  ASSERT_EQ(power->rows, 2U);
  EXPECT_EQ(power->integers("time")[1], 300);
  EXPECT_EQ(power->reals("watts")[0], 310.5);
  EXPECT_FALSE(power->texts("watts").present());
  EXPECT_EQ(report.table("json_lines"), nullptr);
}

TEST_F(Formats, CountRecordersOfAddedFormatsAsProfilers) {
  const auto recorders = load::recorders();
  const auto tally = std::ranges::find_if(recorders, [](const RecorderSpec* r) { return r->name.view() == "tally"; });
  ASSERT_NE(tally, recorders.end());
  EXPECT_EQ(recorders.front()->name.view(), "nsys") << "without a profiler in [experiment]";
  const std::filesystem::path question = folder_.write("q.toml", R"([question]
id = "q"
text = "t"
[labels]
patterns = ["run"]
[experiment]
name = "run"
command = ["program"]
profiler = "tally"
)");
  const auto questions = read_configs({&question, 1});
  ASSERT_TRUE(questions) << questions.error().sentence;
  const auto experiment = read_experiment(questions->front());
  ASSERT_TRUE(experiment) << experiment.error().sentence;
  const ProfilerSpec& profiler = (*experiment)->profiler;
  EXPECT_TRUE(equals(profiler.command, {"tally", "-o", "{report}"}));
  EXPECT_TRUE(equals(profiler.version, {"tally", "--version"}));
  EXPECT_EQ(profiler.ends_options, "--");
  EXPECT_EQ(profiler.numbered_ending, ".tallies");
  EXPECT_EQ(profiler.install, "install tally");
  EXPECT_TRUE(profiler.leaves_report);
}

TEST_F(Formats, DropUnrequestedTables) {
  const auto profile = load({col::kernels});
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  EXPECT_FALSE(view->report().kernels->name.present());
  EXPECT_FALSE(view->report().declared.present());
}

TEST_F(Formats, ADeclaredTableIsOneOfSql) {
  query::StatementError problem;
  const std::string sql = "SELECT group_concat(watts), max(time), (SELECT count(*) FROM kernels) FROM json_lines_power";
  const auto needs = query::referred_to(sql, {}, problem);
  ASSERT_TRUE(needs) << problem.sentence;
  EXPECT_TRUE(needs->columns.contains(col::declared));
  const auto profile = load(needs->columns);
  const auto view = profile->view({}, {});
  auto session = query::Session::over_reports({.reports = {&view->report()}});
  ASSERT_TRUE(session) << session.error().sentence;
  auto statement = session->prepare(sql, {}, problem);
  ASSERT_TRUE(statement) << problem.sentence;
  ASSERT_EQ(statement->step(), query::Query::Step::kRow);
  EXPECT_STREQ(reinterpret_cast<const char*>(sqlite3_column_text(statement->row(), 0)), "310.5,420.0");
  EXPECT_EQ(sqlite3_column_int64(statement->row(), 1), 300);
  EXPECT_EQ(sqlite3_column_int64(statement->row(), 2), 2);
}

TEST_F(Formats, ACounterOfADeclaredTableIsATrackOfTheTimeline) {
  const auto profile = load({col::kernels, col::kernel_name, col::declared});
  const auto view = profile->view({}, {});
  std::ostringstream trace;
  write_chrome_trace(view->report(), {}, trace);
  EXPECT_TRUE(contains(trace.str(), R"("ts":0.300,"name":"watts","args":{"watts":420})"));
  EXPECT_TRUE(nlohmann::json::accept(trace.str()));
}

TEST_F(Formats, AnAddedFormatIsListed) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(list_reports({folder_.path()}, {}), Exit::kOk);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(contains(text, "run.json_lines.jsonl  json_lines"));
  EXPECT_TRUE(contains(text, "1 file, 1 json_lines profile;"));
  EXPECT_TRUE(contains(text, "  ops  json_lines_power  problems\n")) << "a table that the format declares";
  EXPECT_TRUE(contains(text, "    -                 2         1\n"));
}

TEST_F(Formats, AnAddedFormatIsKnownByItsNames) {
  EXPECT_EQ(stem_of("vit16.json_lines.jsonl"), "vit16");
  EXPECT_TRUE(named_like_a_report("a/VIT16.json_lines.JSONL"));
  EXPECT_FALSE(named_like_a_report("vit16.txt"));
  EXPECT_TRUE(contains(expected_reports(), "profiles of json_lines (.json_lines.jsonl)"));
  const std::filesystem::path nothing[] = {folder_ / "nothing"};
  EXPECT_TRUE(contains(no_report_in(nothing).sentence, "profiles of json_lines (.json_lines.jsonl)"));
}

TEST_F(Formats, InitAsksForTheFilesOfAnAddedFormat) {
  init::Proposal proposal;
  proposal.folder = folder_.path();
  proposal.kind = "json_lines";
  proposal.others = true;
  EXPECT_TRUE(contains(init::toml_of(proposal), "include = [\"**/*.json_lines.jsonl\"]"));
}

/// Each file numbers its own launches and texts.
TEST_F(Formats, CountersOfAnAddedFormatJoinTheProfile) {
  std::ofstream(folder_ / "run.tallies") << "tallies\nother 1 1 3.5\nlate 2 64 7\n";
  std::ofstream(folder_ / "more.tallies") << "tallies\nlate 2 64 9\n";
  const std::filesystem::path folders[] = {folder_.path()};
  const Result<Catalog> catalog = discover({}, folders);
  ASSERT_TRUE(catalog) << catalog.error().sentence;
  const FoundFile found = sniff(file(), "run");
  const std::filesystem::path counters[] = {folder_ / "run.tallies", folder_ / "more.tallies"};
  const auto profile =
      load_profile({found.path, found.kind}, found.name,
                   {col::kernels, col::kernel_name, col::profiled, col::counters, col::kernel_profiled}, 1,
                   Reader::kDirect, counters);
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  const Report& report = view->report();
  ASSERT_NE(report.profiled, nullptr) << (report.issues->rows > 0 ? report.issues->text[0].view() : "");
  ASSERT_EQ(report.profiled->rows, 3U);
  EXPECT_EQ(report.string(report.profiled->name[2]), "late");
  EXPECT_EQ(report.profiled->group[2], 1) << "the launch of the same name and shape";
  ASSERT_EQ(report.counters->rows, 3U);
  EXPECT_EQ(report.counters->profiled[2], 2);
  EXPECT_EQ(report.counters->value[2], 9);
  EXPECT_EQ(report.string(report.counters->name[2]), "tally");
}

TEST_F(Formats, ALibraryInAFolderOfAQuestionIsLoadedIfItIsTrusted) {
  Question question;
  question.plugins.folders = {kFolders / "libraries"};
  const auto refused = analyzer_folders({&question, 1}, {}, false);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().sentence, "json_lines.so"));
  EXPECT_TRUE(contains(refused.error().remedy, "--trust-plugins"));
  const auto trusted = analyzer_folders({&question, 1}, {}, true);
  ASSERT_TRUE(trusted);
  EXPECT_EQ(trusted->front(), kFolders / "libraries");
}

TEST_F(Formats, ADatabaseWithASingleTableOfNsysIsRead) {
  for (const char* table : {"SCHED_EVENTS", "OSRT_API", "COMPOSITE_EVENTS", "ANALYSIS_DETAILS", "DIAGNOSTIC_EVENT",
                            "TARGET_INFO_NIC_INFO", "CUPTI_ACTIVITY_KIND_KERNEL"}) {
    const std::filesystem::path file = folder_ / (std::string(table) + ".sqlite");
    run_sql(file, std::string("CREATE TABLE ") + table + " (start INTEGER, end INTEGER)");
    const FoundFile found = sniff(file, table);
    EXPECT_EQ(found.kind, kind::kNsys) << table;
    const auto profile = load_profile({file, found.kind}, table, {col::kernels});
    EXPECT_TRUE(profile) << profile.error().sentence;
  }
}

TEST_F(Formats, RejectUnreadableFilesByKind) {
  const auto profile = load_profile({file(), FileKind::kSidecar}, "run", {col::kernels});
  ASSERT_FALSE(profile);
  EXPECT_TRUE(contains(profile.error().sentence, "sidecar"));
}

TEST(FormatTable, KindsAndWordsAreDifferent) {
  std::set<std::string_view> words = {FileKind::kOtherSqlite.word, FileKind::kSidecar.word, FileKind::kUnreadable.word};
  for (const load::Format* format : load::formats()) {
    EXPECT_TRUE(words.insert(format->kind.word).second) << format->kind.word;
    EXPECT_TRUE(is_report(format->kind));
    EXPECT_EQ(load::format_of(format->kind), format);
  }
}

TEST_F(Formats, FilesOfOneRunAreOneProfile) {
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder_ / name) << text; };
  write("net.a.paged.json", R"({"schemaVersion": 1, "traceEvents": [], "paged": 3})");
  write("net.b.paged.json", R"({"schemaVersion": 1, "traceEvents": [], "paged": 4})");
  write("other.a.paged.json", R"({"schemaVersion": 1, "traceEvents": [], "paged": 5})");
  write("bare.a.paged.json", R"({"traceEvents": []})");
  const std::vector<Question> questions = {question_of("[question]\nid = \"q\"\n")};
  const std::filesystem::path folders[] = {folder_.path()};
  const Result<Catalog> catalog = discover(questions, folders);
  ASSERT_TRUE(catalog) << catalog.error().sentence;
  const auto& entries = catalog->questions[0].entries;
  ASSERT_EQ(entries.size(), 4U) << "bare, net, other and run";
  EXPECT_TRUE(contains(catalog->files[entries[0].file].problem, "This file is a trace without pages; page it."));
  const FoundFile& first = catalog->files[entries[1].file];
  EXPECT_EQ(first.kind.word, "paged") << "a library is asked before the reader of PyTorch traces";
  ASSERT_EQ(entries[1].counters.size(), 1U);
  const std::filesystem::path also[] = {catalog->files[entries[1].counters[0]].path};
  const auto profile =
      load_profile({first.path, first.kind}, "net", {col::kernels, col::causes}, 1, Reader::kDirect, also);
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  EXPECT_EQ(view->report().kernels->rows, 7U);
  const CauseTable& causes = *view->report().causes;
  EXPECT_EQ(view->report().string(causes.name[0]), "compiling forward");
  EXPECT_EQ(causes.line[0], 28);
  EXPECT_FALSE(causes.file.present());
  EXPECT_EQ(entries[2].counters.size(), 0U);
}

TEST_F(Formats, RulesOfAnAddedFormatAreThoseOfItsLaunches) {
  const load::Format* paged = load::format_named("paged");
  const auto launches = paged->rules(file());
  ASSERT_TRUE(launches) << launches.error().sentence;
  ASSERT_EQ(launches->size(), 1U);
  EXPECT_EQ(launches->at(0).ranges, (std::vector<std::string>{"outer", "inner"}));
  ASSERT_EQ(launches->at(0).sayings.size(), 2U);
  EXPECT_EQ(launches->at(0).sayings[0].speedup, 12.5);
  EXPECT_TRUE(launches->at(0).sayings[0].local);
  EXPECT_EQ(launches->at(0).sayings[1].speedup, std::nullopt);
  EXPECT_EQ(paged->names.again, "page it again");
}

}  // namespace assay::formats_test
