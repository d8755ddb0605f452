#include <list>

#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay {
namespace memory_test {

using testing::ReportBuilder;
using under_test::memory::analyzed;
using under_test::memory::concluded;

using Cells = std::vector<std::int64_t>;

/// A report of a memory snapshot: allocations by their begin and end (kNone: not in the history) in ns.
class MadeMemory {
 public:
  /// Frames from the innermost out, "file:function"; returns the row of the stack.
  std::int64_t stack(const std::vector<std::string>& frames) {
    std::int64_t parent = kNone;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      const std::size_t colon = frame->find(':');
      parents_.push_back(parent);
      lines_.push_back(static_cast<std::int64_t>(lines_.size()) + 1);
      files_.push_back(text(frame->substr(0, colon)));
      functions_.push_back(text(frame->substr(colon + 1)));
      parent = static_cast<std::int64_t>(parents_.size()) - 1;
    }
    return parent;
  }
  void allocate(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t stack = kNone) {
    rows_.push_back({size, begin, end, stack});
  }
  void annotate(const std::string& name, std::int64_t begin, std::int64_t end) {
    marks_.push_back({text(name), begin, end});
  }
  testing::Recorder analyze() {
    std::ranges::stable_sort(rows_, {}, &Row::begin);
    add_changes();
    Report report = builder_.build();
    add_texts(report);
    Cells begin, end, size, requested, stack, zero, mark_begin, mark_end;
    for (const Row& row : rows_) {
      begin.push_back(std::max<std::int64_t>(row.begin, 0));
      end.push_back(row.end == kNone ? 1000 : row.end);
      size.push_back(row.size);
      requested.push_back(row.size - 1);
      stack.push_back(row.stack);
      zero.push_back(0);
    }
    for (const Mark& mark : marks_) {
      mark_begin.push_back(mark.begin);
      mark_end.push_back(mark.end);
    }
    std::vector<StringId> names;
    for (const Mark& mark : marks_) names.push_back(mark.name);
    table("memory_allocations", rows_.size(),
          {{"begin", &begin},
           {"end", &end},
           {"size", &size},
           {"requested", &requested},
           {"stack", &stack},
           {"device", &zero},
           {"allocated_by", &by_},
           {"freed_by", &freed_}});
    table("memory_annotations", marks_.size(), {{"begin", &mark_begin}, {"end", &mark_end}}, {{"name", &names}});
    table("memory_stacks", parents_.size(), {{"parent", &parents_}, {"line", &lines_}},
          {{"function", &functions_}, {"file", &files_}});
    report.declared = {pointers_.data(), pointers_.size()};
    return analyzed(report);
  }

 private:
  struct Row {
    std::int64_t size, begin, end, stack;
  };
  struct Mark {
    StringId name;
    std::int64_t begin, end;
  };
  struct Change {
    std::int64_t time, bytes;
    std::size_t row;
  };

  StringId text(const std::string& text) {
    texts_.push_back(text);
    return static_cast<StringId>(texts_.size());
  }
  /// Those of the builder come first.
  void add_texts(Report& report) {
    strings_.assign(report.strings.begin(), report.strings.end());
    const auto first = static_cast<StringId>(strings_.size()) - 1;
    for (const std::string& text : texts_) strings_.emplace_back(text);
    for (auto* ids : {&functions_, &files_}) {
      for (StringId& id : *ids) id += first;
    }
    for (Mark& mark : marks_) mark.name += first;
    report.strings = {strings_.data(), strings_.size()};
  }
  void add_changes() {
    std::vector<Change> changes;
    std::int64_t allocated = 0;
    by_.assign(rows_.size(), kNone);
    freed_.assign(rows_.size(), kNone);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].begin == kNone) allocated += rows_[r].size;
      if (rows_[r].begin != kNone) changes.push_back({rows_[r].begin, rows_[r].size, r});
      if (rows_[r].end != kNone) changes.push_back({rows_[r].end, -rows_[r].size, r});
    }
    std::ranges::stable_sort(changes, {}, &Change::time);
    for (std::size_t c = 0; c < changes.size(); ++c) {
      const Change& change = changes[c];
      allocated += change.bytes;
      (change.bytes > 0 ? by_ : freed_)[change.row] = static_cast<std::int64_t>(c);
      builder_.allocation(change.bytes, change.time, {.device = 0, .allocated = allocated, .reserved = 4000});
    }
  }
  void table(const char* name, std::size_t rows, const std::vector<std::pair<const char*, Cells*>>& integers,
             const std::vector<std::pair<const char*, std::vector<StringId>*>>& texts = {}) {
    auto& columns = columns_.emplace_back();
    for (const auto& [column, cells] : integers)
      columns.push_back({column, "", "", CellKind::kInteger, CellRole::kPlain, kept_.emplace_back(*cells).data(), {}});
    for (const auto& [column, cells] : texts)
      columns.push_back(
          {column, "", "", CellKind::kText, CellRole::kPlain, texts_kept_.emplace_back(*cells).data(), {}});
    pointers_.push_back(&tables_.emplace_back(DeclaredTable{rows, name, name, columns}));
  }

  ReportBuilder builder_;
  std::vector<Row> rows_;
  std::vector<Mark> marks_;
  Cells parents_, lines_, by_, freed_;
  std::vector<StringId> functions_, files_;
  std::list<std::string> texts_;
  std::vector<Str> strings_;
  std::list<Cells> kept_;
  std::list<std::vector<StringId>> texts_kept_;
  std::list<std::vector<DeclaredColumn>> columns_;
  std::list<DeclaredTable> tables_;
  std::vector<const DeclaredTable*> pointers_;
};

std::int64_t of(const testing::Recorder& r, const std::string& metric, const std::string& dims = {}) {
  return static_cast<std::int64_t>(r.value(metric, dims).value_or(-1));
}
std::int64_t of_class(const testing::Recorder& r, const std::string& name) {
  return of(r, "memory.class_bytes", "class=" + name);
}

/// Four steps of training of 100 ns from 100 on: forward, backward from 41 on, the optimizer from 80 on, 16 bytes kept.
class Training : public ::testing::Test {
 protected:
  Training() {
    const std::string module = "site-packages/torch/nn/modules/module.py:_call_impl";
    const auto setup = made_.stack({"module.py:_apply", "train.py:<module>"});
    forward_ = made_.stack(
        {"site-packages/torch/nn/modules/linear.py:forward", module, "train.py:forward", module, "train.py:<module>"});
    const auto again =
        made_.stack({"train.py:forward", module, "site-packages/torch/utils/checkpoint.py:recompute_fn"});
    const auto update = made_.stack({"site-packages/torch/optim/adam.py:step", "train.py:<module>"});
    keeper_ = made_.stack({"train.py:log"});
    const auto input = made_.stack({"train.py:load"});
    made_.allocate(1000, 50, kNone, setup);
    for (std::int64_t step = 0; step < 4; ++step) {
      const std::int64_t t = 100 + 100 * step;
      made_.annotate("Optimizer.step#Adam.step", t + 80, t + 90);
      made_.allocate(10, t, t + 95, input);
      made_.allocate(200, t + 10, t + 60, forward_);
      made_.allocate(30, t + 20, t + 30, forward_);
      made_.allocate(40, t + 41, t + 50);
      made_.allocate(300, t + 55, t + 93);
      made_.allocate(70, t + 65, t + 70, again);
      if (step == 0) made_.allocate(2000, t + 81, kNone, update);
      made_.allocate(60, t + 82, t + 85, update);
      made_.allocate(16, t + 94, kNone, keeper_);
    }
  }
  MadeMemory made_;
  std::int64_t forward_ = kNone, keeper_ = kNone;
};

TEST_F(Training, PeakIsWhatWasAllocatedAtOnce) {
  const auto r = made_.analyze();
  // In the last backward: parameters, state, input, activations, gradients, and what three steps kept.
  EXPECT_EQ(of(r, "memory.peak_bytes"), 1000 + 2000 + 10 + 200 + 300 + 3 * 16);
  EXPECT_EQ(of(r, "memory.requested_bytes"), of(r, "memory.peak_bytes") - 8);
  EXPECT_EQ(of(r, "memory.before_bytes"), 0);
  EXPECT_EQ(of(r, "memory.reserved_bytes"), 4000);
  EXPECT_EQ(r.value("memory.fragmentation_ratio"), 1 - 3558.0 / 4000);
  EXPECT_TRUE(contains(*r.attribute_of("memory.answer"), "in step 3 (0 to 3)"));
}

TEST_F(Training, ClassesAreToldByPlaceAndLife) {
  const auto r = made_.analyze();
  EXPECT_EQ(of_class(r, "parameters"), 1000);
  EXPECT_EQ(of_class(r, "optimizer_state"), 2000);
  EXPECT_EQ(of_class(r, "gradients"), 300);
  EXPECT_EQ(of_class(r, "temporaries"), 0);
  EXPECT_EQ(of_class(r, "kept"), 48);
  EXPECT_EQ(of_class(r, "other"), 10);
  EXPECT_EQ(of_class(r, "activations"), 200);
  EXPECT_EQ(of(r, "memory.class_peak_bytes", "class=activations"), 200);
  EXPECT_EQ(of(r, "memory.class_peak_bytes", "class=temporaries"), 60);
}

TEST_F(Training, GrowthIsOfWhatEachStepLeavesAndNamesItsStack) {
  const auto r = made_.analyze();
  EXPECT_EQ(of(r, "memory.growth_bytes_per_step"), 16);
  EXPECT_EQ(r.fact_of("memory.growth_bytes_per_step")->samples, (std::vector<double>{16, 16}));
  const auto* growth = r.table_of("growth");
  ASSERT_NE(growth, nullptr);
  EXPECT_EQ(growth->column("stack")->texts, (std::vector<std::string>{"train.py:13 log"}));
  EXPECT_EQ(growth->column("per step")->numbers, (std::vector<double>{16}));
}

TEST_F(Training, StacksAndModulesAreNamedFromTheProgramsOwnFiles) {
  const auto r = made_.analyze();
  EXPECT_EQ(of(r, "memory.stack_bytes", "stack=adam.py:12 step < train.py:11 <module>"), 2000);
  const auto* modules = r.table_of("peak_modules");
  ASSERT_NE(modules, nullptr);
  EXPECT_EQ(modules->column("module")->texts.front(), "optimizer in train.py:11 <module>");
}

TEST_F(Training, PhasesBeginWithTheirFirstAllocation) {
  const auto r = made_.analyze();
  const auto samples = [&](const std::string& phase) {
    return r.fact_of("memory.phase_peak_bytes", "phase=" + phase)->samples;
  };
  EXPECT_EQ(samples("forward"), (std::vector<double>{1240, 3256, 3272, 3288}));
  EXPECT_EQ(samples("backward"), (std::vector<double>{1510, 3526, 3542, 3558}));
  EXPECT_EQ(samples("optimizer"), (std::vector<double>{3370, 3386, 3402, 3418}));
  EXPECT_EQ(of(r, "memory.phase_peak_bytes", "phase=backward"), of(r, "memory.peak_bytes"));
}

TEST_F(Training, NamedRangesHaveTheirPeaks) {
  made_.annotate("load 1", 100, 105);
  made_.annotate("load 2", 295, 309);
  const auto r = made_.analyze();
  // 1000 and the input; what step 1 leaves, before its gradients are freed, is not in the range.
  EXPECT_EQ(r.fact_of("memory.range_peak_bytes", "range=load {i}")->samples, (std::vector<double>{1010, 3042}));
  const auto* phases = r.table_of("peak_phases");
  ASSERT_NE(phases, nullptr);
  EXPECT_EQ(phases->column("phase")->texts,
            (std::vector<std::string>{"forward", "backward", "optimizer", "range load {i}"}));
}

/// Two steps of a trace: stacks are operators and modules, and no annotation says when an optimizer ran.
TEST(Memory, UsesOperatorsAndModulesAsStacksOfATrace) {
  MadeMemory made;
  const auto linear = made.stack({":aten::empty", ":aten::linear", ":nn.Module: Linear_3", "net.py:forward",
                                  ":nn.Module: Net_0", "train.py:<module>"});
  const auto backward =
      made.stack({":aten::empty", ":aten::mm", ":MmBackward0", ":autograd::engine::evaluate_function: MmBackward0"});
  made.allocate(1000, kNone, kNone);
  for (std::int64_t step = 0; step < 2; ++step) {
    const std::int64_t t = 100 * step;
    made.annotate("ProfilerStep#" + std::to_string(7 + step), t, t + 99);
    made.allocate(200, t + 10, t + 60, linear);
    made.allocate(50, t + 40, t + 70, backward);
    made.allocate(5, t + 80, t + 81);
  }
  const auto r = made.analyze();
  EXPECT_EQ(of(r, "memory.peak_bytes"), 1250);
  EXPECT_EQ(of_class(r, "activations"), 200);
  EXPECT_EQ(of_class(r, "temporaries"), 50) << "freed within the backward";
  EXPECT_EQ(of_class(r, "before_history"), 1000);
  EXPECT_EQ(of(r, "memory.stack_bytes", "stack=aten::linear < net.py:3 forward < train.py:1 <module>"), 200);
  EXPECT_EQ(of(r, "memory.stack_bytes", "stack=MmBackward0"), 50);
  const auto* modules = r.table_of("peak_modules");
  ASSERT_NE(modules, nullptr);
  EXPECT_EQ(modules->column("module")->texts,
            (std::vector<std::string>{"from before the history", "Net_0/Linear_3", "backward of MmBackward0"}));
  EXPECT_TRUE(contains(*r.attribute_of("memory.answer"), "in step 7 (7 to 8)"));
}

TEST(Memory, CountsEarlierBlocksInThePeak) {
  MadeMemory made;
  const auto here = made.stack({"a.py:f"});
  made.allocate(500, kNone, 100);
  made.allocate(50, kNone, kNone);
  made.allocate(7, 10, 20, here);
  made.allocate(700, 200, 300, here);
  const auto r = made.analyze();
  EXPECT_EQ(of(r, "memory.peak_bytes"), 750);
  EXPECT_EQ(of(r, "memory.before_bytes"), 550);
  EXPECT_EQ(of_class(r, "before_history"), 50);
  EXPECT_EQ(of(r, "memory.stack_bytes", "stack=from before the history"), 50);
  EXPECT_TRUE(contains(*r.skip_of("memory.growth_bytes_per_step"), "four steps"));
}

TEST(Memory, KnowsThePeakOfATraceButNotItsHolders) {
  ReportBuilder b;
  b.allocation(100, 10, {.device = 0, .allocated = 100, .reserved = 400});
  b.allocation(-100, 20, {.device = 0, .allocated = 0, .reserved = 400});
  const auto r = analyzed(b.build());
  EXPECT_EQ(of(r, "memory.peak_bytes"), 100);
  EXPECT_EQ(r.value("memory.fragmentation_ratio"), 0.75);
  EXPECT_TRUE(r.skip_of("memory.class_bytes, memory.stack_bytes").has_value());
}

TEST(Memory, WithoutAllocationsItSaysWhatWouldHaveThem) {
  ReportBuilder b;
  b.kernel("k", 0, 10);
  EXPECT_TRUE(contains(*analyzed(b.build()).skip_of("memory.*"), "profile_memory"));
}

TEST(Memory, TwoReportsAreHeldAgainstEachOtherByClassAndStack) {
  testing::StudyBuilder study;
  const auto report = [&](const char* path, double activations, double kept) {
    auto& entry = study.report(path);
    entry.attribute("memory.answer", "Memory peaks").fact("memory.history_ns", 100);
    entry.fact("memory.peak_bytes", activations + kept);
    entry.fact("memory.class_bytes", activations, "class=activations", {1, activations});
    entry.fact("memory.class_bytes", kept, "class=kept", {0, kept});
    entry.fact("memory.stack_bytes", kept, "stack=train.py:9 log");
  };
  report("a.pickle", 800, 16);
  report("b.pickle", 300, 96);
  const auto r = concluded(study.build());
  const auto* difference = r.table_of("difference");
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->column("name")->texts,
            (std::vector<std::string>{"activations", "peak", "kept", "train.py:9 log"}));
  EXPECT_EQ(difference->column("difference")->numbers, (std::vector<double>{-500, -420, 80, 80}));
  EXPECT_EQ(r.plots.size(), 2U);
}

/// Runs of both sides, by the label that `assay compare` sets.
TEST(Memory, SidesAreComparedAndTheRangeOfTheirRunsIsSaid) {
  testing::StudyBuilder study;
  study.label("side", std::vector<std::string>{"before", "after"});
  const auto report = [&](const char* path, const char* side, double activations) {
    auto& entry = study.report(path, {{"side", side}});
    entry.attribute("memory.answer", "Memory peaks").fact("memory.history_ns", 100);
    entry.fact("memory.peak_bytes", 1000 + activations);
    entry.fact("memory.class_bytes", 1000, "class=parameters", {1, 1000});
    entry.fact("memory.class_bytes", activations, "class=activations", {1, activations});
  };
  // By name the runs after come first.
  report("a.pickle", "after", 300);
  report("b.pickle", "after", 310);
  report("c.pickle", "before", 800);
  report("d.pickle", "before", 804);
  const auto r = concluded(study.build());
  const auto* classes = r.table_of("difference_classes");
  ASSERT_NE(classes, nullptr);
  EXPECT_EQ(classes->column("name")->texts, (std::vector<std::string>{"activations", "parameters"}));
  EXPECT_EQ(classes->column("before")->numbers, (std::vector<double>{802, 1000}));
  EXPECT_EQ(classes->column("difference")->numbers, (std::vector<double>{-497, 0}));
  EXPECT_EQ(classes->column("range of runs")->numbers, (std::vector<double>{10, 0}));
  ASSERT_NE(r.table_of("sections"), nullptr);
  const std::string headline = r.table_of("sections")->column("sentence")->texts.front();
  EXPECT_TRUE(contains(headline, "-497 B (-27.6 %)")) << headline;
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings.back().text, "By class: activations -497 B.");
}

}  // namespace memory_test
}  // namespace assay
