// Numbers as Nsight Compute prints them: grouped in thousands, by the rules of the machine's locale.
#pragma once

#include <optional>
#include <string_view>

namespace assay::load {

/// What a text means if '.' is the decimal point, and what if ',' is.
struct PrintedNumber {
  std::optional<double> point;  ///< nothing: that reading is impossible
  std::optional<double> comma;

  [[nodiscard]] bool is_number() const { return point || comma; }
  /// Both readings are possible and differ: "1,234" and "1.234".
  [[nodiscard]] bool ambiguous() const { return point && comma && *point != *comma; }
};

/// Reads "1,234.5", "1.234,5", "1 234,5" (with any kind of space), "1'234.5", "12", "1.5e+06". Groups must have three
/// digits. Neither reading where the text is no finite number: empty, "n/a", "nan", "inf", a word.
PrintedNumber printed_number(std::string_view text);

}  // namespace assay::load
