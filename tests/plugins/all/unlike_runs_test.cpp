// Every analyzer that compares or pools runs refuses the same seven unlike mixtures in the same words, because all go
// through one gate (algo/alike.hpp). An analyzer that stands in neither table below fails the test.
#include <dlfcn.h>

#include "assay/testing/run_analyzer.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::unlike_runs_test {

using namespace testing;

/// All plugins of the build, by id. They stay loaded until the program ends.
const std::map<std::string, const Descriptor*>& plugins() {
  static const std::map<std::string, const Descriptor*> all = [] {
    std::map<std::string, const Descriptor*> out;
    for (const auto& entry : fs::directory_iterator(fs::path(ASSAY_BINARY_DIR) / "lib" / "assay" / "plugins")) {
      if (entry.path().extension() != ".so") continue;
      void* library = dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) throw std::runtime_error(dlerror());
      const auto* plugin = static_cast<const Descriptor*>(dlsym(library, "assay_plugin"));
      if (plugin != nullptr) out.emplace(plugin->id.view(), plugin);
    }
    return out;
  }();
  return all;
}

/// What tells half of the runs from the other half beside what is compared.
enum class Mixture { kNone, kDevice, kClock, kDriver, kFormat, kLabel, kLength, kDisbelieved };

struct MixtureCase {
  Mixture mixture;
  const char* label;  ///< that differs; empty: none does
  const char *own, *other;
  const char* said;  ///< part of what must be said
};
constexpr MixtureCase kMixtures[] = {
    {Mixture::kDevice, "device", "H100", "H200", "in device"},
    {Mixture::kClock, "clock", "1755 MHz", "1980 MHz", "in clock"},
    {Mixture::kDriver, "driver", "550", "570", "in driver"},
    {Mixture::kFormat, "format", "nsys", "torch", "in format"},
    {Mixture::kLabel, "mode", "eager", "compiled", "in mode"},
    {Mixture::kLength, "", "", "", "it grows with the length of a run, and of "},
    {Mixture::kDisbelieved, "", "", "", "its name lies"},
};

constexpr const char* kWork = "work_ns";

/// A comparison along `label`: five models, each at `lower` and `upper`, or at both with `twice` runs of each.
struct LabelComparison {
  std::string label, lower, upper;
};

void add_runs(StudyBuilder& study, const LabelComparison& compared, const MixtureCase& mixed) {
  const bool numeric = compared.upper.find_first_not_of("0123456789") == std::string::npos;
  study.label(compared.label, numeric ? StudyBuilder::kNumeric : StudyBuilder::kText);
  for (const char* name : {"patch", "depth"}) study.label(name, StudyBuilder::kNumeric);
  if (*mixed.label != '\0') study.label(mixed.label);
  study.metric(kWork, "ns", Polarity::kLowerIsBetter, mixed.mixture == Mixture::kLength);
  for (int depth = 6; depth <= 30; depth += 6) {
    for (const bool upper : {false, true}) {
      StudyBuilder::LabelValues labels = {
          {"patch", "8"}, {"depth", std::to_string(depth)}, {compared.label, upper ? compared.upper : compared.lower}};
      if (*mixed.label != '\0') labels.emplace_back(mixed.label, upper ? mixed.other : mixed.own);
      auto& run = study.report(std::to_string(depth) + (upper ? "_upper" : "_lower"), labels);
      if (*mixed.label != '\0' && mixed.mixture != Mixture::kLabel) run.origin(mixed.label, LabelOrigin::kReport);
      if (mixed.mixture == Mixture::kDisbelieved && upper) run.doubted("its name lies");
      if (mixed.mixture != Mixture::kLength || !upper) run.fact("iteration.count", 10);
      const double time = (upper ? 200 : 100) * (1 + 0.001 * depth);
      run.fact(kWork, time).attribute("fingerprint", std::to_string(depth) + (upper ? "u" : "l"));
      run.fact("iteration.period_ns", time).fact("iteration.gpu_busy_ns", time / 2).fact("graph.opaque_ratio", 0);
      run.attribute("kernel.top_name", "gemm").fact("kernel_class.time_ratio", upper ? 0.6 : 0.5, "class=matmul");
    }
  }
}

/// Everything that is said, and why.
std::string output_of(const Recorder& recorder) {
  std::string text;
  for (const auto& skip : recorder.skips) text += skip.reason + "\n";
  for (const auto& finding : recorder.findings) text += finding.title + "\n" + finding.text + "\n";
  for (const auto& verdict : recorder.verdicts) {
    text += verdict.reason + "\n";
    for (const auto& stratum : verdict.strata) text += stratum.reason + "\n";
  }
  return text;
}

bool has_fact(const Recorder& recorder, const std::string& metric, const std::string& dims) {
  return std::any_of(recorder.facts.begin(), recorder.facts.end(), [&](const auto& fact) {
    return fact.metric == metric && fact.dims.find(dims) != std::string::npos && fact.value != 0;
  });
}

/// One way in which an analyzer compares or pools runs.
struct Pooling {
  std::string analyzer, way;
  LabelComparison compared;
  OptionInputs options;
  OptionInputs claim = {};                ///< of a judge
  std::string fact = {}, fact_dims = {};  ///< which it gives where it compared; of a judge: a verdict
  bool of_work = true;                    ///< whether it compares kWork, whose length may be unknown
};

std::vector<Pooling> poolings() {
  const std::vector<double> above = {0, std::numeric_limits<double>::infinity()};
  const LabelComparison way = {"way", "base", "treated"}, dim = {"dim", "384", "768"};
  const OptionInputs step = {{"metric", kWork},  {"compare", "step"}, {"label", "dim"},   {"base", "384"},
                             {"treated", "768"}, {"per", "patch"},    {"block", "depth"}, {"between", above}};
  const OptionInputs ratio = {{"metric", kWork}, {"compare", "ratio"},   {"label", "way"},
                              {"base", "base"},  {"treated", "treated"}, {"between", above}};
  return {
      {"architecture_cliff", "sweep", dim, {{"metric", kWork}}, {}, "cliff.found"},
      {"claim_verdicts", "step", dim, {}, step},
      {"claim_verdicts", "ratio", way, {}, ratio},
      {"compilation_delta",
       "pairs",
       way,
       {{"label", "way"}, {"base", "base"}, {"wall_metrics", kWork}},
       {},
       "compile.ratio",
       "metric=work_ns"},
      {"label_effect", "pairs", way, {{"label", "way"}, {"metrics", kWork}}, {}, "label_effect.ratio"},
      {"kernel_breakdown",
       "pairs",
       way,
       {{"compare", "way"}, {"rules", std::vector<std::string>{"matmul: gemm"}}},
       {},
       "top_kernel.same",
       "",
       false},
      {"numa_sensitivity", "pairs", {"numa", "0", "1"}, {{"duration", kWork}}, {}, "numa.ratio"},
      {"pipeline_variation",
       "pairs",
       way,
       {{"changes", "way: base -> treated"}, {"metrics", kWork}},
       {},
       "pipeline.ratio"},
      {"resolution_scaling",
       "sweep",
       dim,
       {{"axis", "dim"}, {"cost", kWork}},
       {},
       "scaling.exponent",
       "metric=work_ns"},
      {"result_delta",
       "pairs",
       {"result", "before", "after"},
       {{"metrics", kWork}},
       {},
       "result_delta.count",
       "change=undecided"},
      {"token_reduction_overhead",
       "profiles",
       {"reduction", "baseline", "with_tr"},
       {{"rules", std::vector<std::string>{"copy: copy", "sort: sort", "indexing: index"}}},
       {},
       "token.profile_speedup",
       "",
       false},
  };
}

/// Analyzers with `conclude` that compare and pool no runs, and why that is so.
const std::map<std::string, std::string> kPoolNothing = {
    {"attention_softmax_matmul", "one row per report"},
    {"communication", "one row per report"},
    {"compile", "logs of one run; of several ranks those whose collectives differ"},
    {"forward_timing", "times of one report against each other"},
    {"hang", "dumps of one job; of several jobs a row each"},
    {"idle_causes", "one row per report"},
    {"kernel_bound", "one row per report"},
    {"label_check", "decides what is believed, before the gate"},
    {"latency_text", "one text per report"},
    {"memory", "one row per report; of two the difference, which decides nothing"},
    {"nsys_stats", "tables per report; --over pools what its user names"},
    {"critical_path", "one row per profile"},
    {"energy", "one row per report"},
    {"gpu_metrics", "one row per report"},
    {"operator_roofline", "one row per report"},
    {"overview", "one row per report"},
    {"pipeline", "ranks of one job"},
    {"ranges", "one row per report"},
    {"ranks", "ranks of one job"},
    {"stall_lines", "one row per report and line; of two the difference"},
    {"start_phases", "one row per report and phase"},
    {"run_summary", "repeat runs only, by equal_runs of participation.hpp: see EqualRuns below"},
    {"runner_results", "rows of the runner's own table"},
    {"stacks", "one row per report"},
    {"serving", "one row per report"},
    {"step_breakdown", "one row per report"},
    {"step_difference", "two sides that its user names; it refuses unlike work and says first what differs"},
    {"step_items", "repeat runs only, by alike_groups of alike.hpp"},
};

Recorder concluded(const Pooling& pooling, const MixtureCase& mixed) {
  const Descriptor& plugin = *plugins().at(pooling.analyzer);
  StudyBuilder study;
  add_runs(study, pooling.compared, mixed);
  if (!pooling.claim.empty()) study.claim("c", "a claim", plugin.claim_keys.view(), pooling.claim);
  return testing::concluded_by(plugin, study.build(), pooling.options);
}

bool compared_runs(const Pooling& pooling, const Recorder& recorder) {
  if (pooling.claim.empty()) return has_fact(recorder, pooling.fact, pooling.fact_dims);
  return std::any_of(recorder.verdicts.at(0).strata.begin(), recorder.verdicts.at(0).strata.end(),
                     [](const auto& stratum) { return stratum.effect.has_value(); });
}

TEST(UnlikeRuns, EveryAnalyzerStandsInATable) {
  std::map<std::string, std::size_t> tables;
  for (const Pooling& pooling : poolings()) tables[pooling.analyzer] = 1;
  for (const auto& [analyzer, why] : kPoolNothing) ++tables[analyzer];
  ASSERT_GE(plugins().size(), 20U);
  for (const auto& [id, plugin] : plugins()) {
    if ((plugin->stages & kStageConclude) == 0) continue;
    EXPECT_EQ(tables[id], 1U) << id << ": does it compare or pool runs? Then it belongs into poolings(), and its runs "
                              << "come from algo/alike.hpp; else into kPoolNothing, with the reason";
  }
}

TEST(UnlikeRuns, RunsThatAreAlikeAreCompared) {
  for (const Pooling& pooling : poolings()) {
    const Recorder recorder = concluded(pooling, {Mixture::kNone, "", "", "", ""});
    EXPECT_TRUE(compared_runs(pooling, recorder)) << pooling.analyzer << ", " << pooling.way << "\n"
                                                  << output_of(recorder);
  }
}

TEST(UnlikeRuns, EveryAnalyzerRefusesEveryMixtureInTheSameWords) {
  for (const Pooling& pooling : poolings()) {
    for (const MixtureCase& mixed : kMixtures) {
      if (mixed.mixture == Mixture::kLength && !pooling.of_work) continue;
      const Recorder recorder = concluded(pooling, mixed);
      const std::string which = pooling.analyzer + ", " + pooling.way + ": " + mixed.said;
      EXPECT_FALSE(compared_runs(pooling, recorder)) << which;
      const std::string said = output_of(recorder);
      const std::string differ = mixed.label[0] == '\0' ? "" : "differ ";
      EXPECT_TRUE(contains(said, differ + mixed.said) || contains(said, std::string("differs ") + mixed.said))
          << which << said;
    }
  }
}

/// Two runs of one program and one set of labels, but for the mixture.
Recorder of_replicates(const std::string& analyzer, const MixtureCase& mixed, const OptionInputs& options,
                       const OptionInputs& claim = {}) {
  const Descriptor& plugin = *plugins().at(analyzer);
  StudyBuilder study;
  study.label("patch", StudyBuilder::kNumeric);
  if (*mixed.label != '\0') study.label(mixed.label);
  study.metric(kWork, "ns", Polarity::kLowerIsBetter, mixed.mixture == Mixture::kLength);
  for (const bool second : {false, true}) {
    StudyBuilder::LabelValues labels = {{"patch", "8"}};
    if (*mixed.label != '\0') labels.emplace_back(mixed.label, second ? mixed.other : mixed.own);
    auto& run = study.report(second ? "b" : "a", labels);
    if (*mixed.label != '\0' && mixed.mixture != Mixture::kLabel) run.origin(mixed.label, LabelOrigin::kReport);
    if (mixed.mixture == Mixture::kDisbelieved && second) run.doubted("its name lies");
    if (mixed.mixture != Mixture::kLength || !second) run.fact("iteration.count", 10);
    run.fact(kWork, second ? 101 : 100).attribute("fingerprint", "same");
  }
  if (!claim.empty()) study.claim("c", "a claim", plugin.claim_keys.view(), claim);
  return testing::concluded_by(plugin, study.build(), options);
}

TEST(UnlikeRuns, ALevelIsOfRunsThatAreAlike) {
  const OptionInputs level = {{"metric", kWork}, {"between", std::vector<double>{0, 1000}}};
  const auto most = [&](const MixtureCase& mixed) {
    const Recorder recorder = of_replicates("claim_verdicts", mixed, {}, level);
    std::int64_t n = 0;
    for (const auto& stratum : recorder.verdicts.at(0).strata)
      n = std::max(n, stratum.effect ? stratum.effect->effect.n : 0);
    return n;
  };
  EXPECT_EQ(most({Mixture::kNone, "", "", "", ""}), 2);
  for (const MixtureCase& mixed : kMixtures) EXPECT_LT(most(mixed), 2) << mixed.said;
}

TEST(UnlikeRuns, EqualRunsAreAlike) {
  const auto pooled = [](const MixtureCase& mixed) {
    return has_fact(of_replicates("run_summary", mixed, {{"device_time", kWork}}), "replicate.pooled_sd_log",
                    "metric=work_ns");
  };
  EXPECT_TRUE(pooled({Mixture::kNone, "", "", "", ""}));
  for (const MixtureCase& mixed : kMixtures) EXPECT_FALSE(pooled(mixed)) << mixed.said;
}

}  // namespace assay::unlike_runs_test
