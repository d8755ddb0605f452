#include "best.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "assay/plot.hpp"
#include "assay/words.hpp"
#include "race.hpp"
#include "racer.hpp"

namespace assay::claims {
namespace {

constexpr double kTellsNothing = 0.7;  ///< log of a factor of 2: an interval that wide is no answer
constexpr std::string_view kEnergy = "energy.joule_per_iteration";
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// A value of the label with its measurements.
struct Contender {
  std::string name;
  Runs runs;  ///< without the second run of the A/A pair
  RunSide side;
  Standing standing;
  std::vector<std::int64_t> evidence;
  std::vector<std::int64_t> energy;  ///< facts: of an iteration of each run, where it was sampled
};

/// One combination of the other labels.
struct Contest {
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<Contender> contenders;  ///< best first, once judged
  Racer twin;
  double direction = 1;      ///< -1: more is better
  bool with_clocks = false;  ///< the clocks of all runs bear on the metric and, once judged, were sampled
  double reached = kUnbounded;
  bool ended = false, by_blocks = false;
  std::string unmeasured;  ///< values of the label whose runs lack the metric; empty: none
  std::string refused;     ///< why there is no answer; empty: there is one
};

bool is_second(const StudyView& view, std::size_t report) { return view.label_text(report, "twin") == "yes"; }

/// 1 if less is better, -1 if more is, 0 if the metric does not say.
double direction_of(const StudyView& view, const std::string& metric) {
  const auto row = view.metric(metric);
  if (!row) return 0;
  const Polarity polarity = view.study().metrics->polarity[*row];
  return polarity == Polarity::kLowerIsBetter ? 1 : polarity == Polarity::kHigherIsBetter ? -1 : 0;
}

Contest contest_of(const StudyView& view, const Claim& claim, const ClaimCell& cell) {
  Contest out;
  out.labels = cell.labels;
  out.direction = direction_of(view, claim.metric);
  if (out.direction == 0) {
    out.refused = claim.metric + " does not say whether less or more of it is better";
    return out;
  }
  const auto metric = view.metric(claim.metric);
  out.with_clocks = metric && follows_clocks(claim.metric, view.study().metrics->unit[*metric].view());
  const Lengths lengths = lengths_of(view, {}, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable()) {
    out.refused = claim.metric + " is not compared: " + lengths.refused;
    return out;
  }
  std::map<std::string, bool> names;
  for (const std::size_t r : cell.treated) names.emplace(view.label_text(r, claim.label), true);
  for (const auto& [name, any] : names) {
    const auto of = [&](bool twin) {
      return cell.treated.where(
          [&](std::size_t r) { return view.label_text(r, claim.label) == name && is_second(view, r) == twin; });
    };
    Contender one{name, of(false), {}, {}, {}, {}};
    one.side = side_of(view, one.runs, claim.metric, claim.dims, lengths);
    if (one.side.empty()) continue;
    if (!all_positive(one.side)) out.refused = "a value of " + claim.metric + " is not positive, so it has no ratio";
    for (const RunValue& run : one.side) {
      one.evidence.insert(one.evidence.end(), run.facts.begin(), run.facts.end());
      if (const auto energy = view.fact(static_cast<Row>(run.report), kEnergy); energy && claim.metric != kEnergy)
        one.energy.push_back(static_cast<std::int64_t>(*energy));
    }
    const RunSide twins = side_of(view, of(true), claim.metric, claim.dims, lengths);
    if (!twins.empty() && all_positive(twins)) out.twin = racer_of(view, twins, out.direction, false);
    out.contenders.push_back(std::move(one));
  }
  out.by_blocks = is_recorded(view, cell);
  if (out.contenders.size() < 2 && out.refused.empty())
    out.refused = filled("only {} of {} was measured", {counted(out.contenders.size(), "value"), claim.label});
  return out;
}

/// Values of the label that occur with the other labels of the contest but without a fact of the metric.
std::string unmeasured_values(const StudyView& view, const Claim& claim, const Contest& contest) {
  std::set<std::string> names;
  for (const std::size_t r : view.participants()) {
    const std::string value(view.label_text(r, claim.label));
    const bool known = std::ranges::any_of(contest.contenders, [&](const Contender& one) { return one.name == value; });
    const bool of_it = std::ranges::all_of(
        contest.labels, [&](const auto& label) { return view.label_text(r, label.first) == label.second; });
    if (!value.empty() && !known && of_it && view.believed(r) && meets(view, r, claim.where)) names.insert(value);
  }
  return listed({names.begin(), names.end()});
}

void race_blocks(const StudyView& view, double margin, double error, Contest& contest) {
  std::vector<Racer> racers;
  for (const Contender& one : contest.contenders)
    racers.push_back(racer_of(view, one.side, contest.direction, contest.with_clocks));
  contest.with_clocks = std::ranges::none_of(racers, [](const Racer& racer) { return racer.clocks.empty(); });
  if (!contest.twin.block.empty()) {
    racers.push_back(contest.twin);
    racers.back().twin = true;
  }
  const Race race = race_of(racers, margin, error);
  if (race.standings.empty()) {
    contest.refused = "no block has runs of two values";
    return;
  }
  for (std::size_t i = 0; i < contest.contenders.size(); ++i) contest.contenders[i].standing = race.standings[i];
  contest.reached = race.reached;
  contest.ended = race.ended;
}

double mean_log(const RunSide& side) {
  double sum = 0;
  for (const RunValue& run : side) sum += std::log(run.value);
  return sum / static_cast<double>(side.size());
}

/// A fixed number of runs: each value is compared with the leader at once. All ordered pairs share the error.
void compare_runs(const StudyView& view, const Claim& claim, const NoiseFloor& floor, double margin, double error,
                  Contest& contest) {
  std::vector<Contender>& all = contest.contenders;
  const double count = static_cast<double>(all.size()), level = 1 - 2 * error / (count * (count - 1));
  const auto leader =
      std::ranges::min_element(all, {}, [&](const Contender& one) { return contest.direction * mean_log(one.side); });
  contest.reached = 0;
  for (Contender& one : all) {
    Standing& own = one.standing;
    own.gap = contest.direction * (mean_log(one.side) - mean_log(leader->side));
    own.low = own.high = own.gap;
    if (&one == &*leader) continue;
    Stratum pair;
    pair.base = leader->runs;
    pair.treated = one.runs;
    const auto contrast = ratio_contrast(view, pair, claim.metric, claim.dims, floor, level, claim.id);
    const bool known = contrast && contrast->effect.scope == Scope::kBetweenRun && contrast->effect.lo > 0;
    own.low = known ? contest.direction * std::log(contest.direction > 0 ? contrast->effect.lo : contrast->effect.hi)
                    : -kUnbounded;
    own.high = known ? contest.direction * std::log(contest.direction > 0 ? contrast->effect.hi : contrast->effect.lo)
                     : kUnbounded;
    own.in_set = own.low <= margin;
    if (own.in_set) contest.reached = std::max(contest.reached, own.high);
  }
  contest.ended = contest.reached <= margin;
}

std::string count_word(std::size_t count) {
  constexpr std::array<const char*, 10> kWords = {"no",   "one", "two",   "three", "four",
                                                  "five", "six", "seven", "eight", "nine"};
  return count < kWords.size() ? kWords[count] : std::to_string(count);
}

/// "1 %", "2.3 %".
std::string within_text(double log) { return printed("%.2g %%", 100 * std::expm1(log)); }

/// How much worse the contenders from `first` on are, the best of them first: "flash 8.3 % slower, math 6.1x slower",
/// of more than three "six others are 1.04x to 1.31x slower". Empty without any.
std::string losses_text(const Contest& contest, const std::vector<const Contender*>& worse, std::string_view unit) {
  if (worse.empty()) return {};
  const auto loss = [&](const Contender& one) { return std::exp(contest.direction * one.standing.gap); };
  if (worse.size() <= 3) {
    std::string text;
    for (const Contender* one : worse)
      text += filled("{}{} {}", {text.empty() ? "" : ", ", one->name, change_text(loss(*one), unit)});
    return text;
  }
  return count_word(worse.size()) + " others are " + change_range(loss(*worse.front()), loss(*worse.back()), unit);
}

/// Settled: "flash_v3, flash_v2 (within 1 %); six others are 4.0 % to 31.0 % slower". Else the estimate and then who
/// may still be the best: "cudnn leads: flash 8.3 % slower, math 6.1x slower; not settled after 4 blocks: cudnn or
/// flash, within 39 %".
std::string set_text(const Contest& contest, double margin, std::string_view unit) {
  std::vector<std::string> members;
  std::vector<const Contender*> others, behind;
  for (const Contender& one : contest.contenders) {
    if (one.standing.in_set)
      members.push_back(one.name);
    else
      others.push_back(&one);
    if (&one != &contest.contenders.front()) behind.push_back(&one);
  }
  if (members.size() == 1) return members[0] + " is the best: " + losses_text(contest, others, unit);
  if (contest.ended) {
    std::string names;
    for (const std::string& name : members) names += (names.empty() ? "" : ", ") + name;
    const std::string losses = losses_text(contest, others, unit);
    return filled("{} (within {}){}{}", {names, within_text(margin), losses.empty() ? "" : "; ", losses});
  }
  const Contender& leader = contest.contenders.front();
  std::string text = filled("{} leads: {}; not settled after {}: ",
                            {leader.name, losses_text(contest, behind, unit),
                             contest.by_blocks ? counted(contest.contenders[1].standing.blocks, "block")
                                               : counted(leader.side.size(), "run") + " each"});
  for (std::size_t i = 0; i < members.size(); ++i)
    text += (i == 0 ? "" : i + 1 < members.size() ? ", " : " or ") + members[i];
  if (contest.reached <= kTellsNothing)
    text += filled(", within {} (the margin is {})", {within_text(contest.reached), within_text(margin)});
  return text;
}

Effect ratio_to_leader(const StudyView& view, const Claim& claim, const Contest& contest, const Contender& one,
                       double error) {
  const auto at = [&](double log) { return std::isfinite(log) ? std::exp(contest.direction * log) : std::nan(""); };
  Effect effect;
  effect.kind = EffectKind::kRatio;
  effect.scope = Scope::kBetweenRun;
  effect.metric = view.study().metrics->id[*view.metric(claim.metric)];
  effect.value = at(one.standing.gap);
  effect.lo = at(contest.direction > 0 ? one.standing.low : one.standing.high);
  effect.hi = at(contest.direction > 0 ? one.standing.high : one.standing.low);
  effect.level = 1 - error;
  effect.n = static_cast<std::int64_t>(one.side.size());
  return effect;
}

StratumVerdict stratum_of(const StudyView& view, const Claim& claim, const Contest& contest, const Contender& one,
                          double error, const std::string& doubt) {
  StratumVerdict out;
  out.labels = contest.labels;
  out.labels.emplace_back(claim.label, one.name);
  if (!contest.refused.empty()) {
    out.reason = contest.refused;
    return out;
  }
  out.effect = ratio_to_leader(view, claim, contest, one, error);
  out.method = contest.by_blocks ? "differences from the leader within blocks, valid at every look"
                                 : "each value against the leader, all pairs sharing the error";
  if (contest.with_clocks) out.method += ", bounded by the clocks of the runs";
  out.evidence = one.evidence;
  out.evidence.insert(out.evidence.end(), one.energy.begin(), one.energy.end());
  const bool in = one.standing.in_set;
  out.verdict = !doubt.empty() || (in && !contest.ended) ? Verdict::kInconclusive
                : in                                     ? Verdict::kSupported
                                                         : Verdict::kRefuted;
  out.reason = !doubt.empty() ? doubt
               : in           ? "it cannot be told from the best"
                              : "it is surely worse than the leader by more than the margin";
  if (out.verdict == Verdict::kInconclusive && !doubt.empty()) out.in_vain = "the A/A pair differs";
  return out;
}

void emit_facts(const Claim& claim, const Contest& contest, StudySink& sink) {
  for (const Contender& one : contest.contenders) {
    std::vector<std::pair<std::string, std::string>> labels = contest.labels;
    labels.emplace_back(claim.label, one.name);
    labels.emplace_back("claim", claim.id);
    const Dims dims(labels);
    const auto ratio = [&](double log) { return std::exp(contest.direction * log); };
    sink.fact("best.in_set", one.standing.in_set ? 1 : 0, dims);
    sink.fact("best.ratio", ratio(one.standing.gap), dims);
    if (!std::isfinite(one.standing.low) || !std::isfinite(one.standing.high)) continue;
    const double a = ratio(one.standing.low), b = ratio(one.standing.high);
    sink.fact("best.ratio_low", std::min(a, b), dims);
    sink.fact("best.ratio_high", std::max(a, b), dims);
  }
}

Plot plot_of_set(const StudyView& view, const Claim& claim, const std::vector<Contest>& contests, double margin) {
  std::vector<std::string> names, sets, facets;
  std::vector<double> ratios, lows, highs;
  Plot plot;
  for (const Contest& contest : contests) {
    for (const Contender& one : contest.contenders) {
      const Effect effect = ratio_to_leader(view, claim, contest, one, 0.05);
      names.push_back(one.name);
      sets.emplace_back(one.standing.in_set ? "in the set" : "surely worse");
      facets.push_back(labels_text(contest.labels));
      ratios.push_back(effect.value);
      lows.push_back(effect.lo);
      highs.push_back(effect.hi);
      plot.evidence.insert(plot.evidence.end(), one.evidence.begin(), one.evidence.end());
    }
  }
  Table data("best_" + claim.id, "Ratio to the leader");
  data.add(claim.label, "", std::move(names));
  data.add("ratio to the leader", "1", std::move(ratios));
  data.add("low", "1", std::move(lows));
  data.add("high", "1", std::move(highs));
  data.add("set", "", std::move(sets));
  if (contests.size() > 1) data.add("stratum", "", std::move(facets));
  plot.id = "best_" + claim.id;
  plot.title = filled("Which {} is the best, on {}", {claim.label, claim.metric});
  plot.caption =
      "One row per value: its ratio to the leader, with an interval that holds for all values together. Values whose "
      "interval lies beyond the margin are surely worse; all others may be the best.";
  plot.x = {"ratio to the leader", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {claim.label, PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "set";
  PlotEncoding encoding{"ratio to the leader", claim.label, "low", "high", "set", contests.size() > 1 ? "stratum" : ""};
  const double end = std::exp(contests.front().direction * margin);
  plot.references.push_back({std::min(1.0, end), std::max(1.0, end), "margin"});
  plot.layers.push_back({PlotMark::kPoint, std::move(data), std::move(encoding)});
  return plot;
}

}  // namespace

void gather_best(const StudyView& view, ClaimRuns& gathered) {
  const std::vector<std::string> varies = {gathered.claim.label};
  Cells cells = cells_of(view, gathered.claim.where, {}, varies);
  for (Cell& cell : cells.cells) {
    const auto measured = [&](std::size_t r) {
      return view.value(static_cast<Row>(r), gathered.claim.metric, gathered.claim.dims).has_value();
    };
    gathered.cells.push_back({{std::move(cell.labels), {}, cell.runs.where(measured), std::move(cell.apart)}});
  }
  gathered.left_out = std::move(cells.left_out);
}

void emit_best(const StudyView& view, const ClaimRuns& gathered, const NoiseFloor& floor, double error,
               const std::string& doubt, StudySink& sink) {
  const Claim& claim = gathered.claim;
  const double margin = std::log1p(claim.margin);
  const double each = error / static_cast<double>(std::max<std::size_t>(1, gathered.measured()));
  const auto metric = view.metric(claim.metric);
  const std::string unit(metric ? view.study().metrics->unit[*metric].view() : std::string_view());
  std::vector<Contest> contests;
  std::vector<StratumVerdict> strata;
  std::string reason = doubt;
  bool ended = doubt.empty(), any = false;
  for (const ClaimCell& cell : gathered.cells) {
    if (!gathered.is_measured(cell)) continue;
    Contest contest = contest_of(view, claim, cell);
    contest.unmeasured = unmeasured_values(view, claim, contest);
    if (contest.refused.empty())
      contest.by_blocks ? race_blocks(view, margin, each, contest)
                        : compare_runs(view, claim, floor, margin, each, contest);
    std::ranges::stable_sort(contest.contenders, {}, [](const Contender& one) { return one.standing.gap; });
    for (const Contender& one : contest.contenders)
      strata.push_back(stratum_of(view, claim, contest, one, error, doubt));
    const std::string where = gathered.cells.size() > 1 ? labels_text(contest.labels) + ": " : "";
    reason += (reason.empty() ? "" : ". ") + where +
              (contest.refused.empty() ? set_text(contest, margin, unit) : contest.refused);
    if (!contest.unmeasured.empty()) reason += "; not measured, so it may be better: " + contest.unmeasured;
    if (!contest.refused.empty()) continue;
    any = true;
    ended = ended && contest.ended;
    emit_facts(claim, contest, sink);
    contests.push_back(std::move(contest));
  }
  reason += ", judged on " + claim.metric + (claim.dims.empty() ? "" : " (" + claim.dims + ")");
  const Verdict verdict = !any ? Verdict::kUntestable : ended ? Verdict::kSupported : Verdict::kInconclusive;
  sink.verdict(static_cast<std::int64_t>(claim.row), verdict, reason, strata);
  if (!any) return;
  Finding answer;
  answer.role = FindingRole::kAnswer;
  answer.title = claim.label + ": " + reason;
  answer.text = "In the set are all values that cannot be told from the best; the others are worse by more than " +
                within_text(margin) + ".";
  sink.finding(answer);
  sink.plot(plot_of_set(view, claim, contests, margin));
}

}  // namespace assay::claims
