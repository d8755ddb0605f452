// Values for options: usable ones, and hostile ones.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assay/testing/options.hpp"

namespace assay::check {

using testing::OptionInputs;

/// Possible values of an option, or of a set of options.
struct OptionCase {
  std::string name;   ///< of the option
  std::string value;  ///< short, for messages
  OptionInputs given;
};

/// Every declared option at its bounds, empty, very long, and with every choice; the others as in `usual`. The host
/// would accept all values: within bounds and choices, never NaN, texts UTF-8.
std::vector<OptionCase> hostile_options(Span<OptionSpec> declared, const OptionInputs& usual);

/// Options needed besides defaults so that metric and label options without default are set: `metric` and "size".
OptionInputs named_options(Span<OptionSpec> declared, const std::string& metric);

/// Names in options that the study must contain.
struct OptionReferences {
  std::set<std::string> metrics, labels;
  std::set<std::pair<std::string, std::string>> conditions;  ///< label, value
  std::string compared;                                      ///< the first label that is named on its own, not in a
                                                             ///< condition
  std::vector<std::string> texts;                            ///< possible values of it
};
void add_named(Span<OptionSpec> declared, const Options& options, OptionReferences& to);

}  // namespace assay::check
