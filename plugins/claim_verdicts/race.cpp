#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "assay/detail/block_noise.hpp"

namespace assay::claims {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kPrior =
    2;  ///< variance of the prior on a gap, in units of the spread: gaps of about one are raced for
constexpr double kUnseen = 0.25, kEarlySpreads = 20;
constexpr std::size_t kFirst = 3, kFirstUsual = 7, kUnseenBlocks = 16;
constexpr double kCommonCorrelation = 1.3, kErrors = 1.0, kOwnPartialSums = 0.8;
constexpr double kMostCorrelation = 0.455, kMostPartialSums = 1.8;

/// Half-width of the sequence for a mean of n differences with this spread, whose estimate has `degrees` of freedom.
double half_width(double n, double sd, double degrees, double error) {
  const double k = 1 + n * kPrior, r = std::exp(2 / (degrees + 1) * (0.5 * std::log(k) - std::log(error)));
  if (!(r < k)) return kInf;
  return sd * std::sqrt(degrees * (r - 1) / (1 - r / k) / n);
}

/// How long noise lasted, seen after so many blocks.
struct Lasting {
  std::size_t blocks = 0;
  double correlation = 0, partial_sums = 1;
};

/// The most of what the later half of the looks showed: noise that lasts hides at one look and shows at the next.
Lasting most_of(std::span<const Lasting> looks) {
  Lasting most = looks.back();
  for (const Lasting& look : looks) {
    if (2 * look.blocks < most.blocks) continue;
    most.correlation = std::max(most.correlation, look.correlation);
    most.partial_sums = std::max(most.partial_sums, look.partial_sums);
  }
  return most;
}

/// The two-way table of those that race, over the blocks that all of them have up to one.
class RaceTable {
 public:
  RaceTable(std::span<const Racer> racers, const std::vector<std::size_t>& rows, double until) {
    std::vector<double> blocks = racers[rows.front()].block;
    std::erase_if(blocks, [&](double block) { return block > until; });
    for (const std::size_t row : rows) {
      const std::vector<double>& own = racers[row].block;
      std::erase_if(blocks, [&](double block) { return !std::binary_search(own.begin(), own.end(), block); });
    }
    for (const std::size_t row : rows) {
      std::vector<double>& values = values_.emplace_back();
      for (const double block : blocks) {
        const auto at = std::ranges::lower_bound(racers[row].block, block) - racers[row].block.begin();
        values.push_back(racers[row].value[static_cast<std::size_t>(at)]);
      }
    }
    blocks_ = blocks.size();
    if (blocks_ > 0) find_noise();
  }

  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] double mean(std::size_t row) const { return means_[row]; }

  [[nodiscard]] Lasting lasting() const { return {blocks_, noise_.correlation, noise_.partial_sums}; }

  /// How far the difference of two rows may be off; infinite: not known. `seen`: how long noise lasts.
  [[nodiscard]] double reach(std::size_t a, std::size_t b, double error, const Lasting& seen) const {
    if (blocks_ < kFirst) return kInf;
    RunningNoise running;
    for (std::size_t t = 0; t < blocks_; ++t) running.add(values_[a][t] - values_[b][t]);
    const SeriesNoise& own = running.now();
    const double n = static_cast<double>(blocks_), rows = static_cast<double>(values_.size());
    const double degrees = (rows - 1) * (n - 1), pooled_sd = std::sqrt(2 * squares_ / degrees);
    const double spread = std::max(pooled_sd, own.sd);
    if (blocks_ < kFirstUsual) return std::max({kUnseen, kEarlySpreads * spread, noise_.range});
    const double correlation = std::max({kCommonCorrelation * seen.correlation, own.correlation / 2, 0.0});
    const double sums = std::max({seen.partial_sums, kOwnPartialSums * own.partial_sums, 1.0});
    if (correlation > kMostCorrelation || sums > kMostPartialSums) return kInf;
    const double r = std::min(0.95, correlation + kErrors / std::sqrt(degrees));
    const double half = half_width(n, spread, degrees, error) * std::sqrt((1 + r) / (1 - r)) * sums;
    // A state that lasts may not have shown itself, unless nothing varies at all.
    return blocks_ < kUnseenBlocks && noise_.range > 0 ? std::max(half, kUnseen) : half;
  }

 private:
  void find_noise() {
    const double n = static_cast<double>(blocks_), rows = static_cast<double>(values_.size());
    std::vector<double> block_means(blocks_, 0);
    for (const std::vector<double>& row : values_) {
      double sum = 0;
      for (std::size_t t = 0; t < blocks_; ++t) sum += row[t], block_means[t] += row[t] / rows;
      means_.push_back(sum / n);
    }
    std::vector<SeriesNoise> series;
    for (const std::vector<double>& row : values_) {
      RunningNoise running;
      for (std::size_t t = 0; t < blocks_; ++t) running.add(row[t] - block_means[t]);
      series.push_back(running.now());
      squares_ += running.now().sd * running.now().sd * (n - 1);
    }
    noise_ = pooled(series);
  }

  std::vector<std::vector<double>> values_;  ///< by row, then block
  std::vector<double> means_;
  std::size_t blocks_ = 0;
  double squares_ = 0;  ///< of what is left without the means of rows and columns
  BlockNoise noise_;
};

}  // namespace

Race race_of(std::span<const Racer> racers, double margin, double error) {
  Race race;
  std::vector<std::size_t> alive, twins;
  std::set<double> blocks;
  for (std::size_t i = 0; i < racers.size(); ++i) {
    (racers[i].twin ? twins : alive).push_back(i);
    blocks.insert(racers[i].block.begin(), racers[i].block.end());
  }
  const double count = static_cast<double>(alive.size());
  const double each = 2 * error / std::max(1.0, count * (count - 1));
  std::vector<Standing> standings(racers.size());
  std::vector<Lasting> looks;
  for (const double block : blocks) {
    std::vector<std::size_t> rows = alive;
    rows.insert(rows.end(), twins.begin(), twins.end());
    if (alive.size() < 2) break;
    const RaceTable table(racers, rows, block);
    if (table.blocks() == 0) continue;
    looks.push_back(table.lasting());
    std::size_t first = 0;
    for (std::size_t i = 1; i < alive.size(); ++i) first = table.mean(i) < table.mean(first) ? i : first;
    race.leader = alive[first];
    race.reached = 0;
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < alive.size(); ++i) {
      Standing& own = standings[alive[i]];
      own.blocks = table.blocks();
      own.gap = table.mean(i) - table.mean(first);
      const double reach = i == first ? 0 : table.reach(i, first, each, most_of(looks));
      own.low = own.gap - reach, own.high = own.gap + reach;
      own.in_set = own.low <= margin;
      if (!own.in_set) own.out_at = block;
      if (own.in_set) still.push_back(alive[i]), race.reached = std::max(race.reached, own.high);
    }
    alive = std::move(still);
    race.standings = standings;
    race.ended = race.reached <= margin;
    if (race.ended) break;
  }
  return race;
}

}  // namespace assay::claims
