// Arithmetic over names, for rules of labels and formulas of operators: "4 * 3 * batch * px * px".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Integers, names, + - * / and parentheses; division rounds down, as in the patch count of a convolution.
class Expression {
 public:
  /// Throws std::invalid_argument with a sentence that names the option `what` if the text does not parse.
  Expression(std::string_view text, std::string_view what);

  /// Value of a name, or empty.
  using Values = std::function<std::optional<std::int64_t>(std::string_view)>;

  /// Empty if a name has no value, on division by 0, or on 64-bit overflow.
  [[nodiscard]] std::optional<std::int64_t> value(const Values& values) const;

  /// Names without duplicates, in text order.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Kind { kNumber, kName, kAdd, kSubtract, kMultiply, kDivide };
  struct Step {
    Kind kind;
    std::int64_t number = 0;
    std::size_t name = 0;  ///< of names_
  };
  class Parser;
  [[nodiscard]] static std::optional<std::int64_t> applied(Kind kind, std::int64_t left, std::int64_t right);

  std::string text_;
  std::vector<Step> steps_;  ///< in reverse Polish notation
  std::vector<std::string> names_;
};

/// The positive integer for `unknown` that makes the expression `target`, with `values` for the other names; empty if
/// there is none. The expression must increase with the unknown, or a solution may be missed.
std::optional<std::int64_t> solve(const Expression& expression, std::string_view unknown, std::int64_t target,
                                  const Expression::Values& values);

}  // namespace assay
