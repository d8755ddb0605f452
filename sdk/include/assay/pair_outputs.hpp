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
#include "assay/detail/ranks.hpp"
#include "assay/output.hpp"
#include "assay/quantity.hpp"
#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"

namespace assay {

/// {"metric", ...} and the dims of the measure.
LabelTexts measure_dims(const Measure& measure);

/// Every ratio as a fact of `metric`: dims metric, those of the measure, `key`=name of the pair, and the labels held
/// fixed.
void emit_pair_facts(const PairStudy& study, std::string_view metric, std::string_view key, StudySink& sink);

/// What was left out, each run and why, and values that no length makes comparable: rows of what is skipped.
void emit_left_out(const PairStudy& study, StudySink& sink);

/// What confirms a single run: "Repeat runs here differ by up to 18 %; about 4 runs each would settle it". `runs`: what
/// would be needed, more than kMostNeeded included; nothing where no spread is known. `pair`: of two sides.
std::string what_runs_would_settle(const NoiseFloor& floor, std::optional<std::size_t> runs, bool pair);

/// " (equal programs differ by up to 0.7 %)", or that nothing tells.
std::string floor_clause(const NoiseFloor& floor);

/// "iteration.period_ns per iteration × 0.90..0.94: beyond the noise floor in 13 of 13 pairs (equal programs differ by
/// up to 0.7 %)", over all pairs or one; empty where none was measured.
std::string tally_text(const PairStudy& study, std::size_t measure, std::optional<std::size_t> pair = {});

/// "× 0.90..0.94": the ratios of some comparisons, three digits; of one, "× 0.94".
std::string ratio_range(const PairTally& t);

/// What all strata of one pair of values say of a measure, in one sentence without its subject: size, direction,
/// certainty. "1.33x faster (geometric mean of 13 pairs, [1.20, 1.47]; 13 of 13)"; of one pair "3.5x faster in this
/// pair; not confirmed: one run per side. ...". Empty where nothing was measured.
std::string pair_sentence(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair);

/// The answer about one measure and pair of values: `subject`, the measure and pair_sentence as title, and the numbers
/// as effect. Nothing where nothing was measured.
std::optional<Finding> pair_answer(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair,
                                   const std::string& subject);

/// At which level things were decided.
std::string level_sentence(const PairStudy& study);

/// How one comparison stands: "beyond the noise floor", "equal within 5 %", "inside the noise floor", ...
std::string standing(const PairStudy& study, const PairEffect& effect);

/// The finding of one comparison that has a ratio.
Finding pair_evidence(const PairStudy& study, const PairEffect& effect);

/// Comparisons with a ratio, those that differ first.
std::vector<const PairEffect*> differing_first(const PairStudy& study);

/// One row a comparison with a ratio, in the order of `made`: plugins add columns by `Table::column(.., made(), ..)`.
/// `over` heads the column with the pair's name.
Table pair_table(const PairStudy& study, std::string id, std::string title, std::string over);

/// The comparisons in a few rows, one a measure and pair of values, as a table that opens the answer: what, which
/// values are compared, the base's and the treated runs' values and the ratios over all comparisons, the lowest and the
/// highest end of their intervals, how many there are, what came of them. Without rows where nothing was measured.
Table effects_table(const StudyView& view, const PairStudy& study);

/// What a plot of pairs is called.
struct PairPlotWords {
  std::string id, title;
  std::string ratio;  ///< what is over what: "compiled / uncompiled"
  std::string caption;
  std::string series_title = "outcome";
  std::function<std::string(const PairEffect&)> series{};  ///< without it: the outcome
};

/// Every ratio with its interval, one small plot a measure; nothing when nothing was measured.
std::optional<Plot> pair_plot(const PairStudy& study, const PairPlotWords& words);

}  // namespace assay
