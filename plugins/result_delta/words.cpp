#include "words.hpp"

#include <algorithm>
#include <limits>

#include "assay/words.hpp"

namespace assay::result_delta {
namespace {

std::string name_of(const Comparison& c, const StudyView& view) {
  const std::string metric(view.study().metrics->id[c.metric].view());
  return metric + (c.dims.empty() ? "" : " (" + c.dims + ")") + (c.lengths.per_iteration ? " per iteration" : "");
}

bool moved(const Comparison& c) {
  return c.change == Change::kBetter || c.change == Change::kWorse || c.change == Change::kDifferent;
}

std::vector<std::string> stratum_names(const Delta& delta) {
  std::vector<LabelTexts> labels;
  for (const Stratum& stratum : delta.strata) labels.push_back(stratum.labels);
  return telling_names(labels, "the only run");
}

std::vector<std::int64_t> evidence_of(std::span<const Comparison* const> comparisons) {
  std::vector<std::int64_t> rows;
  for (const Comparison* c : comparisons)
    rows.insert(rows.end(), c->contrast->evidence.begin(), c->contrast->evidence.end());
  return rows;
}

/// "3 metrics are worse, 1 is better": metrics with at least one such comparison.
std::size_t metrics_with(const Delta& delta, Change change) {
  std::vector<std::pair<std::size_t, std::string>> seen;
  for (const Comparison& c : delta.comparisons) {
    if (c.change == change && (seen.empty() || seen.back() != std::pair(c.metric, c.dims)))
      seen.emplace_back(c.metric, c.dims);
  }
  return seen.size();
}

std::string is_or_are(std::size_t n) { return counted(n, "metric") + (n == 1 ? " is" : " are"); }

/// What was found, and of how many values nothing could be: a comparison that decided little must not read like one
/// that found nothing.
std::string headline(const Delta& delta) {
  const std::size_t worse = metrics_with(delta, Change::kWorse), better = metrics_with(delta, Change::kBetter);
  const std::size_t all = delta.comparisons.size();
  const std::size_t open = count(delta, Change::kUndecided) + count(delta, Change::kUnlike);
  const std::string where = ", in " + counted(delta.strata.size(), "matched run");
  const std::string undecided = counted_of(open, all, "value") + (all == 1 ? " is" : " are") + " undecided";
  const bool none = worse == 0 && better == 0;
  if (none && open == all) return "Nothing could be decided: " + undecided + where;
  if (none && open > 0)
    return undecided + "; of the others none is worse or better beyond what equal runs differ by" + where;
  return (none ? std::string("No metric is worse or better")
               : is_or_are(worse) + " worse and " + std::to_string(better) + " better") +
         " beyond what equal runs differ by" + where + (open > 0 ? "; " + undecided : "");
}

Finding answer(const Delta& delta) {
  Finding f;
  f.role = FindingRole::kAnswer;
  f.title = headline(delta);
  const std::size_t unlike = count(delta, Change::kUnlike);
  const auto scaled = static_cast<std::size_t>(std::count_if(
      delta.comparisons.begin(), delta.comparisons.end(), [](const Comparison& c) { return c.lengths.per_iteration; }));
  f.text = std::to_string(delta.comparisons.size()) +
           " values were compared: " + std::to_string(count(delta, Change::kWorse)) + " worse, " +
           std::to_string(count(delta, Change::kBetter)) + " better, " +
           std::to_string(count(delta, Change::kDifferent)) + " different where neither side is good, " +
           std::to_string(count(delta, Change::kInside)) + " inside the spread between equal runs, " +
           std::to_string(count(delta, Change::kEqual)) + " equal, " +
           std::to_string(count(delta, Change::kUndecided)) + " undecided" +
           (unlike == 0 ? "" : ", " + std::to_string(unlike) + " not comparable") + "." +
           (scaled == 0 ? ""
                        : " Of " + counted(scaled, "value") +
                              " the runs have unequally many iterations before and "
                              "after: they are compared per iteration.") +
           printed(" Each interval has level 1 - %.3g, so that all %zu tested ones together err with the level of one.",
                   1 - delta.level, delta.tested);
  return f;
}

/// One metric with all its matched runs.
Finding moved_metric(const Delta& delta, std::span<const Comparison* const> changed, std::size_t compared,
                     const StudyView& view) {
  const std::vector<std::string> names = stratum_names(delta);
  const auto [low, high] = std::minmax_element(changed.begin(), changed.end(),
                                               [](const auto* a, const auto* b) { return a->ratio() < b->ratio(); });
  const Comparison& first = *changed.front();
  Finding f;
  f.title = name_of(first, view) + " is " + std::string(change_name(first.change)) + " in " +
            counted_of(changed.size(), compared, "matched run") + ": x " +
            low_to_high((*low)->ratio(), (*high)->ratio(), 3);
  f.text = changed.size() == 1
               ? "Run " + names[first.stratum] + "."
               : "From x " + printed("%.3f", (*low)->ratio()) + " at " + names[(*low)->stratum] + " to x " +
                     printed("%.3f", (*high)->ratio()) + " at " + names[(*high)->stratum] + ".";
  if (changed.size() == 1) {
    f.effect = first.contrast->effect;
    f.effect->method = first.contrast->method;
    f.labels = delta.strata[first.stratum].labels;
  }
  f.evidence = evidence_of(changed);
  return f;
}

/// A finding for every metric and direction that has comparisons of that kind.
void add_moved(const Delta& delta, const StudyView& view, Change change, std::vector<Finding>& to) {
  for (auto begin = delta.comparisons.begin(); begin != delta.comparisons.end();) {
    const auto end = std::find_if(begin, delta.comparisons.end(), [&](const Comparison& c) {
      return c.metric != begin->metric || c.dims != begin->dims;
    });
    std::vector<const Comparison*> changed;
    for (auto c = begin; c != end; ++c) {
      if (c->change == change) changed.push_back(&*c);
    }
    if (!changed.empty()) to.push_back(moved_metric(delta, changed, static_cast<std::size_t>(end - begin), view));
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
      "No two runs of one program tell how much equal runs of that metric differ, or a value is not positive. Give "
      "replicates of some runs, or folders of them as [noise], and run both sides again.";
  return f;
}

std::optional<Finding> not_comparable(const Delta& delta, const StudyView& view) {
  const auto first = std::find_if(delta.comparisons.begin(), delta.comparisons.end(),
                                  [](const Comparison& c) { return c.change == Change::kUnlike; });
  if (first == delta.comparisons.end()) return std::nullopt;
  Finding f;
  f.role = FindingRole::kNote;
  f.title = counted(count(delta, Change::kUnlike), "value") + " could not be compared";
  f.text = name_of(*first, view) + ", for one: " + first->lengths.refused +
           ". Declare [iterations] in the question and run both sides again.";
  return f;
}

}  // namespace

std::vector<Finding> findings(const Delta& delta, const StudyView& view) {
  std::vector<Finding> out{answer(delta)};
  for (const Change change : {Change::kWorse, Change::kBetter, Change::kDifferent}) add_moved(delta, view, change, out);
  if (auto open = undecided(delta)) out.push_back(*std::move(open));
  if (auto unlike = not_comparable(delta, view)) out.push_back(*std::move(unlike));
  return out;
}

Table comparison_table(const Delta& delta, const StudyView& view) {
  std::vector<const Comparison*> rows;
  for (const Comparison& c : delta.comparisons) rows.push_back(&c);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return moved(*a) > moved(*b); });
  const std::vector<std::string> names = stratum_names(delta);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> metric, unit, run, change;
  std::vector<double> before, after, ratio, low, high;
  std::vector<std::int64_t> n;
  for (const Comparison* c : rows) {
    metric.push_back(name_of(*c, view));
    unit.emplace_back(view.study().metrics->unit[c->metric].view());
    run.push_back(names[c->stratum]);
    change.emplace_back(change_name(c->change));
    before.push_back(c->before);
    after.push_back(c->after);
    ratio.push_back(c->contrast ? c->ratio() : kNothing);
    low.push_back(c->contrast ? c->contrast->effect.lo : kNothing);
    high.push_back(c->contrast ? c->contrast->effect.hi : kNothing);
    n.push_back(c->contrast ? c->contrast->effect.n : kNoInteger);
  }
  Table table("comparisons", "Before and after, metric by metric");
  table.add("metric", "", std::move(metric));
  table.add("run", "", std::move(run));
  table.add("change", "", std::move(change));
  table.add("unit", "", std::move(unit));
  table.add("before", "", std::move(before));
  table.add("after", "", std::move(after));
  table.add("ratio", "1", std::move(ratio));
  table.add("low", "1", std::move(low));
  table.add("high", "1", std::move(high));
  table.add("n", "1", std::move(n));
  return table;
}

}  // namespace assay::result_delta
