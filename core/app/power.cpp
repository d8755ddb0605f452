#include "app/power.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <set>

#include "app/log.hpp"
#include "assay/algo/sequence.hpp"
#include "assay/algo/summary.hpp"
#include "config/claim_keys.hpp"
#include "config/duration.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kPower = 0.9;

std::string label_of(const StoredReport& report, std::string_view name) {
  for (const auto& [label, value] : report.labels) {
    if (label == name) return value;
  }
  return {};
}

std::string fingerprint_of(const StoredReport& report) {
  for (const OwnedAttribute& attribute : report.attributes) {
    if (attribute.name == "fingerprint") return attribute.value;
  }
  return {};
}

std::optional<double> fact_of(const StoredReport& report, std::string_view metric, std::string_view dims) {
  for (const Fact& fact : report.facts) {
    if (fact.metric == metric && fact.dims == dims) return fact.value;
  }
  return std::nullopt;
}

/// What is compared, on which scale.
struct Comparison {
  std::string kind, label, base;    // "ratio", "level", "step"
  std::vector<std::string> block;   // labels that a step is fitted within
  double low = -kInf, high = kInf;  // as the claim has them
  bool logits = false;              // else logs, but of steps the metric itself
  double of_base = 1;               // of logits: the base's own level

  [[nodiscard]] double scaled(double value) const {
    if (kind == "step") return value;
    return logits ? std::log(value / (1 - value)) : std::log(value);
  }
  /// An effect (a ratio, a level, a step) on the scale of the differences; what is beyond it has no bound there.
  [[nodiscard]] double place(double effect) const {
    if (kind == "step" || std::isinf(effect)) return effect;
    const double value = logits ? effect * of_base : effect;
    if (value <= 0) return -kInf;
    if (logits && value >= 1) return kInf;
    return scaled(value) - (logits && kind == "ratio" ? scaled(of_base) : 0);
  }
  [[nodiscard]] double back(double difference) const {
    if (kind == "step") return difference;
    if (!logits) return std::exp(difference);
    const double logit = difference + (kind == "ratio" ? scaled(of_base) : 0);
    return 1 / (1 + std::exp(-logit)) / of_base;
  }
};

Comparison comparison_of(const ClaimConfig& claim) {
  Comparison c{claim_key<std::string>(claim, "compare", "level"),
               claim_key<std::string>(claim, "label"),
               claim_key<std::string>(claim, "base"),
               claim_texts(claim, "block"),
               -kInf,
               kInf,
               false,
               1};
  const auto range = claim_key<std::vector<double>>(claim, "between");
  if (range.size() == 2) {
    c.low = range[0];
    c.high = range[1];
  }
  return c;
}

/// A value of the evidence, by the labels of its report.
struct Observed {
  const StoredReport* report;
  double value;
};

/// Mean of a block's runs after those before, in each group that has both; nothing without one.
std::optional<double> difference_in(const std::vector<Observed>& runs, const Comparison& c) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> groups;
  for (const Observed& run : runs) {
    std::string group;
    for (const std::string& name : c.block) group += label_of(*run.report, name) + ";";
    const bool base = c.kind != "level" && label_of(*run.report, c.label) == c.base;
    (base ? groups[group].first : groups[group].second).push_back(c.scaled(run.value));
  }
  std::vector<double> found;
  for (const auto& [key, sides] : groups) {
    if (sides.second.empty() || (c.kind != "level" && sides.first.empty())) continue;
    found.push_back(mean(sides.second) - (c.kind == "level" ? 0 : mean(sides.first)));
  }
  return found.empty() ? std::nullopt : std::optional(mean(found));
}

struct Spread {
  double sd = 0, degrees = 0;
};

/// Pooled over groups of equal runs: of the same fingerprint, and with the same value of the label under test.
Spread spread_of_equal_runs(const StoredQuestion& result, const EvidenceRow& like, const Comparison& c) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> groups;
  for (const StoredReport& report : result.reports) {
    const std::string fingerprint = fingerprint_of(report);
    const auto value = fact_of(report, like.metric, like.dims);
    if (fingerprint.empty() || !value || !(*value > 0)) continue;
    groups[{fingerprint, label_of(report, c.label)}].push_back(c.scaled(*value));
  }
  Spread spread;
  for (const auto& [key, values] : groups) {
    if (values.size() < 2) continue;
    spread.sd += squared_deviations(values);
    spread.degrees += static_cast<double>(values.size() - 1);
  }
  if (spread.degrees > 0) spread.sd = std::sqrt(spread.sd / spread.degrees);
  return spread;
}

class Planner {
 public:
  Planner(const StoredQuestion& result, std::optional<double> effect) : result_(result), effect_(effect) {
    for (const StoredReport& report : result.reports) reports_[report.name] = &report;
  }

  OpenStratum plan(const ClaimConfig& claim, const OwnedStratum& stratum) const {
    OpenStratum open;
    open.claim = claim.id;
    for (const auto& [label, value] : stratum.labels)
      open.labels += (open.labels.empty() ? "" : " ") + label + "=" + value;
    Comparison c = comparison_of(claim);
    if (c.kind == "study" || claim_key<bool>(claim, "exact")) {
      open.in_vain = "it is judged on a fact of the whole study, which more runs may change and do not sharpen";
      return open;
    }
    if (stratum.reason.starts_with("the A/A pair")) {
      open.in_vain = "the A/A pair differs: find out why before more is recorded";
      return open;
    }
    const std::vector<Observed> runs = observed(stratum);
    if (runs.empty() || !stratum.effect) {
      open.in_vain = "nothing that the claim compares was measured";
      return open;
    }
    tell_logits(stratum.evidence.front(), runs, c);
    double centre = 0;
    if (!weigh(stratum, runs, c, centre, open)) return open;
    open.effect = c.back(centre);
    const double level = stratum.effect->level, low = c.place(c.low), high = c.place(c.high);
    const std::size_t least = open.recorded ? open.blocks + 1 : 2;
    open.as_seen = std::max(least, sequence_blocks_needed(centre, open.sd, low, high, level, kMostPlannedBlocks));
    const std::optional<double> wanted = effect_                                     ? std::optional(c.place(*effect_))
                                         : std::isfinite(low) && std::isfinite(high) ? std::optional((low + high) / 2)
                                                                                     : std::nullopt;
    if (wanted) {
      open.planned = std::max(
          least, sequence_blocks_for_power(*wanted, open.most_sd, low, high, level, kPower, kMostPlannedBlocks));
    }
    return open;
  }

 private:
  /// The runs that count, and whether they can be scaled.
  [[nodiscard]] std::vector<Observed> observed(const OwnedStratum& stratum) const {
    std::vector<Observed> runs;
    for (const EvidenceRow& row : stratum.evidence) {
      const auto at = reports_.find(row.report);
      if (at != reports_.end() && label_of(*at->second, "twin") != "yes") runs.push_back({at->second, row.value});
    }
    return runs;
  }

  /// As claim_verdicts does: shares that are neither 0 nor 1 anywhere are compared by logits.
  void tell_logits(const EvidenceRow& like, const std::vector<Observed>& runs, Comparison& c) const {
    if (c.kind == "step") return;
    const auto& metrics = result_.result.metrics;
    c.logits = std::any_of(metrics.begin(), metrics.end(),
                           [&](const OwnedMetric& m) { return m.id == like.metric && m.unit == "ratio"; });
    for (const StoredReport& report : result_.reports) {
      const auto value = fact_of(report, like.metric, like.dims);
      c.logits = c.logits && (!value || (*value > 0 && *value < 1));
    }
    if (!c.logits || c.kind != "ratio") return;
    std::vector<double> base;
    for (const Observed& run : runs) {
      if (label_of(*run.report, c.label) == c.base) base.push_back(run.value);
    }
    if (!base.empty()) c.of_base = median(base);
  }

  /// Effect and spread, of blocks or without them; false (and why) where there is none.
  bool weigh(const OwnedStratum& stratum, const std::vector<Observed>& runs, const Comparison& c, double& centre,
             OpenStratum& open) const {
    std::map<std::string, std::vector<Observed>> blocks;
    for (const Observed& run : runs) blocks[label_of(*run.report, "block")].push_back(run);
    for (const Observed& run : runs) {
      if (c.kind != "step" && !(run.value > 0)) {
        open.in_vain = "a value of it is not positive, so it has no log";
        return false;
      }
    }
    open.recorded = blocks.count("") == 0;
    Spread spread;
    if (open.recorded) {
      std::vector<double> differences;
      for (const auto& [block, members] : blocks) {
        if (const auto difference = difference_in(members, c)) differences.push_back(*difference);
      }
      open.blocks = differences.size();
      spread = {differences.size() < 2
                    ? 0
                    : std::sqrt(squared_deviations(differences) / static_cast<double>(differences.size() - 1)),
                static_cast<double>(differences.size()) - 1};
      if (!differences.empty()) centre = mean(differences);
    } else {
      const auto difference = difference_in(runs, c);
      if (!difference || c.kind == "step") {
        open.in_vain = "the spread of single runs says nothing about this comparison; record it in blocks";
        return false;
      }
      centre = *difference;
      spread = spread_of_equal_runs(result_, stratum.evidence.front(), c);
      open.blocks = static_cast<std::size_t>(spread.degrees);
      if (c.kind == "ratio") spread.sd *= std::sqrt(2.0);  // a block's difference is that of two runs
    }
    if (spread.degrees < 1) {
      open.in_vain = "how much equal runs differ is not known: no two of them were made";
      return false;
    }
    open.sd = spread.sd;
    open.most_sd = upper_spread(spread.sd, spread.degrees);
    take_time(runs, blocks.size(), open);
    return true;
  }

  static void take_time(const std::vector<Observed>& runs, std::size_t blocks, OpenStratum& open) {
    double seconds = 0;
    for (const Observed& run : runs) {
      const auto time = fact_of(*run.report, "runner.process_time_ns", "");
      if (!time) return;
      seconds += *time / 1e9;
      open.reports.push_back(run.report->name);
    }
    open.seconds = seconds / static_cast<double>(blocks);
  }

  const StoredQuestion& result_;
  std::optional<double> effect_;
  std::map<std::string_view, const StoredReport*> reports_;
};

std::string blocks_text(std::size_t blocks) {
  return blocks > kMostPlannedBlocks ? "> " + std::to_string(kMostPlannedBlocks) : std::to_string(blocks);
}

std::string spread_text(double sd) { return fixed(100 * sd, sd < 0.1 ? 2 : 0) + " %"; }

/// "29 more blocks, 12 min".
std::string cost_text(std::size_t blocks, const OpenStratum& open) {
  if (blocks > kMostPlannedBlocks) return "no number of runs that anybody makes";
  const std::size_t more = blocks - (open.recorded ? std::min(blocks, open.blocks) : 0);
  return open.seconds ? duration_text(*open.seconds * static_cast<double>(more)) : "not known";
}

void print(const std::vector<OpenStratum>& strata, std::ostream& out) {
  TextTable table({{"claim"},
                   {"seen", true},
                   {"spread", true},
                   {"at most", true},
                   {"blocks", true},
                   {"as seen", true},
                   {"time", true},
                   {"to plan", true},
                   {"time", true},
                   {"stratum"}});
  bool timeless = false, planless = false;
  for (const OpenStratum& open : strata) {
    if (!open.in_vain.empty()) continue;
    timeless = timeless || !open.seconds;
    planless = planless || !open.planned;
    table.row({open.claim, fixed(open.effect, std::abs(open.effect) < 100 ? 3 : 0), spread_text(open.sd),
               spread_text(open.most_sd), open.recorded ? std::to_string(open.blocks) : "none",
               blocks_text(open.as_seen), cost_text(open.as_seen, open),
               open.planned ? blocks_text(*open.planned) : "-", open.planned ? cost_text(*open.planned, open) : "-",
               open.labels});
  }
  const bool any = std::any_of(strata.begin(), strata.end(), [](const auto& open) { return open.in_vain.empty(); });
  if (any) table.print(out, 2);
  for (const OpenStratum& open : strata) {
    if (!open.in_vain.empty())
      out << "  " << one_line(open.claim) << (open.labels.empty() ? "" : " (" + one_line(open.labels) + ")") << ": "
          << open.in_vain << "\n";
  }
  if (!any) return;
  out << "\n  spread: standard deviation between the differences of blocks, in logs, and its upper 80 % limit. as "
         "seen: "
         "blocks in all\n  if effect and spread stay as they are. to plan: blocks for 90 % power at --effect, else at "
         "the centre of the claimed\n  range, with the upper limit. time: of the further runs of that stratum.\n";
  if (planless) out << "  A claimed range that is open has no centre: say what to plan for with --effect.\n";
  if (timeless) out << "  How long runs take is not known where the result has no runner.process_time_ns.\n";
}

}  // namespace

std::vector<OpenStratum> open_strata(const Question& question, const StoredQuestion& result,
                                     std::optional<double> effect) {
  const Planner planner(result, effect);
  std::vector<OpenStratum> open;
  for (const ClaimConfig& claim : question.claims) {
    const auto& judged = result.result.claims;
    const auto at = std::find_if(judged.begin(), judged.end(), [&](const OwnedClaim& c) { return c.id == claim.id; });
    if (at == judged.end() || at->verdict != Verdict::kInconclusive) continue;
    const auto is_open = [](const OwnedStratum& s) { return s.verdict == Verdict::kInconclusive; };
    const bool any = std::any_of(at->strata.begin(), at->strata.end(), is_open);
    for (const OwnedStratum& stratum : at->strata) {
      const bool waits = any ? is_open(stratum) : stratum.verdict == Verdict::kRefuted;
      if (waits) open.push_back(planner.plan(claim, stratum));
    }
  }
  return open;
}

Exit show_power(const std::vector<Question>& questions, const std::filesystem::path& result,
                std::optional<double> effect) {
  const auto stored = read_results(result, true);
  if (!stored) return fail(stored.error());
  bool any = false;
  for (const Question& question : questions) {
    const auto at = std::find_if(stored->begin(), stored->end(), [&](const auto& q) { return q.id == question.id; });
    if (at == stored->end()) continue;
    const std::vector<OpenStratum> strata = open_strata(question, *at, effect);
    std::cout << (any ? "\n" : "") << one_line(question.id) << ": ";
    any = true;
    if (strata.empty())
      std::cout << "no claim is open\n";
    else
      std::cout << strata.size() << (strata.size() == 1 ? " open stratum" : " open strata") << " of its claims\n\n";
    if (!strata.empty()) print(strata, std::cout);
  }
  if (any) return Exit::kOk;
  std::vector<std::string> ids;
  for (const StoredQuestion& question : *stored) ids.push_back(question.id);
  return fail({"--power: '" + result.string() + "' answers " + some_of(ids, 8) +
               ", which no given configuration asks; give the one that it was made with"});
}

}  // namespace assay
