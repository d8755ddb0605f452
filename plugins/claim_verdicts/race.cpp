#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "algo/noise/block_noise.hpp"
#include "algo/noise/lasting_noise.hpp"
#include "algo/noise/sequence.hpp"
#include "assay/algo/summary.hpp"

namespace assay::claims {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kPrior = 2;  ///< prior variance of a gap, in units of the spread: gaps of about one
constexpr double kUnseen = 0.25, kEarlySpreads = 20, kCalmSpreads = 6.5;
constexpr std::size_t kFirst = 3, kFirstUsual = 8;
constexpr double kEarlyPart = 8;  ///< part of the error of a look before block kFirstUsual
constexpr double kEvidence = 80;  ///< number of steps over all series after which a clock state has shown up
constexpr double kSeries = 3;     ///< of which each contributes as much as one needs
constexpr double kLittleTrend = 1.4, kTrend = 2.5;
constexpr double kSlopeErrors = 1.3;  ///< standard errors by which a trend may be steeper than it was
constexpr double kUsual = 30;         ///< blocks of a recording, in whose middle a trend has passed its mean

/// Noise observed in rows that have dropped out.
struct ShownNoise {
  LastingShare share;
  double steps = 0, range = 0;
  std::vector<double> step_sds;

  void add(std::span<const double> residuals) {
    RunningNoise running;
    for (const double value : residuals) running.add(value);
    share.add(residuals);
    steps += static_cast<double>(residuals.size()) - 1;
    range = std::max(range, running.now().range);
    step_sds.push_back(running.now().step_sd);
  }
};

/// The two-way table of those still racing, over the blocks they have in common.
class RaceTable {
 public:
  RaceTable(std::span<const Racer> racers, const std::vector<std::size_t>& rows, double until, const ShownNoise& before)
      : shown_(before) {
    std::vector<double> blocks = racers[rows.front()].block;
    std::erase_if(blocks, [&](double block) { return block > until; });
    for (const std::size_t row : rows) {
      const std::vector<double>& own = racers[row].block;
      std::erase_if(blocks, [&](double block) { return !std::ranges::binary_search(own, block); });
    }
    for (const std::size_t row : rows) {
      const Racer& racer = racers[row];
      values_.push_back(at_blocks(racer, racer.value, blocks));
      std::vector<double>& clocks = clocks_.emplace_back();
      for (const std::vector<double>& clock : racer.clocks)
        clocks.push_back(assay::mean(at_blocks(racer, clock, blocks)));
    }
    blocks_ = blocks.size();
    if (blocks_ > 0) find_noise();
  }

  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] double mean(std::size_t row) const { return means_[row]; }

  /// The residuals of a row after subtracting the means of the blocks.
  [[nodiscard]] const std::vector<double>& residuals(std::size_t row) const { return residuals_[row]; }

  /// Half-width of the interval of the difference of two rows; infinite: unknown.
  [[nodiscard]] double reach(std::size_t a, std::size_t b, double error) const {
    if (blocks_ < kFirst) return kInf;
    RunningNoise running;
    for (std::size_t t = 0; t < blocks_; ++t) running.add(values_[a][t] - values_[b][t]);
    const auto n = static_cast<double>(blocks_), rows = static_cast<double>(values_.size());
    const double spread = std::max(std::sqrt(2 * squares_ / ((rows - 1) * (n - 1))), running.now().sd);
    const double widened = std::sqrt(std::max(1.0, trend_)), seen = clock_gap(a, b) + trend_gap(a, b, spread);
    const LastingInterval interval(blocks_, spread, share_, rows - 1);
    if (blocks_ < kFirstUsual) {
      const double once = interval.once(error / kEarlyPart) * widened, range = shown_.range;
      const double unseen = std::min(std::max(kUnseen, kEarlySpreads * spread), once + kUnseen);
      return std::min(std::max(unseen, range), std::max(once, range) + seen);
    }
    if (trend_ > kTrend) return kInf;
    const double half = interval.at_each_look(error, kPrior) * widened;
    // A lasting state may not have shown up yet, unless nothing varies at all.
    return shown_.range > 0 ? std::min(std::max(half, least_reach()), half + seen) : half;
  }

 private:
  /// Of values by block of a racer those of `blocks`, which it must have.
  static std::vector<double> at_blocks(const Racer& racer, const std::vector<double>& values,
                                       const std::vector<double>& blocks) {
    std::vector<double> out;
    for (const double block : blocks) {
      const auto at = std::ranges::lower_bound(racer.block, block) - racer.block.begin();
      out.push_back(values[static_cast<std::size_t>(at)]);
    }
    return out;
  }

  /// Largest difference of two rows that their clocks can make; infinite if those were not sampled.
  [[nodiscard]] double clock_gap(std::size_t a, std::size_t b) const {
    if (clocks_[a].empty() || clocks_[a].size() != clocks_[b].size()) return kInf;
    double gap = 0;
    for (std::size_t c = 0; c < clocks_[a].size(); ++c) gap += std::abs(clocks_[a][c] - clocks_[b][c]);
    return gap;
  }

  /// Largest difference of two rows if their trend continues until the middle of a recording of kUsual blocks.
  [[nodiscard]] double trend_gap(std::size_t a, std::size_t b, double spread) const {
    const double n = static_cast<double>(blocks_), middle = (n - 1) / 2;
    double cross = 0, since = 0;
    for (std::size_t t = 0; t < blocks_; ++t) {
      const double from = static_cast<double>(t) - middle;
      cross += from * (values_[a][t] - values_[b][t]);
      since += from * from;
    }
    const double slope = std::abs(cross) / since + kSlopeErrors * spread / std::sqrt(since);
    return slope * std::max(0.0, kUsual / 2 - middle);
  }

  void find_noise() {
    const auto n = static_cast<double>(blocks_), rows = static_cast<double>(values_.size());
    std::vector<double> block_means(blocks_, 0);
    for (const std::vector<double>& row : values_) {
      for (std::size_t t = 0; t < blocks_; ++t) block_means[t] += row[t] / rows;
    }
    double slopes = 0, since = 0;  // squares explained by straight lines; squares of the blocks around their mean
    for (std::size_t t = 0; t < blocks_; ++t) since += std::pow(static_cast<double>(t) - (n - 1) / 2, 2);
    for (const std::vector<double>& row : values_) {
      std::vector<double>& left = residuals_.emplace_back();
      double cross = 0;
      for (std::size_t t = 0; t < blocks_; ++t) {
        left.push_back(row[t] - block_means[t]);
        cross += left.back() * (static_cast<double>(t) - (n - 1) / 2);
      }
      means_.push_back(assay::mean(row));
      const double own = assay::mean(left);
      for (const double value : left) squares_ += (value - own) * (value - own);
      if (since > 0) slopes += cross * cross / since;
      shown_.add(left);
    }
    if (blocks_ > 2 && squares_ > slopes) trend_ = slopes * (n - 2) / (squares_ - slopes);
    std::vector<double> steps = shown_.step_sds;
    is_calm_ = shown_.range <= kCalmSpreads * median_in_place(steps) && trend_ <= kLittleTrend;
    const auto all = static_cast<double>(shown_.step_sds.size());
    share_ = shown_.share.limit(kUnlikelyShare * std::min(1.0, kSeries / all));
    evidence_ = shown_.steps * (rows - 1) / rows;
  }

  /// Lower bound while a clock state or a trend may not have shown up.
  [[nodiscard]] double least_reach() const {
    if (evidence_ >= kEvidence && is_calm_) return 0;
    return unseen_by(blocks_) > kUnseenShift ? kUnseen : unseen_by(blocks_);
  }

  std::vector<std::vector<double>> values_;  ///< by row, then block
  std::vector<std::vector<double>> clocks_;  ///< by row: mean log of each sampled clock
  std::vector<std::vector<double>> residuals_;
  std::vector<double> means_;
  std::size_t blocks_ = 0;
  double squares_ = 0;  ///< of the residuals of rows and columns
  ShownNoise shown_;    ///< by these rows and those that dropped out
  double share_ = 1;    ///< part of the noise that lasts
  double trend_ = 1;    ///< squares explained by a straight line per row, relative to chance
  double evidence_ = 0;
  bool is_calm_ = false;
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
  const auto count = static_cast<double>(alive.size());
  const double each = 2 * error / std::max(1.0, count * (count - 1));
  std::vector<Standing> standings(racers.size());
  ShownNoise dropped;
  for (const double block : blocks) {
    std::vector<std::size_t> rows = alive;
    rows.insert(rows.end(), twins.begin(), twins.end());
    if (alive.size() < 2) break;
    const RaceTable table(racers, rows, block, dropped);
    if (table.blocks() == 0) continue;
    std::size_t first = 0;
    for (std::size_t i = 1; i < alive.size(); ++i) first = table.mean(i) < table.mean(first) ? i : first;
    race.leader = alive[first];
    race.reached = 0;
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < alive.size(); ++i) {
      Standing& own = standings[alive[i]];
      own.blocks = table.blocks();
      own.gap = table.mean(i) - table.mean(first);
      const double reach = i == first ? 0 : table.reach(i, first, each);
      own.low = own.gap - reach;
      own.high = own.gap + reach;
      own.in_set = own.low <= margin;
      if (!own.in_set) {
        own.out_at = block;
        dropped.add(table.residuals(i));
      } else {
        still.push_back(alive[i]);
        race.reached = std::max(race.reached, own.high);
      }
    }
    alive = std::move(still);
    race.standings = standings;
    race.ended = race.reached <= margin;
    if (race.ended) break;
  }
  return race;
}

}  // namespace assay::claims
