// Parses the names of steps: kind, number of sequences, and number of tokens.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/options.hpp"

namespace assay::serving {

enum class StepKind : std::uint8_t { kPrefill = 0, kDecode = 1, kMixed = 2 };
inline constexpr std::size_t kKinds = 3;
inline constexpr std::array<std::string_view, kKinds> kKindNames = {"prefill", "decode", "mixed"};

struct StepName {
  StepKind kind = StepKind::kDecode;
  std::optional<std::int64_t> batch;    ///< sequences in the step
  std::optional<std::int64_t> decodes;  ///< of them, those that get their next token
  std::optional<std::int64_t> tokens;   ///< computed by the step: new ones and those of prompts
};

/// A rule "NAME KIND: TEMPLATE" for a server's steps: in the template "{field}" matches a number and "*" any text.
/// Fields: batch, tokens, prefills, decodes (sequences of either kind), prefill_tokens, decode_tokens; numbers in other
/// fields are ignored. Kinds: prefill, decode, mixed, or counts, which `prefills` and `decodes` determine.
class StepRule {
 public:
  /// Throws std::invalid_argument with a message if the text is not a rule.
  explicit StepRule(std::string_view text);

  /// Empty if the name does not match the template, or is a step without sequences.
  [[nodiscard]] std::optional<StepName> read(std::string_view name) const;

 private:
  enum class PartKind : std::uint8_t { kText, kNumber, kAny };
  struct Part {
    PartKind kind;
    std::string text;  ///< or the field
  };
  using Fields = std::map<std::string, std::int64_t, std::less<>>;

  [[nodiscard]] bool fits(std::size_t part, std::string_view rest, Fields& fields) const;

  std::vector<Part> parts_;
  std::optional<StepKind> kind_;  ///< empty: by counts
};

/// The first rule that matches.
class StepNames {
 public:
  explicit StepNames(std::span<const Str> rules);
  [[nodiscard]] std::optional<StepName> read(std::string_view name) const;

 private:
  std::vector<StepRule> rules_;
};

}  // namespace assay::serving
