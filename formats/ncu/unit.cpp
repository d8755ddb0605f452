#include "formats/ncu/unit.hpp"

#include <algorithm>
#include <optional>

namespace assay::ncu {
namespace {

struct UnitScale {
  std::string name;
  double factor;
};

struct Prefix {
  std::string_view text;
  double factor;
};
// Longest first: "Ki" begins with "K".
constexpr Prefix kPrefixes[] = {{"Ki", 1024.},
                                {"Mi", 1024. * 1024},
                                {"Gi", 1024. * 1024 * 1024},
                                {"Ti", 1024. * 1024 * 1024 * 1024},
                                {"K", 1e3},
                                {"k", 1e3},
                                {"M", 1e6},
                                {"G", 1e9},
                                {"T", 1e12},
                                {"P", 1e15},
                                {"", 1}};

/// Units that ncu scales with prefixes.
constexpr std::string_view kCountable[] = {"byte", "hz", "bit", "inst", "cycle", "sector", "request", "flop"};

/// Conversion factor of a time unit to ns.
std::optional<double> time_factor(std::string_view unit) {
  constexpr Prefix kTimes[] = {{"ns", 1},   {"nsecond", 1},   {"us", 1e3}, {"usecond", 1e3},
                               {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9},  {"second", 1e9}};
  for (const Prefix& time : kTimes) {
    if (unit == time.text) return time.factor;
  }
  return std::nullopt;
}

/// One side of a '/': a known unit with a prefix, or any other text unchanged.
UnitScale scaled(std::string_view unit) {
  for (const Prefix& prefix : kPrefixes) {
    if (!unit.starts_with(prefix.text)) continue;
    const std::string_view thing = unit.substr(prefix.text.size());
    const bool known = std::find(std::begin(kCountable), std::end(kCountable), thing) != std::end(kCountable);
    if (known) return {std::string(thing), prefix.factor};
  }
  return {std::string(unit), 1};
}

}  // namespace

BaseUnit base_unit(std::string_view unit) {
  if (const std::optional<double> time = time_factor(unit)) return {"ns", *time};
  if (unit == "Hz") return {"hz", 1};
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) {
    UnitScale whole = scaled(unit);
    return {std::move(whole.name), whole.factor};
  }
  const UnitScale above = scaled(unit.substr(0, slash));
  const std::string_view below = unit.substr(slash + 1);
  const std::optional<double> time = time_factor(below);
  if (!time) return {above.name + "/" + std::string(below), above.factor};
  constexpr double kSecond = 1e9;
  return {above.name == "cycle" ? "hz" : above.name + "/s", above.factor * (kSecond / *time)};
}

}  // namespace assay::ncu
