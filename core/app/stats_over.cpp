#include "app/stats_over.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "analyze/analyze.hpp"
#include "app/log.hpp"
#include "app/stats_heat_map.hpp"
#include "app/stats_output.hpp"
#include "assay/nsys_recipes.hpp"
#include "conclude/conclude.hpp"
#include "config/config.hpp"
#include "discover/discover.hpp"
#include "plugins/plugins.hpp"
#include "render/text.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

constexpr const char* kUseMap = "gpu_time_util_map";

/// Why a recipe cannot be had.
Error no_recipe(const std::string& asked) {
  const std::string name = asked.substr(0, asked.find(':'));
  std::vector<std::string> known;
  std::string list;
  for (const NsysRecipe& recipe : kNsysRecipes) {
    known.emplace_back(recipe.name);
    list.append(list.empty() ? "" : ", ").append(recipe.name);
  }
  if (std::find(known.begin(), known.end(), name) != known.end())
    return Error{"--report: '" + asked + "' has an option that " + name + " does not take over a folder"};
  if (find_nsys_report(asked)) {
    return Error{"--report: '" + name + "' is made of one report at a time; name the files without --over. Over a " +
                 "folder: " + list};
  }
  return Error{"--report: there is no recipe '" + name + "'." + did_you_mean(name, known) + " Known: " + list};
}

Result<Question> question_over(const StatsOptions& options) {
  const SourcePos pos{"assay stats", 1, 1};
  Question question;
  question.file = pos.file;
  question.id = "stats";
  question.window.nvtx = options.window;
  question.runner.files.clear();  // what a runner wrote of its runs is no matter here
  AnalyzerConfig analyzer{"nsys_stats", {}, pos};
  bool paces = false;
  for (const std::string& name : options.reports) {
    const auto recipe = find_nsys_recipe(name);
    if (!recipe) return no_recipe(name);
    paces = paces || recipe->recipe->kind == NsysRecipeKind::kPace;
  }
  if (paces && options.pace_name.empty()) {
    return Error{
        "--name: which kernel (or NVTX range) to follow was not said; name one that comes once an iteration on every "
        "rank, such as a collective or the range of a step"};
  }
  if (!paces && !options.pace_name.empty())
    return Error{"--name belongs to the recipes *_pace; ask for one of them with --report"};
  if (!options.reports.empty()) analyzer.options.push_back({"reports", {options.reports, pos}});
  if (options.corrected) analyzer.options.push_back({"corrected", {true, pos}});
  if (paces) analyzer.options.push_back({"pace_name", {options.pace_name, pos}});
  analyzer.options.push_back({"over", {true, pos}});
  question.analyzers.push_back(std::move(analyzer));
  return question;
}

std::set<ColumnId> columns_over(const Plan& plan) {
  std::set<ColumnId> columns;
  const OptionValue* value = plan.questions.front().analyzers.front().options.find("reports");
  for (const Str name : value->texts) {
    const std::vector<ColumnId> needed = find_nsys_recipe(name.view())->columns();
    columns.insert(needed.begin(), needed.end());
    if (name.view() != "cuda_gpu_kern_pace") continue;
    columns.insert(col::kernel_name);  // a kernel may be named by either name
  }
  return columns;
}

/// Exports, and what is named like one and is none.
Result<Catalog> exports_below(const fs::path& folder, const Question& question) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    return Error{"--over: '" + folder.string() + "' is no folder; name the folder that holds the exports of nsys"};
  }
  const std::vector<Question> questions{question};
  const fs::path folders[] = {folder};
  Result<Catalog> catalog = discover(questions, folders);
  const auto other = [&](const CatalogEntry& entry) {
    const FileKind kind = catalog->files[entry.file].kind;
    return is_report(kind) && !(kind == FileKind::kNsysSqlite);
  };
  if (catalog) std::erase_if(catalog->questions.front().entries, other);
  if (!catalog || catalog->questions.front().entries.empty()) {
    return Error{"--over: there is no SQLite export of nsys below '" + folder.string() +
                 "'; make them with `assay convert` or `nsys export --type sqlite`"};
  }
  return catalog;
}

/// What is to be said beside the tables: of files, then of all of them together.
void print_what_is_missing(const Catalog& catalog, const std::vector<ReportResult>& reports,
                           const QuestionResult& result) {
  const QuestionCatalog& found = catalog.questions.front();
  for (const std::string& copy : found.completeness.duplicate)
    std::cerr << one_line(copy) << ": left out, because it holds the same bytes as another\n";
  for (std::size_t e = 0; e < reports.size(); ++e) {
    const FoundFile& file = catalog.files[found.entries[e].file];
    if (!reports[e].loaded && !file.problem.empty())
      std::cerr << one_line(file.name) << ": not read: " << one_line(file.problem) << "\n";
    else
      print_remarks(file.name, reports[e]);
  }
  for (const Skip& skip : result.skips) {
    if (skip.report.empty()) std::cerr << one_line(skip.reason) << "\n";
  }
}

/// Graphs that were traced as a whole, by report: without a word of them the map says that a device was not in use.
std::map<std::string, std::string> graph_remarks(const Catalog& catalog, const std::vector<ReportResult>& reports) {
  std::map<std::string, std::string> remarks;
  const std::vector<CatalogEntry>& entries = catalog.questions.front().entries;
  for (std::size_t e = 0; e < reports.size(); ++e) {
    for (const OwnedIssue& issue : reports[e].issues) {
      if (issue.name.starts_with("graphs_")) remarks[catalog.files[entries[e].file].name] = issue.text;
    }
  }
  return remarks;
}

Status write_heat_map(const StatsOptions& options, const OwnedTable& table,
                      const std::map<std::string, std::string>& remarks) {
  const HeatMap map = heat_map_of(table, remarks);
  const std::pair<const char*, std::string> drawings[] = {{".svg", map.svg}, {".html", map.html}};
  for (const auto& [extension, text] : drawings) {
    TableFile file(options.out / (table.id + extension));
    file.out() << text;
    if (const Status written = file.finish(); !written) return written;
  }
  return ok();
}

Exit print_tables(const StatsOptions& options, const QuestionResult& result,
                  const std::map<std::string, std::string>& remarks) {
  const TablePrinter printer(options, true);
  std::size_t tables = 0;
  for (const OwnedTable& table : result.tables) {
    if (table.id != "files") ++tables;
    if (const Status printed = printer.print(table.id, table, table.id); !printed) return fail(printed.error());
    if (table.id != kUseMap) continue;
    if (options.out.empty()) {
      std::cerr << "The heat map of gpu_time_util is drawn into a folder that -o names.\n";
    } else if (const Status drawn = write_heat_map(options, table, remarks); !drawn) {
      return fail(drawn.error());
    }
  }
  std::cout.flush();
  return tables == 0 ? Exit::kFailed : Exit::kOk;
}

}  // namespace

Exit stats_over(const StatsOptions& options, const std::atomic<bool>& stop) {
  const Result<Question> question = question_over(options);
  if (!question) return fail(question.error());
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  const std::vector<Question> questions{*question};
  Result<Plan> plan = make_plan(questions, plugins);
  if (!plan) return fail(plan.error());
  plan->wanted = columns_over(*plan);
  const Result<Catalog> catalog = exports_below(options.over, *question);
  if (!catalog) return fail(catalog.error());

  std::vector<Analyzers> analyzers;
  analyzers.push_back(Analyzers::make(plan->questions.front()));
  for (const Skip& failure : analyzers.front().failures()) return fail({failure.reason, Exit::kUsage});
  Analysis analysis = analyze(*plan, *catalog, analyzers, stop, {.jobs = options.jobs, .reader = options.reader});
  if (analysis.interrupted || stop) return fail({"interrupted; nothing was written", Exit::kInterrupted});
  std::vector<ReportResult>& reports = analysis.questions.front();
  const QuestionResult result =
      conclude({plan->questions.front(), *catalog, catalog->questions.front(), reports}, analyzers.front(), {});
  const Exit printed = print_tables(options, result, graph_remarks(*catalog, reports));
  print_what_is_missing(*catalog, reports, result);
  return printed;
}

}  // namespace assay
