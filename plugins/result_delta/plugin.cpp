// What changed between two results of one question: another machine, another week, another driver.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "assay/output.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "delta.hpp"

namespace assay::result_delta {
namespace {

std::string name_of(const Delta& delta, const PairEffect& effect) {
  const Measure& measure = delta.pairs.measure_of(effect);
  return measure.metric + (measure.dims.empty() ? "" : " (" + measure.dims + ")") +
         (effect.lengths.per_iteration ? " per iteration" : "");
}

const std::string& run_of(const Delta& delta, const PairEffect& effect) { return delta.pairs.name_of(effect); }
double ratio_of(const PairEffect* effect) { return effect->contrast->effect.value; }

/// Effects with that change, in the order of comparison.
std::vector<const PairEffect*> with(const Delta& delta, Change change) {
  std::vector<const PairEffect*> out;
  for (std::size_t i = 0; i < delta.changes.size(); ++i) {
    if (delta.changes[i] == change) out.push_back(&delta.pairs.effects[i]);
  }
  return out;
}

/// Number of metrics with at least one such comparison.
std::size_t metrics_with(const Delta& delta, Change change) {
  std::set<std::size_t> measures;
  for (const PairEffect* effect : with(delta, change)) measures.insert(effect->measure);
  return measures.size();
}

std::string is_or_are(std::size_t n) { return counted(n, "metric") + (n == 1 ? " is" : " are"); }

/// "iteration.period_ns x1.00 to 1.30; largest change: gpu.busy_ratio x0.31 at patch=8": how far values moved,
/// confirmed or not; empty: no ratios.
std::string sizes_text(const Delta& delta) {
  constexpr std::string_view kTimes[] = {"iteration.period_ns", "window.duration_ns"};
  const auto size = [](const PairEffect* e) { return std::abs(std::log(ratio_of(e))); };
  const std::vector<const PairEffect*> made = delta.pairs.made();
  if (made.empty()) return {};
  std::string text;
  for (const std::string_view time : kTimes) {
    std::vector<double> ratios;
    for (const PairEffect* e : made) {
      if (delta.pairs.measure_of(*e).metric == time) ratios.push_back(ratio_of(e));
    }
    if (ratios.empty()) continue;
    const auto [low, high] = std::ranges::minmax_element(ratios);
    text = filled("{} x{}; ", {std::string(time), low_to_high(*low, *high, 2)});
    break;
  }
  const PairEffect& largest = **std::ranges::max_element(made, {}, size);
  return filled("{}largest change: {}{} at {}",
                {text, name_of(delta, largest), printed(" x%.3g", ratio_of(&largest)), run_of(delta, largest)});
}

/// What was found, and the number of undecided values: a comparison that decided little must not read like one that
/// found nothing.
std::string headline(const Delta& delta) {
  const std::size_t worse = metrics_with(delta, Change::kWorse), better = metrics_with(delta, Change::kBetter);
  const std::size_t all = delta.changes.size();
  const std::size_t open = count(delta, Change::kUndecided) + count(delta, Change::kUnlike);
  const std::string where = ", in " + counted(delta.pairs.strata.front().size(), "matched run");
  const std::string undecided = counted_of(open, all, "value") + (all == 1 ? " is" : " are") + " undecided";
  const bool none = worse == 0 && better == 0;
  const std::string sizes = sizes_text(delta);
  if (none && open > 0)
    return sizes + (sizes.empty() ? "" : "; not confirmed: ") + undecided +
           (open == all ? "" : " and no other metric changed beyond run-to-run noise") + where;
  return filled("{} beyond run-to-run noise{}{}",
                {none ? std::string("No metric is worse or better")
                      : is_or_are(worse) + " worse and " + std::to_string(better) + " better",
                 where, open > 0 ? "; " + undecided : ""});
}

Finding answer(const Delta& delta) {
  Finding f;
  f.role = FindingRole::kAnswer;
  f.title = headline(delta);
  const std::size_t unlike = count(delta, Change::kUnlike);
  const std::vector<PairEffect>& effects = delta.pairs.effects;
  const auto scaled = static_cast<std::size_t>(
      std::ranges::count_if(effects, [](const PairEffect& e) { return e.lengths.per_iteration; }));
  f.text = filled(
      "{} values were compared: {} worse, {} better, {} changed (neutral metric), {} inside the spread between repeat "
      "runs, {} equal, {} undecided{}.{}{}",
      {std::to_string(effects.size()), std::to_string(count(delta, Change::kWorse)),
       std::to_string(count(delta, Change::kBetter)), std::to_string(count(delta, Change::kDifferent)),
       std::to_string(count(delta, Change::kInside)), std::to_string(count(delta, Change::kEqual)),
       std::to_string(count(delta, Change::kUndecided)),
       unlike == 0 ? "" : ", " + std::to_string(unlike) + " not comparable",
       scaled == 0 ? ""
                   : " Of " + counted(scaled, "value") +
                         " the runs have different numbers of iterations before and after, so they are compared "
                         "per iteration.",
       printed(" Each interval has level 1 - %.3g, which corrects for %zu comparisons.", 1 - delta.pairs.each,
               delta.pairs.tests)});
  return f;
}

/// One measure with all its matched runs that changed in that way.
Finding moved_metric(const Delta& delta, Change change, const std::vector<const PairEffect*>& changed) {
  const PairEffect& first = *changed.front();
  const auto [low, high] = std::ranges::minmax_element(changed, {}, [](const auto* e) { return ratio_of(e); });
  const auto compared = static_cast<std::size_t>(
      std::ranges::count_if(delta.pairs.effects, [&](const PairEffect& e) { return e.measure == first.measure; }));
  Finding f;
  f.title = filled("{} is {} in {}: x {}", {name_of(delta, first), std::string(change_name(change)),
                                            counted_of(changed.size(), compared, "matched run"),
                                            low_to_high(ratio_of(*low), ratio_of(*high), 3)});
  f.text = changed.size() == 1
               ? "Run " + run_of(delta, first) + "."
               : filled("From x {} at {} to x {} at {}.", {printed("%.3f", ratio_of(*low)), run_of(delta, **low),
                                                           printed("%.3f", ratio_of(*high)), run_of(delta, **high)});
  if (changed.size() == 1) {
    f.effect = first.contrast->effect;
    f.method = first.contrast->method;
    f.labels = delta.pairs.stratum_of(first).labels;
  }
  for (const PairEffect* e : changed)
    f.evidence.insert(f.evidence.end(), e->contrast->evidence.begin(), e->contrast->evidence.end());
  return f;
}

/// A finding for every measure with comparisons of that kind.
void add_moved(const Delta& delta, Change change, std::vector<Finding>& to) {
  const std::vector<const PairEffect*> all = with(delta, change);
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const auto* e) { return e->measure != (*begin)->measure; });
    to.push_back(moved_metric(delta, change, {begin, end}));
    begin = end;
  }
}

std::optional<Finding> undecided(const Delta& delta) {
  const std::size_t open = count(delta, Change::kUndecided);
  if (open == 0) return std::nullopt;
  Finding f;
  f.role = FindingRole::kNote;
  f.title = counted(open, "value") + " could not be decided";
  f.text =
      "There are no repeat runs, so run-to-run noise of that metric is unknown, or a value is not positive. Add repeat "
      "runs, or folders of them as [noise], and run both sides again.";
  return f;
}

std::optional<Finding> not_comparable(const Delta& delta) {
  const std::vector<const PairEffect*> unlike = with(delta, Change::kUnlike);
  if (unlike.empty()) return std::nullopt;
  Finding f;
  f.role = FindingRole::kNote;
  f.title = counted(unlike.size(), "value") + " could not be compared";
  f.text = filled("{}, for one: {}. Declare [iterations] in the question and run both sides again.",
                  {name_of(delta, *unlike.front()), unlike.front()->lengths.refused});
  return f;
}

/// The answer, a finding for each metric that moved, and what stayed open.
std::vector<Finding> findings(const Delta& delta) {
  std::vector<Finding> out{answer(delta)};
  for (const Change change : {Change::kWorse, Change::kBetter, Change::kDifferent}) add_moved(delta, change, out);
  if (auto open = undecided(delta)) out.push_back(*std::move(open));
  if (auto unlike = not_comparable(delta)) out.push_back(*std::move(unlike));
  return out;
}

/// One row per comparison, moved ones first, then in the order of comparison.
Table comparison_table(const Delta& delta, const StudyView& view) {
  const auto moved = [&](std::size_t i) {
    const Change c = delta.changes[i];
    return c == Change::kBetter || c == Change::kWorse || c == Change::kDifferent;
  };
  std::vector<std::size_t> rows(delta.changes.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  std::stable_partition(rows.begin(), rows.end(), moved);
  const auto effect = [&](std::size_t i) -> const PairEffect& { return delta.pairs.effects[i]; };
  const auto of_ratio = [&](auto member) {
    return [&effect, member](std::size_t i) {
      const auto& contrast = effect(i).contrast;
      return contrast ? std::optional(contrast->effect.*member) : std::nullopt;
    };
  };
  Table table("comparisons", "Before and after, metric by metric");
  table.column("metric", "", rows, [&](std::size_t i) { return name_of(delta, effect(i)); })
      .column("run", "", rows, [&](std::size_t i) { return run_of(delta, effect(i)); })
      .column("change", "", rows, [&](std::size_t i) { return change_name(delta.changes[i]); })
      .column("unit", "", rows,
              [&](std::size_t i) {
                return view.study().metrics->unit[*view.metric(delta.pairs.measure_of(effect(i)).metric)].view();
              })
      .column("before", "", rows, [&](std::size_t i) { return effect(i).base.median; })
      .column("after", "", rows, [&](std::size_t i) { return effect(i).treated.median; })
      .column("ratio", "1", rows, of_ratio(&Effect::value))
      .column("low", "1", rows, of_ratio(&Effect::lo))
      .column("high", "1", rows, of_ratio(&Effect::hi))
      .column("n", "1", rows, of_ratio(&Effect::n));
  return table;
}

}  // namespace

class ResultDelta {
 public:
  static constexpr std::string_view kSummary =
      "Compares two results of one question metric by metric; used by 'assay compare'.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "result", "Label that distinguishes the results; everything else is held fixed."},
      {"base", OptionType::kText, "before", "Its value in the denominator."},
      {"treated", OptionType::kText, "after", "Its value in the numerator."},
      {"measurement", OptionType::kText, "measurement",
       "Label whose values say which runs were measured together; results of several days show how much days differ."},
      {"metrics", OptionType::kTextList, "", "Ids of the metrics that are compared; none: all."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"result_delta.count", "1", Polarity::kNeutral,
       "Values that changed in one way between two results; dims: change.", "values that changed"},
  };
  static constexpr Str kConsumes[] = {"?fingerprint"};
  static constexpr OptionSpec kClaimKeys[] = {
      option::number("tolerance", "0", "Share by which a metric may be worse without being reported as worse.")
          .within(0, 10),
      {"first_of", OptionType::kTextList, "",
       "Metrics of which the first that a run has on both sides is judged; none: all that are compared."},
  };

  explicit ResultDelta(const Options& options)
      : pair_{std::string(options.label("label")), std::string(options.text("base")),
              std::string(options.text("treated"))},
        metrics_(options.strings("metrics")),
        measurement_(options.text("measurement")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Delta delta = compare(view, pair_, metrics_, measurement_);
    for (const UnmatchedReport& u : delta.pairs.left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (delta.changes.empty()) {
      sink.skip(kNone, "no run is in both results with equal labels and a metric in common, so nothing was compared");
      return;
    }
    for (int change = 0; change <= static_cast<int>(Change::kUnlike); ++change) {
      const auto kind = static_cast<Change>(change);
      sink.fact("result_delta.count", static_cast<double>(count(delta, kind)), {{"change", change_name(kind)}});
    }
    for (const Finding& finding : findings(delta)) sink.finding(finding);
    sink.table(comparison_table(delta, view));
    for (std::size_t row = 0; row < study.claims->rows; ++row) judge_claim(view, delta, row, sink);
  }

 private:
  /// "No metric is worse": every tested value is a stratum; refuted if one is worse beyond the tolerance. Metrics of
  /// `first_of` are compared by themselves and share no error with the others.
  void judge_claim(const StudyView& view, const Delta& all, std::size_t row, StudySink& sink) const {
    const Options& keys = *view.study().claims->keys[row];
    const double tolerance = keys.number("tolerance");
    const std::vector<std::string> first_of = keys.strings("first_of");
    const Delta delta = first_of.empty() ? all : compare(view, pair_, first_of, measurement_);
    std::map<std::pair<std::size_t, std::size_t>, std::string> first;  // metric by pair and stratum
    std::vector<StratumVerdict> strata;
    std::size_t refuted = 0, supported = 0;
    for (std::size_t i = 0; i < delta.changes.size(); ++i) {
      const PairEffect& effect = delta.pairs.effects[i];
      const Measure& measure = delta.pairs.measure_of(effect);
      const bool is_first =
          first.try_emplace({effect.pair, effect.stratum}, measure.metric).first->second == measure.metric;
      if (!measure.decides || !(first_of.empty() || is_first)) continue;
      StratumVerdict stratum = verdict_of(effect, delta.changes[i], delta.polarity[effect.measure], tolerance);
      stratum.labels = delta.pairs.stratum_of(effect).labels;
      stratum.labels.emplace_back("metric", measure.metric);
      if (!measure.dims.empty()) stratum.labels.emplace_back("dims", measure.dims);
      refuted += stratum.verdict == Verdict::kRefuted ? 1 : 0;
      supported += stratum.verdict == Verdict::kSupported ? 1 : 0;
      strata.push_back(std::move(stratum));
    }
    const Verdict verdict = strata.empty()               ? Verdict::kUntestable
                            : refuted > 0                ? Verdict::kRefuted
                            : supported == strata.size() ? Verdict::kSupported
                                                         : Verdict::kInconclusive;
    sink.verdict(static_cast<std::int64_t>(row), verdict, reason(refuted, supported, strata.size(), tolerance), strata);
  }

  static StratumVerdict verdict_of(const PairEffect& c, Change change, Polarity polarity, double tolerance) {
    StratumVerdict out;
    if (change == Change::kUnlike) {
      out.reason = "not compared: " + c.lengths.refused;
      return out;
    }
    out.verdict = change == Change::kEqual ? Verdict::kSupported : Verdict::kInconclusive;
    out.reason = change == Change::kEqual ? "the values are equal" : "run-to-run noise is unknown";
    if (!c.contrast) return out;
    out.effect = c.contrast->effect;
    out.method = c.contrast->method;
    out.evidence = c.contrast->evidence;
    if (change == Change::kEqual || change == Change::kUndecided) return out;
    constexpr double kOpen = std::numeric_limits<double>::infinity();
    const bool lower = polarity == Polarity::kLowerIsBetter;
    out.verdict = judge(c.contrast->effect, lower ? 0 : 1 / (1 + tolerance), lower ? 1 + tolerance : kOpen);
    out.reason = out.verdict == Verdict::kRefuted     ? "the interval lies entirely on the worse side"
                 : out.verdict == Verdict::kSupported ? "the interval lies entirely within the tolerance"
                                                      : "the interval reaches beyond the tolerance";
    return out;
  }

  static std::string reason(std::size_t refuted, std::size_t supported, std::size_t all, double tolerance) {
    if (all == 0) return "no metric that can be better or worse is in both results";
    return filled("{}{}{} shown not to be, {} open",
                  {counted_of(refuted, all, "value"), printed(" worse beyond a tolerance of %g %%, ", 100 * tolerance),
                   std::to_string(supported), std::to_string(all - refuted - supported)});
  }

  LabelPair pair_;
  std::vector<std::string> metrics_;
  std::string measurement_;
};

ASSAY_PLUGIN("result_delta", "1.0.0", ResultDelta);

}  // namespace assay::result_delta
