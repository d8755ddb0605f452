// Prints how often racing loses the best of K configurations, and what it costs: not a test, a table.
//
//   race_table [STUDIES]      default 1000
#include <cstdio>
#include <cstdlib>

#include "../../plugins/claim_verdicts/race.hpp"
#include "algo/noise/block_noise.hpp"
#include "algo/noise/lasting_noise.hpp"
#include "assay/algo/summary.hpp"
#include "studies.hpp"

namespace {

using namespace assay;
using namespace assay::simulated;

/// Lasting noise as large as the spread of log-normal runs.
constexpr Noise kMore[] = {{"AR(1) 0.8 of each cell, sd 0.1", Shape::kOwn, 0.1, 0.8},
                           {"AR(1) 0.8 of each cell, sd 0.5", Shape::kOwn, 0.5, 0.8}};

struct RaceRuns {
  bool best_in = true, all_in = true, ended = false;
  std::size_t runs = 0, set = 0;
};

/// One recording of cells with these truths (logs), a look after each block; the first is run twice. race_of replays
/// its looks and reads nothing of a cell after it dropped out, so that all blocks are made at once.
RaceRuns race_once(const std::vector<double>& truths, const Noise& noise, double margin, std::size_t most,
                   Random& random) {
  Machine machine(noise, truths.size() + 1, random);
  std::vector<claims::Racer> racers(truths.size() + 1);
  racers.back().twin = true;
  for (std::size_t block = 1; block <= most; ++block) {
    const std::vector<double> logs = machine.block();
    for (std::size_t i = 0; i < racers.size(); ++i) {
      racers[i].block.push_back(static_cast<double>(block));
      racers[i].value.push_back(logs[i] + (i < truths.size() ? truths[i] : truths.front()));
    }
  }
  const claims::Race race = claims::race_of(racers, margin, 0.05);
  const std::size_t blocks = race.standings[race.leader].blocks;  // until it ended
  RaceRuns out;
  out.runs = blocks;  // the twin's
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const claims::Standing& own = race.standings[i];
    out.set += own.in_set ? 1U : 0U;
    out.runs += own.in_set ? blocks : static_cast<std::size_t>(own.out_at);
  }
  out.best_in = race.standings[static_cast<std::size_t>(std::ranges::min_element(truths) - truths.begin())].in_set;
  out.all_in = out.set == truths.size();
  out.ended = race.ended;
  return out;
}

void print_row(const char* name, const std::vector<double>& truths, const Noise& noise, double margin, std::size_t most,
               std::size_t studies) {
  Random random(std::string(name) + noise.name);
  std::size_t best = 0, all = 0, runs = 0, set = 0, ended = 0;
  for (std::size_t i = 0; i < studies; ++i) {
    const RaceRuns one = race_once(truths, noise, margin, most, random);
    best += one.best_in ? 1U : 0U;
    all += one.all_in ? 1U : 0U;
    runs += one.runs;
    set += one.set;
    ended += one.ended ? 1U : 0U;
  }
  const double n = static_cast<double>(studies);
  std::printf("| %-34s | %-22s | %5.1f %% | %5.1f %% | %4.1f | %6.1f | %3.0f %% |\n", noise.name, name, 100 * best / n,
              100 * all / n, set / n, runs / n, 100 * ended / n);
  std::fflush(stdout);
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
      "| noise | configurations | best in the set | all in it | size | runs | ended "
      "|\n|---|---|---|---|---|---|---|\n");
  std::vector<Noise> rows(kNoises.begin(), kNoises.end());
  rows.insert(rows.end(), std::begin(kMore), std::end(kMore));
  std::vector<double> spread;
  for (int i = 0; i < 10; ++i) spread.push_back(std::log1p(0.1 * i / 9));
  for (const Noise& noise : rows) {
    for (const std::size_t k : {2U, 4U, 10U})
      print_row((std::to_string(k) + " equal").c_str(), std::vector<double>(k, 0.0), noise, 0.0, 30, studies);
    print_row("10 over 10 %", spread, noise, std::log(1.01), 30, studies);
  }
  for (const std::size_t most : {20U, 30U, 60U, 120U})
    print_row(("10 over 10 %, most " + std::to_string(most)).c_str(), spread, kNoises.front(), std::log(1.001), most,
              studies);
  print_fixed(spread, std::log(1.001), studies);
}
