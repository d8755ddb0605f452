// Prints what stopping rules cost in false verdicts and in blocks, by the shape of the noise: not a test, a table.
//
//   decision_table [STUDIES]      default 3000
#include <cstdio>
#include <cstdlib>

#include "algo/noise/lasting_noise.hpp"
#include "studies.hpp"

namespace {

using namespace assay;
using namespace assay::simulated;

void print_false_verdicts(std::size_t studies) {
  std::printf(
      "Part of %zu studies with any false verdict: 3 claims, 2 strata, truth at a bound, a look after each of 30 "
      "blocks\n\n",
      studies);
  std::printf("| %-34s |", "noise");
  for (const Rule rule : kRules) std::printf(" %20s |", name_of(rule));
  std::printf("\n|---|");
  for (std::size_t i = 0; i < kRules.size(); ++i) std::printf("---|");
  std::printf("\n");
  for (const Noise& noise : kNoises) {
    std::printf("| %-34s |", noise.name);
    for (const Rule rule : kRules) std::printf(" %18.1f %% |", 100 * false_part(noise, rule, studies, "table"));
    std::printf("\n");
    std::fflush(stdout);
  }
}

/// The sequence alone: ratios and levels, three claims in two strata, in one, and one claim alone.
void print_sequence(std::size_t studies, std::span<const Noise> noises, bool levels) {
  std::printf(
      "\nConfidence sequence, %s: part of %zu studies with any false verdict, and of intervals after 30 blocks that "
      "hold the truth\n\n",
      levels ? "levels" : "ratios", studies);
  std::printf("| noise | 3 claims, 2 strata | 3 claims, 1 stratum | 1 claim | covered, 1 claim (95 %%) |\n");
  std::printf("|---|---|---|---|---|\n");
  const std::vector<PlantedClaim> all = at_the_bounds(), one = {all.front()};
  for (const Noise& noise : noises) {
    std::printf("| %s |", noise.name);
    for (const std::size_t strata : {2U, 1U})
      std::printf(" %.1f %% |", 100 * false_part(noise, Rule::kSequence, studies, "sequence", {strata, levels}));
    Random random("one");
    std::size_t wrong = 0, covered = 0, intervals = 0;
    for (std::size_t i = 0; i < studies; ++i) {
      const Study study = run_study(one, {1, levels, 1, true}, noise, Rule::kSequence, kLooks, random);
      wrong += study.any_false ? 1U : 0U;
      covered += study.covered;
      intervals += study.intervals;
    }
    std::printf(" %.1f %% | %.1f %% |\n", 100 * static_cast<double>(wrong) / static_cast<double>(studies),
                100 * static_cast<double>(covered) / static_cast<double>(intervals));
    std::fflush(stdout);
  }
}

/// `compare` of equal programs in blocks whose number was fixed: part of them that finds a difference, and the mean
/// half-width as a factor.
void print_fixed(std::size_t studies) {
  std::printf("\nCompare, blocks fixed beforehand: false differences of equal programs (mean half-width)\n\n");
  std::vector<Noise> noises(kNoises.begin(), kNoises.end());
  noises.push_back({"AR(1) 0.8 of each cell, sd 0.1", Shape::kOwn, 0.1, 0.8});
  for (const Noise& noise : noises) {
    std::printf("| %s |", noise.name);
    for (const std::size_t blocks : {2U, 3U, 5U, 8U, 16U, 20U, 30U}) {
      Random random("fixed");
      std::size_t wrong = 0;
      double halves = 0;
      for (std::size_t i = 0; i < studies; ++i) {
        Machine machine(noise, 2, random);
        std::vector<double> values;
        RunningNoise running;
        for (std::size_t b = 0; b < blocks; ++b) {
          const std::vector<double> logs = machine.block();
          running.add(values.emplace_back(logs[1] - logs[0]));
        }
        const SeriesNoise now = running.now();
        const double half =
            std::max(unseen_by(blocks), LastingInterval(blocks, now.sd, lasting_share(values)).once(0.05));
        wrong += std::abs(now.mean) > half ? 1U : 0U;
        halves += std::log(half) / static_cast<double>(studies);
      }
      std::printf(" %.1f %% (%.2f) |", 100 * static_cast<double>(wrong) / static_cast<double>(studies),
                  std::exp(halves));
    }
    std::printf("\n");
  }
}

/// Pairs that a fixed design needs to find the effect with 90 % power at the level of one of three claims.
std::size_t fixed_pairs(double effect, double sd, double level) {
  for (std::size_t n = 3; n < 100000; ++n) {
    const double count = static_cast<double>(n), t = student_t_quantile((1 + level) / 2, count - 1);
    if (effect / sd * std::sqrt(count) - t >= normal_quantile(0.9)) return n;
  }
  return 0;
}

void print_blocks(std::size_t studies) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr std::size_t kMax = 300;
  std::printf(
      "\nBlocks until 'not slower' is decided (median, and 90 %% of studies), one claim of three; fixed design of 90 "
      "%% power\n\n");
  std::printf("| effect | sd of a run | sequence, median | sequence, 90 %% | fixed |\n|---|---|---|---|---|\n");
  for (const double sd : {0.005, 0.02, 0.1}) {
    for (const double effect : {0.02, 0.05, 0.1, 0.2, 0.3, 1.0}) {
      Random random("blocks");
      const std::vector<PlantedClaim> claims(3, {0, kInf, std::log1p(effect)});
      std::vector<std::size_t> needed;
      for (std::size_t i = 0; i < studies; ++i)
        for (const std::size_t at :
             run_study(claims, {1, false, sd / 0.02}, kNoises.front(), Rule::kSequence, kMax, random).decided_at)
          needed.push_back(at == 0 ? kMax + 1 : at);
      std::sort(needed.begin(), needed.end());
      const auto text = [&](double part) {
        const std::size_t n = needed[static_cast<std::size_t>(part * static_cast<double>(needed.size() - 1))];
        return n > kMax ? "> " + std::to_string(kMax) : std::to_string(n);
      };
      std::printf("| %.0f %% | %.3f | %s | %s | %zu |\n", 100 * effect, sd, text(0.5).c_str(), text(0.9).c_str(),
                  fixed_pairs(std::log1p(effect), sd * std::sqrt(2.0), 1 - 0.05 / 3));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t studies = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 3000;
  print_fixed(studies);
  print_sequence(studies, kNoises, false);
  print_sequence(studies, kLevelNoises, true);
  print_false_verdicts(studies);
  print_blocks(std::max<std::size_t>(20, studies / 10));
}
