// Prints how often racing loses the best of K configurations, and what it costs: not a test, a table.
//
//   race_table [STUDIES]      default 1000
#include <cstdio>
#include <cstdlib>

#include "../../plugins/claim_verdicts/race.hpp"
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
    best += one.best_in ? 1U : 0U, all += one.all_in ? 1U : 0U, runs += one.runs, set += one.set,
        ended += one.ended ? 1U : 0U;
  }
  const double n = static_cast<double>(studies);
  std::printf("| %-34s | %-22s | %5.1f %% | %5.1f %% | %4.1f | %6.1f | %3.0f %% |\n", noise.name, name, 100 * best / n,
              100 * all / n, set / n, runs / n, 100 * ended / n);
  std::fflush(stdout);
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
}
