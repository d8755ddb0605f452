// Checks of `assay check`, each in its own process: a crash or a hang is a result too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "assay/testing/options.hpp"
#include "check/declared.hpp"
#include "process/contained.hpp"

namespace assay::check {

enum class CaseStatus { kOk, kRefused, kWarned, kFailed };

struct CaseReply {
  CaseStatus answer = CaseStatus::kOk;
  std::string detail;  ///< the output, the sentence of the constructor, or what is wrong
};

/// One thing to try.
struct Case {
  std::string with;  ///< distinguishes it from its neighbours: "top = 0"; empty if it is alone
  std::function<CaseReply()> body;
};

/// One row of the output. If a case crashes, `suspects` are run: each hides one undeclared column, and those that fail
/// are named as the cause.
struct Check {
  std::string name;
  std::vector<Case> cases;
  std::function<void()> prepare = [] {};  ///< prepares input common to all cases, not counted in time or memory
  std::vector<Case> suspects = {};        ///< one that fails is the cause of the crash
};

/// Result of a check: that of its first case that does not pass.
struct CheckResult {
  std::string result;  ///< "ok", "refused", "warning", "failed", "crashed (SIGSEGV)", "hung", "out of memory", ...
  std::string detail;
  bool passed = true;      ///< an analyzer that rejects hostile options with a sentence passes
  double seconds = 0;      ///< of all cases
  std::uint64_t peak = 0;  ///< of the worst case, in bytes
};

/// All checks of a plugin. `usual`: options that work, if defaults do not; `others`: producers among other analyzers;
/// `declared` must outlive the checks.
std::vector<Check> checks_of(const Descriptor& declared, const testing::OptionInputs& usual, const Makers& others);

/// Runs the cases, each in its own process, up to the first that does not pass.
CheckResult run(const Check& check, const process::Limits& limits, const std::atomic<bool>& stop);

/// Runs one case in its own process: returns its reply, or what happened to it.
CheckResult run(const Case& one, const process::Limits& limits, const std::atomic<bool>& stop);

}  // namespace assay::check
