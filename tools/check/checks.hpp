// What `assay check` asks of a plugin, each question in a process of its own: a crash or a hang is an answer too.
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

/// What one case says of itself when it comes through.
struct CaseReply {
  CaseStatus answer = CaseStatus::kOk;
  std::string detail;  ///< what came out, with which sentence the constructor refused, or what is wrong or odd
};

/// One thing that is tried.
struct Case {
  std::string with;  ///< what tells it from its neighbours: "top = 0"; empty where it is alone
  std::function<CaseReply()> body;
};

/// One row of the answer. Where a case crashes, `suspects` are asked, each of which names what it is that was not
/// there.
struct Check {
  std::string name;
  std::vector<Case> cases;
  std::function<void()> prepare = [] {};  ///< what all cases need and neither time nor memory should count
  std::vector<Case> suspects = {};        ///< one that is not well is the reason of the crash
};

/// What came of a check: its first case that is not well stands for it.
struct CheckResult {
  std::string result;  ///< "ok", "refused", "warning", "failed", "crashed (SIGSEGV)", "hung", "out of memory", ...
  std::string detail;
  bool passed = true;      ///< an analyzer that refuses hostile options with a sentence passes
  double seconds = 0;      ///< of all cases
  std::uint64_t peak = 0;  ///< of the worst case, bytes
};

/// All checks of a plugin. `usual` are options that it works with, where defaults do not do; `others` says what other
/// analyzers make; `declared` must outlive the checks.
std::vector<Check> checks_of(const Descriptor& declared, const testing::OptionInputs& usual, const Makers& others);

/// Runs the cases, each in a process of its own; after the first that does not pass the others are left out.
CheckResult run(const Check& check, const process::Limits& limits, const std::atomic<bool>& stop);

/// One case in a process of its own: its reply, or what became of it.
CheckResult run(const Case& one, const process::Limits& limits, const std::atomic<bool>& stop);

}  // namespace assay::check
