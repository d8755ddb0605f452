#include <iostream>
#include <map>

#include "cli/ci.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/row_format.hpp"
#include "config/config.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "results/stored_results.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct GateOptions {
  fs::path out;  ///< the result
  CiOptions ci;
  ci::Day day = ci::today();
  std::vector<fs::path> configs;
  RowFormat format = RowFormat::kTable;
};

/// A result does not know where its claims stand; their questions do.
Status place_claims(const std::vector<fs::path>& configs, ci::Judged& judged) {
  if (configs.empty()) return ok();
  const auto questions = read_configs(configs);
  if (!questions) return questions.error();
  std::map<std::string, SourcePos> places;
  for (const Question& question : *questions) {
    for (const ClaimConfig& claim : question.claims) places.emplace(question.id + ": " + claim.id, claim.pos);
  }
  for (ci::Case& one : judged.cases) {
    if (const auto at = places.find(one.name()); at != places.end()) one.pos = at->second;
  }
  return ok();
}

void write_rows(const ci::GateResult& gate, RowFormat format) {
  TextTable table({{"action"}, {"question"}, {"claim"}, {"verdict"}, {"waived_until"}, {"waiver"}, {"reason"}});
  for (const ci::Answer& answer : gate.answers) {
    table.row({std::string(action_name(answer.action)), answer.one.question, answer.one.claim,
               std::string(verdict_name(answer.one.verdict)),
               answer.waiver != nullptr ? ci::day_text(answer.waiver->until) : "",
               answer.waiver != nullptr ? answer.waiver->reason : "", answer.one.reason});
  }
  table.write(std::cout, format);
}

Exit run_gate(const GateOptions& options) {
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return fail(ci.error());
  const auto questions = read_results(options.out, false);
  if (!questions) return fail(questions.error());
  ci::Judged judged = ci::judged(*questions);
  if (const Status placed = place_claims(options.configs, judged); !placed) return fail(placed.error());
  const ci::GateResult gate = ci::gate(ci->policy, judged, options.day);
  const bool for_people = options.format == RowFormat::kTable;
  if (for_people) {
    const InertOutput inert(*ci, std::cout);
    for (const std::string& line : ci::gate_lines(gate)) std::cout << line << "\n";
  } else {
    write_rows(gate, options.format);
  }
  const Status told = tell_ci(*ci, gate,
                              {.command = "assay gate",
                               .summary = "",
                               .instead = "'assay gate' prints all",
                               .place = options.out.string(),
                               .quiet = true,
                               .rows_only = !for_people});
  if (!told) fail(told.error());
  if (const Status good = gate_status(*ci, gate, judged, failure_text(gate)); !good) return fail(good.error());
  return told ? Exit::kOk : told.error().exit;
}

}  // namespace

void add_gate(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Judges a finished result by a policy: exit 0 passed, 1 failed, 4 nothing was decided. Without --policy refuted claims
fail. --gate of run, merge, compare and history takes the same policy.

policy.toml:
  [gate]
  refuted = "fail"              # fail, undecided (exit 4), warn or pass
  inconclusive = "warn"         # the default of all but refuted is pass
  untestable = "warn"
  nothing_decided = "undecided"
  warn_days = 14                # of waivers that end so soon

  [[rule]]                      # of those that fit, the last holds
  question = "rq4*"             # globs: question, claim, metric
  refuted = "warn"

  [[waiver]]                    # lets pass what would fail
  claim = "flat"
  until = 2026-12-31            # the last day, in UTC
  reason = "ticket 41"

Examples:
  assay gate out
  assay gate out --policy policy.toml --annotations junit=gate.xml
  assay gate out --policy policy.toml --as-of 2027-01-01)";
  const auto options = std::make_shared<GateOptions>();
  options->ci.gate = true;
  CLI::App& command = line.add("gate", "Pass or fail a finished result by a policy", kFooter, options, run_gate);
  command.add_option("result", options->out, "Folder that 'assay run -o' wrote")->required()->type_name("RESULT");
  add_policy(command, options->ci);
  command
      .add_option_function<std::string>(
          "--as-of", [options](const std::string& text) { options->day = ci::read_day(text).value_or(options->day); },
          "The day by which waivers are judged (default: today, in UTC)")
      ->type_name("YYYY-MM-DD")
      ->check([](const std::string& text) {
        return ci::read_day(text) ? "" : "'" + text + "' is no day; expected such as 2026-12-31";
      });
  command
      .add_option("--config", options->configs,
                  "The questions, so that annotations stand at their claims; may be repeated")
      ->type_name("CONFIG")
      ->allow_extra_args(false);
  add_annotations(command, options->ci);
  document::add_rows(command, options->format);
}

}  // namespace assay
