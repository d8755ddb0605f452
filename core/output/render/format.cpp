#include "render/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "assay/words.hpp"

namespace assay {
using detail::kDigits;
using detail::rounded_number;
using detail::significant;

namespace {

bool has_shown_interval(const OwnedEffect& effect) {
  return no_interval_reason(effect).empty() && std::isfinite(effect.lo) && std::isfinite(effect.hi);
}

}  // namespace

std::string_view unit_of(const OwnedEffect& effect) {
  return effect.kind == EffectKind::kRatio ? "ratio" : std::string_view(effect.unit);
}

std::string_view no_interval_reason(const OwnedEffect& effect, std::int64_t pairs) {
  if (effect.scope != Scope::kBetweenRun) return pairs > 0 ? "few_pairs" : "within_run";
  if (std::isnan(effect.lo) || std::isnan(effect.hi)) return "spread_unknown";
  if (effect.kind == EffectKind::kRatio && !interval_tells(effect.lo, effect.hi)) return "wide";
  return {};
}

std::string with_interval(const OwnedEffect& effect) {
  const DisplayUnit scale = display_unit(effect.value, unit_of(effect));
  std::string text = significant(effect.value / scale.factor, kDigits);
  const bool has_interval = has_shown_interval(effect);
  if (has_interval) {
    text += fmt::format(" [{}, {}]", significant(effect.lo / scale.factor, kDigits),
                        significant(effect.hi / scale.factor, kDigits));
  }
  if (!scale.name.empty()) text.append(" ").append(scale.name);
  if (!has_interval) text += " (no interval)";
  return text;
}

std::string effect_name(const OwnedEffect& effect) {
  constexpr std::string_view words[] = {"ratio of ", "difference of ", "", "part of "};
  return std::string(words[static_cast<std::size_t>(effect.kind)]) + effect.metric;
}

std::string effect_basis(const OwnedEffect& effect) {
  std::string text;
  if (has_shown_interval(effect))
    text = rounded_number(std::round(effect.level * 1e6) / 1e4, kDigits) + " % interval, ";
  return text + counted(static_cast<std::size_t>(effect.n), "run");
}

std::string_view kind_name(EffectKind kind) {
  constexpr std::string_view names[] = {"ratio", "difference", "level", "share"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view scope_name(Scope scope) { return scope == Scope::kBetweenRun ? "between-run" : "within-run"; }

std::string_view need_unit_name(NeedUnit unit) {
  constexpr std::string_view names[] = {"none", "runs", "blocks", "changed"};
  return names[static_cast<std::size_t>(unit)];
}

std::string_view need_scale_name(NeedScale scale) {
  constexpr std::string_view names[] = {"logs", "logits", "metric"};
  return names[static_cast<std::size_t>(scale)];
}

std::string_view role_name(FindingRole role) {
  constexpr std::string_view names[] = {"answer", "evidence", "note"};
  return names[static_cast<std::size_t>(role)];
}

std::string_view severity_name(Severity severity) {
  constexpr std::string_view names[] = {"info", "warning", "error"};
  return names[static_cast<std::size_t>(severity)];
}

std::string_view polarity_name(Polarity polarity) {
  constexpr std::string_view names[] = {"neutral", "higher is better", "lower is better"};
  return names[static_cast<std::size_t>(polarity)];
}

std::string_view origin_name(LabelOrigin origin) {
  constexpr std::string_view names[] = {"name", "default", "implied", "results", "report"};
  return names[static_cast<std::size_t>(origin)];
}

std::string label_list(const std::vector<std::pair<std::string, std::string>>& labels) {
  if (labels.empty()) return "all";
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ' ';
    text.append(name).append("=").append(value);
  }
  return text;
}

ShownColumn::ShownColumn(const OwnedTable::Column& column) : column_(column) {
  constexpr double kMaxDigits = 1e7;  // larger numbers have an exponent
  constexpr DisplayUnit kMany[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
  if (column.type == CellType::kText) return;
  double largest = 0;
  for (std::size_t r = 0; r < std::max(column.numbers.size(), column.integers.size()); ++r) {
    if (const double value = std::abs(number_at(column, r)); std::isfinite(value)) largest = std::max(largest, value);
  }
  const DisplayUnit shown = display_unit(largest, column.unit);
  factor_ = shown.factor;
  unit_ = shown.name;
  if (column.type == CellType::kInteger || largest / factor_ < kMaxDigits) return;
  const DisplayUnit many = *std::find_if(std::begin(kMany), std::end(kMany) - 1,
                                         [&](const DisplayUnit& unit) { return largest / factor_ >= unit.factor; });
  factor_ *= many.factor;
  unit_ = std::string(many.name) + (unit_.empty() ? "" : " " + unit_);
}

std::string ShownColumn::cell(std::size_t row) const {
  if (factor_ == 1 || std::isnan(number_at(column_, row))) return cell_text(column_, row, true);
  return rounded_number(number_at(column_, row) / factor_, kDigits + 1);
}

std::string cell_text(const OwnedTable::Column& column, std::size_t row, bool rounded) {
  switch (column.type) {
    case CellType::kText:
      return column.texts[row];
    case CellType::kInteger:
      return column.integers[row] == kNoInteger ? std::string() : std::to_string(column.integers[row]);
    case CellType::kNumber:
      break;
  }
  const double value = column.numbers[row];
  if (std::isnan(value)) return {};
  if (!rounded) return exact(value);
  // For mixing with integers of the same size, which are printed in full.
  constexpr double kLong = 1e6, kTooLong = 1e15;
  const bool is_long = std::abs(value) >= kLong && std::abs(value) < kTooLong;
  return is_long ? fixed(value, 0) : rounded_number(value, kDigits + 1);
}

}  // namespace assay
