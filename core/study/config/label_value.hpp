// Label values as text, checked against what the label declares.
#pragma once

#include <string>
#include <string_view>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// A value in its normal form.
struct ParsedLabel {
  std::string text;  ///< integers without leading zeros, numbers in their shortest form
  double order = 0;  ///< the number, or the place in `values`; 0 for texts without declared values
};

/// Error: why `text` is no value of the label, as the rest of a sentence ("is not an integer").
Result<ParsedLabel> read_label_value(const LabelSpec& label, std::string_view text);

/// The word for the type in the TOML: "int", "number", "text".
std::string_view label_type_name(LabelType type);

/// A number in the shortest form that reads back exactly; integral values without point or exponent.
std::string shortest(double number);

}  // namespace assay
