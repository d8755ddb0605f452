// What a comparison of pairs (algo/pairs.hpp) hands out: facts, sentences, findings, a table and a plot.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/pairs.hpp"
#include "assay/algo/ranks.hpp"
#include "assay/output.hpp"
#include "assay/quantity.hpp"
#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"

namespace assay {

/// {"metric", ...} and the dims of the measure.
inline LabelTexts measure_dims(const Measure& measure) {
  LabelTexts out = {{"metric", measure.metric}};
  for (auto& dim : measure.texts()) out.push_back(std::move(dim));
  return out;
}

/// Every ratio as a fact of `metric`: dims metric, those of the measure, `key`=name of the pair, and the labels held
/// fixed.
inline void emit_pair_facts(const PairStudy& study, std::string_view metric, std::string_view key, StudySink& sink) {
  for (const PairEffect* e : study.made()) {
    LabelTexts dims = measure_dims(study.measure_of(*e));
    dims.emplace_back(key, study.pair_of(*e).name);
    for (const auto& label : study.stratum_of(*e).labels) dims.push_back(label);
    sink.fact(metric, e->contrast->effect.value, dims_of(dims));
  }
}

/// What was left out, each run and why, and values that no length makes comparable: rows of what is skipped.
inline void emit_left_out(const PairStudy& study, StudySink& sink) {
  for (const Unmatched& u : study.left_out) sink.skip(static_cast<Row>(u.report), u.reason);
  for (const PairEffect& e : study.effects) {
    if (e.lengths.comparable()) continue;
    sink.skip(static_cast<Row>(study.stratum_of(e).treated.front()),
              study.measure_of(e).name() + " is not compared: " + e.lengths.refused);
  }
}

/// " (equal programs differ by up to 0.7 %)", or that nothing tells.
inline std::string floor_clause(const NoiseFloor& floor) {
  return floor.known() ? " (equal programs differ by up to " + percent(floor.largest_ratio - 1) + ")"
                       : " (no two runs of one program tell how much equal runs differ)";
}

/// "iteration.period_ns per iteration × 0.90..0.94: beyond the noise floor in 13 of 13 pairs (equal programs differ by
/// up to 0.7 %)", over all pairs or one; empty where none was measured.
inline std::string tally_text(const PairStudy& study, std::size_t measure, std::optional<std::size_t> pair = {}) {
  const PairTally t = pair ? study.tally(measure, *pair) : study.tally(measure);
  if (t.made == 0) return {};
  std::vector<std::string> parts;
  if (t.differs > 0) parts.push_back("beyond the noise floor in " + counted_of(t.differs, t.made, "pair"));
  if (t.equivalent > 0) {
    parts.push_back("equal within " + printed("%g", 100 * *study.margin) + " % in " +
                    counted_of(t.equivalent, t.made, "pair"));
  }
  if (t.open() > 0) parts.push_back("inconclusive in " + counted_of(t.open(), t.made, "pair"));
  const auto first = std::find_if(study.effects.begin(), study.effects.end(), [&](const PairEffect& e) {
    return e.contrast && e.measure == measure && (!pair || e.pair == *pair);
  });
  return study.measures[measure].name() + (t.per_iteration ? " per iteration" : "") + " × " +
         low_to_high(t.low, t.high, 3) + ": " + listed(parts) + floor_clause(study.floor_of(*first));
}

/// "× 0.90..0.94": the ratios of some comparisons, three digits; of one, "× 0.94".
inline std::string ratio_range(const PairTally& t) { return "× " + low_to_high(t.low, t.high, 3); }

/// For a headline: "iteration.period_ns × 0.90..0.94 (lower in 13 of 13 pairs)", "... × 0.95..1.2 (undecided in 3 of 3
/// pairs)"; empty where none was measured.
inline std::string tally_headline(const PairStudy& study, std::size_t measure, std::size_t pair) {
  const PairTally t = study.tally(measure, pair);
  if (t.made == 0) return {};
  const std::string_view word = t.word();
  std::string how;
  if (word == "equal")
    how = "equal within " + printed("%g", 100 * *study.margin) + " % in " + counted_of(t.equivalent, t.made, "pair");
  else if (t.differs > 0 && t.differs == t.made)
    how = std::string(word == "mixed" ? "different" : word) + " in " + counted_of(t.differs, t.made, "pair");
  else if (t.differs > 0)
    how = "different in " + std::to_string(t.differs) + " and undecided in " +
          counted_of(t.made - t.differs, t.made, "pair");
  else
    how = "undecided in " + counted_of(t.made, t.made, "pair");
  return study.measures[measure].name() + (t.per_iteration ? " per iteration " : " ") + ratio_range(t) + " (" + how +
         ")";
}

/// At which level things were decided.
inline std::string level_sentence(const PairStudy& study) {
  return printed("A difference is found at level %.4f, %g shared by ", study.each, 1 - study.level) +
         counted(study.tests, "comparison") +
         (study.margin ? printed("; equality is shown at level %g.", study.level) : ".");
}

/// How one comparison stands: "beyond the noise floor", "equal within 5 %", "inside the noise floor", ...
inline std::string standing(const PairStudy& study, const PairEffect& effect) {
  if (effect.outcome == PairOutcome::kDiffers) return "beyond the noise floor";
  if (effect.outcome == PairOutcome::kEquivalent) return "equal within " + printed("%g", 100 * *study.margin) + " %";
  if (effect.contrast->effect.scope == Scope::kWithinRun)
    return "inconclusive: only the spread within the runs is known";
  return effect.contrast->inside_noise_floor ? "inside the noise floor" : "inconclusive among so many comparisons";
}

/// The finding of one comparison that has a ratio.
inline Finding pair_evidence(const PairStudy& study, const PairEffect& effect) {
  const LabelPair& pair = study.pair_of(effect);
  Finding finding;
  finding.labels = study.stratum_of(effect).labels;
  finding.labels.emplace_back(pair.label, pair.treated);
  finding.title = study.name_of(effect) + ": " + pair.over() + " on " + study.measure_of(effect).name();
  finding.text = printed("ratio %.3f, ", effect.contrast->effect.value) + standing(study, effect) + ".";
  finding.effect = effect.contrast->effect;
  finding.method = effect.contrast->method;
  finding.evidence = effect.contrast->evidence;
  return finding;
}

/// Comparisons with a ratio, those that differ first.
inline std::vector<const PairEffect*> differing_first(const PairStudy& study) {
  std::vector<const PairEffect*> out = study.made();
  std::stable_partition(out.begin(), out.end(),
                        [](const PairEffect* e) { return e->outcome == PairOutcome::kDiffers; });
  return out;
}

namespace detail {

/// Where sides have replicates: Cliff's delta and the p of Mann-Whitney, adjusted over all rows by Benjamini and
/// Hochberg. Evidence, which decides nothing.
inline void add_rank_columns(Table& table, const std::vector<const PairEffect*>& rows) {
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
}

}  // namespace detail

/// One row a comparison with a ratio, in the order of `made`: plugins add columns by `Table::column(.., made(), ..)`.
/// `over` heads the column with the pair's name.
inline Table pair_table(const PairStudy& study, std::string id, std::string title, std::string over) {
  const std::vector<const PairEffect*> rows = study.made();
  Table table(std::move(id), std::move(title));
  const auto effect = [](auto member) { return [member](const PairEffect* e) { return e->contrast->effect.*member; }; };
  table.column("runs of", "", rows, [&](const PairEffect* e) { return study.name_of(*e); })
      .column(std::move(over), "", rows, [&](const PairEffect* e) { return study.pair_of(*e).name; })
      .column("metric", "", rows, [&](const PairEffect* e) { return study.measure_of(*e).name(); })
      .column("ratio", "ratio", rows, effect(&Effect::value))
      .column("low", "ratio", rows, effect(&Effect::lo))
      .column("high", "ratio", rows, effect(&Effect::hi))
      .column("runs", "1", rows, effect(&Effect::n))
      .column("standing", "", rows, [&](const PairEffect* e) { return standing(study, *e); });
  detail::add_rank_columns(table, rows);
  return table;
}

/// The comparisons in a few rows, one a measure and pair of values, as a table that opens the answer: what, which
/// values are compared, the base's and the treated runs' values and the ratios over all comparisons, the lowest and the
/// highest end of their intervals, how many there are, what came of them. Without rows where nothing was measured.
inline Table effects_table(const StudyView& view, const PairStudy& study) {
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
        row.base_low = std::min(row.base_low, e->base.median), row.base_high = std::max(row.base_high, e->base.median);
        row.treated_low = std::min(row.treated_low, e->treated.median);
        row.treated_high = std::max(row.treated_high, e->treated.median);
        const Effect& effect = e->contrast->effect;
        if (std::isfinite(effect.lo)) row.low = std::min(row.low, effect.lo);
        if (std::isfinite(effect.hi)) row.high = std::max(row.high, effect.hi);
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
    if (row.tally.open() > 0) parts.push_back(std::to_string(row.tally.open()) + " undecided");
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
                return r.low < r.high ? "[" + printed("%.3f", r.low) + ", " + printed("%.3f", r.high) + "]"
                                      : std::string("none");
              })
      .column("pairs", "1", rows, [&](const Line& r) { return static_cast<std::int64_t>(r.tally.made); })
      .column("verdict", "", rows, verdict);
  return table;
}

/// What a plot of pairs is called.
struct PairPlotWords {
  std::string id, title;
  std::string ratio;  ///< what is over what: "compiled / uncompiled"
  std::string caption;
  std::string series_title = "outcome";
  std::function<std::string(const PairEffect&)> series{};  ///< without it: the outcome
};

/// Every ratio with its interval, one small plot a measure; nothing when nothing was measured.
inline std::optional<Plot> pair_plot(const PairStudy& study, const PairPlotWords& words) {
  RatioPlot plot(words.id, words.title, words.ratio, "runs of", words.series_title);
  for (const PairEffect* e : study.made()) {
    const std::string metric = study.measure_of(*e).name();
    const std::string row = (study.pairs.size() > 1 ? study.pair_of(*e).name + ": " : "") + study.name_of(*e);
    plot.add(metric, row, words.series ? words.series(*e) : std::string(outcome_word(e->outcome)), e->contrast->effect,
             e->contrast->evidence);
    plot.shade(metric, study.floor_of(*e));
  }
  if (plot.empty()) return std::nullopt;
  return plot.take(words.caption);
}

}  // namespace assay
