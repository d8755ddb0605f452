// Made-up studies with a known truth, judged after every block by one rule or another.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/algo/distributions.hpp"
#include "assay/algo/random.hpp"
#include "assay/algo/sequence.hpp"
#include "rivals.hpp"

namespace assay::simulated {

enum class Noise { kNormal, kLogNormal, kMachineAr1, kOwnAr1, kDrift, kOutliers };
inline constexpr std::array kNoises = {Noise::kNormal, Noise::kLogNormal, Noise::kMachineAr1,
                                       Noise::kOwnAr1, Noise::kDrift,     Noise::kOutliers};
inline const char* name_of(Noise noise) {
  constexpr const char* names[] = {"normal, sd 0.02",        "log-normal, sd 0.5",  "AR(1) 0.8 of the machine",
                                   "AR(1) 0.5 of each cell", "drift within blocks", "5 % of runs 2 to 3 times as long"};
  return names[static_cast<std::size_t>(noise)];
}

/// Logs of the times of `cells` cells in one block after another.
class Machine {
 public:
  Machine(Noise noise, std::size_t cells, Random& random) : noise_(noise), own_(cells), random_(random) {}

  std::vector<double> block() {
    constexpr double kSd = 0.02;
    machine_ = 0.8 * machine_ + 0.1 * random_.normal();
    std::vector<std::size_t> position(own_.size());
    for (std::size_t i = 0; i < position.size(); ++i) position[i] = i;
    for (std::size_t i = position.size(); i > 1; --i) std::swap(position[i - 1], position[random_.index(i)]);
    std::vector<double> logs(own_.size());
    for (std::size_t c = 0; c < own_.size(); ++c) {
      const double fresh = random_.normal();
      own_[c] = 0.5 * own_[c] + fresh;
      const double outlier = random_.uniform() < 0.05 ? std::log(2 + random_.uniform()) : 0;
      switch (noise_) {
        case Noise::kNormal:
          logs[c] = kSd * fresh;
          break;
        case Noise::kLogNormal:
          logs[c] = 0.5 * fresh;
          break;
        case Noise::kMachineAr1:
          logs[c] = machine_ + kSd * fresh;
          break;
        case Noise::kOwnAr1:
          logs[c] = kSd * own_[c];
          break;
        case Noise::kDrift:
          logs[c] = kSd * fresh + 0.02 * static_cast<double>(position[c]);
          break;
        case Noise::kOutliers:
          logs[c] = kSd * fresh + outlier;
          break;
      }
    }
    return logs;
  }

 private:
  Noise noise_;
  double machine_ = 0;
  std::vector<double> own_;
  Random& random_;
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
struct Planted {
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
  if (rule == Rule::kSequence) return {seen.lo, seen.hi};
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
struct Watched {
  double level, strict;
  Sequence usual{level}, strictly{strict};
  PairRuns runs = {};
};

/// +1 supported, -1 refuted, 0 open, of all strata of a claim, as claim_verdicts puts them together.
inline int verdict_of(const Planted& claim, const std::vector<Watched>& strata, Rule rule, bool last) {
  bool all = true, refuted = false;
  for (const Watched& watched : strata) {
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
};

/// Looks after every block up to `most`; a verdict once reached stays. Truths at a bound contradict either verdict.
inline Study run_study(std::span<const Planted> claims, std::size_t strata, Noise noise, Rule rule, std::size_t most,
                       Random& random, double sd_factor = 1) {
  const double level = 1 - 0.05 / static_cast<double>(claims.size());
  Study study;
  study.decided_at.assign(claims.size(), 0);
  Machine machine(noise, 2 * strata * claims.size(), random);
  const double strict = 1 - (1 - level) / static_cast<double>(strata);
  std::vector<std::vector<Watched>> seen(claims.size(), std::vector<Watched>(strata, Watched{level, strict}));
  for (std::size_t block = 1; block <= most; ++block) {
    const std::vector<double> logs = machine.block();
    for (std::size_t c = 0; c < claims.size(); ++c) {
      for (std::size_t s = 0; s < strata; ++s) {
        const std::size_t cell = 2 * (c * strata + s);
        const double difference = claims[c].truth + sd_factor * (logs[cell + 1] - logs[cell]);
        seen[c][s].usual.add(difference);
        seen[c][s].strictly.add(difference);
        if (rule == Rule::kNvbench || rule == Rule::kMannWhitney) {
          seen[c][s].runs.base.push_back(sd_factor * logs[cell]);
          seen[c][s].runs.treated.push_back(claims[c].truth + sd_factor * logs[cell + 1]);
        }
      }
      if (study.decided_at[c] > 0) continue;
      const int verdict = verdict_of(claims[c], seen[c], rule, block == most);
      if (verdict == 0) continue;
      study.decided_at[c] = block;
      const bool inside = claims[c].truth > claims[c].low && claims[c].truth < claims[c].high;
      const bool outside = claims[c].truth < claims[c].low || claims[c].truth > claims[c].high;
      study.any_false = study.any_false || (verdict > 0 ? !inside : !outside);
    }
  }
  return study;
}

/// Three claims with the truth at a bound of each.
inline std::vector<Planted> at_the_bounds() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {
      {std::log(0.99), std::log(1.01), std::log(1.01)}, {0, kInf, 0}, {std::log(0.95), std::log(1.05), std::log(0.95)}};
}

/// Part of the studies with any false verdict.
inline double false_part(Noise noise, Rule rule, std::size_t studies, const std::string& seed) {
  Random random(seed);
  const std::vector<Planted> claims = at_the_bounds();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < studies; ++i)
    wrong += run_study(claims, 2, noise, rule, kLooks, random).any_false ? 1U : 0U;
  return static_cast<double>(wrong) / static_cast<double>(studies);
}

}  // namespace assay::simulated
