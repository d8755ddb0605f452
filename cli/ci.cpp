#include "cli/ci.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "files/staged_file.hpp"
#include "pipeline/outcome.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

Status write_report(const std::filesystem::path& file, const files::OutputKind& kind, const std::string& text) {
  Result<files::StagedFile> report = files::StagedFile::make(file, kind);
  if (!report) return report.error();
  report->stream() << text;
  return report->publish();
}

Status write_target(const ci::Target& target, const ci::Told& told, const Ci& ci, const ToTell& words) {
  switch (target.service) {
    case ci::Service::kNone:
      return ok();
    case ci::Service::kGitlab:
      return write_report(target.file, {.name = "a Code Quality report", .begins = "["}, ci::code_quality_json(told));
    case ci::Service::kJunit:
      return write_report(target.file, ci::kJunitReport, ci::junit_xml(told));
    case ci::Service::kGithub:
      break;
  }
  (words.rows_only ? std::cerr : std::cout) << ci::workflow_commands(told) << std::flush;
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return ok();
  const std::string gate = ci.gated ? ci::gate_markdown(told.gate, ci.policy) : std::string();
  return ci::append_step_summary(summary, "### " + words.command + "\n\n" + gate + words.summary + "\n", words.instead);
}

}  // namespace

CLI::Option* add_policy(CLI::App& command, CiOptions& to) {
  return command
      .add_option("--policy", to.policy,
                  "What fails and what warns in place of the usual, and waivers with their last day (TOML)")
      ->type_name("FILE");
}

CLI::Option* add_annotations(CLI::App& command, CiOptions& to) {
  return command
      .add_option("--annotations", to.annotations,
                  "Tell a service of CI: github (workflow commands and the step's summary), gitlab[=FILE] (Code "
                  "Quality), junit[=FILE] or none; may be repeated (default: the service this runs in)")
      ->type_name("WHAT")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        return ci::read_target(text)
                   ? ""
                   : "'" + text + "' is not one of github, gitlab, gitlab=FILE, junit, junit=FILE or none";
      });
}

std::vector<CLI::Option*> add_ci(CLI::App& command, CiOptions& to, const char* gate_help) {
  CLI::Option* gate = command.add_flag("--gate", to.gate, gate_help);
  return {gate, add_policy(command, to)->needs(gate), add_annotations(command, to)};
}

bool Ci::to_github() const {
  return std::ranges::any_of(targets, [](const ci::Target& t) { return t.service == ci::Service::kGithub; });
}

Result<Ci> read_ci(const CiOptions& options, const ci::Policy& base) {
  Ci out{base, {}, options.gate, !options.annotations.empty()};
  for (const std::string& text : options.annotations) {
    const auto target = ci::read_target(text);
    if (!target) return Error{"--annotations: '" + text + "' is not one of github, gitlab, junit or none"};
    if (target->service == ci::Service::kJunit) {
      if (const Status free = files::check_replaceable(target->file, ci::kJunitReport); !free) return free.error();
    }
    out.targets.push_back(*target);
  }
  if (!out.asked) out.targets = ci::detected_targets();
  if (options.policy.empty()) return out;
  Result<ci::Policy> policy = base.with(options.policy);
  if (!policy) return policy.error();
  out.policy = std::move(*policy);
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

Status tell_ci(const Ci& ci, const ci::GateResult& gate, const ToTell& words) {
  if (ci.gated && !ci.policy.file.empty() && !words.quiet && !words.rows_only) {
    const InertOutput inert(ci, std::cout);
    std::cout << "\n";
    for (const std::string& line : ci::gate_lines(gate)) std::cout << line << "\n";
  }
  const ci::Told told{gate, ci.gated, words.command, words.place, ci::repository_root()};
  Status all = ok();
  for (const ci::Target& target : ci.targets) {
    const Status written = write_target(target, told, ci, words);
    if (written) continue;
    if (ci.asked)
      all = written.error();
    else
      spdlog::warn("{}", written.error().sentence);
  }
  return all;
}

Status gate_status(const Ci& ci, const ci::GateResult& gate, const ci::Judged& judged, const std::string& failure) {
  if (!ci.gated) return ok();
  if (gate.worst == ci::Action::kFail && !gate.with(ci::Action::kFail).empty())
    return Error{"--gate: " + failure, Exit::kRefuted};
  if (gate.none_decided && ci.policy.undecided == ci::Action::kFail) return Error{judged.undecided, Exit::kRefuted};
  if (gate.worst != ci::Action::kUndecided) return ok();
  const auto open = gate.with(ci::Action::kUndecided);
  if (open.empty()) return Error{judged.undecided, kGateUndecided};
  return Error{"--gate: " + open.front()->one.name() + " is " + std::string(verdict_name(open.front()->one.verdict)) +
                   ", so the gate neither passed nor failed: " + open.front()->one.reason,
               kGateUndecided};
}

}  // namespace assay
