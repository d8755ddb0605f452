#include "interim/estimate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "catalog/recorded_run.hpp"

namespace assay {
namespace {

constexpr double kMinFactor = 1.1;  // a smaller change is given in percent, as in change_text

std::string label_of(const StoredReport& report, std::string_view name) {
  const auto at = std::ranges::find(report.labels, name, &std::pair<std::string, std::string>::first);
  return at == report.labels.end() ? std::string() : at->second;
}

/// Values of a block's runs by run, of each process that of its captures.
using ValuesByRun = std::map<std::string, std::vector<double>>;

/// Of a report: that of its process, if it is one of several captures.
std::string run_of(const StoredReport& report) {
  const auto attribute = [&](std::string_view name) {
    const auto at = std::ranges::find(report.attributes, name, &OwnedAttribute::name);
    return at == report.attributes.end() ? std::string() : at->value;
  };
  const std::string job = attribute(kCaptureAttribute).empty() ? "" : attribute(kJobAttribute);
  return job.empty() ? report.name : job + " rank " + attribute(kRankAttribute);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double mean_log(const ValuesByRun& runs) {
  std::vector<double> logs;
  for (const auto& [run, captures] : runs) logs.push_back(std::log(mean_of(captures)));
  return mean_of(logs);
}

/// Value of each block: a ratio, or the level itself. Empty if a value has no logarithm.
std::vector<double> block_values(const std::string& label, const std::string& base, const OwnedStratum& stratum,
                                 const StoredQuestion& question) {
  std::map<std::string, ValuesByRun> bases, treated;
  for (const EvidenceRow& row : stratum.evidence) {
    const auto run = recorded_run(row.report);
    const auto report = std::ranges::find(question.reports, row.report, &StoredReport::name);
    if (!run || report == question.reports.end()) continue;
    if (!(row.value > 0)) return {};
    const bool is_base = !label.empty() && label_of(*report, label) == base;
    (is_base ? bases : treated)[std::string(run->block)][run_of(*report)].push_back(row.value);
  }
  std::vector<double> out;
  for (const auto& [block, runs] : treated) {
    const auto other = bases.find(block);
    if (!label.empty() && other == bases.end()) continue;
    out.push_back(std::exp(mean_log(runs) - (label.empty() ? 0 : mean_log(other->second))));
  }
  return out;
}

/// Whether the combined blocks give the effect: the effect may have been judged per iteration, the blocks are not.
bool agrees(const std::vector<double>& blocks, double effect) {
  std::vector<double> logs;
  for (const double value : blocks) logs.push_back(std::log(value));
  return !blocks.empty() && effect > 0 && std::abs(mean_of(logs) - std::log(effect)) < 0.01;
}

std::string count_word(std::size_t count) {
  constexpr std::array<const char*, 10> kWords = {"no",   "one", "two",   "three", "four",
                                                  "five", "six", "seven", "eight", "nine"};
  return count < kWords.size() ? kWords[count] : std::to_string(count);
}

/// "14x", "1.3x"; with `percent` "4.2 %", signed if the block has the other direction.
std::string factor_text(double ratio, double effect, bool percent) {
  const double factor = effect < 1 ? 1 / ratio : ratio;
  if (percent) return fixed(100 * (effect < 1 ? 1 - ratio : ratio - 1), 1) + " %";
  return fixed(factor, factor >= 10 ? 0 : factor >= 2 ? 1 : 2) + "x";
}

/// Whether the effect and all blocks are small enough for percent.
bool is_in_percent(const std::vector<double>& blocks, double effect) {
  constexpr double kMaxOfABlock = 1.5;
  return std::max(effect, 1 / effect) < kMinFactor &&
         std::ranges::all_of(blocks, [](double ratio) { return std::max(ratio, 1 / ratio) < kMaxOfABlock; });
}

template <class Text>
std::string blocks_text(const std::vector<double>& blocks, const Text& text) {
  constexpr std::size_t kMaxListed = 5;
  if (blocks.size() < 2) return blocks.empty() ? "" : " (one block)";
  std::string list;
  if (blocks.size() <= kMaxListed) {
    for (const double value : blocks) list += (list.empty() ? "" : ", ") + text(value);
  } else {
    const auto [least, most] = std::ranges::minmax_element(blocks);
    list = text(*least) + " to " + text(*most);
  }
  return fmt::format(" ({} in {} blocks)", list, count_word(blocks.size()));
}

}  // namespace

Estimate estimate_of(const ClaimShape& sides, const OwnedStratum& stratum, const StoredQuestion& question) {
  if (!stratum.effect || !std::isfinite(stratum.effect->value)) return {};
  const OwnedEffect& effect = *stratum.effect;
  if (effect.kind == EffectKind::kLevel) {
    std::vector<double> blocks = block_values("", "", stratum, question);
    if (!agrees(blocks, effect.value)) blocks.clear();
    return {quantity(effect.value, effect.unit),
            blocks_text(blocks, [&](double value) { return quantity(value, effect.unit); })};
  }
  if (effect.kind != EffectKind::kRatio || !(effect.value > 0)) return {};
  const auto metric = std::ranges::find(question.result.metrics, effect.metric, &OwnedMetric::id);
  std::vector<double> blocks = block_values(sides.label, sides.base, stratum, question);
  if (!agrees(blocks, effect.value)) blocks.clear();
  const bool percent = is_in_percent(blocks, effect.value);
  std::string treated;
  for (const auto& [name, value] : stratum.labels) treated = name == sides.label ? value + " " : treated;
  return {
      treated + change_text(effect.value, metric == question.result.metrics.end() ? std::string_view() : metric->unit),
      blocks_text(blocks, [&](double ratio) { return factor_text(ratio, effect.value, percent); })};
}

}  // namespace assay
