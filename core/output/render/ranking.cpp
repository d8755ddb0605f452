#include "render/ranking.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "render/claimed_words.hpp"
#include "render/format.hpp"

namespace assay {
namespace {

/// Values of the runs behind a stratum.
std::vector<double> values_of(const OwnedStratum& stratum, const std::string& metric) {
  std::vector<double> values;
  for (const EvidenceRow& run : stratum.evidence) {
    if (run.metric == metric) values.push_back(run.value);
  }
  return values;
}

double geometric_mean(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return std::exp(mean(values));
}

const OwnedMetric* metric_of(const std::vector<OwnedMetric>& metrics, const std::string& id) {
  const auto at = std::ranges::find(metrics, id, &OwnedMetric::id);
  return at == metrics.end() ? nullptr : &*at;
}

/// Adds what the runs of all values have besides the metric that is ranked.
void add_beside(const std::vector<OwnedMetric>& metrics, Ranking& ranking) {
  std::set<std::string> others;
  for (const EvidenceRow& run : ranking.rows.front().stratum->evidence) others.insert(run.metric);
  others.erase(ranking.rows.front().stratum->evidence.front().metric);
  for (const std::string& other : others) {
    const OwnedMetric* metric = metric_of(metrics, other);
    const auto has = [&](const RankedValue& row) { return !values_of(*row.stratum, other).empty(); };
    if (metric == nullptr || !std::ranges::all_of(ranking.rows, has)) continue;
    ranking.beside.push_back(metric);
    for (RankedValue& row : ranking.rows) row.beside.push_back(mean(values_of(*row.stratum, other)));
  }
}

bool is_tied(const RankedValue& row) {
  return row.stratum->verdict == Verdict::kInconclusive && !row.verdict.empty() && row.verdict != "best";
}

bool has_interval(const OwnedEffect& effect) { return std::isfinite(effect.lo) && std::isfinite(effect.hi); }

std::string interval_text(const OwnedEffect& effect) {
  return has_interval(effect) && interval_tells(effect.lo, effect.hi)
             ? fmt::format("[{}, {}]", fixed(effect.lo, 2), fixed(effect.hi, 2))
             : "";
}

std::string verdict_of(const RankedValue& row, bool leads, bool less_is_better) {
  const Verdict verdict = row.stratum->verdict;
  if (leads) return "best";
  if (verdict == Verdict::kRefuted) return less_is_better ? "slower" : "worse";
  if (!has_interval(*row.stratum->effect)) return {};
  return verdict == Verdict::kSupported ? "as good as the best" : "cannot be told from the best";
}

/// "34.8" of times in ns that are shown in `shown`, with three significant digits.
std::string three_digits(double value) {
  const int whole = value >= 1 ? static_cast<int>(std::floor(std::log10(value))) : 0;
  return fixed(value, std::max(0, 2 - whole));
}

/// "4 x 5 runs", "19 runs".
std::string runs_of(const std::vector<RankedValue>& rows) {
  std::int64_t all = 0;
  for (const RankedValue& row : rows) all += row.stratum->effect->n;
  const auto each = rows.front().stratum->effect->n, count = static_cast<std::int64_t>(rows.size());
  const bool equal = std::ranges::all_of(rows, [&](const RankedValue& row) { return row.stratum->effect->n == each; });
  return equal ? fmt::format("{} x {} {}", count, each, each == 1 ? "run" : "runs")
               : counted(static_cast<std::size_t>(all), "run");
}

}  // namespace

bool Ranking::has_no_spread() const {
  return std::ranges::none_of(rows,
                              [](const RankedValue& row) { return row.verdict != "best" && !row.verdict.empty(); });
}

std::string Ranking::sentence(const std::string& per) const {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> tied, equal;
  for (const RankedValue& row : rows) {
    if (is_tied(row)) tied.push_back(row.name);
    if (row.stratum->verdict == Verdict::kSupported && row.verdict != "best") equal.push_back(row.name);
  }
  const DisplayUnit shown = display_unit(rows.front().value, unit);
  const std::string leads = fmt::format("{} is {} at {}{}{}", rows.front().name, unit == "ns" ? "fastest" : "best",
                                        three_digits(rows.front().value / shown.factor), shown.name.empty() ? "" : " ",
                                        std::string(shown.name) + per);
  if (has_no_spread())
    return fmt::format("{} ({}: near ones are not ranked)", leads,
                       rows.front().stratum->effect->n == 1 ? "one run each" : "no known spread");
  const auto named = [&](const std::vector<std::string>& names, const char* one, const char* none, const char* more) {
    if (names.empty()) return std::string();
    const std::string count = std::to_string(names.size());
    if (names.size() <= kNamed) return fmt::format("; {} {}", listed(names), one);
    return names.size() + 1 == rows.size() ? fmt::format(fmt::runtime(none), count)
                                           : fmt::format(fmt::runtime(more), count);
  };
  const std::string rest = named(tied, "cannot be told from it", "; none of the other {} can be told from it",
                                 "; {} others cannot be told from it") +
                           named(equal, "as good", "; all {} others as good", "; {} others as good");
  return fmt::format("{}{} ({})", leads, rest, runs_of(rows));
}

std::vector<Ranking> rankings_of(const OwnedClaim& claim, const std::vector<OwnedMetric>& metrics) {
  const ClaimShape shape = shape_of(claim);
  std::vector<Ranking> out;
  if (shape.compare != "best" || shape.label.empty()) return out;
  for (const OwnedStratum& stratum : claim.strata) {
    if (!stratum.effect || stratum.evidence.empty()) continue;
    const OwnedMetric* metric = metric_of(metrics, stratum.evidence.front().metric);
    auto others = stratum.labels;
    const auto own = std::ranges::find(others, shape.label, [](const auto& text) { return text.first; });
    if (metric == nullptr || own == others.end()) continue;
    const std::string name = own->second;
    others.erase(own);
    const bool leads = out.empty() || out.back().labels != others;
    if (leads) out.push_back({shape.label, std::move(others), metric->unit, {}, {}});
    RankedValue row{name, geometric_mean(values_of(stratum, metric->id)), &stratum, {}, {}};
    row.verdict = verdict_of(row, leads, metric->polarity == Polarity::kLowerIsBetter && metric->unit == "ns");
    out.back().rows.push_back(std::move(row));
  }
  for (Ranking& ranking : out) add_beside(metrics, ranking);
  return out;
}

RankingTable table_of(const Ranking& ranking, const std::string& measured) {
  const DisplayUnit shown = display_unit(ranking.rows.front().value, ranking.unit);
  RankingTable table{{{ranking.label},
                      {measured + (shown.name.empty() ? "" : ", ") + std::string(shown.name), true},
                      {"x best", true}},
                     {}};
  const bool spread = !ranking.has_no_spread();
  for (const OwnedMetric* metric : ranking.beside) table.columns.push_back({metric->title + ", " + metric->unit, true});
  if (spread) table.columns.insert(table.columns.end(), {{"interval"}, {"runs", true}, {"verdict"}});
  for (const RankedValue& row : ranking.rows) {
    const OwnedEffect& effect = *row.stratum->effect;
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector{
        row.name, three_digits(row.value / shown.factor), fixed(row.value / ranking.rows.front().value, 2)});
    for (const double value : row.beside) cells.push_back(three_digits(value));
    if (!spread) continue;
    cells.push_back(row.verdict == "best" ? "" : interval_text(effect));
    cells.push_back(std::to_string(effect.n));
    cells.push_back(row.verdict.empty() ? "one run: no verdict" : row.verdict);
  }
  return table;
}

}  // namespace assay
