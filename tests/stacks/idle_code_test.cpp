// Functions that the device waits for: exact by a real trace, and by samples of it, whose bounds hold.
#include <iostream>
#include <map>
#include <random>

#include "../../plugins/stacks/idle_stacks.hpp"
#include "../plugins/real_report.hpp"
#include "algo/functions/functions.hpp"
#include "assay/algo/steps.hpp"
#include "assay/detail/column_of.hpp"
#include "assay/detail/stack_tables.hpp"
#include "assay/testing/run_analyzer.hpp"
#include "support/test.hpp"

extern "C" const assay::Descriptor assay_plugin;

namespace assay::idle_code_test {

using namespace testing;
using stacks::IdleCode;
using stacks::IdleFunction;

std::map<std::string, IdleFunction> by_name(const IdleCode& code) {
  std::map<std::string, IdleFunction> out;
  for (const IdleFunction& one : code.functions) out.emplace(one.text, one);
  return out;
}

/// The report with samples of its Python functions instead of them.
class SampledReport {
 public:
  SampledReport(const Report& exact, const functions::Functions& functions, std::int64_t period, std::uint64_t seed)
      : report_(exact) {
    std::mt19937_64 random(seed);
    const step::Steps steps = step::steps_of(exact);
    const std::uint32_t thread = steps.kept.front().thread;
    stack_tables::StackTree tree;
    std::map<StringId, std::int64_t> frame_of;
    const std::function<std::int64_t(Row)> stack_of = [&](Row row) -> std::int64_t {
      if (row < 0) return kNone;
      const StringId name = exact.ops->name[row];
      const auto [frame, fresh] = frame_of.try_emplace(name, static_cast<std::int64_t>(names_.size()));
      if (fresh) names_.push_back(name);
      return tree.below(stack_of(functions.caller(row)), frame->second);
    };
    for (std::int64_t at =
             steps.span().start + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(period));
         at < steps.span().end; at += period) {
      functions.each_in(thread, {at, at + 1}, [&](Interval, Row row) {
        times_.push_back(at);
        threads_.push_back(thread);
        stacks_.push_back(stack_of(row));
      });
    }
    for (const auto& [parent, frame] : tree.nodes()) {
      parents_.push_back(parent);
      frames_.push_back(frame);
    }
    add_frames();
    report_.ops = nullptr;
    const auto integers = [](const char* name, const std::vector<std::int64_t>& cells) {
      return DeclaredColumn{.name = name,
                            .unit = {},
                            .of = {},
                            .kind = CellKind::kInteger,
                            .role = CellRole::kPlain,
                            .cells = cells.data()};
    };
    const auto texts = [](const char* name, const std::vector<StringId>& cells) {
      return DeclaredColumn{
          .name = name, .unit = {}, .of = {}, .kind = CellKind::kText, .role = CellRole::kPlain, .cells = cells.data()};
    };
    columns_[0] = {integers("time", times_), integers("thread", threads_), integers("stack", stacks_)};
    columns_[1] = {integers("parent", parents_), integers("frame", frames_)};
    columns_[2] = {texts("function", functions_), texts("file", files_), integers("line", lines_)};
    tables_[0] = {times_.size(), stack_tables::kSamples, {}, columns_[0]};
    tables_[1] = {parents_.size(), stack_tables::kStacks, {}, columns_[1]};
    tables_[2] = {functions_.size(), stack_tables::kFrames, {}, columns_[2]};
    for (const DeclaredTable& table : tables_) pointers_.push_back(&table);
    report_.declared = detail::column_of(pointers_);
  }
  SampledReport(const SampledReport&) = delete;
  SampledReport& operator=(const SampledReport&) = delete;
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  /// Functions of the trace by name, file and line; texts are interned behind those of the report.
  void add_frames() {
    texts_.assign(report_.strings.begin(), report_.strings.end());
    for (const StringId name : names_) {
      const functions::FunctionName read = functions::read_function_name(report_.string(name));
      for (auto [cells, text] : {std::pair(&functions_, read.function), std::pair(&files_, read.file)}) {
        cells->push_back(static_cast<StringId>(texts_.size()));
        texts_.emplace_back(text);
      }
      lines_.push_back(read.line);
    }
    report_.strings = detail::column_of(texts_);
  }

  Report report_;
  std::vector<StringId> names_, functions_, files_;
  std::vector<std::int64_t> times_, threads_, stacks_, parents_, frames_, lines_;
  std::vector<Str> texts_;
  std::vector<DeclaredColumn> columns_[3];
  DeclaredTable tables_[3];
  std::vector<const DeclaredTable*> pointers_;
};

TEST(IdleCode, IsExactInATraceWithStacks) {
  ASSAY_REAL_FILE(file, "stacks", "stacks/stacks.pt.trace.json.gz");
  const RealReport real(assay_plugin, *file, "", "");
  const IdleCode code = stacks::idle_code_of(real.report());
  ASSERT_TRUE(code.exact);
  const auto functions = by_name(code);
  EXPECT_NEAR(functions.at("read_rows (stacks.py:9)").time, 4.0e6, 0.04e6);
  EXPECT_NEAR(functions.at("tokenize (stacks.py:8)").time, 2.0e6, 0.02e6);
  EXPECT_NEAR(functions.at("log_metrics (stacks.py:11)").time, 1.0e6, 0.01e6);
  EXPECT_FALSE(functions.contains("spin (stacks.py:4)")) << "their helper";
  EXPECT_EQ(code.functions.front().text, "read_rows (stacks.py:9)");
  EXPECT_EQ(code.stacks.front().text,
            "module code (stacks.py:29);step (stacks.py:20);load_batch (stacks.py:10);"
            "read_rows (stacks.py:9);spin (stacks.py:4)");
  double stacks = 0;
  for (const auto& stack : code.stacks) stacks += stack.time;
  double sum = 0;
  for (const auto& one : code.functions) sum += one.time;
  EXPECT_NEAR(stacks, sum, 1);
  EXPECT_LE(sum, code.idle + 1);
}

TEST(IdleCode, BoundsOfSamplesHoldInNineteenOfTwenty) {
  ASSAY_REAL_FILE(file, "stacks", "stacks/stacks.pt.trace.json.gz");
  const RealReport real(assay_plugin, *file, "", "");
  const Report& report = real.report();
  const auto truth = by_name(stacks::idle_code_of(report));
  const functions::Functions functions(report);
  std::size_t held = 0, all = 0, narrow = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SampledReport sampled(report, functions, 2'000'000, seed);
    const IdleCode code = stacks::idle_code_of(sampled.report());
    ASSERT_FALSE(code.exact);
    const auto found = by_name(code);
    for (const char* name : {"read_rows (stacks.py:9)", "tokenize (stacks.py:8)", "log_metrics (stacks.py:11)"}) {
      ++all;
      const auto one = found.find(name);
      const double time = truth.at(name).time;
      if (one == found.end()) continue;
      held += one->second.low <= time && time <= one->second.high ? 1U : 0U;
      narrow += one->second.high - one->second.low < 3e6 ? 1U : 0U;
    }
  }
  std::cout << "  bounds hold in " << held << " of " << all << ", narrow in " << narrow << "\n";
  EXPECT_EQ(all, 600U);
  EXPECT_GE(static_cast<double>(held), 0.95 * static_cast<double>(all));
  EXPECT_GE(static_cast<double>(narrow), 0.9 * static_cast<double>(all)) << "bounds that leave all open hold always";
}

TEST(IdleCode, SaysThatSamplesHaveNoFramesOfPython) {
  ASSAY_REAL_FILE(file, "stacks", "stacks/full.sqlite");
  const RealReport real(assay_plugin, *file, "", "");
  const IdleCode code = stacks::idle_code_of(real.report());
  EXPECT_TRUE(code.functions.empty());
  EXPECT_FALSE(code.lack.empty());
  EXPECT_EQ(real.report().table("samples")->rows, 172U);
}

TEST(ShareBounds, AreThoseOfWilson) {
  const stacks::ShareBounds half = stacks::share_bounds(50, 100), none = stacks::share_bounds(0, 100),
                            empty = stacks::share_bounds(0, 0);
  EXPECT_NEAR(half.low, 0.4038, 1e-4);
  EXPECT_NEAR(half.high, 0.5962, 1e-4);
  EXPECT_NEAR(none.low, 0, 1e-12);
  EXPECT_NEAR(none.high, 0.0370, 1e-4);
  EXPECT_EQ(empty.low, 0);
  EXPECT_EQ(empty.high, 1);
}

}  // namespace assay::idle_code_test
