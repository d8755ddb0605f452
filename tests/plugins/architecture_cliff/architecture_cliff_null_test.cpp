// How often architecture_cliff finds a cliff where there is none, and one that was planted: whole studies through the
// plugin.
#include "plugins/analyzers.hpp"
#include "simulation/simulation.hpp"
#include "support/test.hpp"

namespace assay::cliff::architecture_cliff_null_test {

using under_test::architecture_cliff::concluded;

using testing::StudyBuilder;

struct Design {
  std::size_t levels, blocks, strata = 2;
  double step = 0;  ///< logits between the first level and the others
  std::size_t replicates = 1;
  double within = 0.2;  ///< sd of a run, in logits; of a cell 0.2
};

struct FindingRates {
  simulation::Rate studies, strata;
};

/// Studies of runs that differ by their block, by 0.2 logits of noise a cell, and by the planted step.
FindingRates found_in(const Design& design, Random random, std::size_t studies) {
  FindingRates out;
  for (std::size_t n = 0; n < studies; ++n) {
    StudyBuilder s;
    for (const char* name : {"patch", "depth", "dim"}) s.label(name, StudyBuilder::kNumeric);
    for (std::size_t k = 0; k < design.strata; ++k) {
      for (std::size_t b = 0; b < design.blocks; ++b) {
        const double of_block = random.normal();
        for (std::size_t l = 0; l < design.levels; ++l) {
          const double of_cell = of_block + (l > 0 ? design.step : 0) + 0.2 * random.normal();
          for (std::size_t r = 0; r < design.replicates; ++r) {
            const double logit = of_cell + (design.replicates > 1 ? design.within * random.normal() : 0);
            const auto text = [](std::size_t value) { return std::to_string(value); };
            s.report(text(k) + "/" + text(b) + "/" + text(l) + "/" + text(r),
                     {{"patch", text(8 * (k + 1))}, {"depth", text(6 * (b + 1))}, {"dim", text(384 * (l + 1))}})
                .fact("gpu.kernel_busy_ratio", 1 / (1 + std::exp(-logit)));
          }
        }
      }
    }
    const auto recorder = concluded(s.build());
    std::size_t cliffs = 0;
    for (std::size_t k = 0; k < design.strata; ++k) {
      const auto found = recorder.value("cliff.found", "patch=" + std::to_string(8 * (k + 1)));
      out.strata.add(found == 1.0);
      cliffs += found == 1.0 ? 1U : 0U;
    }
    out.studies.add(cliffs > 0);
  }
  return out;
}

TEST(ArchitectureCliffSimulated, WithoutEffectAtMostFivePercentOfStudiesHaveACliff) {
  for (const auto& [levels, blocks] : {std::pair(2, 2), std::pair(3, 2), std::pair(3, 3), std::pair(4, 3)}) {
    const std::string row = std::to_string(levels) + " levels x " + std::to_string(blocks) + " blocks, 2 strata";
    const Design design{static_cast<std::size_t>(levels), static_cast<std::size_t>(blocks)};
    const FindingRates found = found_in(design, simulation::stream("cliff null " + row), simulation::studies(300));
    simulation::expect_rarely(row, "studies with a cliff", found.studies);
    simulation::report(row, "strata with a cliff", found.strata);
  }
}

// Replicates of a cell share what is the cell's own: they are one unit, however many there are.
TEST(ArchitectureCliffSimulated, ReplicatesOfACellAreOneUnit) {
  Design design{4, 3};
  design.replicates = 5;
  design.within = 0.02;
  const FindingRates found = found_in(design, simulation::stream("cliff null replicates"), simulation::studies(300));
  simulation::expect_rarely("4 levels x 3 blocks, 5 runs a cell", "studies with a cliff", found.studies);
}

TEST(ArchitectureCliffSimulated, APlantedCliffIsFound) {
  for (const auto& [levels, blocks] : {std::pair(3, 3), std::pair(4, 3)}) {
    for (const double step : {1.0, 2.0, 3.0}) {
      Design design{static_cast<std::size_t>(levels), static_cast<std::size_t>(blocks)};
      design.step = step;
      const std::string row = std::to_string(levels) + " levels x " + std::to_string(blocks) + " blocks, a step of " +
                              std::to_string(static_cast<int>(5 * step)) + " sd";
      const FindingRates found = found_in(design, simulation::stream("cliff planted " + row), simulation::studies(100));
      simulation::report(row, "strata with a cliff", found.strata);
      if (step == 3.0) {
        EXPECT_GE(found.strata.share(), 0.9) << row;
      }
    }
  }
}

}  // namespace assay::cliff::architecture_cliff_null_test
