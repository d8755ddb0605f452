#include "step_names.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"

namespace assay::serving {
namespace {

constexpr std::string_view kCounts = "counts";
constexpr std::size_t kMaxName = 512;  // longer names are not steps, and "*" would be tried at each position

}  // namespace

StepRule::StepRule(std::string_view text) {
  const std::size_t colon = text.find(": "), blank = text.find(' ');
  if (colon == std::string_view::npos || blank >= colon)
    throw std::invalid_argument("'" + std::string(text) +
                                "' is no rule of step names: expected \"NAME KIND: TEMPLATE\", such as \"own decode: "
                                "decode bs={batch}\"");
  const std::string_view kind = without_spaces(text.substr(blank, colon - blank));
  const auto known = std::ranges::find(kKindNames, kind);
  if (known != kKindNames.end())
    kind_ = static_cast<StepKind>(known - kKindNames.begin());
  else if (kind != kCounts)
    throw std::invalid_argument(filled("'{}' has the kind '{}': expected prefill, decode, mixed or counts",
                                       {std::string(text), std::string(kind)}));
  std::string_view rest = without_spaces(text.substr(colon + 1));
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) parts_.push_back({PartKind::kText, std::move(plain)});
    plain.clear();
  };
  while (!rest.empty()) {
    const std::size_t close = rest.starts_with('{') ? rest.find('}') : std::string_view::npos;
    if (close != std::string_view::npos) {
      end_plain();
      parts_.push_back({PartKind::kNumber, std::string(rest.substr(1, close - 1))});
      rest.remove_prefix(close + 1);
    } else if (rest.starts_with('*')) {
      end_plain();
      parts_.push_back({PartKind::kAny, {}});
      rest.remove_prefix(1);
    } else {
      plain += rest.front();
      rest.remove_prefix(1);
    }
  }
  end_plain();
}

/// A number consumes all its digits; a wildcard as little as lets the rest match.
bool StepRule::fits(std::size_t part, std::string_view rest, Fields& fields) const {
  if (part == parts_.size()) return rest.empty();
  const Part& p = parts_[part];
  if (p.kind == PartKind::kText) return rest.starts_with(p.text) && fits(part + 1, rest.substr(p.text.size()), fields);
  if (p.kind == PartKind::kAny) {
    for (std::size_t taken = 0; taken <= rest.size(); ++taken) {
      if (fits(part + 1, rest.substr(taken), fields)) return true;
    }
    return false;
  }
  const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
  std::int64_t number = 0;
  if (digits == 0 || std::from_chars(rest.data(), rest.data() + digits, number).ec != std::errc()) return false;
  if (!fits(part + 1, rest.substr(digits), fields)) return false;
  fields[p.text] = number;
  return true;
}

std::optional<StepName> StepRule::read(std::string_view name) const {
  Fields fields;
  if (name.size() > kMaxName || !fits(0, name, fields)) return std::nullopt;
  const auto field = [&](std::string_view key) {
    const auto at = fields.find(key);
    return at == fields.end() ? std::optional<std::int64_t>() : std::optional(at->second);
  };
  StepName out;
  const auto prefills = field("prefills"), decodes = field("decodes");
  out.batch = field("batch");
  out.tokens = field("tokens");
  if (prefills && decodes) out.batch = *prefills + *decodes;
  if (!out.tokens && field("prefill_tokens") && field("decode_tokens"))
    out.tokens = *field("prefill_tokens") + *field("decode_tokens");
  if (kind_)
    out.kind = *kind_;
  else if (prefills.value_or(0) > 0)
    out.kind = decodes.value_or(0) > 0 ? StepKind::kMixed : StepKind::kPrefill;
  else if (decodes.value_or(0) == 0)
    return std::nullopt;
  if (out.kind != StepKind::kPrefill) out.decodes = decodes ? decodes : out.batch;
  if (!out.tokens && out.kind == StepKind::kDecode) out.tokens = out.decodes;
  return out;
}

StepNames::StepNames(std::span<const Str> rules) {
  for (const Str& rule : rules) rules_.emplace_back(rule.view());
}

std::optional<StepName> StepNames::read(std::string_view name) const {
  for (const StepRule& rule : rules_) {
    if (const auto read = rule.read(name)) return read;
  }
  return std::nullopt;
}

}  // namespace assay::serving
