// Checks a plugin's declarations without running it: version, defaults, and producers of metrics.
#pragma once

#include <map>
#include <string>

#include "assay/abi.hpp"

namespace assay::check {

/// Metrics and attributes of other analyzers, with the id of their producer.
using Makers = std::map<std::string, std::string, std::less<>>;

/// Each returns what is wrong in one sentence, or empty.
std::string version_problem(const Descriptor& declared);
std::string default_problem(const Descriptor& declared);
std::string ownership_problem(const Descriptor& declared, const Makers& others);
std::string reading_problem(const Descriptor& declared, const Makers& others);

}  // namespace assay::check
