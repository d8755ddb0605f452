#include "app/compare.hpp"

#include <algorithm>
#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/log.hpp"
#include "app/outcome.hpp"
#include "app/terminal.hpp"
#include "plugins/plugins.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "results/merged_results.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

constexpr const char* kDeltaAnalyzer = "result_delta";

const StoredQuestion* find(const std::vector<StoredQuestion>& questions, const std::string& id) {
  const auto at = std::find_if(questions.begin(), questions.end(), [&](const StoredQuestion& q) { return q.id == id; });
  return at == questions.end() ? nullptr : &*at;
}

std::string ids_of(const std::vector<StoredQuestion>& questions) {
  std::vector<std::string> ids;
  for (const StoredQuestion& question : questions) ids.push_back(question.id);
  return some_of(ids, 8);
}

/// The questions that both results answer.
Result<std::vector<MergedResults>> merge_all(const CompareOptions& options) {
  const auto before = read_results(options.before, true);
  if (!before) return before.error();
  const auto after = read_results(options.after, true);
  if (!after) return after.error();
  std::vector<MergedResults> merged;
  for (const std::string& id : options.questions) {
    if (find(*before, id) == nullptr || find(*after, id) == nullptr) {
      return Error{"--question: '" + id + "' is not in both results; '" + options.before.string() + "' has " +
                   ids_of(*before) + ", '" + options.after.string() + "' has " + ids_of(*after)};
    }
  }
  for (const StoredQuestion& question : *before) {
    const StoredQuestion* other = find(*after, question.id);
    const bool asked = options.questions.empty() || std::find(options.questions.begin(), options.questions.end(),
                                                              question.id) != options.questions.end();
    if (other != nullptr && asked) merged.push_back(merge(question, *other, options.metrics));
  }
  if (!merged.empty()) return merged;
  return Error{"the results have no question in common: '" + options.before.string() + "' answers " + ids_of(*before) +
               ", '" + options.after.string() + "' answers " + ids_of(*after)};
}

/// Adds what the TOML of a question would say: the analyzer, and the one claim that --gate looks at.
void ask(MergedResults& merged, const std::vector<std::string>& globs, double tolerance) {
  const SourcePos pos{"assay compare", 1, 1};
  Question& question = merged.question;
  question.file = pos.file;
  AnalyzerConfig analyzer{kDeltaAnalyzer, {}, pos};
  analyzer.options.push_back({"label", {merged.label, pos}});
  analyzer.options.push_back({"base", {std::string(kBefore), pos}});
  analyzer.options.push_back({"treated", {std::string(kAfter), pos}});
  // Globs that no metric matches are names that none has, so that nothing is compared.
  if (!globs.empty()) analyzer.options.push_back({"metrics", {merged.compared.empty() ? globs : merged.compared, pos}});
  question.analyzers.push_back(std::move(analyzer));
  ClaimConfig claim{"not_worse", "No metric is worse after than before.", "", {}, pos};
  claim.keys.push_back({"tolerance", {tolerance, pos}});
  question.claims.push_back(std::move(claim));
}

}  // namespace

Exit compare_results(const CompareOptions& options) {
  auto merged = merge_all(options);
  if (!merged) return fail(merged.error());
  if (!options.out.empty()) {
    if (const Status writable = check_output_folder(options.out, options.force); !writable)
      return fail(writable.error());
  }
  std::vector<Question> questions;
  Catalog catalog;
  Analysis analysis;
  for (MergedResults& one : *merged) {
    ask(one, options.metrics, options.tolerance);
    questions.push_back(std::move(one.question));
  }
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  const auto plan = make_plan(questions, plugins);
  if (!plan) return fail(plan.error());

  std::vector<Analyzers> analyzers;
  RunResult result{&*plan, &catalog, {}, {}};
  for (std::size_t q = 0; q < merged->size(); ++q) {
    MergedResults& one = (*merged)[q];
    analyzers.push_back(Analyzers::make(plan->questions[q]));
    result.questions.push_back(conclude({plan->questions[q], one.catalog, one.catalog.questions.front(), one.reports},
                                        analyzers[q], {}, {.given = one.metrics}));
    const std::size_t first = catalog.files.size();
    for (CatalogEntry& entry : one.catalog.questions.front().entries) entry.file += first;
    std::move(one.catalog.files.begin(), one.catalog.files.end(), std::back_inserter(catalog.files));
    catalog.questions.push_back(std::move(one.catalog.questions.front()));
    result.analysis.questions.push_back(std::move(one.reports));
  }

  if (!options.out.empty()) {
    const auto written = write_outputs(result, options.out, options.force);
    if (!written) return fail(written.error());
  }
  TerminalStyle style = output_style();
  style.whole = options.whole;
  print_summary(result, std::cout, style);
  if (const auto why = total_failure(result)) return fail({*why, Exit::kFailed});
  if (const auto worse = refuted_claims(result); options.gate && !worse.empty())
    return fail({"--gate: a metric is worse in " + counted(worse.size(), "question"), Exit::kRefuted});
  return Exit::kOk;
}

void add_compare(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Runs are matched by their labels, or by name where they have none. What counts as a change is decided by the spread
between equal runs, as in every question; with --gate the exit code is 1 when a metric is worse beyond it.

Examples:
  assay compare out/monday out/tuesday
  assay compare out/old_driver out/new_driver --metric 'iteration.*' --gate --tolerance 0.02)";
  const auto options = std::make_shared<CompareOptions>();
  CLI::App& command = line.add("compare", "Compare two finished results of one question, metric by metric", kFooter,
                               options, [&line](CompareOptions& o) {
                                 o.whole = line.verbose > 0;
                                 return compare_results(o);
                               });
  command.add_option("before", options->before, "Folder that 'assay run -o' wrote")->required()->type_name("OUT1");
  command.add_option("after", options->after, "The result to hold against it")->required()->type_name("OUT2");
  command.add_option("--question", options->questions, "Only this question; may be repeated (default: all in both)")
      ->type_name("ID")
      ->allow_extra_args(false);
  command.add_option("--metric", options->metrics, "Only metrics that match, e.g. 'iteration.*'; may be repeated")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command.add_option("--tolerance", options->tolerance, "Share by which a metric may be worse, e.g. 0.02")
      ->type_name("SHARE")
      ->check(in_range(0.0, 10.0));
  command.add_option("-o,--out", options->out, "Also write facts, findings and reports to this folder")
      ->type_name("OUT");
  add_force(command, options->force);
  command.add_flag("--gate", options->gate, "Exit with 1 when a metric is worse");
  add_verbose(command, line);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
