// Outputs of a comparison of pairs (algo/pairs.hpp): facts, sentences, findings, a table and a plot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/pairs.hpp"
#include "assay/detail/ranks.hpp"
#include "assay/output.hpp"
#include "assay/quantity.hpp"
#include "assay/ratio_plot.hpp"
#include "assay/words.hpp"

namespace assay {

/// {"metric", ...}, then the dims of the measure, decoded.
LabelTexts measure_dims(const Measure& measure);

/// Emits every ratio as a study fact of `metric`: dims metric, those of the measure, `key`=name of the pair, and the
/// labels held fixed. Throws EmitError if the host refuses one.
void emit_pair_facts(const PairStudy& study, std::string_view metric, std::string_view key, StudySink& sink);

/// Emits the number of comparisons of each outcome as study facts of `metric`; dims: `dims` and outcome.
void emit_outcomes(const PairTally& tally, std::string_view metric, const LabelTexts& dims, StudySink& sink);

/// Emits skips for runs that were left out, with reasons, and for values that no normalization makes comparable.
void emit_left_out(const PairStudy& study, StudySink& sink);

/// Clause on the runs that a decision needs: "Repeat runs here differ by up to 18.0 %; about 4 runs each would settle
/// it"; above kMaxNeeded no number would. `runs` empty: no spread is known, so 3 are proposed. `pair`: two sides
/// ("each").
std::string what_runs_would_settle(const NoiseFloor& floor, std::optional<std::size_t> runs, bool pair);

/// " (repeat runs differ by up to 0.7 %)", or that run-to-run noise is unknown.
std::string floor_clause(const NoiseFloor& floor);

/// "iteration.period_ns per iteration × 0.900 to 0.940: beyond run-to-run noise in 13 of 13 pairs (repeat runs differ
/// by up to 0.7 %)", over all pairs of values or one (index into study.pairs); empty if none has a ratio.
std::string tally_text(const PairStudy& study, std::size_t measure, std::optional<std::size_t> pair = {});

/// "× 0.900 to 0.940": range of the ratios, three decimals; "× 0.940" if both ends print the same.
std::string ratio_range(const PairTally& t);

/// One sentence without subject on all strata of one pair of values in a measure: size, direction, certainty. "1.33x
/// faster ([1.20, 1.47]; 13 of 13 pairs)"; for one stratum "3.5x faster in this pair; not confirmed: one run per side.
/// ...". Empty if no stratum has a ratio. `measure`, `pair`: indices into the study.
std::string pair_sentence(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair);

/// Answer on one measure and pair of values: title from `subject`, the measure and pair_sentence, with the numbers as
/// effect: that of the only stratum, else the joint effect. Empty if no stratum has a ratio.
std::optional<Finding> pair_answer(const StudyView& view, const PairStudy& study, std::size_t measure, std::size_t pair,
                                   const std::string& subject);

/// "Corrected for 13 comparisons."
std::string level_sentence(const PairStudy& study);

/// Outcome of one comparison: "beyond run-to-run noise", "equal within 5 %", "inside run-to-run noise", ...
/// Precondition: it has a ratio.
std::string standing(const PairStudy& study, const PairEffect& effect);

/// Finding on one comparison. Precondition: it has a ratio.
Finding pair_evidence(const PairStudy& study, const PairEffect& effect);

/// Comparisons with a ratio; those that differ come first, each part in the order of PairStudy::made.
std::vector<const PairEffect*> differing_first(const PairStudy& study);

/// One row per comparison with a ratio, in the order of `made`: plugins add columns with `Table::column(.., made(),
/// ..)`. `over`: heading of the column with the pair's name. If a comparison has 3 runs per side: also Cliff's delta
/// and the Mann-Whitney p, raw and adjusted (Benjamini and Hochberg 1995), which no verdict uses.
Table pair_table(const PairStudy& study, std::string id, std::string title, std::string over);

/// Short table next to the answer, one row per measure and pair of values: what is measured, the values compared, range
/// of the medians of base and treated runs, range of the ratios, extreme ends of their intervals, number of
/// comparisons, outcome. Without rows if nothing has a ratio.
Table effects_table(const StudyView& view, const PairStudy& study);

/// Texts of a plot of pairs.
struct PairPlotWords {
  std::string id, title;
  std::string ratio;  ///< what the ratio is of: "compiled / uncompiled"
  std::string caption;
  std::string series_title = "outcome";
  std::function<std::string(const PairEffect&)> series{};  ///< null: the outcome
};

/// Every ratio with its interval if that includes the spread between runs; one small plot per measure. Empty if nothing
/// has a ratio.
std::optional<Plot> pair_plot(const PairStudy& study, const PairPlotWords& words);

/// Emits what every comparison of labels shows next to its answers: pair_evidence of those that differ first,
/// pair_plot, effects_table, and pair_table with the id and title of the plot. `add_columns`: to the last; may be
/// empty.
void emit_pairs(const StudyView& view, const PairStudy& study, const PairPlotWords& words, const std::string& over,
                StudySink& sink, const std::function<void(Table&)>& add_columns = nullptr);

}  // namespace assay
