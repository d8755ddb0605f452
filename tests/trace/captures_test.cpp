// Kernels of graphs and the operators of their capture: exact by order and name, or refused.
#include <algorithm>
#include <map>

#include "made_trace.hpp"
#include "support/check.hpp"
#include "support/real_data.hpp"

namespace assay {
namespace captures_test {

/// A trace from events, one "X" each.
class Events {
 public:
  Events& add(const std::string& category, const std::string& name, double start, double length,
              const std::string& args = "") {
    text_ += (text_.empty() ? "" : ",\n");
    text_ += R"({"ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":1,"tid":)" +
             (category == "kernel" ? "7" : "1") + R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" +
             std::to_string(length) + R"(,"args":{)" + args + "}}";
    return *this;
  }
  [[nodiscard]] std::string trace() const { return R"({"schemaVersion":1,"traceEvents":[)" + text_ + "]}"; }

 private:
  std::string text_;
};

/// A capture of `kernels`: each launched by an operator of its own, below one module, with a shape.
std::string capture_of(const std::vector<std::string>& kernels, const std::string& shape = "[[32,8]]",
                       const std::string& name = "capture_32_FULL") {
  Events events;
  events.add("user_annotation", name, 0, 1000, R"("External id":900)");
  events.add("cuda_runtime", "hipStreamBeginCapture", 5, 1, R"("correlation":1)");
  events.add("python_function", "nn.Module: Block_0", 8, 900, R"("Python id":1,"Python module id":0)");
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const double at = 10 + 20 * static_cast<double>(k);
    const std::string id = std::to_string(100 + k);
    events.add("cpu_op", "op_" + std::to_string(k), at, 15, R"("External id":)" + id + R"(,"Input Dims":)" + shape);
    events.add("cuda_runtime", "hipLaunchKernel", at + 2, 5,
               R"("External id":)" + id + R"(,"correlation":)" + id + R"(,"kernel":")" + kernels[k] + R"(")");
  }
  events.add("cuda_runtime", "hipStreamEndCapture", 950, 1, R"("correlation":2)");
  return events.trace();
}

/// Launches of graphs, each of some kernels, in one annotation.
std::string replay_of(const std::vector<std::vector<std::string>>& launches,
                      const std::string& around = "step[DECODE bs=32]") {
  Events events;
  events.add("user_annotation", around, 0, 10000, R"("External id":1)");
  for (std::size_t l = 0; l < launches.size(); ++l) {
    const double at = 100 + 1000 * static_cast<double>(l);
    const std::string correlation = R"("correlation":)" + std::to_string(50 + l);
    events.add("cpu_op", "replay", at, 30, R"("External id":)" + std::to_string(10 + l));
    events.add("cuda_runtime", "hipGraphLaunch", at + 5, 10, correlation);
    for (std::size_t k = 0; k < launches[l].size(); ++k)
      events.add("kernel", launches[l][k], at + 50 + 10 * static_cast<double>(k), 8,
                 correlation + R"(,"device":0,"stream":7)");
  }
  return events.trace();
}

class JoinedTrace {
 public:
  JoinedTrace(const std::string& replay, const std::vector<std::string>& captures) {
    const auto file = folder_.write(replay);
    std::vector<std::filesystem::path> companions;
    for (const std::string& capture : captures)
      companions.push_back(folder_.write(capture, "capture_" + std::to_string(companions.size()) + ".pt.trace.json"));
    load(file, companions);
  }
  JoinedTrace(const std::filesystem::path& replay, const std::filesystem::path& capture) { load(replay, {capture}); }

  [[nodiscard]] const Report& report() const { return view_->report(); }
  /// Name of the operator of a kernel; empty: none.
  [[nodiscard]] std::string_view op_of(std::size_t kernel) const {
    const Row op = report().kernels->op[kernel];
    return op < 0 ? std::string_view() : report().string(report().ops->name[op]);
  }
  [[nodiscard]] std::optional<std::int64_t> issue(std::string_view name) const {
    const IssueTable& issues = *report().issues;
    for (std::size_t i = 0; i < issues.rows; ++i) {
      if (issues.name[i] == name) return issues.count[i];
    }
    return std::nullopt;
  }

 private:
  void load(const std::filesystem::path& file, const std::vector<std::filesystem::path>& companions) {
    const std::set<ColumnId> wanted = {col::kernels, col::kernel_name, col::kernel_op,     col::calls,
                                       col::call_op, col::ops,         col::op_python_ids, col::op_inputs};
    auto profile =
        require(load_profile({file, kind::kTorch}, file.filename().string(), wanted, 2, Reader::kDirect, companions));
    profile_.emplace(std::move(*profile));
    auto view = require(profile_->view({}, {}));
    view_.emplace(std::move(*view));
  }

  TraceFolder folder_;
  std::optional<Profile> profile_;
  std::optional<Profile::View> view_;
};

TEST(Captures, GiveReplayedKernelsTheirOperatorsWithShapesAndModules) {
  const JoinedTrace joined(replay_of({{"a", "b", "a"}, {"a", "b", "a"}}), {capture_of({"a", "b", "a"})});
  const Report& report = joined.report();
  ASSERT_EQ(report.kernels->rows, 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(joined.op_of(k), "op_" + std::to_string(k % 3));
    const Row op = report.kernels->op[k], module = report.ops->parent[op];
    EXPECT_EQ(report.string(report.ops->input_dims[op]), "[[32,8]]");
    EXPECT_EQ(report.string(report.ops->name[module]), "nn.Module: Block_0");
    EXPECT_EQ(report.string(report.ops->name[report.ops->parent[module]]), "replay") << "the operator that launches";
    EXPECT_EQ(report.ops->start[op], report.ops->end[op]) << "the host did not run it again";
  }
  EXPECT_NE(report.kernels->op[0], report.kernels->op[3]) << "each replay has its own";
  EXPECT_EQ(joined.issue("graph_capture"), 6);
  EXPECT_EQ(joined.issue("graph_capture_refused"), std::nullopt);
}

TEST(Captures, KeepTheRowsOfTheProfileInTheirPlaces) {
  const JoinedTrace joined(replay_of({{"a"}, {"a"}}), {capture_of({"a"})});
  const OpTable& ops = *joined.report().ops;
  EXPECT_TRUE(std::ranges::is_sorted(ops.start.view()));
  std::size_t replays = 0;
  for (std::size_t c = 0; c < joined.report().calls->rows; ++c) {
    const Row op = joined.report().calls->op[c];
    replays += op >= 0 && joined.report().string(ops.name[op]) == "replay" ? 1U : 0U;
  }
  EXPECT_EQ(replays, 2U);
}

TEST(Captures, WhoseNamesOrNumberDifferAreRefused) {
  for (const std::vector<std::string>& kernels :
       {std::vector<std::string>{"a", "c"}, std::vector<std::string>{"a"}, std::vector<std::string>{"b", "a"}}) {
    const JoinedTrace joined(replay_of({{"a", "b"}}), {capture_of(kernels)});
    EXPECT_EQ(joined.op_of(0), "replay");
    EXPECT_EQ(joined.issue("graph_capture_refused"), 2);
    EXPECT_EQ(joined.issue("graph_capture"), std::nullopt);
  }
}

TEST(Captures, OfAnotherBatchSizeAreToldApartByTheRangesAroundTheLaunch) {
  const std::string other = capture_of({"a", "b"}, "[[64,8]]", "capture_64_FULL");
  const JoinedTrace joined(replay_of({{"a", "b"}}), {other, capture_of({"a", "b"})});
  const Report& report = joined.report();
  EXPECT_EQ(report.string(report.ops->input_dims[report.kernels->op[0]]), "[[32,8]]");
  const JoinedTrace unknown(replay_of({{"a", "b"}}, "step"), {other, capture_of({"a", "b"})});
  EXPECT_EQ(unknown.issue("graph_capture_refused"), 2) << "both fit and differ in shapes";
}

/// Counted beside in Python: every kernel of the graph in order and by name, with its operator by External id.
TEST(Captures, OfServersFitToTheLastKernel) {
  struct Pair {
    const char *replay, *capture;
    std::int64_t kernels;
  };
  for (const auto& [replay, capture, kernels] :
       {Pair{"vllm_decode_full/graph_execution.json.gz",
             "vllm_decode_full/capture_traces/graph_capture_rank_0.1773709742341309550.pt.trace.json.gz", 421},
        Pair{"sglang_decode/sglang_Qwen3-8B_decode.json.gz", "sglang_decode/capture_traces/bs_32_rank0.json.gz",
             544}}) {
    const auto file = data_file("inference", replay), beside = data_file("inference", capture);
    if (!file || !beside) GTEST_SKIP() << "no ASSAY_DATA";
    const JoinedTrace joined(*file, *beside);
    EXPECT_EQ(joined.issue("graph_capture"), kernels);
    EXPECT_EQ(joined.issue("graph_capture_refused"), std::nullopt);
    double all = 0, without = 0;
    const KernelTable& table = *joined.report().kernels;
    for (std::size_t k = 0; k < table.rows; ++k) {
      const auto time = static_cast<double>(table.end[k] - table.start[k]);
      all += time, without += table.op[k] < 0 ? time : 0;
    }
    EXPECT_LE(without, 0.01 * all);
  }
}

}  // namespace captures_test
}  // namespace assay
