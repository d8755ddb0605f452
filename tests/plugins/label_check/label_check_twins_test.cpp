// Widths, depths and runs of the same labels: who lies, and who is spared.
#include <gtest/gtest.h>

#include "label_check_fixture.hpp"
#include "plugins/analyzers.hpp"
#include "support/check.hpp"

namespace assay::label_check_twins_test {

using under_test::label_check::concluded;

using namespace testing;

constexpr int kRows = 1576, kIterations = 12;

/// Runs of a model as their traces show them, under whatever names.
class Models {
 public:
  Models() {
    s.label("depth", StudyBuilder::kNumeric, kChangesKernels);
    s.label("dim", StudyBuilder::kNumeric, kChangesKernels);
  }

  struct Options {
    bool compiled = false;     ///< fused kernels: neither rows nor widths can be read off
    std::string variant = {};  ///< other kernels for the same work
    std::string machine = "NVIDIA H200";
    int rows = kRows;
  };

  void run(const std::string& path, int named_depth, int named_dim, int depth, int dim, const Options& o) {
    auto& report = s.report(path, {{"depth", std::to_string(named_depth)}, {"dim", std::to_string(named_dim)}});
    report.fact("iteration.count", kIterations).fact("graph.opaque_ratio", 0).attribute("label.machine", o.machine);
    report.fact("iteration.kernel_count", 10 * depth + 8);
    report.attribute("fingerprint",
                     "copies=x;kernels=" + std::to_string(depth) + "x" + std::to_string(dim) + o.variant);
    if (o.compiled) return;
    report.attribute("label.row_grids", std::to_string(o.rows) + "*" + std::to_string((2 * depth + 1) * kIterations));
    report.attribute("label.width_grids",
                     std::to_string((o.rows * 4 * dim + 1023) / 1024) + "*" + std::to_string(depth * kIterations));
  }
  void run(const std::string& path, int named_depth, int named_dim, int depth, int dim) {
    run(path, named_depth, named_dim, depth, dim, Options());
  }
  void honest(const std::string& path, int depth, int dim) { run(path, depth, dim, depth, dim); }

  Recorder judged(OptionInputs options = {{"grid_widths", "(rows * 4 * dim + 1023) / 1024"},
                                          {"row_launches", "2 * depth + 1"},
                                          {"linear", "depth"}}) {
    return concluded(s.build(), options);
  }

  StudyBuilder s;
};

bool conflict(const Recorder& r, const StudyBuilder& s, const std::string& path, const std::string& label) {
  return r.value("label.conflict", "label=" + label, static_cast<Row>(s.row(path))) == 1;
}

/// Reports that some label accuses.
std::vector<std::string> accused(const Recorder& r, const StudyBuilder& s, const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    for (const char* label : {"depth", "dim"}) {
      const std::string v = verdict(r, s, path, label);
      if (v == "contradicted" || v == "not_borne_out") out.push_back(path + " " + label);
    }
  }
  return out;
}

// --- the width and the depth of a run alone

TEST(LabelCheckWidths, AWrongDimWithoutItsHonestTwin) {
  Models m;
  m.honest("a", 6, 384);
  m.honest("b", 6, 1280);
  m.run("c", 6, 1024, 6, 768);
  const Recorder r = m.judged();
  EXPECT_EQ(verdict(r, m.s, "a", "dim"), "borne_out");
  EXPECT_EQ(verdict(r, m.s, "b", "dim"), "borne_out");
  EXPECT_EQ(verdict(r, m.s, "c", "dim"), "contradicted");
  EXPECT_EQ(shown(r, m.s, "c", "dim"), 768);
}

TEST(LabelCheckWidths, ADifferenceAloneBearsNothingOut) {
  Models m;
  m.honest("a", 6, 384);
  m.honest("b", 6, 768);
  const Recorder r = m.judged({});
  EXPECT_EQ(verdict(r, m.s, "a", "dim"), "unverifiable");
  EXPECT_EQ(verdict(r, m.s, "b", "dim"), "unverifiable");
}

TEST(LabelCheckWidths, ARuleThatFitsNoRunAccusesNone) {  // of a model whose inner width is three times the outer
  Models m;
  m.honest("a", 6, 384);
  m.honest("b", 6, 768);
  const Recorder r = m.judged({{"grid_widths", "(rows * 3 * dim + 1023) / 1024"}});
  EXPECT_EQ(verdict(r, m.s, "a", "dim"), "unverifiable");
  EXPECT_EQ(verdict(r, m.s, "b", "dim"), "unverifiable");
  EXPECT_TRUE(contains(r.tables.at(0).column("reason")->texts.at(1), "in only 0 of 2 profiles"));
}

TEST(LabelCheckWidths, PreferTheStatedOneOfEquallyRoundedValues) {  // 50 rows: 763 to 768 have 150 blocks
  Models m;
  m.run("a", 6, 768, 6, 768, {.rows = 50});
  m.run("b", 6, 384, 6, 768, {.rows = 50});
  const Recorder r = m.judged();
  EXPECT_EQ(verdict(r, m.s, "b", "dim"), "contradicted");
  EXPECT_EQ(shown(r, m.s, "b", "dim"), 768);
}

TEST(LabelCheckLaunches, AWrongDepthBesideTwoOthers) {  // no line could tell
  Models m;
  m.honest("a", 6, 768);
  m.run("b", 24, 768, 12, 768);
  const Recorder r = m.judged();
  EXPECT_EQ(verdict(r, m.s, "a", "depth"), "borne_out");
  EXPECT_EQ(verdict(r, m.s, "b", "depth"), "contradicted");
  EXPECT_EQ(shown(r, m.s, "b", "depth"), 12);
}

TEST(LabelCheckLaunches, HiddenKernelsAreNotCounted) {
  StudyBuilder s;
  s.label("depth", StudyBuilder::kNumeric, kChangesKernels);
  for (const char* path : {"a", "b"}) {
    s.report(path, {{"depth", path[0] == 'a' ? "6" : "12"}})
        .fact("iteration.count", 12)
        .fact(path[0] == 'a' ? "graph.opaque_ratio" : "label.graph_launches", path[0] == 'a' ? 0 : 12)
        .attribute("label.row_grids", "400*156");
  }
  const Recorder r = concluded(s.build(), {{"row_launches", "2 * depth + 1"}});
  EXPECT_EQ(verdict(r, s, "a", "depth"), "borne_out");
  EXPECT_EQ(verdict(r, s, "b", "depth"), "unverifiable") << "graphs were launched and what they ran is not known";
}

// --- equal labels, different program

TEST(LabelCheckConflict, EvidenceSaysWhichOfTwoLies) {
  Models m;
  m.honest("one/a", 12, 1024);
  m.run("two/a", 12, 1024, 12, 768);
  const Recorder r = m.judged();
  EXPECT_EQ(verdict(r, m.s, "one/a", "dim"), "borne_out");
  EXPECT_EQ(verdict(r, m.s, "two/a", "dim"), "contradicted");
  EXPECT_FALSE(conflict(r, m.s, "one/a", "dim"));
  EXPECT_FALSE(conflict(r, m.s, "two/a", "dim"));
}

TEST(LabelCheckConflict, NeitherRunIsBelievedIfNoRuleDecides) {
  Models m;
  m.honest("one/a", 12, 1024);
  m.run("two/a", 12, 1024, 12, 768);
  const Recorder r = m.judged({});  // no rule says what the width of 1024 would be
  for (const char* path : {"one/a", "two/a"}) {
    EXPECT_EQ(verdict(r, m.s, path, "dim"), "unverifiable");
    EXPECT_TRUE(conflict(r, m.s, path, "dim")) << path;
  }
  ASSERT_GE(r.findings.size(), 2U);
  EXPECT_TRUE(contains(r.findings[1].title, "2 profiles cannot be trusted"));
  EXPECT_TRUE(contains(r.findings[1].text, "6,304 blocks of kernels over rows times width, and 4,728 in two/a"));
}

TEST(LabelCheckConflict, IsAbsentForOtherKernelsOfTheSameWork) {  // autotuning
  Models m;
  m.honest("one/a", 12, 1024);
  m.run("two/a", 12, 1024, 12, 1024, {.variant = "tuned"});
  m.run("one/b", 12, 768, 12, 768, {.compiled = true});
  m.run("two/b", 12, 768, 12, 768, {.compiled = true, .variant = "tuned"});
  const Recorder r = m.judged({});
  for (const char* path : {"one/a", "two/a", "one/b", "two/b"}) {
    EXPECT_EQ(verdict(r, m.s, path, "dim"), "unverifiable");
    EXPECT_FALSE(conflict(r, m.s, path, "dim")) << path;
  }
}

TEST(LabelCheckConflict, AnotherDeviceIsNotAnOtherProgram) {
  Models m;
  m.run("one/a", 12, 1024, 12, 1024, {});
  m.run("two/a", 12, 1024, 12, 1024, {.machine = "NVIDIA H100", .rows = 400});
  const Recorder r = m.judged({});
  EXPECT_FALSE(conflict(r, m.s, "one/a", "dim"));
  EXPECT_FALSE(conflict(r, m.s, "two/a", "dim"));
}

TEST(LabelCheckConflict, ReportsWithoutLabelsAreNotRunsOfOneProgram) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric, kChangesKernels);
  s.report("a").attribute("label.row_grids", "400*12").fact("iteration.count", 12);
  s.report("b").attribute("label.row_grids", "1576*12").fact("iteration.count", 12);
  EXPECT_FALSE(conflict(concluded(s.build()), s, "a", "dim"));
}

// --- two folders of the same runs, one with swapped names

const std::vector<std::pair<int, int>> kModels = {{6, 384}, {6, 768}, {12, 384}, {12, 768}, {12, 1024}, {24, 384}};

std::vector<std::string> add_twice(Models& m, const std::map<std::string, std::pair<int, int>>& swapped,
                                   const Models::Options& options) {
  std::vector<std::string> paths;
  for (const auto& [depth, dim] : kModels) {
    const std::string name = std::to_string(depth) + "x" + std::to_string(dim);
    m.run("one/" + name, depth, dim, depth, dim, options);
    const auto real = swapped.find(name);
    const auto [d, w] = real == swapped.end() ? std::pair(depth, dim) : real->second;
    m.run("two/" + name, depth, dim, d, w, options);
    paths.push_back("one/" + name);
    paths.push_back("two/" + name);
  }
  return paths;
}

TEST(LabelCheckTwins, ThreeSwappedNamesAreFoundAndNoHonestRunIsAccused) {
  Models m;
  const auto paths = add_twice(m, {{"12x768", {12, 1024}}, {"12x1024", {12, 384}}, {"12x384", {24, 384}}}, {});
  const Recorder r = m.judged();
  EXPECT_TRUE(permutes(accused(r, m.s, paths), {"two/12x768 dim", "two/12x1024 dim", "two/12x384 depth"}));
}

TEST(LabelCheckTwins, WithoutEvidenceTheOddOneIsNotBorneOut) {  // the other run of its name differs from it
  Models m;
  const auto paths = add_twice(m, {{"12x768", {12, 1024}}}, {.compiled = true});
  const Recorder r = m.judged({});
  EXPECT_TRUE(equals(accused(r, m.s, paths), {"two/12x768 dim"}));
  EXPECT_EQ(verdict(r, m.s, "two/12x768", "dim"), "not_borne_out");
}

TEST(LabelCheckTwins, ASwapWithoutEvidenceLeavesFourInConflict) {
  Models m;
  const auto paths = add_twice(m, {{"12x768", {12, 1024}}, {"12x1024", {12, 768}}}, {.compiled = true});
  const Recorder r = m.judged({});
  EXPECT_TRUE(is_empty(accused(r, m.s, paths)));
  for (const char* path : {"one/12x768", "two/12x768", "one/12x1024", "two/12x1024"}) {
    EXPECT_TRUE(conflict(r, m.s, path, "dim")) << path;
  }
  EXPECT_FALSE(conflict(r, m.s, "one/6x384", "dim"));
}

}  // namespace assay::label_check_twins_test
