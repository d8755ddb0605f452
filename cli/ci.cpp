#include "cli/ci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "files/log_line.hpp"
#include "files/staged_file.hpp"
#include "render/format.hpp"

namespace assay {
namespace {

Status write_target(const ci::Target& target, const ci::AnnotationInput& input, const CiReportInput& report) {
  if (target.service == ci::Service::kNone) return ok();
  if (target.service == ci::Service::kJunit)
    return files::write_text(target.file, ci::kJunitReport, ci::junit_xml(input));
  (report.rows_only ? std::cerr : std::cout) << ci::workflow_commands(input) << std::flush;
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return ok();
  const ci::GateOutcome outcome = input.gated ? ci::gate(input.gate) : ci::GateOutcome::kPassed;
  const std::string gate =
      outcome == ci::GateOutcome::kPassed
          ? std::string()
          : fmt::format("**Gate {}**: {} judged.\n\n", outcome == ci::GateOutcome::kFailed ? "failed" : "undecided",
                        counted(input.gate.cases.size(), "claim"));
  return ci::append_step_summary(summary, fmt::format("### {}\n\n{}{}\n", report.command, gate, report.summary),
                                 report.instead);
}

constexpr const char* kTargets = "github, junit, junit=FILE or none";

/// Why a word of --annotations is invalid; empty: it is valid.
std::string target_problem(const std::string& text) {
  if (ci::read_target(text)) return {};
  return fmt::format("'{}' is not one of {}", text, kTargets);
}

}  // namespace

std::vector<CLI::Option*> add_ci(CLI::App& command, CiOptions& to, const char* gate_help) {
  CLI::Option* annotations =
      add_option(command, "--annotations", to.annotations,
                 "Report to a service of CI: github (workflow commands and the step's summary), junit[=FILE] or "
                 "none; may be repeated (default: the service this runs in)")
          ->type_name("WHAT")
          ->allow_extra_args(false)
          ->check(target_problem);
  return {add_flag(command, "--gate", to.gate, gate_help), annotations};
}

bool Ci::to_github() const {
  return std::ranges::any_of(targets, [](const ci::Target& t) { return t.service == ci::Service::kGithub; });
}

Result<Ci> read_ci(const CiOptions& options) {
  Ci out{{}, options.gate, !options.annotations.empty()};
  for (const std::string& text : options.annotations) {
    const auto target = ci::read_target(text);
    if (!target) return Error{fmt::format("--annotations: {}", target_problem(text))};
    if (target->service == ci::Service::kJunit) {
      if (const Status free = files::check_replaceable(target->file, ci::kJunitReport); !free) return free.error();
    }
    out.targets.push_back(*target);
  }
  if (!out.asked) out.targets = ci::detected_targets();
  return out;
}

InertOutput::InertOutput(const Ci& ci, std::ostream& to) : to_(ci.to_github() ? &to : nullptr) {
  if (to_ == nullptr) return;
  token_ = ci::fresh_token();
  *to_ << ci::stop_commands(token_);
}

InertOutput::~InertOutput() {
  if (to_ != nullptr) *to_ << ci::resume_commands(token_) << std::flush;
}

Status write_ci_reports(const Ci& ci, const ci::GateInput& gate, const CiReportInput& report) {
  const ci::AnnotationInput input{gate, ci.gated, report.command, ci::repository_root()};
  Status all = ok();
  for (const ci::Target& target : ci.targets) {
    const Status written = write_target(target, input, report);
    if (written) continue;
    if (ci.asked)
      all = written.error();
    else
      log_warning("{}", written.error().sentence);
  }
  return all;
}

Status gate_status(const Ci& ci, const ci::GateInput& gate, const std::string& failure) {
  if (!ci.gated) return ok();
  const ci::GateOutcome outcome = ci::gate(gate);
  if (outcome == ci::GateOutcome::kFailed) return Error{"--gate: " + failure, Exit::kRefuted};
  if (outcome == ci::GateOutcome::kUndecided) return Error{gate.undecided, Exit::kUndecided};
  return ok();
}

}  // namespace assay
