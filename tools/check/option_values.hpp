// Values for options: such that an analyzer can work, and such as nobody would think of.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assay/testing/options.hpp"

namespace assay::check {

using testing::OptionInputs;

/// One option (or a set of them) as it may be given.
struct OptionCase {
  std::string name;   ///< of the option
  std::string value;  ///< short, for messages
  OptionInputs given;
};

/// Every declared option at its bounds, empty, very long, and with every choice; the others as in `usual`. All values
/// are such that the host would let them pass: within bounds and choices, never NaN, texts UTF-8.
std::vector<OptionCase> hostile_options(Span<OptionSpec> declared, const OptionInputs& usual);

/// What has to be given besides defaults so that metrics and labels that have none are named: `metric` and "size".
OptionInputs named_options(Span<OptionSpec> declared, const std::string& metric);

/// What options name: the study must have it.
struct OptionReferences {
  std::set<std::string> metrics, labels;
  std::set<std::pair<std::string, std::string>> conditions;  ///< label, value
  std::string compared;                                      ///< the first label that stands alone, not in a condition
  std::vector<std::string> texts;                            ///< that may be values of it
};
void add_named(Span<OptionSpec> declared, const Options& options, OptionReferences& to);

}  // namespace assay::check
