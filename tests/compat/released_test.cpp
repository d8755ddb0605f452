// A plugin built against the kept SDK of this major version runs on today's host: it reads what one built today reads,
// through every column and function that it knows.
#include "assay/testing/options.hpp"
#include "assay/testing/recorder.hpp"
#include "assay/testing/report_builder.hpp"
#include "assay/testing/study_builder.hpp"
#include "golden/golden_case.hpp"
#include "plugins/plugins.hpp"
#include "support/test.hpp"

namespace assay::testing::released_test {

std::unique_ptr<Plugin> open(const char* folder) {
  Result<std::unique_ptr<Plugin>> plugin = Plugin::open(fs::path(folder) / "released_plugin.so");
  if (!plugin) throw std::runtime_error(plugin.error().sentence);
  return std::move(*plugin);
}

/// An analyzer of a plugin, which outlives it.
class AnalyzerHandle {
 public:
  AnalyzerHandle(const Plugin& plugin, const OptionInputs& inputs = {})
      : options_(plugin.descriptor().options.view(), inputs) {
    analyzer_ = plugin.descriptor().create(options_, errors);
  }
  ~AnalyzerHandle() {
    if (analyzer_ != nullptr) analyzer_->destroy();
  }
  AnalyzerHandle(const AnalyzerHandle&) = delete;
  AnalyzerHandle& operator=(const AnalyzerHandle&) = delete;
  Analyzer* operator->() const { return analyzer_; }
  Recorder errors;

 private:
  OptionMap options_;
  Analyzer* analyzer_ = nullptr;
};

/// Something in every table and column that a builder makes.
void fill(ReportBuilder& b) {
  b.process(11);
  b.thread(21);
  b.thread(22);
  const Row op = b.op(OpKind::kOperator, "aten::mm", 5, 95, {0, 3, 4, 5, 6});
  b.op(OpKind::kAnnotation, "step", 0, 99, {.thread = 1});
  const Row first = b.call(CallKind::kKernelLaunch, 10, 20, 0, {"cudaLaunchKernel", true, 31, 1});
  const Row second = b.call(CallKind::kGraphLaunch, 22, 25, 1, {"cudaGraphLaunch", false, 31, 0, first});
  const Row profiled = b.profiled("gemm<float>(int)", {.grid = {2, 3, 4}, .block = {32, 8, 2}});
  b.counter(profiled, "Duration", 60, {.unit = "ns", .section = "Speed Of Light"});
  b.kernel("gemm<float>(int)", 30, 90,
           {.device = 1,
            .stream = 9,
            .call = first,
            .membership = Membership::kForeign,
            .mangled_name = "_Z4gemm",
            .context = 2,
            .correlation = 31,
            .grid = {2, 3, 4},
            .block = {32, 8, 2},
            .registers = 77,
            .static_shared = 1,
            .dynamic_shared = 2,
            .executed_shared = 3,
            .graph_node = 8,
            .blocks_per_sm = 1.5,
            .warps_per_sm = 2.5,
            .occupancy = 0.75,
            .op = op,
            .shared_a_block = 4,
            .profiled = profiled});
  b.kernel("relu", 91, 93);
  b.graph(6, 40, 80, {.call = second});
  b.copy(CopyDirection::kPeerToPeer, 4096, 33, 44, {.context = 5});
  b.set(512, 45, 46, {.context = 6});
  b.sync(3, 50, 60);
  b.overhead(61, 62);
  b.range("forward", 0, 100, {.domain = "torch", .open = true});
  b.range("inner", 8, 30);
  b.span("request", 1, 97, {.end_thread = 1});
  b.iteration(4, 0, 50);
  b.allocation(-64, 12, {1, 1000, 2000, 1});
  b.property("version", "2.1");
  b.device(1, {"NVIDIA H200", 132, 9, 0, 2048, 32, 65536, 233472, 150109880320, 4800000000000});
  b.issue("unlinked", Severity::kWarning, 2, "Two kernels have no call.");
  b.window("forward", {2, 98}, Interval{1, 99});
}

/// A built report with what no builder makes, the columns and tables that only nsys exports have. Made of one that
/// `fill` filled, which outlives it.
struct WithNsys {
  explicit WithNsys(const Report& built) : report(built) {
    kernels.green_context = cells<std::int32_t>(kernels.rows);
    copies.correlation = copies.address = cells<std::int64_t>(copies.rows);
    copies.source_kind = copies.target_kind = copies.green_context = cells<std::int32_t>(copies.rows);
    sets.correlation = cells<std::int64_t>(sets.rows);
    sets.memory_kind = sets.green_context = cells<std::int32_t>(sets.rows);
    ranges.row_id = cells<std::int64_t>(ranges.rows);
    spans.row_id = cells<std::int64_t>(spans.rows);
    overheads.name = cells<StringId>(overheads.rows);
    threads.name = cells<Str>(threads.rows);
    threads.priority = cells<std::int32_t>(threads.rows);
    report.kernels = &kernels;
    report.copies = &copies;
    report.sets = &sets;
    report.ranges = &ranges;
    report.spans = &spans;
    report.overheads = &overheads;
    report.threads = &threads;
    report.repeats = report.calls;
    report.os_calls = report.mpi_events = report.openacc_events = report.openmp_events = &events;
    report.mpi = &mpi;
    report.cpu_faults = report.gpu_faults = &faults;
  }
  WithNsys(const WithNsys&) = delete;
  WithNsys& operator=(const WithNsys&) = delete;

  Report report;

 private:
  template <class T>
  static Column<T> cells(std::uint64_t rows) {
    static const std::vector<T> all = [] {
      if constexpr (std::is_same_v<T, Str>)
        return std::vector<T>{"main", "worker", ""};
      else
        return std::vector<T>{5, 2, 11};
    }();
    if (rows > all.size()) throw std::out_of_range("more rows than cells");
    return {all.data(), rows};
  }

  static constexpr std::uint64_t kRows = 3;
  Column<std::int64_t> numbers = cells<std::int64_t>(kRows);
  Column<std::uint32_t> ids = cells<std::uint32_t>(kRows);
  KernelTable kernels = *report.kernels;
  CopyTable copies = *report.copies;
  SetTable sets = *report.sets;
  RangeTable ranges = *report.ranges, spans = *report.spans;
  OverheadTable overheads = *report.overheads;
  ThreadTable threads = *report.threads;
  HostEventTable events = {kRows, numbers, numbers, ids, ids, ids};
  MpiTable mpi = {kRows, numbers, numbers, numbers, numbers, numbers, numbers, numbers};
  PageFaultTable faults = {kRows, numbers, ids, numbers, numbers, numbers, ids, cells<std::uint8_t>(kRows)};
};

constexpr OptionSpec kClaimKeys[] = {{"key", OptionType::kText, "none", "A key."}};

void fill(StudyBuilder& b) {
  b.question("q", "Why?");
  b.label("depth", StudyBuilder::kNumeric, kChangesKernels);
  b.descriptive_label("run");
  b.report("a", {{"depth", "1"}, {"run", "x"}})
      .fact("released.sum", 2.5, "column=c", {1, 2, 3})
      .attribute("released.path", "a")
      .origin("run", LabelOrigin::kDefault);
  b.noise_report("b", {{"depth", "2"}}).fact("released.sum", 7);
  b.fact("released.study", 5);
  b.claim("c", "It is so.", kClaimKeys, {{"key", "other"}});
  b.sheet("sweep", "s.csv", {"x", "y"}, {{"1", "a"}, {"[2, 3]", ""}}, {{"depth", "3"}});
}

/// Everything that a recorder holds, as text.
std::string text_of(const Recorder& r) {
  std::ostringstream out;
  out.precision(17);
  for (const auto& f : r.facts) {
    out << f.report << " " << f.metric << " " << f.dims << " = " << f.value << " of " << f.samples.size() << "\n";
  }
  for (const auto& [name, value] : r.attributes) out << name << " is " << value << "\n";
  for (const auto& t : r.tables) {
    out << "table " << t.id << " " << t.title;
    for (const auto& c : t.columns)
      out << " | " << c.name << " " << c.unit << ::testing::PrintToString(c.texts)
          << ::testing::PrintToString(c.integers) << ::testing::PrintToString(c.numbers);
    out << "\n";
  }
  for (const auto& s : r.skips) out << "skip " << s.report << " " << s.metric << " " << s.reason << "\n";
  for (const auto& i : r.issues) out << "issue " << i.name << " " << i.count << " " << i.text << "\n";
  for (const auto& f : r.findings) {
    out << "finding " << f.title << " " << f.text << " " << f.effect->effect.value << " " << f.effect->effect.lo << " "
        << f.effect->effect.hi << " " << f.effect->method << " " << f.labels[0].second << " " << f.evidence[0] << "\n";
  }
  for (const auto& v : r.verdicts) {
    out << "verdict " << v.claim << " " << verdict_name(v.verdict) << " " << v.reason << " " << v.strata[0].reason
        << " " << v.strata[0].effect->effect.n << "\n";
  }
  for (const auto& n : r.notes) out << "note " << n << "\n";
  return out.str();
}

TEST(Released, IsAcceptedAsWhatItIs) {
  const auto plugin = open(ASSAY_RELEASED_FOLDER);
  EXPECT_EQ(plugin->descriptor().abi_major, kAbiMajor);
  EXPECT_EQ(plugin->descriptor().abi_minor, 0U) << "the headers in sdk_2_0 are those of version 2.0";
  EXPECT_LE(plugin->descriptor().sizes.report, sizeof(Report));
}

TEST(Released, ReadsOfAReportWhatAPluginOfTodayReads) {
  ReportBuilder builder;
  fill(builder);
  const WithNsys made_whole(builder.build());
  const Report& report = made_whole.report;
  std::string texts[2];
  for (const char* folder : {ASSAY_RELEASED_FOLDER, ASSAY_REBUILT_FOLDER}) {
    const auto plugin = open(folder);
    const AnalyzerHandle made(*plugin, {{"count", 9}, {"words", "x, yz"}});
    Recorder recorder;
    ASSERT_TRUE(made->analyze(report, recorder, recorder)) << ::testing::PrintToString(recorder.failures);
    texts[folder != std::string(ASSAY_RELEASED_FOLDER)] = text_of(recorder);
    EXPECT_EQ(recorder.facts.size(), 267U) << "27 tables with 224 columns, window, strings, samples and 13 options";
    for (const RecordedFact& fact : recorder.facts) EXPECT_GT(fact.value, -1e15) << fact.dims << " is absent";
    EXPECT_EQ(recorder.value("released.sum", "column=kernels.start"), 30 + 2 * 91) << "by hand";
    EXPECT_EQ(recorder.value("released.sum", "column=kernels.shared_a_block"), 4 + 2 * -1 + 0) << "by hand";
    EXPECT_EQ(recorder.value("released.sum", "column=kernels.green_context"), 5 + 2 * 2) << "by hand";
    EXPECT_EQ(recorder.value("released.sum", "column=gpu_faults.unresolved"), 5 + 2 * 2 + 3 * 11) << "by hand";
    EXPECT_EQ(recorder.value("released.option", "option=count"), 9);
    EXPECT_EQ(recorder.value("released.option", "option=given"), 1);
    EXPECT_EQ(recorder.notes.size() + recorder.issues.size() + recorder.skips.size() + recorder.tables.size(), 4U);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Released, ConcludesAsAPluginOfToday) {
  StudyBuilder builder;
  fill(builder);
  const Study& study = builder.build();
  std::string texts[2];
  for (const char* folder : {ASSAY_RELEASED_FOLDER, ASSAY_REBUILT_FOLDER}) {
    const auto plugin = open(folder);
    const AnalyzerHandle made(*plugin);
    Recorder recorder;
    ASSERT_TRUE(made->conclude(study, recorder, recorder)) << ::testing::PrintToString(recorder.failures);
    texts[folder != std::string(ASSAY_RELEASED_FOLDER)] = text_of(recorder);
    EXPECT_GT(recorder.facts.size(), 50U);
    EXPECT_EQ(recorder.value("released.study", "column=facts.value"), 5 + 2 * 2.5 + 3 * 7) << "by hand";
    EXPECT_EQ(recorder.findings.size(), 1U);
    EXPECT_EQ(recorder.verdicts.size(), 1U);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Released, ItsFailuresAreSentences) {
  const auto plugin = open(ASSAY_RELEASED_FOLDER);
  const AnalyzerHandle made(*plugin, {{"word", "throw"}});
  ReportBuilder builder;
  Recorder recorder;
  EXPECT_FALSE(made->analyze(builder.build(), recorder, recorder));
  EXPECT_TRUE(equals(recorder.failures, {"told to fail"}));
  const OptionMap keys(kClaimKeys, {{"key", "bad"}});
  EXPECT_FALSE(plugin->descriptor().check_claim(keys, recorder));
  EXPECT_EQ(recorder.failures.back(), "the key is bad");
}

TEST(Released, RunsInTheProgramOfToday) {
  const TempFolder scratch;
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch.path());
  write_text(scratch / "q.toml", R"(
[question]
id = "released"
[labels]
patterns = ["vit{depth}"]
depth = { type = "int" }
[analyzers.released]
[[claim]]
id = "c"
text = "It is so."
source = "a guide"
key = "other"
)");
  const Outcome outcome = run_assay(
      scratch.path(), {"run", "q.toml", "--reports", "reports", "-o", "out", "--plugin-path", ASSAY_RELEASED_FOLDER});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "A finding"));
  const std::string facts = read_text(scratch / "out/facts.csv");
  EXPECT_TRUE(contains_all(facts, {"runs/vit1.sqlite,released.rows,table=kernels,1,1,1\n",
                                   "runs/vit1.sqlite,released.sum,column=kernels.start,1,3000,1\n",
                                   "runs/vit1.sqlite,released.of_report,,1,42,1\n"}));
  EXPECT_TRUE(contains(read_text(scratch / "out/findings.json"), "as the text says"));
}

TEST(ThisVersion, IsInTheListOfChanges) {
  const std::string changes = read_text(fs::path(ASSAY_SOURCE_DIR) / "CHANGELOG.md");
  const std::string version = std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor);
  EXPECT_TRUE(contains_all(changes, {"plugin ABI " + version, "\n- " + version + ": "}));
}

}  // namespace assay::testing::released_test
