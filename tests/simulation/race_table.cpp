// Prints how often racing loses the best of K configurations, and what it costs: not a test, a table.
//
//   race_table [STUDIES]      default 1000
#include <cstdio>

#include "../../plugins/claim_verdicts/race.hpp"
#include "algo/noise/block_noise.hpp"
#include "algo/noise/lasting_noise.hpp"
#include "assay/algo/summary.hpp"
#include "studies.hpp"

namespace {

using namespace assay;
using namespace assay::simulated;

/// Lasting noise as large as the spread of log-normal runs, and one block unlike the others.
constexpr Noise kMore[] = {{"AR(1) 0.8 of each cell, sd 0.1", Shape::kOwn, 0.1, 0.8},
                           {"AR(1) 0.8 of each cell, sd 0.5", Shape::kOwn, 0.5, 0.8},
                           {"one wild block", Shape::kWild, 0.02}};

/// Clocks given to the rule: none, those of the runs, or constant ones although they changed.
enum class Sampling { kNo, kYes, kHidden };

struct RaceRuns {
  bool best_in = true, all_in = true, ended = false, wrong = false;
  std::size_t blocks = 0, runs = 0, set = 0;
};

struct RaceCase {
  std::vector<double> truths;  ///< logs
  Noise noise;
  double margin = 0;
  std::size_t most = 30;
  Sampling sampled = Sampling::kNo;
};

/// One recording, a look after each block; the first cell is run twice. race_of replays its looks and reads nothing of
/// a cell after it dropped out, so that all blocks are made at once.
RaceRuns race_once(const RaceCase& one, Random& random, Random& sampling) {
  constexpr double kOfSampling = 0.002;  // sd of the mean of a run's samples
  const std::vector<double>& truths = one.truths;
  Machine machine(one.noise, truths.size() + 1, random);
  std::vector<claims::Racer> racers(truths.size() + 1);
  racers.back().twin = true;
  for (std::size_t block = 1; block <= one.most; ++block) {
    const std::vector<double> logs = machine.block();
    for (std::size_t i = 0; i < racers.size(); ++i) {
      racers[i].block.push_back(static_cast<double>(block));
      racers[i].value.push_back(logs[i] + (i < truths.size() ? truths[i] : truths.front()));
      if (one.sampled == Sampling::kNo) continue;
      racers[i].clocks.resize(1);
      racers[i].clocks[0].push_back((one.sampled == Sampling::kYes ? machine.clocks()[i] : 0) +
                                    kOfSampling * sampling.normal());
    }
  }
  const claims::Race race = claims::race_of(racers, one.margin, 0.05);
  const double best = *std::ranges::min_element(truths);
  RaceRuns out;
  out.blocks = race.standings[race.leader].blocks;  // until it ended
  out.runs = out.blocks;                            // the twin's
  out.ended = race.ended;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const claims::Standing& own = race.standings[i];
    const double behind = truths[i] - best;
    out.set += own.in_set ? 1U : 0U;
    out.runs += own.in_set ? out.blocks : static_cast<std::size_t>(own.out_at);
    out.best_in = out.best_in && (own.in_set || behind > 0);
    out.wrong = out.wrong || (own.in_set ? race.ended && behind > one.margin : behind <= one.margin);
  }
  out.all_in = out.set == truths.size();
  return out;
}

/// Sums and counts over studies of one case.
struct RaceTally {
  double best = 0, all = 0, ended = 0, wrong = 0, runs = 0, set = 0;
  std::vector<double> blocks;  ///< of those that ended
};

RaceTally tally_of(const char* name, const RaceCase& one, std::size_t studies) {
  Random random(std::string(name) + one.noise.name), sampling("sampling");
  RaceTally tally;
  for (std::size_t i = 0; i < studies; ++i) {
    const RaceRuns runs = race_once(one, random, sampling);
    const double n = static_cast<double>(studies);
    tally.best += runs.best_in / n;
    tally.all += runs.all_in / n;
    tally.ended += runs.ended / n;
    tally.wrong += runs.wrong / n;
    tally.set += static_cast<double>(runs.set) / n;
    tally.runs += static_cast<double>(runs.runs) / n;
    tally.blocks.push_back(runs.ended ? static_cast<double>(runs.blocks) : 1e9);
  }
  std::ranges::sort(tally.blocks);
  return tally;
}

void print_row(const char* name, const RaceCase& one, std::size_t studies) {
  const RaceTally tally = tally_of(name, one, studies);
  constexpr const char* kSampled[] = {"not sampled", "sampled", "hidden"};
  std::printf("| %-34s | %-22s | %-11s | %5.1f %% | %5.1f %% | %5.1f %% | %4.1f | %6.1f | %3.0f %% |\n", one.noise.name,
              name, kSampled[static_cast<std::size_t>(one.sampled)], 100 * tally.best, 100 * tally.all,
              100 * tally.wrong, tally.set, tally.runs, 100 * tally.ended);
  std::fflush(stdout);
}

/// Blocks until the leader is alone in the set: median and 90 % quantile, without and with sampled clocks.
void print_blocks(std::size_t studies) {
  std::printf("\n| values | lead | noise | not sampled | sampled | wrong |\n|---|---|---|---|---|---|\n");
  for (const std::size_t k : {2U, 4U, 10U}) {
    for (const double sd : {0.002, 0.005, 0.02}) {
      for (const double lead : {0.02, 0.05, 0.083, 0.3}) {
        std::printf("| %zu | %.1f %% | %.1f %% |", k, 100 * lead, 100 * sd);
        double wrong = 0;
        for (const Sampling sampled : {Sampling::kNo, Sampling::kYes}) {
          RaceCase one{
              std::vector<double>(k, std::log1p(lead)), {"normal", Shape::kOwn, sd}, std::log(1.01), 60, sampled};
          one.truths.front() = 0;
          const RaceTally tally = tally_of("lead", one, studies);
          const double median = tally.blocks[studies / 2], most = tally.blocks[studies * 9 / 10];
          const auto text = [](double blocks) {
            return blocks > 60 ? std::string("> 60") : std::to_string(static_cast<int>(blocks));
          };
          std::printf(" %s (%s) |", text(median).c_str(), text(most).c_str());
          wrong = tally.wrong;
        }
        std::printf(" %.1f %% |\n", 100 * wrong);
        std::fflush(stdout);
      }
    }
  }
}

/// The design to beat: so many blocks of all, fixed beforehand, and each pair with the leader judged by the rule of
/// `compare` or, with `independent`, as if noise did not last. The mean size of the set.
double fixed_set(const std::vector<double>& truths, double margin, std::size_t blocks, bool independent,
                 std::size_t studies) {
  const double count = static_cast<double>(truths.size()), each = 0.05 * 2 / (count * (count - 1));
  Random random("fixed");
  double all = 0;
  for (std::size_t study = 0; study < studies; ++study) {
    Machine machine(kNoises.front(), truths.size(), random);
    std::vector<std::vector<double>> rows(truths.size());
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::vector<double> logs = machine.block();
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(logs[i] + truths[i]);
    }
    const auto leader = std::ranges::min_element(rows, {}, [](const auto& row) { return mean(row); });
    for (const std::vector<double>& row : rows) {
      std::vector<double> differences;
      RunningNoise running;
      for (std::size_t b = 0; b < blocks; ++b) {
        differences.push_back(row[b] - (*leader)[b]);
        running.add(differences[b]);
      }
      const double share = independent ? 0 : lasting_share(differences);
      const double half =
          std::max(independent ? 0 : unseen_by(blocks), LastingInterval(blocks, running.now().sd, share).once(each));
      all += &row == &*leader || mean(differences) - half <= margin ? 1 : 0;
    }
  }
  return all / static_cast<double>(studies);
}

void print_fixed(const std::vector<double>& truths, double margin, std::size_t studies) {
  std::printf("\n| blocks, fixed | runs | size by the rule of compare | size as if independent |\n|---|---|---|---|\n");
  for (const std::size_t blocks : {7U, 11U, 15U, 20U, 25U, 30U, 34U, 40U, 45U, 55U, 68U, 85U})
    std::printf("| %zu | %zu | %.1f | %.1f |\n", blocks, blocks * (truths.size() + 1),
                fixed_set(truths, margin, blocks, false, studies), fixed_set(truths, margin, blocks, true, studies));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t studies = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1000;
  std::printf(
      "| noise | configurations | clocks | best in the set | all in it | wrong | size | runs | ended "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Noise> rows(kNoises.begin(), kNoises.end());
  rows.insert(rows.end(), std::begin(kMore), std::end(kMore));
  std::vector<double> spread;
  for (int i = 0; i < 10; ++i) spread.push_back(std::log1p(0.1 * i / 9));
  const double margin = std::log(1.01);
  for (const Sampling sampled : {Sampling::kNo, Sampling::kYes, Sampling::kHidden}) {
    for (const Noise& noise : rows) {
      if (sampled == Sampling::kHidden && noise.shape != Shape::kSticky && noise.shape != Shape::kClocks) continue;
      for (const std::size_t k : {2U, 4U, 10U})
        print_row((std::to_string(k) + " equal").c_str(), {std::vector<double>(k, 0.0), noise, 0, 30, sampled},
                  studies);
      print_row("2, one beyond the margin", {{0, margin + 1e-6}, noise, margin, 30, sampled}, studies);
      print_row("10 over 10 %", {spread, noise, margin, 30, sampled}, studies);
    }
  }
  print_blocks(studies);
  for (const std::size_t most : {20U, 30U, 60U, 120U})
    print_row(("10 over 10 %, most " + std::to_string(most)).c_str(),
              {spread, kNoises.front(), std::log(1.001), most, Sampling::kNo}, studies);
  print_fixed(spread, std::log(1.001), studies);
}
