#include "render/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace assay {
namespace {

struct Scale {
  double factor;
  std::string_view suffix;
};

constexpr Scale kTime[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
constexpr Scale kBytes[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
constexpr Scale kBandwidth[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

Scale pick(std::span<const Scale> scales, double magnitude) {
  for (const Scale& scale : scales) {
    if (magnitude >= scale.factor) return scale;
  }
  return scales.back();
}

Scale scale_of(double value, std::string_view unit) {
  const double magnitude = std::abs(value);
  if (unit == "ns") return pick(kTime, magnitude);
  if (unit == "us") {
    const Scale time = pick(kTime, magnitude * 1e3);
    return {time.factor / 1e3, time.suffix};
  }
  if (unit == "bytes") return pick(kBytes, magnitude);
  if (unit == "bytes/s") return pick(kBandwidth, magnitude);
  if (unit == "ratio" || unit == "1") return {1, ""};
  return {1, unit};
}

/// About `digits` significant digits. From 0.1 to 10 the places after the point are kept equal instead, so that 0.998
/// and 1.002 compare at a glance.
std::string significant(double value, int digits) {
  const double magnitude = std::abs(value);
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e7)) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, digits);
    return {buffer.begin(), end.ptr};
  }
  const bool near_one = magnitude == 0 || (magnitude >= 0.1 && magnitude < 10);
  return fixed(value,
               near_one ? digits : std::max(digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0));
}

/// The same, but whole numbers stay whole.
std::string rounded_number(double value, int digits) {
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e9;
  return whole ? exact(value) : significant(value, digits);
}

constexpr int kDigits = 3;

}  // namespace

std::string exact(double value) {
  if (value == 0) return "0";
  std::array<char, 400> buffer;
  const bool integral = std::isfinite(value) && value == std::trunc(value);
  const auto end = integral ? std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed)
                            : std::to_chars(buffer.begin(), buffer.end(), value);
  return {buffer.begin(), end.ptr};
}

std::string fixed(double value, int digits) {
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, digits);
  return {buffer.begin(), end.ptr};
}

DisplayUnit display_unit(double value, std::string_view unit) {
  const Scale scale = scale_of(value, unit);
  return {scale.factor, scale.suffix};
}

std::string quantity(double value, std::string_view unit) {
  const Scale scale = scale_of(value, unit);
  std::string text = rounded_number(value / scale.factor, kDigits);
  if (!scale.suffix.empty()) text.append(" ").append(scale.suffix);
  return text;
}

std::string quantity_range(double low, double high, std::string_view unit) {
  const Scale scale = scale_of(std::max(std::abs(low), std::abs(high)), unit);
  std::string text = significant(low / scale.factor, kDigits) + " to " + significant(high / scale.factor, kDigits);
  if (!scale.suffix.empty()) text.append(" ").append(scale.suffix);
  return text;
}

std::string_view unit_of(const OwnedEffect& effect) {
  return effect.kind == EffectKind::kRatio ? "ratio" : std::string_view(effect.unit);
}

std::string with_interval(const OwnedEffect& effect) {
  const Scale scale = scale_of(effect.value, unit_of(effect));
  std::string text = significant(effect.value / scale.factor, kDigits);
  const bool has_interval = std::isfinite(effect.lo) && std::isfinite(effect.hi);
  if (has_interval) {
    text += " [" + significant(effect.lo / scale.factor, kDigits) + ", " +
            significant(effect.hi / scale.factor, kDigits) + "]";
  }
  if (!scale.suffix.empty()) text.append(" ").append(scale.suffix);
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
  return rounded ? rounded_number(value, kDigits + 1) : exact(value);
}

}  // namespace assay
