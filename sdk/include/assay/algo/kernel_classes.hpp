// Classes of kernels by their names, from rules that are data (configs/data/kernel_classes.toml), never code.
//
// A rule is one text:   class [@compute capability] : alternative | alternative ...
//   an alternative is one or more words joined by '&'; it holds if every word occurs in the name, and a word written
//   with a leading '!' if it does not. A word with a leading '^' must begin a part of the name: no letter or digit
//   precedes it ("^fft" holds for "vector_fft" and not for "difftensor"). Case (ASCII) does not matter, blanks
//   around a word are ignored.
//   "@9.0" restricts the rule to devices of compute capability 9.0 or above.
// The first rule with an alternative that holds determines the class; without such a rule it is kUnknownClass. So the
// order of the rules is their priority, and rules of the user come first.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/options.hpp"

namespace assay {

/// Class of a name that no rule matches. No rule may use it.
inline constexpr std::string_view kUnknownClass = "unknown";

/// Compute capability of a device; {0, 0}: unknown, which no rule with an '@' accepts.
struct ComputeCapability {
  std::int32_t major = 0, minor = 0;
  friend constexpr auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// An ordered list of rules. Safe to use on many threads once constructed.
class NameRules {
 public:
  /// Throws std::invalid_argument with one sentence naming the rule that does not parse.
  explicit NameRules(std::span<const Str> rules);

  /// Class of a name on such a device: that of the first rule that holds, else kUnknownClass. Borrows the rules.
  [[nodiscard]] std::string_view class_of(std::string_view name, ComputeCapability device = {}) const;

  /// Every class of a rule once, in rule order, without kUnknownClass.
  [[nodiscard]] std::span<const std::string> classes() const { return classes_; }
  [[nodiscard]] bool empty() const { return rules_.empty(); }

 private:
  struct Word {
    std::string text;
    bool absent = false, begins = false;
  };
  using Alternative = std::vector<Word>;
  struct Rule {
    std::string name;
    ComputeCapability least;
    std::vector<Alternative> alternatives;
  };

  static bool occurs(std::string_view text, const Word& word);

  static void require(bool holds, std::string_view rule, std::string_view problem);

  static ComputeCapability capability(std::string_view text, std::string_view rule);

  static Rule read(std::string_view text);

  std::vector<Rule> rules_;
  std::vector<std::string> classes_;
};

/// Rules of the options `own_rules`, tried first, and `rules`; none if both are empty. Throws std::invalid_argument
/// like NameRules.
NameRules kernel_rules_of(const Options& options);

/// Like kernel_rules_of above, for an analyzer that requires rules. Throws std::invalid_argument with one sentence if
/// there is no rule, or if no rule has a class named by an option of `class_options` (each a text, or a list of texts).
NameRules kernel_rules_of(const Options& options, std::initializer_list<std::string_view> class_options);

}  // namespace assay
