#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/tool.hpp"
#include "conclude/untestable.hpp"
#include "config/config.hpp"
#include "inspect/plan_description.hpp"
#include "inspect/plan_options.hpp"
#include "inspect/understanding.hpp"
#include "pipeline/pipeline.hpp"
#include "plan/plan.hpp"
#include "recognise/step_name.hpp"
#include "render/format.hpp"
#include "render/hidden_characters.hpp"
#include "render/left_out.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

/// Reports of a question that the run would leave out, and analyzers whose needs a report does not meet.
std::vector<Skip> skips_of(const std::vector<ReportResult>& reports) {
  std::vector<Skip> skips;
  for (const ReportResult& report : reports) skips.insert(skips.end(), report.skips.begin(), report.skips.end());
  return skips;
}

void print_question(const PlannedQuestion& planned, const Catalog& catalog, const QuestionCatalog& seen,
                    const std::vector<Skip>& skips) {
  const auto noise =
      static_cast<std::size_t>(std::ranges::count(seen.entries, ReportRole::kNoise, &CatalogEntry::role));
  std::cout << "\nprofiles of question " << one_line(planned.question->id) << ": "
            << completeness_line(seen.completeness, seen.entries.size() - noise, skips) << "\n";
  for (const PlannedClaim& claim : planned.claims) {
    if (const std::string lacking = lacking_run(claim, planned, catalog, seen); !lacking.empty())
      std::cout << "  cannot be tested: claim " << one_line(claim.config->id + ", since " + lacking) << "\n";
  }
  for (const MatrixCell& cell : seen.completeness.missing)
    std::cout << "  missing " << one_line(cell.with_reason()) << "\n";
  for (const std::string& name : seen.completeness.duplicate) std::cout << "  duplicate " << one_line(name) << "\n";
  for (const std::string& name : seen.completeness.unreadable) std::cout << "  unreadable " << one_line(name) << "\n";
  for (const SkipGroup& group : skip_groups(skips)) {
    std::cout << "  would be skipped" << (group.analyzer.empty() ? "" : " by " + group.analyzer) << ": "
              << one_line(group.reason) << " (" << one_line(some_of(group.reports, 3)) << ")\n";
  }
}

/// Suggests analyzers that are not enabled and would run without options.
void print_suggestions(const Question& question, const Plugins& plugins) {
  bool first = true;
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    const std::string id(plugin->id());
    const bool enabled = std::ranges::find(question.analyzers, id, &AnalyzerConfig::id) != question.analyzers.end();
    if (enabled || (d.stages & kStageConclude) == 0 || (d.stages & kStageJudge) != 0) continue;
    std::vector<Question> asked = {question};
    asked.front().analyzers.push_back({id, {}, {}});
    const auto plan = make_plan(asked, plugins);
    if (!plan || !Analyzers::make(plan->questions.front()).failures().empty()) continue;
    if (first) std::cout << "could also be enabled in question " << one_line(question.id) << ", without options\n";
    first = false;
    std::cout << "  [analyzers." << one_line(id) << "]  " << one_line(d.summary.view()) << "\n";
  }
}

using Json = nlohmann::ordered_json;

Json option_json(const OptionSet::Entry& entry) {
  return std::visit([](const auto& value) { return Json(value); }, entry.value);
}

/// A question as it would be run.
Json question_json(const PlannedQuestion& planned) {
  Json analyzers = Json::array(), claims = Json::array();
  for (const PlannedAnalyzer& analyzer : planned.analyzers) {
    Json options = Json::object();
    for (const OptionSet::Entry& entry : analyzer.options.entries())
      options[entry.name] = {{"value", option_json(entry)}, {"given", entry.given}};
    analyzers.push_back({{"id", analyzer.plugin->id()},
                         {"version", analyzer.plugin->descriptor().version.view()},
                         {"consumes", analyzer.consumes},
                         {"options", options}});
  }
  for (const PlannedClaim& claim : planned.claims)
    claims.push_back({{"id", claim.config->id}, {"text", claim.config->text}});
  const Question& question = *planned.question;
  return {{"id", question.id},
          {"title", question.title},
          {"analyzers", analyzers},
          {"claims", claims},
          {"reports", nullptr}};
}

/// The reports of a question, and what would be left out.
Json reports_json(const PlannedQuestion& planned, const Catalog& catalog, const QuestionCatalog& seen,
                  const std::vector<Skip>& skips) {
  Json missing = Json::array(), skipped = Json::array(), untestable = Json::array();
  for (const PlannedClaim& claim : planned.claims) {
    if (const std::string lacking = lacking_run(claim, planned, catalog, seen); !lacking.empty())
      untestable.push_back({{"claim", claim.config->id}, {"reason", lacking}});
  }
  for (const MatrixCell& cell : seen.completeness.missing) missing.push_back(cell.with_reason());
  for (const SkipGroup& group : skip_groups(skips))
    skipped.push_back({{"analyzer", group.analyzer}, {"reason", group.reason}, {"reports", group.reports}});
  return {{"found", seen.entries.size()},
          {"missing", missing},
          {"duplicate", seen.completeness.duplicate},
          {"unreadable", seen.completeness.unreadable},
          {"would_be_skipped", skipped},
          {"cannot_be_tested", untestable}};
}

/// Prints the plan as a document; with `found`, also the reports found.
void print_plan_json(const Plan& plan, Pipeline* found) {
  Json questions = Json::array();
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    Json& question = questions.emplace_back(question_json(plan.questions[q]));
    if (found != nullptr)
      question["reports"] = reports_json(plan.questions[q], found->catalog(), found->catalog().questions[q],
                                         skips_of(found->analysis().questions[q]));
  }
  const Json all = {{"questions", questions}};
  std::cout << all.dump(1, ' ', true, Json::error_handler_t::replace) << "\n";
}

/// Prints one row per analyzer.
void print_rows(const Plan& plan, RowFormat format) {
  TextTable table({{"question"}, {"analyzer"}, {"version"}, {"options"}, {"produces"}, {"reads"}});
  for (const PlanRow& row : plan_rows(plan))
    table.row({row.question, row.analyzer, row.version, row.options, row.produces, row.reads});
  table.write(std::cout, format);
}

Exit show_plan(const std::vector<std::filesystem::path>& configs, const std::vector<std::filesystem::path>& reports,
               const PipelineSettings& settings, RowFormat format, bool whole) {
  auto questions = read_configs(configs);
  if (!questions) return fail(questions.error());
  const auto planned = Pipeline::plan(std::move(*questions), settings);
  if (!planned) return fail(planned.error());
  Pipeline& line = **planned;
  const Plan& plan = line.plan();
  if (const Status found = reports.empty() ? ok() : line.discover(reports); !found) return fail(found.error());
  if (const Status sound = line.check_setup(); !sound) return fail(sound.error());
  if (document::wanted()) {
    if (reports.empty()) print_plan_json(plan, nullptr);
  } else if (format != RowFormat::kTable) {
    print_rows(plan, format);
  } else {
    std::cout << visible(describe_plan(plan, whole));
    for (const Question& question : line.questions()) {
      if (whole) print_suggestions(question, line.plugins());
    }
  }
  if (reports.empty()) return Exit::kOk;
  if (const Status read = line.analyze({.needs_only = true}); !read) return fail(read.error());
  if (document::wanted()) {
    print_plan_json(plan, &line);
    return Exit::kOk;
  }
  print_understanding(line.catalog(), read_each(line.catalog()), run_table(line.catalog()), std::cout);
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    print_question(plan.questions[q], line.catalog(), line.catalog().questions[q],
                   skips_of(line.analysis().questions[q]));
  }
  return Exit::kOk;
}

}  // namespace

void add_plan(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay plan configs/rq1_architecture.toml
  assay plan configs/study.toml --reports ~/profiles
  assay plan configs/rq3_compilation.toml --power results           # what inconclusive claims still need
  assay plan configs/rq3_compilation.toml --power results --effect 0.95)";
  const auto options = std::make_shared<PlanOptions>();
  CLI::App& command = line.add(
      "plan", "Show what run would do and what not, without running", kFooter, options, [&line](const PlanOptions& o) {
        return o.instead ? o.instead(o) : show_plan(o.configs, o.reports, o.settings, o.format, line.verbose > 0);
      });
  add_option(command, "config", options->configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(command, "--reports", options->reports,
              "Also show what would be skipped in these profiles; may be repeated");
  for (const Tool* tool : linked_tools()) {
    if (tool->add_plan_options != nullptr) tool->add_plan_options(command, *options);
  }
  // CSV has no place for skips, so --format excludes --reports.
  document::add_rows(command, options->format)->excludes("--reports");
  add_verbose(command, line,
              "Also print default and long options, what analyzers produce and read, and which could be added");
  add_plugin_path(command, options->settings.plugin_paths);
  add_trust_plugins(command, options->settings.trust_plugins);
}

}  // namespace assay
