// Outputs of a comparison of pairs (algo/pairs.hpp): facts, sentences, findings, a table and a plot.
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

/// Emits every ratio as a fact of `metric`: dims metric, those of the measure, `key`=name of the pair, and the labels
/// held fixed.
void emit_pair_facts(const PairStudy& study, std::string_view metric, std::string_view key, StudySink& sink);

/// Emits skips for runs that were left out, with reasons, and for values that no normalization makes comparable.
void emit_left_out(const PairStudy& study, StudySink& sink);

/// What would confirm a single run: "Repeat runs here differ by up to 18 %; about 4 runs each would settle it". `runs`:
/// number needed, may exceed kMaxNeeded; empty: no spread is known. `pair`: of two sides.
std::string what_runs_would_settle(const NoiseFloor& floor, std::optional<std::size_t> runs, bool pair);

/// " (equal programs differ by up to 0.7 %)", or that it is unknown.
std::string floor_clause(const NoiseFloor& floor);

/// "iteration.period_ns per iteration × 0.90..0.94: beyond the noise floor in 13 of 13 pairs (equal programs differ by
/// up to 0.7 %)", over all pairs or one; empty if none was measured.
std::string tally_text(const PairStudy& study, std::size_t measure, std::optional<std::size_t> pair = {});

/// "× 0.90..0.94": range of some ratios with three digits; "× 0.94" for one.
std::string ratio_range(const PairTally& t);

/// One sentence without subject on all strata of one pair of values in a measure: size, direction, certainty. "1.33x
/// faster (geometric mean of 13 pairs, [1.20, 1.47]; 13 of 13)"; for one pair "3.5x faster in this pair; not confirmed:
/// one run per side. ...". Empty if nothing was measured.
std::string pair_sentence(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair);

/// Answer on one measure and pair of values: title from `subject`, the measure and pair_sentence, with the numbers as
/// effect. Empty if nothing was measured.
std::optional<Finding> pair_answer(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair,
                                   const std::string& subject);

/// Sentence on the level of the decisions.
std::string level_sentence(const PairStudy& study);

/// Outcome of one comparison: "beyond the noise floor", "equal within 5 %", "inside the noise floor", ...
std::string standing(const PairStudy& study, const PairEffect& effect);

/// Finding on one comparison. Precondition: it has a ratio.
Finding pair_evidence(const PairStudy& study, const PairEffect& effect);

/// Comparisons with a ratio; those with a difference come first.
std::vector<const PairEffect*> differing_first(const PairStudy& study);

/// One row per comparison with a ratio, in the order of `made`: plugins add columns with `Table::column(.., made(),
/// ..)`. `over`: heading of the column with the pair's name.
Table pair_table(const PairStudy& study, std::string id, std::string title, std::string over);

/// Short table next to the answer, one row per measure and pair of values: what is measured, the values compared,
/// values of base and treated runs, range of the ratios, extreme ends of their intervals, number of comparisons,
/// outcome. No rows if nothing was measured.
Table effects_table(const StudyView& view, const PairStudy& study);

/// Texts of a plot of pairs.
struct PairPlotWords {
  std::string id, title;
  std::string ratio;  ///< what the ratio is of: "compiled / uncompiled"
  std::string caption;
  std::string series_title = "outcome";
  std::function<std::string(const PairEffect&)> series{};  ///< null: the outcome
};

/// Every ratio with its interval, one small plot per measure; empty if nothing was measured.
std::optional<Plot> pair_plot(const PairStudy& study, const PairPlotWords& words);

}  // namespace assay
