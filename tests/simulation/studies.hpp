// Synthetic studies with a known truth, judged after every block by one rule or another.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/noise/sequence.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/detail/random.hpp"
#include "rivals.hpp"

namespace assay::simulated {

/// How runs differ though nothing about the program does.
struct Noise {
  enum class Shape { kOwn, kMachine, kWarming, kSticky, kTrend, kDrift, kOutliers, kClocks, kWild, kT3, kUnequal };
  const char* name;
  Shape shape;
  double sd;           ///< of what is new in every run, in logs
  double lasting = 0;  ///< correlation of own or machine noise, step of clocks, sd of trends, warming over 30 blocks
  double size = 0;     ///< sd of the machine's noise
};
using Shape = Noise::Shape;
inline constexpr std::array kNoises = {Noise{"normal, sd 0.02", Shape::kOwn, 0.02},
                                       Noise{"log-normal, sd 0.5", Shape::kOwn, 0.5},
                                       Noise{"AR(1) 0.8 of the machine, sd 0.1", Shape::kMachine, 0.02, 0.8, 0.1},
                                       Noise{"AR(1) 0.3 of each cell", Shape::kOwn, 0.02, 0.3},
                                       Noise{"AR(1) 0.5 of each cell", Shape::kOwn, 0.02, 0.5},
                                       Noise{"AR(1) 0.8 of each cell", Shape::kOwn, 0.02, 0.8},
                                       Noise{"sticky clocks, sd 0.02", Shape::kSticky, 0.02, 0.05},
                                       Noise{"sticky clocks, sd 0.005", Shape::kSticky, 0.005, 0.05},
                                       Noise{"slow trend of each cell, sd 0.04", Shape::kTrend, 0.02, 0.04},
                                       Noise{"two clocks, by chance", Shape::kClocks, 0.01, 0.05},
                                       Noise{"drift within blocks", Shape::kDrift, 0.02},
                                       Noise{"5 % of runs 2 to 3 times as long", Shape::kOutliers, 0.02},
                                       Noise{"Student's t with 3 degrees", Shape::kT3, 0.02},
                                       Noise{"one cell 5 %, all others 0.5 %", Shape::kUnequal, 0.005},
                                       Noise{"AR(1) 0.8 of each cell, sd 0.5", Shape::kOwn, 0.5, 0.8}};
/// What does not cancel in a level.
inline constexpr std::array kLevelNoises = {Noise{"normal, sd 0.02", Shape::kOwn, 0.02},
                                            Noise{"AR(1) 0.5 of the machine, sd 0.1", Shape::kMachine, 0.02, 0.5, 0.1},
                                            Noise{"AR(1) 0.8 of the machine, sd 0.1", Shape::kMachine, 0.02, 0.8, 0.1},
                                            Noise{"linear warming, 10 %", Shape::kWarming, 0.02, 0.1},
                                            Noise{"AR(1) 0.8 of each cell", Shape::kOwn, 0.02, 0.8},
                                            Noise{"sticky clocks, sd 0.005", Shape::kSticky, 0.005, 0.05}};

/// Logs of the times of `cells` cells in one block after another.
class Machine {
 public:
  Machine(const Noise& noise, std::size_t cells, Random& random) : noise_(noise), random_(random) {
    machine_ = noise.size * random.normal();
    if (noise.shape == Shape::kWild) wild_ = 1 + random.index(8);
    for (std::size_t c = 0; c < cells; ++c) {
      slow_.push_back(random.uniform() < kSlow ? 1 : 0);
      const double z = random.normal();
      own_.push_back(noise.shape == Shape::kTrend ? z : noise.sd * z / root_of_rest());
    }
  }

  std::vector<double> block() {
    ++blocks_;
    if (blocks_ > 1) machine_ = noise_.lasting * machine_ + root_of_rest() * noise_.size * random_.normal();
    std::vector<std::size_t> position(own_.size());
    for (std::size_t i = 0; i < position.size(); ++i) position[i] = i;
    for (std::size_t i = position.size(); i > 1; --i) std::swap(position[i - 1], position[random_.index(i)]);
    std::vector<double> logs(own_.size());
    clocks_.assign(own_.size(), 0);
    for (std::size_t c = 0; c < own_.size(); ++c) logs[c] = run(c, static_cast<double>(position[c]));
    return logs;
  }
  /// Logs of the clocks of the runs of the last block; a run is slower by their negative.
  [[nodiscard]] const std::vector<double>& clocks() const { return clocks_; }

 private:
  static constexpr double kSlow = 0.3, kBlocks = 8;  ///< part of the time that a sticky clock is slow, and for how long

  /// Standard deviation of what is new, in units of the whole.
  [[nodiscard]] double root_of_rest() const {
    const double r = noise_.shape == Shape::kOwn || noise_.shape == Shape::kMachine ? noise_.lasting : 0;
    return std::sqrt(1 - r * r);
  }
  double run(std::size_t cell, double position) {
    const double fresh = noise_.sd * random_.normal(), chance = random_.uniform(), size = random_.uniform();
    const double blocks = static_cast<double>(blocks_);
    switch (noise_.shape) {
      case Shape::kOwn:
        if (blocks_ > 1) own_[cell] = noise_.lasting * own_[cell] + fresh;
        return own_[cell];
      case Shape::kMachine:
        return machine_ + fresh;
      case Shape::kWarming:
        return noise_.lasting * (blocks - 1) / 29 + fresh;
      case Shape::kSticky:
        if (blocks_ > 1 && chance < (slow_[cell] != 0 ? 1 : kSlow / (1 - kSlow)) / kBlocks) slow_[cell] ^= 1;
        clocks_[cell] = -noise_.lasting * slow_[cell];
        return fresh - clocks_[cell];
      case Shape::kTrend:
        return noise_.lasting * own_[cell] * (blocks - 15.5) / 8.66 + fresh;
      case Shape::kClocks:
        clocks_[cell] = chance < kSlow ? -noise_.lasting : 0;
        return fresh - clocks_[cell];
      case Shape::kDrift:
        return 0.02 * position + fresh;
      case Shape::kOutliers:
        return (chance < 0.05 ? std::log(2 + size) : 0) + fresh;
      case Shape::kT3: {
        double squares = 0;
        for (int i = 0; i < 3; ++i) squares += std::pow(random_.normal(), 2);
        return fresh / std::sqrt(squares);  // over sqrt(3) of its own: `sd` is that of t
      }
      case Shape::kUnequal:
        return (cell == 1 ? 10 : 1) * fresh;
      case Shape::kWild:
        return (blocks_ == wild_ ? std::log(1 + 2 * size) : 0) + fresh;
    }
    return 0;
  }

  const Noise& noise_;
  Random& random_;
  double machine_ = 0;
  std::size_t blocks_ = 0;
  std::size_t wild_ = 0;  ///< block, one of the first eight, in which any run may take thrice as long; 0: none
  std::vector<double> own_, clocks_;
  std::vector<int> slow_;
};

enum class Rule {
  kSequence,
  kIndependent,
  kFixedAtEachLook,
  kFixedOnce,
  kVariationBelow1,
  kIntervalBelow3,
  kNvbench,
  kMannWhitney,
  kSprt,
  kSpending
};
inline constexpr std::array kRules = {
    Rule::kSequence,       Rule::kIndependent, Rule::kFixedAtEachLook, Rule::kFixedOnce, Rule::kVariationBelow1,
    Rule::kIntervalBelow3, Rule::kNvbench,     Rule::kMannWhitney,     Rule::kSprt,      Rule::kSpending};
inline const char* name_of(Rule rule) {
  constexpr const char* names[] = {"confidence sequence", "without widening",  "fixed-n t, each look",
                                   "fixed-n t, once",     "variation < 1 %",   "interval < 3 %",
                                   "NVBench stdrel",      "Mann-Whitney 0.01", "SPRT",
                                   "spending (OBF)"};
  return names[static_cast<std::size_t>(rule)];
}

/// A claim that a ratio lies in [low, high], both logs, whose truth is `truth`.
struct PlantedClaim {
  double low, high, truth;
};

/// Quantiles are asked for again and again at the same few levels and counts.
inline double t_quantile(std::size_t n, double level) {
  static std::map<std::pair<std::size_t, double>, double> known;
  const auto [at, fresh] = known.emplace(std::pair(n, level), 0.0);
  if (fresh) at->second = student_t_quantile((1 + level) / 2, static_cast<double>(n) - 1);
  return at->second;
}

inline constexpr std::size_t kLooks = 30;

/// What a rule allows to say of what was seen; all of the line: nothing.
inline Interval interval_by(Rule rule, const SequenceInterval& seen, const PairRuns& runs, double level, bool last) {
  constexpr Interval nothing = kNothing;
  if (rule == Rule::kSequence) return seen.known() ? Interval{seen.lo, seen.hi} : nothing;
  if (rule == Rule::kSprt) return sprt(seen, level);
  if (rule == Rule::kSpending) return spending(seen, level, kLooks);
  if (rule == Rule::kMannWhitney) return mann_whitney(runs);
  if (rule == Rule::kNvbench) {
    const bool settled = noise_is_settled(runs.base) && noise_is_settled(runs.treated);
    return settled ? Interval{seen.mean, seen.mean} : nothing;
  }
  if (rule == Rule::kIndependent) {
    const double half = sequence_half_width(seen.n, seen.sd, level);
    return std::isfinite(half) ? Interval{seen.mean - half, seen.mean + half} : nothing;
  }
  if (seen.n < 3) return nothing;
  const double n = static_cast<double>(seen.n), error = seen.sd / std::sqrt(n);
  if (rule == Rule::kVariationBelow1) return error < 0.01 ? Interval{seen.mean, seen.mean} : nothing;
  if (rule == Rule::kFixedOnce && !last) return nothing;
  const double half = t_quantile(seen.n, level) * error;
  if (rule == Rule::kIntervalBelow3) return half < 0.03 ? Interval{seen.mean, seen.mean} : nothing;
  return {seen.mean - half, seen.mean + half};
}

/// One stratum at the level of its claim, and at the one that a single stratum needs to refute it.
struct WatchedStratum {
  double level, strict;
  double unseen = kUnseenShift;
  Sequence usual{level, unseen}, strictly{strict, unseen};
  PairRuns runs = {};
};

/// +1 supported, -1 refuted, 0 open, of all strata of a claim, as claim_verdicts puts them together.
inline int verdict_of(const PlantedClaim& claim, const std::vector<WatchedStratum>& strata, Rule rule, bool last) {
  bool all = true, refuted = false;
  for (const WatchedStratum& watched : strata) {
    const Interval wide = interval_by(rule, watched.usual.now(), watched.runs, watched.level, last);
    const Interval strictly = interval_by(rule, watched.strictly.now(), watched.runs, watched.strict, last);
    all = all && wide.lo >= claim.low && wide.hi <= claim.high;
    refuted = refuted || strictly.hi < claim.low || strictly.lo > claim.high;
  }
  return refuted ? -1 : all ? 1 : 0;
}

struct Study {
  bool any_false = false;
  std::vector<std::size_t> decided_at;  ///< by claim: blocks; 0: not decided
  std::size_t covered = 0,
              intervals = 0;  ///< of the sequence's intervals after the last look: those that hold the truth
};

/// What is made up: so many strata, levels instead of ratios to one base a stratum, the spread of `noise` times a
/// factor.
struct Setting {
  std::size_t strata = 2;
  bool levels = false;
  double sd_factor = 1;
  bool to_the_end = false;  ///< looks on when all is decided, for the coverage
};

/// One recording: its cells, and the series that claims look at. Each stratum has a base and a cell for each claim; the
/// first base is run twice (A/A).
class Recording {
 public:
  Recording(std::span<const PlantedClaim> claims, const Noise& of, const Setting& setting, Random& random)
      : claims_(claims),
        setting_(setting),
        machine_(of, setting.strata * (claims.size() + 1) + 1, random),
        running_(setting.strata * claims.size() + 1) {
    running_.back() = RunningNoise(!setting.levels);
  }

  /// One block more. Then: the differences (or levels) of each stratum of each claim, and what all series show.
  void block() {
    const std::vector<double> logs = machine_.block();
    const std::size_t claims = claims_.size();
    base.clear();
    treated.clear();
    for (std::size_t s = 0; s < setting_.strata; ++s) {
      for (std::size_t c = 0; c < claims; ++c) {
        base.push_back(setting_.levels ? 0 : setting_.sd_factor * logs[s * (claims + 1)]);
        treated.push_back(claims_[c].truth + setting_.sd_factor * logs[s * (claims + 1) + 1 + c]);
      }
    }
    std::vector<SeriesNoise> now;
    for (std::size_t i = 0; i < base.size(); ++i) now.push_back(running_[i].add(treated[i] - base[i]));
    const double twin = setting_.sd_factor * (logs.back() - (setting_.levels ? 0 : logs.front()));
    now.push_back(running_.back().add(twin));
    noise = pooled(now);
  }

  std::vector<double> base, treated;  ///< of the block: by stratum, then claim
  BlockNoise noise;

 private:
  std::span<const PlantedClaim> claims_;
  Setting setting_;
  Machine machine_;
  std::vector<RunningNoise> running_;
};

inline void count_false(const PlantedClaim& claim, int verdict, Study& study) {
  const bool inside = claim.truth > claim.low && claim.truth < claim.high;
  const bool outside = claim.truth < claim.low || claim.truth > claim.high;
  study.any_false = study.any_false || (verdict > 0 ? !inside : !outside);
}

/// Looks after every block up to `most`; a verdict once reached stays. Truths at a bound contradict either verdict.
inline Study run_study(std::span<const PlantedClaim> claims, const Setting& setting, const Noise& noise, Rule rule,
                       std::size_t most, Random& random) {
  const double level = 1 - 0.05 / static_cast<double>(claims.size());
  const double strict = 1 - (1 - level) / static_cast<double>(setting.strata);
  Study study;
  study.decided_at.assign(claims.size(), 0);
  Recording recording(claims, noise, setting, random);
  const WatchedStratum fresh{level, strict, setting.levels ? kUnseenMachineShift : kUnseenShift};
  std::vector<std::vector<WatchedStratum>> seen(claims.size(), std::vector<WatchedStratum>(setting.strata, fresh));
  bool open = true;
  for (std::size_t block = 1; block <= most && (open || setting.to_the_end); ++block) {
    recording.block();
    open = false;
    for (std::size_t c = 0; c < claims.size(); ++c) {
      for (std::size_t s = 0; s < setting.strata; ++s) {
        const std::size_t at = s * claims.size() + c;
        WatchedStratum& watched = seen[c][s];
        const double difference = recording.treated[at] - recording.base[at];
        watched.usual.add(difference, recording.noise);
        watched.strictly.add(difference, recording.noise);
        if (rule == Rule::kNvbench || rule == Rule::kMannWhitney) {
          watched.runs.base.push_back(recording.base[at]);
          watched.runs.treated.push_back(recording.treated[at]);
        }
      }
      if (study.decided_at[c] > 0) continue;
      const int verdict = verdict_of(claims[c], seen[c], rule, block == most);
      open = open || verdict == 0;
      if (verdict == 0) continue;
      study.decided_at[c] = block;
      count_false(claims[c], verdict, study);
    }
  }
  for (std::size_t c = 0; c < claims.size(); ++c) {
    for (const WatchedStratum& watched : seen[c]) {
      const SequenceInterval& now = watched.usual.now();
      if (!now.known()) continue;
      ++study.intervals;
      study.covered += now.lo <= claims[c].truth && claims[c].truth <= now.hi ? 1U : 0U;
    }
  }
  return study;
}

/// Three claims with the truth at a bound of each.
inline std::vector<PlantedClaim> at_the_bounds() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {
      {std::log(0.99), std::log(1.01), std::log(1.01)}, {0, kInf, 0}, {std::log(0.95), std::log(1.05), std::log(0.95)}};
}

/// Part of the studies with any false verdict.
inline double false_part(const Noise& noise, Rule rule, std::size_t studies, const std::string& seed,
                         const Setting& setting = {}) {
  Random random(seed);
  const std::vector<PlantedClaim> claims = at_the_bounds();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < studies; ++i)
    wrong += run_study(claims, setting, noise, rule, kLooks, random).any_false ? 1U : 0U;
  return static_cast<double>(wrong) / static_cast<double>(studies);
}

}  // namespace assay::simulated
