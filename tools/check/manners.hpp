// What a library must not do beside analyzing: print, and run code when it is loaded.
#pragma once

#include <functional>
#include <string>

#include "check/checks.hpp"

namespace assay::check {

/// The beginning of what `work` writes to standard output or standard error; for a process of its own, which ends soon.
std::string printed_by(const std::function<void()>& work);

/// Whether the library that holds the analyzer has constructors of static objects.
CaseReply runs_nothing_when_loaded(const Descriptor& declared);

}  // namespace assay::check
