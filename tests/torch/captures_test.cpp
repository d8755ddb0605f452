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
  explicit JoinedTrace(const std::filesystem::path& both) { load(both, {}); }

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

TEST(Captures, AreRefusedIfNamesOrNumberOfKernelsDiffer) {
  for (const std::vector<std::string>& kernels :
       {std::vector<std::string>{"a", "c"}, std::vector<std::string>{"a"}, std::vector<std::string>{"b", "a"}}) {
    const JoinedTrace joined(replay_of({{"a", "b"}}), {capture_of(kernels)});
    EXPECT_EQ(joined.op_of(0), "replay");
    EXPECT_EQ(joined.issue("graph_capture_refused"), 2);
    EXPECT_EQ(joined.issue("graph_capture"), std::nullopt);
  }
}

TEST(Captures, AreDistinguishedByRangesAroundTheLaunch) {
  const std::string other = capture_of({"a", "b"}, "[[64,8]]", "capture_64_FULL");
  const JoinedTrace joined(replay_of({{"a", "b"}}), {other, capture_of({"a", "b"})});
  const Report& report = joined.report();
  EXPECT_EQ(report.string(report.ops->input_dims[report.kernels->op[0]]), "[[32,8]]");
  const JoinedTrace unknown(replay_of({{"a", "b"}}, "step"), {other, capture_of({"a", "b"})});
  EXPECT_EQ(unknown.issue("graph_capture_refused"), 2) << "both fit and differ in shapes";
}

/// As CUDA is traced: launches of a capture name no kernel, and operators ran before, each with the kernels `ran`.
std::string unnamed_capture(const std::vector<std::string>& ops, const std::vector<std::string>& ran = {},
                            const std::string& shape = R"(,"Input Dims":[[32,8]])") {
  Events events;
  int id = 100;
  const auto launch = [&](const std::string& op, double at) {
    const std::string number = std::to_string(++id);
    events.add("cpu_op", op, at, 15, R"("External id":)" + number + shape);
    events.add("cuda_runtime", "cudaLaunchKernel", at + 2, 5, R"("correlation":)" + number);
    return R"("device":0,"stream":7,"correlation":)" + number;
  };
  for (std::size_t k = 0; k < ran.size(); ++k) {
    const double at = 10 + 20 * static_cast<double>(k);
    events.add("kernel", ran[k], at + 10, 5, launch(ops[k], at));
  }
  events.add("cuda_runtime", "cudaStreamBeginCapture", 1000, 1, R"("correlation":1)");
  for (std::size_t k = 0; k < ops.size(); ++k) launch(ops[k], 1010 + 20 * static_cast<double>(k));
  events.add("cuda_runtime", "cudaStreamEndCapture", 1950, 1, R"("correlation":2)");
  return events.trace();
}

TEST(Captures, WithoutNamesFitByOrderWhereOperatorsLaunchTheSameElsewhere) {
  const JoinedTrace joined(replay_of({{"a", "b", "a"}}), {unnamed_capture({"x", "y", "x"}, {"a", "b"})});
  EXPECT_EQ(joined.issue("graph_capture"), 3);
  EXPECT_EQ(joined.op_of(0), "x");
  EXPECT_EQ(joined.op_of(1), "y");
  EXPECT_EQ(joined.op_of(2), "x");
}

TEST(Captures, WithoutNamesAreRefusedWhereAnythingSpeaksAgainstTheOrder) {
  const std::vector<std::string> ops = {"x", "y", "x"};
  const auto refused = [](const std::vector<std::string>& kernels, const std::string& capture) {
    const JoinedTrace joined(replay_of({kernels}), {capture});
    EXPECT_EQ(joined.issue("graph_capture"), std::nullopt);
    EXPECT_EQ(joined.op_of(0), "replay");
    return joined.issue("graph_capture_refused");
  };
  EXPECT_EQ(refused({"a", "b"}, unnamed_capture(ops)), 2) << "two kernels of three launches";
  EXPECT_EQ(refused({"a", "b", "c"}, unnamed_capture(ops)), 3) << "x launches a and c";
  EXPECT_EQ(refused({"a", "b", "a"}, unnamed_capture(ops, {"a", "c"})), 3) << "y launched c before";
  EXPECT_EQ(refused({"a", "b", "a"}, unnamed_capture(ops, {}, "")), 3) << "without shapes operators say too little";
  std::string streams = replay_of({{"a", "b", "a"}});
  const std::string stream = R"("stream":7)";
  streams.replace(streams.rfind(stream), stream.size(), R"("stream":8)");
  EXPECT_EQ(JoinedTrace(streams, {unnamed_capture(ops)}).issue("graph_capture_refused"), 3) << "several streams";
}

TEST(Captures, NeedNoOtherFileIfInTheSameFile) {
  ASSAY_REAL_FILE(file, "serve", "capture_inside.pt.trace.json.gz");
  const JoinedTrace joined(*file);
  EXPECT_EQ(joined.issue("graph_capture"), 32 * 223) << "counted in Python";
  EXPECT_EQ(joined.issue("graph_capture_refused"), std::nullopt);
  std::map<std::string_view, std::size_t> counts;
  const Report& report = joined.report();
  for (std::size_t k = 0; k < report.kernels->rows; ++k) {
    const Row call = report.kernels->call[k];
    if (call >= 0 && report.calls->kind[call] == CallKind::kGraphLaunch) ++counts[joined.op_of(k)];
  }
  EXPECT_EQ(counts["aten::mm"], 32U * 61);
  EXPECT_EQ(counts["aten::_cudnn_attention_forward"], 32U * 24);
  EXPECT_EQ(counts["aten::where"], 32U * 12);
  EXPECT_EQ(counts.size(), 14U);
}

/// The same server without graphs, which nobody takes for its capture unasked.
TEST(Captures, ARunWithoutGraphsLendsItsOperatorsWhereItIsGiven) {
  const auto file = data_file("serve", "torch/graph_bs1.pt.trace.json.gz"),
             eager = data_file("serve", "torch/eager_bs1.pt.trace.json.gz");
  if (!file || !eager) GTEST_SKIP() << "no ASSAY_DATA";
  const JoinedTrace alone(*file);
  EXPECT_EQ(alone.issue("graph_capture"), std::nullopt);
  EXPECT_EQ(alone.issue("graph_capture_missing"), 72 * 223) << "which offers the run without graphs";
  const JoinedTrace joined(*file, *eager);
  EXPECT_EQ(joined.issue("graph_capture"), 72 * 223) << "counted in Python";
  EXPECT_EQ(joined.issue("graph_capture_missing"), std::nullopt);
  EXPECT_EQ(joined.issue("graph_capture_refused"), std::nullopt);
}

/// Counted beside in Python: every kernel of the graph in order and by name, with its operator by External id.
TEST(Captures, FitServersToTheLastKernel) {
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
      all += time;
      without += table.op[k] < 0 ? time : 0;
    }
    EXPECT_LE(without, 0.01 * all);
  }
}

}  // namespace captures_test
}  // namespace assay
