#include "render/format.hpp"

#include <cmath>

namespace assay {
using detail::kDigits;
using detail::rounded_number;
using detail::significant;

std::string_view unit_of(const OwnedEffect& effect) {
  return effect.kind == EffectKind::kRatio ? "ratio" : std::string_view(effect.unit);
}

std::string with_interval(const OwnedEffect& effect) {
  const DisplayUnit scale = display_unit(effect.value, unit_of(effect));
  std::string text = significant(effect.value / scale.factor, kDigits);
  const bool has_interval = std::isfinite(effect.lo) && std::isfinite(effect.hi);
  if (has_interval) {
    text += " [" + significant(effect.lo / scale.factor, kDigits) + ", " +
            significant(effect.hi / scale.factor, kDigits) + "]";
  }
  if (!scale.name.empty()) text.append(" ").append(scale.name);
  if (!has_interval) text += " (no interval)";
  return text;
}

std::string effect_name(const OwnedEffect& effect) {
  constexpr std::string_view words[] = {"ratio of ", "difference of ", "", "share of "};
  return std::string(words[static_cast<std::size_t>(effect.kind)]) + effect.metric;
}

std::string effect_basis(const OwnedEffect& effect) {
  std::string text;
  if (std::isfinite(effect.lo) && std::isfinite(effect.hi))
    text = rounded_number(std::round(effect.level * 1e6) / 1e4, kDigits) + " % interval, ";
  text.append(scope_name(effect.scope)).append(", n = ").append(counted(static_cast<std::size_t>(effect.n), "run"));
  return text;
}

std::string_view kind_name(EffectKind kind) {
  constexpr std::string_view names[] = {"ratio", "difference", "level", "share"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view scope_name(Scope scope) { return scope == Scope::kBetweenRun ? "between-run" : "within-run"; }

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

std::string counted(std::size_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " " + std::string(noun);
  if (count != 1) text += noun.ends_with("s") ? "es" : "s";
  return text;
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
  // Beside whole numbers of the same size, which are printed to the last digit.
  constexpr double kLong = 1e6, kTooLong = 1e15;
  const bool is_long = std::abs(value) >= kLong && std::abs(value) < kTooLong;
  return is_long ? fixed(value, 0) : rounded_number(value, kDigits + 1);
}

}  // namespace assay
