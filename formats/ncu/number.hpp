// Numbers as printed by Nsight Compute: with thousands separators according to the machine's locale.
#pragma once

#include <optional>
#include <string_view>

namespace assay::ncu {

/// The value of a text if '.' is the decimal point, and if ',' is.
struct PrintedNumber {
  std::optional<double> point;  ///< empty: impossible reading
  std::optional<double> comma;

  [[nodiscard]] bool is_number() const { return point || comma; }
  /// Both readings are possible and differ: "1,234" and "1.234".
  [[nodiscard]] bool ambiguous() const { return point && comma && *point != *comma; }
};

/// Reads "1,234.5", "1.234,5", "1 234,5" (with any kind of space), "1'234.5", "12", "1.5e+06". Groups must have three
/// digits. No reading if the text is not a finite number: empty, "n/a", "nan", "inf", a word.
PrintedNumber printed_number(std::string_view text);

}  // namespace assay::ncu
