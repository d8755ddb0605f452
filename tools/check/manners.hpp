// Side effects that a library must not have: printing, and running code when it is loaded.
#pragma once

#include <functional>
#include <string>

#include "check/checks.hpp"

namespace assay::check {

/// Start of what `work` writes to standard output or standard error; for a process that ends soon.
std::string printed_by(const std::function<void()>& work);

/// Checks that the library of the analyzer has no constructors of static objects.
CaseReply runs_nothing_when_loaded(const Descriptor& declared);

}  // namespace assay::check
