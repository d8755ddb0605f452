// Formats numbers and words: exact for programs, rounded and with a unit for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "conclude/conclude.hpp"

namespace assay {

/// Unit of an effect's value and bounds; empty for ratios.
std::string_view unit_of(const OwnedEffect& effect);

/// Why an effect is shown without an interval; empty: it has one. "within_run": only the spread within runs is known,
/// which says nothing about other runs; "few_pairs": fewer independent pairs than an interval needs; "spread_unknown":
/// no interval could be computed; "wide": the ends of a ratio's interval differ by more than a factor of 10.
std::string_view no_interval_reason(const OwnedEffect& effect, std::int64_t pairs = 0);

/// An effect with its interval in one unit: "0.921 [0.912, 0.934]"; "0.921 (no interval)" without one.
std::string with_interval(const OwnedEffect& effect);

/// What the numbers of `with_interval` mean: "ratio of iteration.gpu_busy_ns".
std::string effect_name(const OwnedEffect& effect);

/// How the interval was obtained: "95 % interval, between-run, n = 12 runs".
std::string effect_basis(const OwnedEffect& effect);

std::string_view kind_name(EffectKind kind);
std::string_view scope_name(Scope scope);
std::string_view need_unit_name(NeedUnit unit);
std::string_view need_scale_name(NeedScale scale);
std::string_view role_name(FindingRole role);
std::string_view severity_name(Severity severity);
std::string_view polarity_name(Polarity polarity);
std::string_view origin_name(LabelOrigin origin);

/// "patch=8 depth=6", or "all" without labels.
std::string label_list(const std::vector<std::pair<std::string, std::string>>& labels);

/// Text of a table cell: if `rounded`, about four significant digits, else exact; NaN is empty.
std::string cell_text(const OwnedTable::Column& column, std::size_t row, bool rounded);

/// A column of numbers in the unit that suits its largest value, for people: "ns" as "ms", 3e12 operations as 3
/// "trillion". Texts stay unchanged.
class ShownColumn {
 public:
  explicit ShownColumn(const OwnedTable::Column& column);
  /// Unit after the column's name; empty for plain numbers and texts.
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] std::string cell(std::size_t row) const;

 private:
  const OwnedTable::Column& column_;
  double factor_ = 1;
  std::string unit_;
};

}  // namespace assay
