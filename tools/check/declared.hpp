// What a plugin declares, as far as it can be told without running it: version, defaults, and whose metrics are whose.
#pragma once

#include <map>
#include <string>

#include "assay/abi.hpp"

namespace assay::check {

/// Metrics and attributes of other analyzers, with the id of the one that makes each.
using Makers = std::map<std::string, std::string, std::less<>>;

/// Each: what is wrong in one sentence, or empty.
std::string version_problem(const Descriptor& declared);
std::string default_problem(const Descriptor& declared);
std::string ownership_problem(const Descriptor& declared, const Makers& others);
std::string reading_problem(const Descriptor& declared, const Makers& others);

}  // namespace assay::check
