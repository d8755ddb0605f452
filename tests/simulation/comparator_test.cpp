// The comparator on known inputs (statistics.md, The comparator is tested): planted effects under independent noise,
// serial dependence and run-level variance. Seeds were fixed beforehand; the measured figures are printed.
#include "assay/algo/contrast.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::comparator_test {

using testing::StudyBuilder;

/// How the values of a study come about; spreads are of logs.
struct World {
  const char* name;
  std::size_t iterations = 20;   ///< a run
  double serial = 0;             ///< correlation of successive iterations
  double within_sd = 0.05;       ///< between iterations of a run
  double run_sd = 0;             ///< between runs of one program
  std::size_t runs = 1;          ///< a side
  std::size_t noise_groups = 0;  ///< of two repeat runs each, whose spread is the floor
};

std::vector<double> run_of(const World& world, double effect, Random& random) {
  const double level = std::log(100 * (1 + effect)) + world.run_sd * random.normal();
  std::vector<double> samples(world.iterations);
  double z = random.normal();
  for (double& sample : samples) {
    sample = std::exp(level + world.within_sd * z);
    z = world.serial * z + std::sqrt(1 - world.serial * world.serial) * random.normal();
  }
  return samples;
}

/// One study through the whole of the SDK's path: facts, noise floor, matched pair, contrast.
Effect study_of(const World& world, double effect, Random& random) {
  StudyBuilder s;
  s.label("side");
  const auto add = [&](const std::string& path, const char* side, double planted, const std::string& program) {
    std::vector<double> samples = run_of(world, planted, random);
    const double value = median(samples);
    auto& report = side != nullptr ? s.report(path, {{"side", side}}) : s.noise_report(path);
    report.fact("m", value, "", std::move(samples)).attribute("fingerprint", program);
  };
  for (std::size_t r = 0; r < world.runs; ++r) {
    add("base" + std::to_string(r), "base", 0, "base");
    add("treated" + std::to_string(r), "treated", effect, "treated");
  }
  for (std::size_t g = 0; g < world.noise_groups; ++g) {
    const std::string program = "program" + std::to_string(g);
    add(program + "a", nullptr, 0, program);
    add(program + "b", nullptr, 0, program);
  }
  const StudyView view(s.build());
  const Matching matching = match_pairs(view, "side", "base", "treated");
  const auto contrast = ratio_contrast(view, matching.strata.at(0), "m", "", noise_floor(view, "m", "", "side"), 0.95,
                                       std::to_string(random.next()));
  return contrast.value().effect;
}

struct ComparatorRates {
  double coverage = 0, called_different = 0;
};

ComparatorRates measure_world(const World& world, double effect, std::size_t studies, std::string_view seed) {
  Random random(seed);
  std::size_t covered = 0, different = 0;
  for (std::size_t i = 0; i < studies; ++i) {
    const Effect e = study_of(world, effect, random);
    EXPECT_FALSE(std::isnan(e.lo));
    if (e.lo <= 1 + effect && 1 + effect <= e.hi) ++covered;
    if (e.lo > 1 || e.hi < 1) ++different;
  }
  const auto n = static_cast<double>(studies);
  return {static_cast<double>(covered) / n, static_cast<double>(different) / n};
}

constexpr double kEffects[] = {0, 0.005, 0.02, 0.10};

/// Prints one line an effect, and returns the coverage over all of them.
double mean_coverage(const World& world, std::size_t studies) {
  double sum = 0;
  for (const double effect : kEffects) {
    const ComparatorRates m = measure_world(world, effect, studies, std::string(world.name) + std::to_string(effect));
    std::printf("%-44s effect %4.1f %%: 95 %% interval covers %5.1f %%, called different %5.1f %% of %zu\n", world.name,
                100 * effect, 100 * m.coverage, 100 * m.called_different, studies);
    sum += m.coverage;
  }
  return sum / static_cast<double>(std::size(kEffects));
}

// Simulation error of a coverage of 95 % over 4 x 1000 studies: 0.35 % (one standard error).
constexpr std::size_t kStudies = 1000;

TEST(Coverage, IndependentTwentyIterations) {
  const double coverage = mean_coverage({.name = "independent, 20 iterations (bootstrap)", .iterations = 20}, kStudies);
  EXPECT_GE(coverage, 0.93);
  EXPECT_LE(coverage, 0.97);
}

TEST(Coverage, IndependentFortyIterations) {
  const double coverage =
      mean_coverage({.name = "independent, 40 iterations (bootstrap)", .iterations = 40}, kStudies / 2);
  EXPECT_GE(coverage, 0.93);
  EXPECT_LE(coverage, 0.97);
}

TEST(Coverage, IndependentFewIterationsAtLeastNominal) {
  for (const std::size_t n : {5U, 8U, 12U, 19U}) {
    const std::string name = "independent, " + std::to_string(n) + " iterations (Hodges-Lehmann)";
    EXPECT_GE(mean_coverage({.name = name.c_str(), .iterations = n}, kStudies), 0.95 - 0.01) << n;
  }
}

// Within one run dependence cannot be distinguished from a trend: these figures are why such an interval never decides.
TEST(Coverage, SeriallyDependentIsReported) {
  const double many = mean_coverage(
      {.name = "AR(1) 0.5, 40 iterations (block bootstrap)", .iterations = 40, .serial = 0.5}, kStudies / 2);
  const double few =
      mean_coverage({.name = "AR(1) 0.5, 12 iterations (Hodges-Lehmann)", .iterations = 12, .serial = 0.5}, kStudies);
  EXPECT_GE(many, 0.87);
  EXPECT_GE(few, 0.70);
}

TEST(Coverage, SerialDependenceIsHarmlessOnceTheRunSpreadIsKnown) {
  const World world{
      .name = "AR(1) 0.5, 12 iterations, floor of 8 groups", .iterations = 12, .serial = 0.5, .noise_groups = 8};
  EXPECT_GE(mean_coverage(world, kStudies), 0.94);
}

TEST(Coverage, RunLevelVarianceWithAFloor) {
  World world{.name = "run sd 3 %, one run per side, floor of 8 groups",
              .iterations = 12,
              .within_sd = 0.02,
              .run_sd = 0.03,
              .noise_groups = 8};
  EXPECT_GE(mean_coverage(world, kStudies), 0.94);
  world.name = "run sd 3 %, three runs a side, floor of 8 groups";
  world.runs = 3;
  EXPECT_GE(mean_coverage(world, kStudies), 0.94);
}

TEST(Coverage, RunLevelVarianceFromReplicatesAlone) {
  const World world{.name = "run sd 3 %, three runs a side, no other floor",
                    .iterations = 12,
                    .within_sd = 0.02,
                    .run_sd = 0.03,
                    .runs = 3};
  EXPECT_GE(mean_coverage(world, kStudies), 0.94);
}

TEST(FalsePositives, AgainstItselfAtMostASmallShareIsCalledDifferent) {
  const World worlds[] = {
      {.name = "independent, 20 iterations (bootstrap)", .iterations = 20},
      {.name = "independent, 12 iterations (Hodges-Lehmann)", .iterations = 12},
      {.name = "run sd 3 %, floor of 8 groups", .iterations = 12, .within_sd = 0.02, .run_sd = 0.03, .noise_groups = 8},
      {.name = "run sd 3 %, AR(1) 0.5, three runs a side",
       .iterations = 12,
       .serial = 0.5,
       .within_sd = 0.02,
       .run_sd = 0.03,
       .runs = 3},
  };
  for (const World& world : worlds) {
    for (const char* seed : {"A/A first", "A/A second", "A/A third"}) {
      const ComparatorRates m = measure_world(world, 0, 1000, seed);
      std::printf("%-44s seed %-10s: called different %4.1f %% of 1000\n", world.name, seed, 100 * m.called_different);
      EXPECT_LE(m.called_different, 0.066) << world.name << ", " << seed;
    }
  }
}

TEST(Power, APlantedEffectBeyondTheSpreadIsFound) {
  const World world{.name = "run sd 1 %, 3 runs a side, floor of 8 groups",
                    .iterations = 12,
                    .within_sd = 0.01,
                    .run_sd = 0.01,
                    .runs = 3,
                    .noise_groups = 8};
  const ComparatorRates m = measure_world(world, 0.10, 500, "power");
  std::printf("%-44s effect 10 %%: called different %5.1f %%\n", world.name, 100 * m.called_different);
  EXPECT_GE(m.called_different, 0.95);
}

// Why one run per side never decides: with run-level variance the interval within runs misses most of the time.
TEST(FalsePositives, WithinRunIntervalsMissRunLevelVarianceAndSoNeverDecide) {
  const World world{
      .name = "run sd 3 %, one run per side, no floor", .iterations = 12, .within_sd = 0.01, .run_sd = 0.03};
  const ComparatorRates m = measure_world(world, 0, 1000, "within");
  std::printf("%-44s called different %5.1f %%, none of it may decide\n", world.name, 100 * m.called_different);
  EXPECT_GT(m.called_different, 0.5);
  Random random("verdicts");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(judge(study_of(world, 0, random), 1.001, 10), Verdict::kInconclusive);
}

}  // namespace assay::comparator_test
