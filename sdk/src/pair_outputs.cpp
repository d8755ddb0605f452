#include "assay/pair_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "assay/detail/run_order.hpp"
#include "assay/detail/run_tests.hpp"

namespace assay {

LabelTexts measure_dims(const Measure& measure) {
  LabelTexts out = {{"metric", measure.metric}};
  for (auto& dim : measure.texts()) out.push_back(std::move(dim));
  return out;
}

void emit_pair_facts(const PairStudy& study, std::string_view metric, std::string_view key, StudySink& sink) {
  for (const PairEffect* e : study.made()) {
    LabelTexts dims = measure_dims(study.measure_of(*e));
    dims.emplace_back(key, study.pair_of(*e).name);
    for (const auto& label : study.stratum_of(*e).labels) dims.push_back(label);
    sink.fact(metric, e->contrast->effect.value, dims_of(dims));
  }
}

void emit_outcomes(const PairTally& tally, std::string_view metric, const LabelTexts& dims, StudySink& sink) {
  for (const auto& [outcome, count] :
       {std::pair(PairOutcome::kDiffers, tally.differs), std::pair(PairOutcome::kEquivalent, tally.equivalent),
        std::pair(PairOutcome::kInconclusive, tally.open())}) {
    LabelTexts all = dims;
    all.emplace_back("outcome", outcome_word(outcome));
    sink.fact(metric, static_cast<double>(count), dims_of(all));
  }
}

void emit_left_out(const PairStudy& study, StudySink& sink) {
  for (const UnmatchedReport& u : study.left_out) sink.skip(static_cast<Row>(u.report), u.reason);
  for (const PairEffect& e : study.effects) {
    if (e.lengths.comparable()) continue;
    sink.skip(static_cast<Row>(study.stratum_of(e).treated.front()),
              study.measure_of(e).name() + " is not compared: " + e.lengths.refused);
  }
}

std::string floor_clause(const NoiseFloor& floor) {
  return floor.known() ? " (repeat runs differ by up to " + percent(floor.largest_ratio - 1) + ")"
                       : " (no repeat runs, so run-to-run noise is unknown)";
}

std::string what_runs_would_settle(const NoiseFloor& floor, std::optional<std::size_t> runs, bool pair) {
  const std::string each = pair ? " runs each" : " runs";
  if (!runs) return "Run-to-run noise is unknown: record 3" + each;
  const std::string text =
      floor.known() ? "Repeat runs here differ by up to " + percent(floor.largest_ratio - 1) + "; " : "";
  return text + (*runs > kMaxNeeded ? "no number of" + each + " would settle it"
                                    : filled("about {}{} would settle it", {std::to_string(*runs), each}));
}

std::string tally_text(const PairStudy& study, std::size_t measure, std::optional<std::size_t> pair) {
  const PairTally t = pair ? study.tally(measure, *pair) : study.tally(measure);
  if (t.made == 0) return {};
  std::vector<std::string> parts;
  if (t.differs > 0) parts.push_back("beyond run-to-run noise in " + counted_of(t.differs, t.made, "pair"));
  if (t.equivalent > 0) {
    parts.push_back(filled("equal within {} % in {}",
                           {printed("%g", 100 * *study.margin), counted_of(t.equivalent, t.made, "pair")}));
  }
  if (t.open() > 0) parts.push_back("inconclusive in " + counted_of(t.open(), t.made, "pair"));
  const auto first = std::find_if(study.effects.begin(), study.effects.end(), [&](const PairEffect& e) {
    return e.contrast && e.measure == measure && (!pair || e.pair == *pair);
  });
  return filled("{}{} × {}: {}{}",
                {study.measures[measure].name(), t.per_iteration ? " per iteration" : "", low_to_high(t.low, t.high, 3),
                 listed(parts), floor_clause(study.floor_of(*first))});
}

std::string ratio_range(const PairTally& t) { return "× " + low_to_high(t.low, t.high, 3); }

namespace {

const PairEffect* only_effect(const PairStudy& study, std::size_t measure, std::size_t pair) {
  const PairEffect* found = nullptr;
  for (const PairEffect* e : study.made()) {
    if (e->measure != measure || e->pair != pair) continue;
    if (found != nullptr) return nullptr;
    found = e;
  }
  return found;
}

std::string what_it_lacks(const PairStudy& study, const PairEffect& e) {
  constexpr std::size_t kMin = 3;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (e.blocks > 0) return "assay plan --power says how many more blocks";
  if (const std::string order = order_clause(e.contrast->basis.widening); !order.empty())
    return "The runs were recorded " + order;
  const NoiseFloor& floor = study.floor_of(e);
  const bool own = e.contrast->basis.degrees > 0;
  const double sd = own ? e.contrast->basis.sd : floor.sd_log;
  if (!own && !floor.known()) return what_runs_would_settle(floor, std::nullopt, true);
  const double log_ratio = std::log(e.contrast->effect.value);
  const RunClaim direction{log_ratio < 0 ? -kInf : 0, log_ratio < 0 ? 0 : kInf, e.contrast->effect.level, 2};
  return what_runs_would_settle(floor, std::max(kMin, runs_needed(log_ratio, sd, direction, kMaxNeeded)), true);
}

/// Spread within runs is no evidence about other runs.
bool shows_interval(const Effect& effect) {
  return effect.scope == Scope::kBetweenRun && interval_tells(effect.lo, effect.hi);
}

std::string single_sentence(const PairStudy& study, const PairEffect& e, std::string_view unit) {
  const Effect& effect = e.contrast->effect;
  const std::string size = change_text(effect.value, unit);
  const std::string interval =
      shows_interval(effect) ? " " + change_interval(effect.value, effect.lo, effect.hi, unit) : "";
  const std::string order = order_clause(e.contrast->basis.widening);
  if (e.outcome == PairOutcome::kDiffers)
    return filled(
        "{}{} ({}{})",
        {size, interval, e.blocks > 0 ? counted(e.blocks, "block") : counted(static_cast<std::size_t>(effect.n), "run"),
         order.empty() ? order : ", " + order});
  if (e.outcome == PairOutcome::kEquivalent)
    return filled("equal within {} %: {}{}", {printed("%g", 100 * *study.margin), size, interval});
  const std::string nothing = change_text(1, unit);
  if (shows_interval(effect) && change_text(effect.lo, unit) == nothing && change_text(effect.hi, unit) == nothing)
    return filled("{}{} ({})", {nothing, interval, counted(static_cast<std::size_t>(effect.n), "run")});
  if (effect.scope == Scope::kWithinRun) {
    const bool both = e.base.runs.size() == 1 && e.treated.runs.size() == 1;
    return filled("{} in this pair; not confirmed: one run {}. {}",
                  {size, both ? "per side" : "on one side", what_it_lacks(study, e)});
  }
  return filled("{}{}; not confirmed: {}. {}",
                {size, interval,
                 std::isnan(effect.lo) && e.blocks > 0 ? "no interval after " + counted(e.blocks, "block")
                 : !shows_interval(effect)             ? "repeat runs vary too much for an interval"
                 : e.contrast->inside_noise_floor      ? "the interval includes no change"
                                                       : "one of many comparisons",
                 what_it_lacks(study, e)});
}

std::string joint_sentence(const PairStudy& study, const JointEffect& joint, std::string_view unit) {
  std::string text = joint_text(joint, unit);
  if (joint.differs()) return text;
  if (joint.decides() && !interval_tells(joint.lo, joint.hi))
    return text + "; not confirmed: the pairs vary too much for an interval";
  const bool equal =
      study.margin && joint.decides() && joint.lo >= 1 / (1 + *study.margin) && joint.hi <= 1 + *study.margin;
  if (equal) return filled("equal within {} %: {}", {printed("%g", 100 * *study.margin), text});
  if (joint.days_apart) return text + "; not confirmed: base and treated runs were recorded on different days";
  return text + "; not confirmed: " +
         (joint.decides() ? std::string("the interval includes no change")
                          : std::to_string(kMinCells) + " independent pairs are needed");
}

std::string_view unit_of(const StudyView& view, const std::string& metric) {
  const auto row = view.metric(metric);
  return row ? view.study().metrics->unit[*row].view() : std::string_view();
}

// Numbers of a joint effect; runs shared by several pairs count once.
Effect joint_numbers(const StudyView& view, const PairStudy& study, const JointEffect& joint, std::size_t measure,
                     std::size_t pair) {
  Effect out;
  out.metric = view.study().metrics->id[*view.metric(study.measures[measure].metric)];
  out.scope = joint.decides() ? Scope::kBetweenRun : Scope::kWithinRun;
  out.value = joint.ratio;
  const bool known = joint.decides();
  out.lo = known ? joint.lo : std::numeric_limits<double>::quiet_NaN();
  out.hi = known ? joint.hi : std::numeric_limits<double>::quiet_NaN();
  out.level = joint.level;
  std::set<std::vector<std::size_t>> bases;
  std::size_t runs = 0;
  for (const PairEffect* e : study.made()) {
    if (e->measure != measure || e->pair != pair) continue;
    runs +=
        e->treated.runs.size() + (bases.insert(study.stratum_of(*e).base.reports()).second ? e->base.runs.size() : 0);
  }
  out.n = static_cast<std::int64_t>(runs);
  return out;
}

}  // namespace

std::string pair_sentence(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair) {
  if (study.tally(measure, pair).made == 0) return {};
  const std::string_view unit = unit_of(view, study.measures[measure].metric);
  if (const PairEffect* only = only_effect(study, measure, pair)) return single_sentence(study, *only, unit);
  const JointEffect joint = study.joint(measure, pair);
  const std::string_view word = study.tally(measure, pair).word();
  if (!joint.decides() && (word == "lower" || word == "higher"))
    return joint_text(joint, unit) + ", each pair confirmed by itself";
  return joint_sentence(study, joint, unit);
}

std::optional<Finding> pair_answer(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair,
                                   const std::string& subject) {
  const PairTally tally = study.tally(measure, pair);
  if (tally.made == 0) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.labels = {{study.pairs[pair].label, study.pairs[pair].treated}};
  finding.title =
      filled("{}: {}{}{}", {subject, study.measures[measure].name(), tally.per_iteration ? " per iteration " : " ",
                            pair_sentence(view, study, measure, pair)});
  finding.text = "Pair by pair: " + tally_text(study, measure, pair) + ". ";
  if (const PairEffect* only = only_effect(study, measure, pair)) {
    finding.effect = only->contrast->effect;
    finding.method = only->contrast->method;
  } else {
    const JointEffect joint = study.joint(measure, pair);
    finding.effect = joint_numbers(view, study, joint, measure, pair);
    finding.method =
        printed("geometric mean over pairs, t interval at level %.4f on the spread between %zu independent ones",
                study.joint_level, joint.cells);
    finding.pairs = static_cast<std::int64_t>(joint.pairs);
    finding.agreeing = static_cast<std::int64_t>(joint.agreeing());
  }
  const PairEffect* only = only_effect(study, measure, pair);
  if (const std::string unlike = only != nullptr ? run_tests_text(*only) : std::string(); !unlike.empty())
    finding.text += unlike + ". ";
  finding.text += only != nullptr && only->claimed ? "The interval is that of the claim on it." : level_sentence(study);
  return finding;
}

std::string level_sentence(const PairStudy& study) {
  return "Corrected for " + counted(study.tests, "comparison") + ".";
}

std::string standing(const PairStudy& study, const PairEffect& effect) {
  if (effect.outcome == PairOutcome::kDiffers) return "beyond run-to-run noise";
  if (effect.outcome == PairOutcome::kEquivalent) return "equal within " + printed("%g", 100 * *study.margin) + " %";
  if (effect.contrast->effect.scope == Scope::kWithinRun)
    return "inconclusive: there are no repeat runs, so run-to-run noise is unknown";
  return effect.contrast->inside_noise_floor ? "inside run-to-run noise" : "inconclusive among so many comparisons";
}

Finding pair_evidence(const PairStudy& study, const PairEffect& effect) {
  const LabelPair& pair = study.pair_of(effect);
  Finding finding;
  finding.labels = study.stratum_of(effect).labels;
  finding.labels.emplace_back(pair.label, pair.treated);
  finding.title = filled("{}: {} on {}", {study.name_of(effect), pair.over(), study.measure_of(effect).name()});
  finding.text = printed("ratio %.3f, ", effect.contrast->effect.value) + standing(study, effect) + ".";
  finding.effect = effect.contrast->effect;
  finding.method = effect.contrast->method;
  finding.evidence = effect.contrast->evidence;
  return finding;
}

std::vector<const PairEffect*> differing_first(const PairStudy& study) {
  std::vector<const PairEffect*> out = study.made();
  std::stable_partition(out.begin(), out.end(),
                        [](const PairEffect* e) { return e->outcome == PairOutcome::kDiffers; });
  return out;
}

namespace detail {

namespace {

// Where sides have replicates: Cliff's delta and the Mann-Whitney p, adjusted over all rows by Benjamini and Hochberg.
// For information only: no verdict uses them.
void add_rank_columns(Table& table, const std::vector<const PairEffect*>& rows) {
  constexpr std::size_t kReplicated = 3;  // runs a side
  const auto replicated = [](const PairEffect* e) {
    return e->base.runs.size() >= kReplicated && e->treated.runs.size() >= kReplicated;
  };
  if (std::none_of(rows.begin(), rows.end(), replicated)) return;
  std::vector<double> p;
  for (const PairEffect* e : rows) {
    if (replicated(e)) p.push_back(mann_whitney_p(e->base.runs, e->treated.runs));
  }
  const std::vector<double> adjusted = benjamini_hochberg(p);
  const auto at = [&](const std::vector<double>& values) {
    return [&, next = std::size_t{0}](const PairEffect* e) mutable {
      return replicated(e) ? std::optional<double>(values[next++]) : std::nullopt;
    };
  };
  table.column("Cliff's delta", "1", rows, [&](const PairEffect* e) {
    return replicated(e) ? std::optional<double>(cliffs_delta(e->base.runs, e->treated.runs)) : std::nullopt;
  });
  table.column("p", "1", rows, at(p));
  table.column("p adjusted", "1", rows, at(adjusted));
  table.column("Welch p", "1", rows, [&](const PairEffect* e) {
    return replicated(e) ? std::optional<double>(run_tests(e->base.runs, e->treated.runs).welch) : std::nullopt;
  });
}

}  // namespace

}  // namespace detail

Table pair_table(const PairStudy& study, std::string id, std::string title, std::string over) {
  const std::vector<const PairEffect*> rows = study.made();
  Table table(std::move(id), std::move(title));
  const auto effect = [](auto member) { return [member](const PairEffect* e) { return e->contrast->effect.*member; }; };
  const auto bound = [](auto member) {
    return [member](const PairEffect* e) {
      const Effect& of = e->contrast->effect;
      return shows_interval(of) ? std::optional<double>(of.*member) : std::nullopt;
    };
  };
  table.column("runs of", "", rows, [&](const PairEffect* e) { return study.name_of(*e); })
      .column(std::move(over), "", rows, [&](const PairEffect* e) { return study.pair_of(*e).name; })
      .column("metric", "", rows, [&](const PairEffect* e) { return study.measure_of(*e).name(); })
      .column("ratio", "ratio", rows, effect(&Effect::value))
      .column("low", "ratio", rows, bound(&Effect::lo))
      .column("high", "ratio", rows, bound(&Effect::hi))
      .column("runs", "1", rows, effect(&Effect::n))
      .column("standing", "", rows, [&](const PairEffect* e) { return standing(study, *e); });
  detail::add_rank_columns(table, rows);
  return table;
}

Table effects_table(const StudyView& view, const PairStudy& study) {
  struct Line {
    std::size_t measure, pair;
    PairTally tally;
    double base_low, base_high, low, high, treated_low, treated_high;
  };
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<Line> rows;
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    for (std::size_t p = 0; p < study.pairs.size(); ++p) {
      Line row{m, p, study.tally(m, p), kInfinite, -kInfinite, kInfinite, -kInfinite, kInfinite, -kInfinite};
      if (row.tally.made == 0) continue;
      for (const PairEffect* e : study.made()) {
        if (e->measure != m || e->pair != p) continue;
        row.base_low = std::min(row.base_low, e->base.median);
        row.base_high = std::max(row.base_high, e->base.median);
        row.treated_low = std::min(row.treated_low, e->treated.median);
        row.treated_high = std::max(row.treated_high, e->treated.median);
        const Effect& effect = e->contrast->effect;
        if (!shows_interval(effect)) continue;
        row.low = std::min(row.low, effect.lo);
        row.high = std::max(row.high, effect.hi);
      }
      rows.push_back(row);
    }
  }
  const auto values = [&](const Line& row, double low, double high) {
    const auto metric = view.metric(study.measures[row.measure].metric);
    const std::string_view unit = metric ? view.study().metrics->unit[*metric].view() : std::string_view();
    return quantity_range(low, high, unit) + (row.tally.per_iteration ? " per iteration" : "");
  };
  const auto verdict = [&](const Line& row) {
    const std::string_view word = row.tally.word();
    if (word == "equal") return "equal within " + printed("%g", 100 * *study.margin) + " %";
    if (word == "lower" || word == "higher") return std::string(word);
    std::vector<std::string> parts;
    if (row.tally.differs > 0) parts.push_back(std::to_string(row.tally.differs) + " differ");
    if (row.tally.equivalent > 0) parts.push_back(std::to_string(row.tally.equivalent) + " equal");
    if (row.tally.open() > 0) parts.push_back(std::to_string(row.tally.open()) + " inconclusive");
    return listed(parts);
  };
  Table table("effects", "What changed");
  table.column("what", "", rows, [&](const Line& r) { return study.measures[r.measure].name(); })
      .column("compared", "", rows, [&](const Line& r) { return study.pairs[r.pair].over(); })
      .column("base", "", rows, [&](const Line& r) { return values(r, r.base_low, r.base_high); })
      .column("treated", "", rows, [&](const Line& r) { return values(r, r.treated_low, r.treated_high); })
      .column("ratio", "", rows, [&](const Line& r) { return ratio_range(r.tally); })
      .column("interval", "", rows,
              [&](const Line& r) {
                return r.low < r.high ? filled("[{}, {}]", {printed("%.3f", r.low), printed("%.3f", r.high)})
                                      : std::string("none");
              })
      .column("pairs", "1", rows, [&](const Line& r) { return static_cast<std::int64_t>(r.tally.made); })
      .column("verdict", "", rows, verdict);
  return table;
}

std::optional<Plot> pair_plot(const PairStudy& study, const PairPlotWords& words) {
  RatioPlot plot(words.id, words.title, words.ratio, "runs of", words.series_title);
  for (const PairEffect* e : study.made()) {
    const std::string metric = study.measure_of(*e).name();
    const std::string row = (study.pairs.size() > 1 ? study.pair_of(*e).name + ": " : "") + study.name_of(*e);
    Effect effect = e->contrast->effect;
    if (!shows_interval(effect)) effect.lo = effect.hi = std::numeric_limits<double>::quiet_NaN();
    plot.add(metric, row, words.series ? words.series(*e) : std::string(outcome_word(e->outcome)), effect,
             e->contrast->evidence);
    plot.shade(metric, study.floor_of(*e));
  }
  if (plot.empty()) return std::nullopt;
  return plot.build(words.caption);
}

void emit_pairs(const StudyView& view, const PairStudy& study, const PairPlotWords& words, const std::string& over,
                StudySink& sink, const std::function<void(Table&)>& add_columns) {
  for (const PairEffect* effect : differing_first(study)) sink.finding(pair_evidence(study, *effect));
  if (const auto plot = pair_plot(study, words)) sink.plot(*plot);
  sink.table(effects_table(view, study));
  Table table = pair_table(study, words.id, words.title, over);
  if (add_columns) add_columns(table);
  sink.table(table);
}

}  // namespace assay
