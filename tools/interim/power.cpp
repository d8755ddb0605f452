#include "interim/power.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>

#include "algo/noise/sequence.hpp"
#include "assay/detail/spread.hpp"
#include "record/duration.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "some_of.hpp"
#include "workers.hpp"

namespace assay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kPower = 0.9;

std::optional<double> fact_of(const StoredReport& report, std::string_view metric) {
  for (const Fact& fact : report.facts) {
    if (fact.metric == metric && fact.dims.empty()) return fact.value;
  }
  return std::nullopt;
}

/// An effect (a ratio, a level, a step) on the scale of its interval; unbounded if outside of that scale.
double to_scale(double effect, NeedScale scale) {
  if (scale == NeedScale::kMetric) return effect;
  if (effect <= 0) return -kInf;
  if (scale == NeedScale::kLogs) return std::log(effect);
  return effect >= 1 ? kInf : std::log(effect / (1 - effect));
}

double back(double place, NeedScale scale) {
  if (scale == NeedScale::kMetric) return place;
  return scale == NeedScale::kLogits ? 1 / (1 + std::exp(-place)) : std::exp(place);
}

class Planner {
 public:
  Planner(const StoredQuestion& result, std::optional<double> effect) : effect_(effect) {
    for (const StoredReport& report : result.reports) reports_[report.name] = &report;
  }

  [[nodiscard]] OpenStratum plan(const ClaimConfig& claim, const OwnedStratum& stratum) const {
    OpenStratum open;
    open.claim = claim.id;
    for (const auto& [label, value] : stratum.labels)
      open.labels += fmt::format("{}{}={}", open.labels.empty() ? "" : " ", label, value);
    if (!stratum.need) {
      open.in_vain = stratum.effect ? "unknown; run again with this version of assay"
                                    : "nothing that the claim compares was measured";
      return open;
    }
    const OwnedNeed& need = *stratum.need;
    open.in_vain = need.in_vain;
    if (!open.in_vain.empty()) return open;
    open.recorded = need.unit == NeedUnit::kBlocks;
    open.scale = need.scale;
    open.blocks = static_cast<std::size_t>(need.seen);
    open.effect = back(need.centre, need.scale);
    open.sd = need.spread;
    open.most_sd = upper_spread(need.spread, std::max(1.0, need.degrees));
    open.seen = {open.blocks, need.centre, need.spread};
    open.asked = {need.low, need.high, stratum.effect ? stratum.effect->level : 0.95, need.unseen, need.sides == 2};
    open.as_seen = static_cast<std::size_t>(need.needed);
    const bool centred = std::isfinite(need.low) && std::isfinite(need.high);
    const std::optional<double> wanted = effect_   ? std::optional(to_scale(*effect_, need.scale))
                                         : centred ? std::optional((need.low + need.high) / 2)
                                                   : std::nullopt;
    if (wanted) open.planned = std::max(open.blocks + 1, to_plan(*wanted, need, open));
    set_time_scale(stratum, need, open);
    return open;
  }

 private:
  static std::size_t to_plan(double wanted, const OwnedNeed& need, const OpenStratum& open) {
    if (open.recorded) return sequence_blocks_for_power(wanted, open.most_sd, open.asked, kPower, kMaxNeeded);
    const RunClaim asked{need.low, need.high, open.asked.level, static_cast<std::size_t>(need.sides)};
    return runs_for_power(wanted, open.most_sd, asked, kPower, kMaxNeeded);
  }

  /// For one block, or one run per side.
  void set_time_scale(const OwnedStratum& stratum, const OwnedNeed& need, OpenStratum& open) const {
    double seconds = 0;
    std::size_t runs = 0;
    for (const EvidenceRow& row : stratum.evidence) {
      const auto at = reports_.find(row.report);
      const auto time = at == reports_.end() ? std::nullopt : fact_of(*at->second, "runner.process_time_ns");
      if (!time) return;
      seconds += *time / 1e9;
      ++runs;
      open.reports.push_back(row.report);
    }
    if (runs == 0) return;
    open.seconds = open.recorded ? seconds / static_cast<double>(open.blocks)
                                 : seconds / static_cast<double>(runs) * static_cast<double>(need.sides);
  }

  std::optional<double> effect_;
  std::map<std::string_view, const StoredReport*> reports_;
};

std::string count_text(std::size_t count) {
  return count > kMaxNeeded ? "> " + std::to_string(kMaxNeeded) : std::to_string(count);
}

std::string spread_text(double sd) { return fixed(100 * sd, sd < 0.1 ? 2 : 0) + " %"; }

/// "12 min" for the runs still to make.
std::string cost_text(std::size_t count, const OpenStratum& open) {
  if (count > kMaxNeeded) return "impractical";
  const std::size_t more = count - std::min(count, open.blocks);
  return open.seconds ? duration_text(*open.seconds * static_cast<double>(more)) : "not known";
}

void print(const std::vector<OpenStratum>& strata, std::ostream& out) {
  TextTable table({{"claim"},
                   {"seen", true},
                   {"spread", true},
                   {"at most", true},
                   {"of", false},
                   {"made", true},
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
               spread_text(open.most_sd), open.recorded ? "blocks" : "runs", std::to_string(open.blocks),
               count_text(open.as_seen), cost_text(open.as_seen, open), open.planned ? count_text(*open.planned) : "-",
               open.planned ? cost_text(*open.planned, open) : "-", open.labels});
  }
  const bool any = std::any_of(strata.begin(), strata.end(), [](const auto& open) { return open.in_vain.empty(); });
  if (any) table.print(out, 2);
  for (const OpenStratum& open : strata) {
    if (!open.in_vain.empty())
      out << "  " << one_line(open.claim) << (open.labels.empty() ? "" : " (" + one_line(open.labels) + ")") << ": "
          << open.in_vain << "\n";
  }
  if (!any) return;
  out << "\n  spread: standard deviation of the differences between blocks, or between runs, in logs, and its upper 80 "
         "% limit.\n  as seen: total blocks, or runs per side, needed if effect and spread stay as they are. to plan: "
         "those for 90 % power\n  at --effect, or else at the centre of the claimed range, with the upper limit. time: "
         "of the additional runs.\n";
  if (planless)
    out << "  A claimed range that is open on one side has no centre: give the effect to plan for with --effect.\n";
  if (timeless) out << "  The time of runs is unknown if the result has no runner.process_time_ns.\n";
}

/// One row for programs.
void add_row(const std::string& question, const OpenStratum& open, TextTable& table) {
  const auto number = [](std::optional<double> value) { return value ? exact(*value) : std::string(); };
  const bool known = open.in_vain.empty();
  const auto of = [&](double value) { return known ? exact(value) : std::string(); };
  const auto count = [&](std::optional<std::size_t> value) {
    return known && value && *value <= kMaxNeeded ? std::to_string(*value) : std::string();
  };
  table.row({question, open.claim, open.labels,
             !known          ? ""
             : open.recorded ? "blocks"
                             : "runs",
             of(open.effect), of(open.sd), of(open.most_sd), known ? std::to_string(open.blocks) : "",
             count(open.as_seen), count(open.planned), number(open.seconds), open.in_vain});
}

}  // namespace

bool effect_changed(const OwnedStratum& stratum) { return stratum.need && stratum.need->unit == NeedUnit::kChanged; }

std::vector<OpenStratum> open_strata(const Question& question, const StoredQuestion& result,
                                     std::optional<double> effect, const PlanProgress& progress) {
  const Planner planner(result, effect);
  std::map<std::string_view, const OwnedClaim*> judged;
  for (const OwnedClaim& claim : result.result.claims) judged.emplace(claim.id, &claim);
  std::vector<std::pair<const ClaimConfig*, const OwnedStratum*>> asked;
  for (const ClaimConfig& claim : question.claims) {
    const auto at = judged.find(claim.id);
    if (at == judged.end() || at->second->verdict != Verdict::kInconclusive) continue;
    const std::vector<OwnedStratum>& strata = at->second->strata;
    const auto is_open = [](const OwnedStratum& s) { return s.verdict == Verdict::kInconclusive; };
    const bool any = std::any_of(strata.begin(), strata.end(), is_open);
    for (const OwnedStratum& stratum : strata) {
      const bool waits = any ? is_open(stratum) : stratum.verdict == Verdict::kRefuted;
      if (waits) asked.emplace_back(&claim, &stratum);
    }
  }
  // Each takes a simulation of a fraction of a second.
  std::vector<OpenStratum> open(asked.size());
  std::atomic<std::size_t> done{0};
  for_each_on_workers(asked.size(), 0, [&](std::size_t i) {
    open[i] = planner.plan(*asked[i].first, *asked[i].second);
    if (progress) progress(++done, asked.size());
  });
  return open;
}

Status print_power(const std::vector<Question>& questions, const std::filesystem::path& result,
                   std::optional<double> effect, RowFormat format, std::ostream& out, const PlanProgress& progress) {
  const bool for_people = format == RowFormat::kTable;
  TextTable rows({{"question"},
                  {"claim"},
                  {"stratum"},
                  {"of"},
                  {"effect", true},
                  {"spread", true},
                  {"most_spread", true},
                  {"made", true},
                  {"as_seen", true},
                  {"to_plan", true},
                  {"seconds_each", true},
                  {"in_vain"}});
  const auto stored = read_results(result, true);
  if (!stored) return stored.error();
  bool any = false;
  for (const Question& question : questions) {
    const auto at = std::find_if(stored->begin(), stored->end(), [&](const auto& q) { return q.id == question.id; });
    if (at == stored->end()) continue;
    const std::vector<OpenStratum> strata = open_strata(question, *at, effect, progress);
    if (for_people) out << (any ? "\n" : "") << one_line(question.id) << ": ";
    any = true;
    for (const OpenStratum& open : strata) add_row(question.id, open, rows);
    if (!for_people) continue;
    if (strata.empty())
      out << "no claim is inconclusive\n";
    else
      out << strata.size() << (strata.size() == 1 ? " inconclusive stratum" : " inconclusive strata")
          << " of its claims\n\n";
    if (!strata.empty()) print(strata, out);
  }
  if (any && !for_people) rows.write(out, format);
  if (any) return ok();
  std::vector<std::string> ids;
  for (const StoredQuestion& question : *stored) ids.push_back(question.id);
  return Error{
      fmt::format("--power: '{}' answers {}, which is in no given configuration", result.string(), some_of(ids, 8))}
      .at(result.string())
      .advise("give the one that it was made with");
}

}  // namespace assay
