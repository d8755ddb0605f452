#include "stats/stats_over.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "algo/nsys/recipes.hpp"
#include "assay/words.hpp"
#include "cli/log.hpp"
#include "files/did_you_mean.hpp"
#include "pipeline/jobs_unread.hpp"
#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "render/text.hpp"
#include "stats/stats_output.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

/// Why a recipe is not available.
Error no_recipe(const std::string& asked) {
  const std::string name = asked.substr(0, asked.find(':'));
  std::vector<std::string> known;
  std::string list;
  for (const NsysRecipe& recipe : kNsysRecipes) {
    known.emplace_back(recipe.name);
    list.append(list.empty() ? "" : ", ").append(recipe.name);
  }
  if (std::find(known.begin(), known.end(), name) != known.end())
    return Error{fmt::format("--report: '{}' has an option that {} does not take over a folder", asked, name)}.at(
        asked);
  if (find_nsys_report(asked)) {
    return Error{"--report: '" + name + "' is made from one profile at a time"}.at(name).advise(
        "name the files without --over. Over a folder: " + list);
  }
  return Error{"--report: there is no recipe '" + name + "'."}.at(name).suggest(did_you_mean(name, known) +
                                                                                " Known: " + list);
}

Result<Question> question_over(const StatsOptions& options) {
  bool paces = false;
  for (const std::string& name : options.reports) {
    const auto recipe = find_nsys_recipe(name);
    if (!recipe) return no_recipe(name);
    paces = paces || recipe->recipe->kind == NsysRecipeKind::kPace;
  }
  if (paces && options.pace_name.empty()) {
    return Error{"--name is missing"}.advise(
        "name the kernel (or NVTX range) to follow, one that occurs once per iteration on every rank, such as a "
        "collective or the range of a step");
  }
  if (!paces && !options.pace_name.empty())
    return Error{"--name belongs to the recipes *_pace"}.advise("ask for one of them with --report");
  Result<Question> question = stats_question("commands/stats_over.toml", options);
  if (question && paces) question->analyzers.front().options.push_back({"pace_name", {options.pace_name, kStatsPlace}});
  return question;
}

std::set<ColumnId> columns_over(const Plan& plan) {
  std::set<ColumnId> columns;
  const OptionValue* value = plan.questions.front().analyzers.front().options.find("reports");
  for (const Str name : value->texts) {
    const std::vector<ColumnId> needed = find_nsys_recipe(name.view())->columns();
    columns.insert(needed.begin(), needed.end());
    if (name.view() != "cuda_gpu_kern_pace") continue;
    columns.insert(col::kernel_name);  // a kernel may be named by either of its names
  }
  return columns;
}

/// Exports of one job, and files that are named like exports but are not.
Result<Catalog> exports_below(const fs::path& folder, const Question& question) {
  const fs::path places[] = {folder};
  Result<Catalog> catalog =
      profiles_at(places, {question}, {.option = "--over", .exports_only = true, .any_name = true});
  if (!catalog) return catalog.error();
  if (const JobsFound found = UnreadStudy(question, *catalog).jobs(); found.runs > 1 && found.of_ranks) {
    return Error{fmt::format("--over pools the ranks of one job, and '{}' holds {}: {}", folder.string(),
                             counted(found.runs, "run"), found.names)}
        .at(folder.string())
        .advise("name a folder with the ranks of one job");
  }
  return catalog;
}

/// Prints remarks besides the tables: on single files, then on all of them.
void print_what_is_missing(const Catalog& catalog, const std::vector<ReportResult>& reports,
                           const QuestionResult& result) {
  const QuestionCatalog& found = catalog.questions.front();
  for (const std::string& copy : found.completeness.duplicate)
    std::cerr << one_line(copy) << ": left out, because it is a copy of another file\n";
  for (std::size_t e = 0; e < reports.size(); ++e) {
    const FoundFile& file = catalog.files[found.entries[e].file];
    if (!reports[e].loaded && !file.problem.empty())
      std::cerr << one_line(file.name) << ": not read: " << one_line(file.problem) << "\n";
    else
      print_remarks(file.name, reports[e]);
  }
  for (const Skip& skip : result.skips) {
    // Recipes read few columns each and report missing ones themselves.
    if (skip.hint) continue;
    if (skip.report.empty()) std::cerr << one_line(skip.reason) << "\n";
  }
}

Exit print_tables(const StatsOptions& options, const QuestionResult& result) {
  const TablePrinter printer(options, true);
  std::size_t tables = 0;
  for (const OwnedTable& table : result.tables) {
    if (table.id != "files") ++tables;
    if (const Status printed = printer.print(table.id, table, table.id); !printed) return fail(printed.error());
  }
  std::cout.flush();
  return tables == 0 ? Exit::kFailed : Exit::kOk;
}

}  // namespace

Exit stats_over(const StatsOptions& options, const std::atomic<bool>& stop) {
  Result<Question> question = question_over(options);
  if (!question) return fail(question.error());
  Result<Catalog> catalog = exports_below(options.over, *question);
  if (!catalog) return fail(catalog.error());
  const Result<RequestResult> answered =
      answer({.questions = {std::move(*question)},
              .catalog = std::move(*catalog),
              .columns = columns_over,
              .settings = {.plugin_paths = options.plugin_paths, .jobs = options.jobs, .stop = &stop}});
  if (!answered) return fail(answered.error());
  const RunResult& result = answered->result;
  const std::vector<ReportResult>& reports = result.analysis.questions.front();
  const Exit printed = print_tables(options, result.questions.front());
  print_what_is_missing(*result.catalog, reports, result.questions.front());
  return printed;
}

}  // namespace assay
