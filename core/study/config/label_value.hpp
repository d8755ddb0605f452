// Parses label values, checked against the declaration of the label.
#pragma once

#include <string>
#include <string_view>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// A value in its normal form.
struct ParsedLabel {
  std::string text;  ///< integers without leading zeros, numbers in their shortest form
  double order = 0;  ///< the number, or the index in `values`; 0 for texts without declared values
};

/// Error: why `text` is not a value of the label, as a predicate ("is not an integer").
Result<ParsedLabel> read_label_value(const LabelSpec& label, std::string_view text);

/// Name of the type in TOML: "int", "number", "text".
std::string_view label_type_name(LabelType type);

/// Shortest form that reads back exactly; integral values without point or exponent.
std::string shortest(double number);

}  // namespace assay
