// Arithmetic over names, as rules of labels and formulas of operators state it: "4 * 3 * batch * px * px".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Whole numbers, names, + - * / and parentheses; a division is rounded down, as a convolution counts patches.
class Expression {
 public:
  /// Throws std::invalid_argument with a sentence that names the option `what` when the text is no expression.
  Expression(std::string_view text, std::string_view what);

  /// Value of a name, or nothing.
  using Values = std::function<std::optional<std::int64_t>(std::string_view)>;

  /// Nothing when a name has no value, something is divided by 0, or a number leaves 64 bits.
  [[nodiscard]] std::optional<std::int64_t> value(const Values& values) const;

  /// Each name once, in the order of the text.
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

/// The positive whole number for `unknown` that makes the expression `target`, the other names having `values`; nothing
/// when there is none. The expression must rise with the unknown, else a solution may be missed.
std::optional<std::int64_t> solve(const Expression& expression, std::string_view unknown, std::int64_t target,
                                  const Expression::Values& values);

}  // namespace assay
