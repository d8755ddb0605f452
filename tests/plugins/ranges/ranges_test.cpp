// ranges against a second computation over made-up trees, range by range and call by call, and against numbers of real
// profiles that SQL and Python gave.
#include <sys/resource.h>

#include <ctime>
#include <iostream>
#include <random>

#include "assay/algo/named_ranges.hpp"
#include "assay/algo/summary.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay {
namespace ranges_test {

using under_test::ranges::analyzed;
using under_test::ranges::concluded;
using under_test::ranges::descriptor;

using testing::data_file;
using testing::RealReport;
using testing::Recorder;
using testing::ReportBuilder;

double of(const Recorder& r, const std::string& metric, const std::string& path, const std::string& quantile = {}) {
  const auto value = r.value(metric, "path=" + path + (quantile.empty() ? "" : ";quantile=" + quantile));
  return value.value_or(std::nan(""));
}

TEST(Ranges, NumbersFoldAndChildrenAreBelowTheirParents) {
  ReportBuilder b;
  b.window("w", {0, 1000});
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 300;
    b.range("request_" + std::to_string(i), at, at + 250);
    b.range("prefill", at + 10, at + 50);
    b.range("decode_0", at + 60, at + 100);
    b.range("decode_1", at + 100, at + 160);
    b.kernel("k", at + 70, at + 90, {.call = b.call(CallKind::kKernelLaunch, at + 62, at + 65)});
    b.kernel("k", at + 245, at + 275, {.call = b.call(CallKind::kKernelLaunch, at + 240, at + 244)});
  }
  b.range("open", 950, 1000, {.open = true});
  const Recorder r = analyzed(b.build());
  const auto* table = r.table_of("ranges");
  ASSERT_NE(table, nullptr);
  EXPECT_TRUE(equals(table->column("Range")->texts, {"request_{i}", "  decode_{i}", "  prefill"}));
  EXPECT_TRUE(equals(table->column("Count")->integers, {3, 6, 3}));
  EXPECT_EQ(of(r, "range.host_ns", "request_{i}"), 250);
  EXPECT_EQ(of(r, "range.host_ns", "request_{i}/decode_{i}"), 50);
  EXPECT_EQ(of(r, "range.host_quantile_ns", "request_{i}/decode_{i}", "max"), 60);
  EXPECT_TRUE(std::isnan(of(r, "range.host_quantile_ns", "request_{i}/decode_{i}", "p95"))) << "six are too few";
  EXPECT_EQ(of(r, "range.capture_ratio", "request_{i}"), 0.75);
  EXPECT_NEAR(of(r, "range.step_ratio", "request_{i}/decode_{i}"), 300.0 / 750, 1e-12);
  EXPECT_EQ(of(r, "range.gpu_ns", "request_{i}"), 50);
  EXPECT_NEAR(of(r, "range.busy_ratio", "request_{i}"), 50.0 / 275, 1e-12) << "until the end of its last work";
  EXPECT_EQ(of(r, "range.idle_ns", "request_{i}"), 225);
  EXPECT_EQ(of(r, "range.kernels", "request_{i}/decode_{i}"), 0.5);
  EXPECT_EQ(of(r, "range.launches", "request_{i}/prefill"), 0);
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "open_ranges");
}

TEST(Ranges, OneOfADomainIsAnotherThanThatOfTheSameName) {
  ReportBuilder b;
  b.range("gather", 0, 10);
  b.range("gather", 20, 40, {.domain = "NCCL"});
  b.span("request_7", 0, 30);
  b.call(CallKind::kOther, 0, 50);
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "range.host_ns", "gather"), 10);
  EXPECT_EQ(of(r, "range.host_ns", "NCCL:gather"), 20);
  EXPECT_EQ(of(r, "range.host_ns", "request_{i}"), 30);
}

TEST(Ranges, WorkHandedToAnotherThreadBelongsToTheRangeUnlessRangesOfThePathOverlap) {
  for (const bool overlap : {false, true}) {
    ReportBuilder b;
    b.thread(1);
    const std::uint32_t autograd = b.thread(2), other = b.thread(3);
    b.range("step/1", 0, 100);
    if (overlap) b.range("step/2", 50, 150, {.thread = other});
    b.kernel("k", 40, 60, {.call = b.call(CallKind::kKernelLaunch, 30, 35, autograd)});
    EXPECT_EQ(of(analyzed(b.build()), "range.kernels", "step/{i}"), overlap ? 0 : 1);
  }
}

TEST(Ranges, LackDeviceTimesIfNoDeviceWorkWasCaptured) {
  ReportBuilder b;
  b.range("step_0", 0, 100);
  b.call(CallKind::kKernelLaunch, 10, 20);
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "range.host_ns", "step_{i}"), 100);
  EXPECT_EQ(of(r, "range.launches", "step_{i}"), 1);
  for (const char* metric : {"range.gpu_ns", "range.busy_ratio", "range.idle_ns", "range.kernels"})
    EXPECT_TRUE(std::isnan(of(r, metric, "step_{i}"))) << metric;
}

TEST(Ranges, KernelsInAGraphThatWasTracedAsAWholeAreNotKnown) {
  ReportBuilder b;
  b.range("request_0", 0, 100);
  b.range("prefill", 5, 40);
  b.range("decode_0", 50, 90);
  b.kernel("k", 20, 30, {.call = b.call(CallKind::kKernelLaunch, 10, 12)});
  b.graph(1, 60, 80, {.call = b.call(CallKind::kGraphLaunch, 55, 57)});
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(of(r, "range.kernels", "request_{i}/prefill"), 1);
  EXPECT_TRUE(std::isnan(of(r, "range.kernels", "request_{i}/decode_{i}")));
  EXPECT_TRUE(std::isnan(of(r, "range.kernels", "request_{i}")));
  EXPECT_EQ(of(r, "range.gpu_ns", "request_{i}/decode_{i}"), 20);
}

TEST(Ranges, AFindingSaysNothingOfTheGpuWhereNoWorkWasCaptured) {
  testing::StudyBuilder study;
  auto& report = study.report("a.sqlite", {});
  for (const char* path :
       {"r_{i}", "r_{i}/decode", "r_{i}/decode/layer{i}", "r_{i}/prefill", "r_{i}/prefill/layer{i}"}) {
    const std::string dims = "path=" + std::string(path);
    report.fact("range.host_ns", 10, dims).fact("range.count", 2, dims).fact("range.capture_ratio", 0.5, dims);
    if (std::string(path) == "r_{i}") report.fact("range.busy_ratio", 0.5, dims);
  }
  const Recorder r = concluded(study.build());
  EXPECT_FALSE(contains(r.findings.at(0).title, "GPU"));
}

TEST(Ranges, WithoutRangesItIsSkipped) {
  ReportBuilder b;
  b.call(CallKind::kOther, 0, 50);
  EXPECT_TRUE(analyzed(b.build()).skip_of("range.host_ns, range.gpu_ns, range.count").has_value());
}

// Random trees.

struct PlainRange {
  std::string name;
  std::int64_t start, end;
  std::uint32_t thread;
  bool span;
};
struct PlainCall {
  std::int64_t start, end;
  std::uint32_t thread;
  bool launch;
};
struct PlainWork {
  std::int64_t start, end;
  std::int32_t device;
  std::size_t call;
  bool kernel;
};
struct PlainReport {
  std::vector<std::uint32_t> process_of{0, 0, 1};  ///< of threads
  std::vector<PlainRange> ranges;
  std::vector<PlainCall> calls;
  std::vector<PlainWork> work;
};

/// Ranges of a thread inside [from, to), all ends distinct.
void add_tree(PlainReport& to, std::mt19937& random, std::uint32_t thread, std::int64_t from, std::int64_t until,
              int depth) {
  const auto draw = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  for (std::int64_t at = from + 1 + draw(30); at + 12 < until;) {
    const std::int64_t end = std::min(until - 1, at + 10 + draw((until - from) / 2));
    to.ranges.push_back(
        {std::string(1, static_cast<char>('a' + draw(2))) + std::to_string(draw(3)), at, end, thread, false});
    if (depth < 5 && draw(3) > 0) add_tree(to, random, thread, at, end, depth + 1);
    at = end + 1 + draw(40);
  }
}

PlainReport made_report(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  PlainReport r;
  for (std::uint32_t t = 0; t < 3; ++t) {
    if (t == 0 || draw(1) == 0) add_tree(r, random, t, 0, 2000, 0);
  }
  for (std::int64_t s = draw(4); s > 0; --s) {
    const std::int64_t at = draw(1500);
    r.ranges.push_back({"s" + std::to_string(s), at, at + 20 + draw(600), static_cast<std::uint32_t>(draw(2)), true});
  }
  for (std::uint32_t t = 0; t < 3; ++t) {
    for (std::int64_t at = draw(60); at < 2100; at += 8 + draw(60))
      r.calls.push_back({at, at + 1 + draw(6), t, draw(2) > 0});
  }
  for (std::size_t c = 0; c < r.calls.size(); ++c) {
    for (std::int64_t n = r.calls[c].launch ? draw(2) : draw(1); n > 0; --n) {
      const std::int64_t at = r.calls[c].start + draw(80);
      r.work.push_back({at, at + 1 + draw(90), static_cast<std::int32_t>(draw(1)), c, draw(2) > 0});
    }
  }
  return r;
}

std::int64_t union_of(const Intervals& parts) { return assay::measure(merge(parts)); }

/// What `path` is to be, instant by instant and call by call.
struct PlainPath {
  std::vector<double> times;
  Intervals host, projected;
  std::map<std::int32_t, Intervals> gpu;
  std::set<std::size_t> calls;
  bool by_time = true;
};

std::map<std::string, PlainPath> plain_paths(const PlainReport& r) {
  std::map<std::string, std::vector<const PlainRange*>> of_path;
  for (const PlainRange& range : r.ranges) {
    std::vector<const PlainRange*> around{&range};
    for (const PlainRange& o : r.ranges) {
      if (!range.span && !o.span && o.thread == range.thread && o.start < range.start && o.end > range.end)
        around.push_back(&o);
    }
    std::ranges::sort(around, {}, [](const PlainRange* o) { return o->start; });
    std::string path;
    for (const PlainRange* o : around) path += (path.empty() ? "" : "/") + folded_name(o->name);
    of_path[path].push_back(&range);
  }
  std::map<std::string, PlainPath> out;
  for (const auto& [path, ranges] : of_path) {
    PlainPath& p = out[path];
    for (const PlainRange* a : ranges) {
      for (const PlainRange* b : ranges)
        p.by_time = p.by_time && (r.process_of[a->thread] != r.process_of[b->thread] || a->thread == b->thread ||
                                  a->end <= b->start || b->end <= a->start);
    }
    for (const PlainRange* a : ranges) {
      p.times.push_back(static_cast<double>(a->end - a->start));
      p.host.push_back({a->start, a->end});
      std::int64_t until = a->end;
      for (std::size_t c = 0; c < r.calls.size(); ++c) {
        const PlainCall& call = r.calls[c];
        const bool own =
            call.thread == a->thread || (p.by_time && r.process_of[call.thread] == r.process_of[a->thread]);
        if (!own || call.start < a->start || call.end > a->end) continue;
        p.calls.insert(c);
        for (const PlainWork& w : r.work) until = w.call == c ? std::max(until, w.end) : until;
      }
      p.projected.push_back({a->start, until});
    }
    for (const PlainWork& w : r.work) {
      if (p.calls.contains(w.call)) p.gpu[w.device].push_back({w.start, w.end});
    }
  }
  return out;
}

const Report& built(const PlainReport& r, ReportBuilder& b) {
  b.process(1);
  b.process(2);
  for (std::uint32_t t = 0; t < r.process_of.size(); ++t) b.thread(t + 1, r.process_of[t]);
  for (const PlainRange& range : r.ranges)
    range.span ? b.span(range.name, range.start, range.end, {.thread = range.thread})
               : b.range(range.name, range.start, range.end, {.thread = range.thread});
  std::vector<Row> calls;
  for (const PlainCall& call : r.calls)
    calls.push_back(b.call(call.launch ? CallKind::kKernelLaunch : CallKind::kCopy, call.start, call.end, call.thread));
  for (const PlainWork& w : r.work) {
    if (w.kernel)
      b.kernel("k", w.start, w.end, {.device = w.device, .call = calls[w.call]});
    else
      b.copy(CopyDirection::kHostToDevice, 1, w.start, w.end, {.device = w.device, .call = calls[w.call]});
  }
  return b.build();
}

TEST(Ranges, TwoHundredRandomTreesAreAsCountedOneByOne) {
  std::size_t paths = 0, handed_over = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const PlainReport plain = made_report(seed);
    ReportBuilder b;
    const Recorder r = analyzed(built(plain, b), {{"rows", "10000"}});
    const std::map<std::string, PlainPath> expected = plain_paths(plain);
    std::map<std::int32_t, Intervals> devices;
    for (const PlainWork& w : plain.work) devices[w.device].push_back({w.start, w.end});
    ASSERT_EQ(r.table_of("ranges")->column("Range")->texts.size(), expected.size()) << seed;
    for (const auto& [path, p] : expected) {
      const auto n = static_cast<double>(p.times.size());
      SCOPED_TRACE("seed " + std::to_string(seed) + " path " + path);
      EXPECT_EQ(of(r, "range.count", path), n);
      EXPECT_EQ(of(r, "range.host_ns", path), median(p.times));
      EXPECT_EQ(of(r, "range.host_quantile_ns", path, "max"), *std::ranges::max_element(p.times));
      if (p.times.size() >= 20) {
        EXPECT_EQ(of(r, "range.host_quantile_ns", path, "p95"), quantile(p.times, 0.95));
      }
      double gpu = 0, idle = 0;
      const Intervals projected = merge(p.projected);
      for (const auto& [device, work] : p.gpu) gpu += static_cast<double>(union_of(work));
      for (const auto& [device, work] : devices)
        idle += static_cast<double>(assay::measure(subtract(projected, merge(work))));
      EXPECT_NEAR(of(r, "range.gpu_ns", path), gpu / n, 1e-9);
      EXPECT_NEAR(of(r, "range.idle_ns", path), idle / static_cast<double>(devices.size()) / n, 1e-9);
      const double used = std::max(1.0, static_cast<double>(p.gpu.size()));
      EXPECT_NEAR(of(r, "range.busy_ratio", path), gpu / used / static_cast<double>(assay::measure(projected)), 1e-12);
      double kernels = 0, launches = 0;
      for (const PlainWork& w : plain.work) kernels += w.kernel && p.calls.contains(w.call) ? 1 : 0;
      for (const std::size_t c : p.calls) launches += plain.calls[c].launch ? 1 : 0;
      EXPECT_NEAR(of(r, "range.kernels", path), kernels / n, 1e-9);
      EXPECT_NEAR(of(r, "range.launches", path), launches / n, 1e-9);
      ++paths;
      handed_over += p.by_time ? 0 : 1;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(paths, 3000U);
  EXPECT_GT(handed_over, 30U) << "paths that overlap on two threads are among them";
}

// ASSAY_RANGES=5000000 takes as many; prints time of the processor and memory per range.
TEST(Ranges, AMillionNestedAThousandDeepTakeLittleTimeAndMemory) {
  const char* more = std::getenv("ASSAY_RANGES");
  const std::size_t count = more != nullptr ? std::strtoull(more, nullptr, 10) : 1'000'000;
  constexpr std::size_t kDepth = 1000, kNames = 4096;
  std::vector<std::string> texts{""};
  for (std::size_t n = 0; n < kNames; ++n) texts.push_back("layer_" + std::to_string(n));
  std::vector<Str> strings(texts.begin(), texts.end());
  std::vector<std::int64_t> start, end;
  std::vector<StringId> name, domain(count, 0);
  std::vector<std::uint32_t> thread(count, 0);
  std::vector<std::uint8_t> open(count, 0);
  std::vector<Row> parent;
  std::vector<std::int32_t> depth;
  for (std::size_t r = 0; r < count; ++r) {  // stacks of ranges, each in the one before it
    const auto stack = static_cast<std::int64_t>(r / kDepth), level = static_cast<std::int64_t>(r % kDepth);
    start.push_back(stack * 10'000 + level);
    end.push_back(stack * 10'000 + 9'000 - level);
    name.push_back(static_cast<StringId>(1 + r % kNames));
    parent.push_back(level == 0 ? kNone : static_cast<Row>(r - 1));
    depth.push_back(static_cast<std::int32_t>(level));
  }
  const auto column = [](const auto& cells) {
    return Column<std::remove_cvref_t<decltype(cells[0])>>{cells.data(), cells.size()};
  };
  RangeTable table;
  table.rows = count;
  table.start = column(start);
  table.end = column(end);
  table.name = column(name);
  table.domain = column(domain);
  table.thread = column(thread);
  table.end_thread = column(thread);
  table.open = column(open);
  table.parent = column(parent);
  table.depth = column(depth);
  ReportBuilder b;
  b.call(CallKind::kOther, 0, end.front());
  Report report = b.build();
  report.ranges = &table;
  report.strings = column(strings);
  const auto peak = [] {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_maxrss) * 1024;
  };
  const double before = peak();
  const std::clock_t begin = std::clock();
  const Recorder r = analyzed(report);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double bytes = (peak() - before) / static_cast<double>(count);
  std::cout << "  " << count << " ranges: " << seconds << " s, " << bytes << " bytes per range beyond the report\n";
  EXPECT_EQ(of(r, "range.count", "layer_{i}"), static_cast<double>(count / kDepth));
  EXPECT_EQ(of(r, "range.host_ns", "layer_{i}/layer_{i}"), 8998);
  EXPECT_EQ(r.issues.at(0).name, "deep_ranges");
  EXPECT_EQ(r.issues[0].count, static_cast<std::int64_t>(count / kDepth * (kDepth - 64)));
  EXPECT_LT(seconds, 2e-6 * static_cast<double>(count)) << "a second for a million was seen on a busy machine";
  EXPECT_LT(bytes, 100);
}

// Real profiles. Numbers: SQL and Python over the same files.

TEST(RangesReal, PhasesOfAServer) {
  ASSAY_REAL_FILE(file, "serve", "node_level/graph_bs1.sqlite");
  const RealReport real(descriptor, *file, "", "");
  const Recorder r = analyzed(real.report());
  const std::string decode = "request_{i}/decode_{i}";
  EXPECT_EQ(of(r, "range.count", decode), 144);
  EXPECT_EQ(of(r, "range.host_ns", decode), 1123604);
  EXPECT_NEAR(of(r, "range.host_quantile_ns", decode, "p95"), 1217232, 1);
  EXPECT_NEAR(of(r, "range.host_quantile_ns", decode, "p99"), 1398322, 1);
  EXPECT_NEAR(of(r, "range.gpu_ns", decode) * 144, 94823232, 1e-3);
  EXPECT_NEAR(of(r, "range.idle_ns", decode) * 144, 64230668, 1e-3);
  EXPECT_EQ(of(r, "range.kernels", decode), 223) << "nodes of a graph are of its launch";
  EXPECT_EQ(of(r, "range.launches", decode), 1);
  EXPECT_EQ(of(r, "range.kernels", "request_{i}/prefill"), 199);
  EXPECT_EQ(of(r, "range.step_ratio", decode), 1) << "they are the steps, of which requests hold several";
}

TEST(RangesReal, TheBackwardPassOfAnotherThread) {
  ASSAY_REAL_FILE(file, "examples", "transformer/small_training_step_ctx512.sqlite");
  const RealReport real(descriptor, *file, "", "step_{i}");
  const Recorder r = analyzed(real.report());
  double forward = 0, backward = 0;  // as kernel_breakdown counts them, by name and not by path
  for (const auto& fact : r.facts) {
    if (fact.metric != "range.kernels") continue;
    const double count = fact.value * *r.value("range.count", fact.dims);
    if (fact.dims.ends_with("/forward")) forward += count;  // of warm-up steps too
    if (fact.dims.ends_with("/backward")) backward += count;
  }
  EXPECT_EQ(forward, 4095);
  EXPECT_EQ(backward, 7306);
}

}  // namespace ranges_test
}  // namespace assay
