#include "assay/detail/expression.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "assay/words.hpp"

namespace assay {

/// Recursive descent. The depth is bounded, since the text comes from a file.
class Expression::Parser {
 public:
  Parser(std::string_view what, Expression& to) : text_(to.text_), what_(what), to_(to) {}

  void parse() {
    sum();
    if (at_ != text_.size()) refuse();
  }

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void refuse() const {
    throw std::invalid_argument(filled(
        "{} is '{}', which cannot be read from byte {} on; expected whole numbers, names, + - * / and parentheses",
        {std::string(what_), std::string(text_), std::to_string(at_ + 1)}));
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void push(Kind kind) { to_.steps_.push_back({kind}); }

  void sum() {
    if (++depth_ > kDeepest) refuse();
    product();
    for (;;) {
      if (accept('+')) {
        product();
        push(Kind::kAdd);
      } else if (accept('-')) {
        product();
        push(Kind::kSubtract);
      } else {
        break;
      }
    }
    skip_blanks();
    --depth_;
  }

  void product() {
    atom();
    for (;;) {
      if (accept('*')) {
        atom();
        push(Kind::kMultiply);
      } else if (accept('/')) {
        atom();
        push(Kind::kDivide);
      } else {
        return;
      }
    }
  }

  void atom() {
    if (accept('(')) {
      sum();
      if (!accept(')')) refuse();
      return;
    }
    skip_blanks();
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      number();
    } else {
      name();
    }
  }

  void number() {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) refuse();
    at_ = static_cast<std::size_t>(end - text_.data());
    to_.steps_.push_back({Kind::kNumber, number, 0});
  }

  void name() {
    const auto in_name = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const std::size_t first = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    if (at_ == first) refuse();
    const std::string name(text_.substr(first, at_ - first));
    const auto known = std::find(to_.names_.begin(), to_.names_.end(), name);
    const auto place = static_cast<std::size_t>(known - to_.names_.begin());
    if (known == to_.names_.end()) to_.names_.push_back(name);
    to_.steps_.push_back({Kind::kName, 0, place});
  }

  std::string_view text_, what_;
  Expression& to_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string_view text, std::string_view what) : text_(text) { Parser(what, *this).parse(); }

std::optional<std::int64_t> Expression::applied(Kind kind, std::int64_t left, std::int64_t right) {
  std::int64_t out = 0;
  bool outside = false;
  switch (kind) {
    case Kind::kAdd:
      outside = __builtin_add_overflow(left, right, &out);
      break;
    case Kind::kSubtract:
      outside = __builtin_sub_overflow(left, right, &out);
      break;
    case Kind::kMultiply:
      outside = __builtin_mul_overflow(left, right, &out);
      break;
    default:
      if (left < 0 || right <= 0) return std::nullopt;
      out = left / right;
  }
  return outside ? std::nullopt : std::optional(out);
}

std::optional<std::int64_t> Expression::value(const Values& values) const {
  std::vector<std::int64_t> stack;
  for (const Step& step : steps_) {
    if (step.kind == Kind::kNumber) {
      stack.push_back(step.number);
      continue;
    }
    if (step.kind == Kind::kName) {
      const auto known = values(names_[step.name]);
      if (!known) return std::nullopt;
      stack.push_back(*known);
      continue;
    }
    const std::int64_t right = stack.back();
    stack.pop_back();
    const auto result = applied(step.kind, stack.back(), right);
    if (!result) return std::nullopt;
    stack.back() = *result;
  }
  return stack.back();
}

std::optional<std::int64_t> solve(const Expression& expression, std::string_view unknown, std::int64_t target,
                                  const Expression::Values& values) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 30;
  const auto at = [&](std::int64_t candidate) {
    return expression.value(
        [&](std::string_view name) { return name == unknown ? std::optional(candidate) : values(name); });
  };
  if (!at(1)) return std::nullopt;
  std::int64_t low = 1, high = kLargest;
  while (low <= high) {
    const std::int64_t middle = low + (high - low) / 2;
    const auto value = at(middle);  // no value: beyond 64 bits and so beyond the target
    if (value == target) return middle;
    if (value && *value < target)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return std::nullopt;
}

}  // namespace assay
