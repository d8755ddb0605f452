#include "app/stats.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <thread>

#include "analyze/analyze.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/terminal.hpp"
#include "assay/nsys_reports.hpp"
#include "config/config.hpp"
#include "files/staged_file.hpp"
#include "plugins/plugins.hpp"
#include "render/hidden_characters.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr const char* kAnalyzer = "nsys_stats";

unsigned cores(const StatsOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// The one question that the command line asks.
Result<Question> question_of(const StatsOptions& options) {
  const SourcePos pos{"assay stats", 1, 1};
  Question question;
  question.file = pos.file;
  question.id = "stats";
  question.window.nvtx = options.window;
  AnalyzerConfig analyzer{kAnalyzer, {}, pos};
  std::vector<std::string> known;
  for (const NsysReport& report : kNsysReports) known.emplace_back(report.name);
  for (const std::string& name : options.reports) {
    if (find_nsys_report(name) != nullptr) continue;
    std::string list;
    for (const std::string& other : known) list.append(list.empty() ? "" : ", ").append(other);
    return Error{"--report: there is no report '" + name + "'." + did_you_mean(name, known) + " Known: " + list};
  }
  if (!options.reports.empty()) analyzer.options.push_back({"reports", {options.reports, pos}});
  const auto spare = static_cast<std::int64_t>(cores(options) / std::max<std::size_t>(1, options.files.size()));
  analyzer.options.push_back({"threads", {std::max<std::int64_t>(1, spare), pos}});
  question.analyzers.push_back(std::move(analyzer));
  return question;
}

/// The reports that the analyzer was planned with: those asked for, or its default.
std::vector<std::string> asked_reports(const Plan& plan) {
  std::vector<std::string> names;
  const OptionValue* value = plan.questions.front().analyzers.front().options.find("reports");
  for (const Str name : value->texts) names.emplace_back(name.view());
  return names;
}

/// The analyzer wants what any of its reports may need; only what these need is read.
std::set<ColumnId> columns_of(const std::vector<std::string>& reports) {
  std::set<ColumnId> columns;
  for (const std::string& name : reports) {
    const Span<ColumnId>& needed = find_nsys_report(name)->columns;
    columns.insert(needed.begin(), needed.end());
  }
  return columns;
}

Result<Catalog> catalog_of(const std::vector<std::filesystem::path>& files) {
  Catalog catalog;
  QuestionCatalog& question = catalog.questions.emplace_back();
  for (const std::filesystem::path& path : files) {
    std::error_code failed;
    if (!std::filesystem::exists(path, failed)) return Error{"there is no file '" + path.string() + "'"};
    if (std::filesystem::is_directory(path, failed)) {
      return Error{"'" + path.string() + "' is a folder; name the exports in it"};
    }
    question.entries.push_back({catalog.files.size(), ReportRole::kQuestion, {}, {}});
    catalog.files.push_back(sniff(path, path.generic_string()));
  }
  return catalog;
}

/// Of two files with one name the tables would fall on each other.
Status check_stems(const StatsOptions& options) {
  std::set<std::filesystem::path> stems;
  for (const std::filesystem::path& file : options.files) {
    if (!options.out.empty() && !stems.insert(file.stem()).second) {
      return Error{"two files are named '" + file.stem().string() + "', so their tables would have one name in '" +
                   options.out.string() + "'; give them one at a time with different -o"};
    }
  }
  return ok();
}

Status write_table(const std::filesystem::path& file, const OwnedTable& table, StatsFormat format) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) return files::not_written(file.parent_path(), failed.message());
  Result<files::StagedFile> staged = files::StagedFile::make(file);
  if (!staged) return staged.error();
  write_stats(staged->stream(), table, format, 0);
  return staged->publish();
}

/// Everything that is said of one file beside its tables.
void print_remarks(const std::string& file, const ReportResult& result) {
  for (const Skip& skip : result.skips) std::cerr << one_line(file) << ": skipped " << one_line(skip.reason) << "\n";
  for (const OwnedIssue& issue : result.issues) {
    const bool said = std::any_of(result.skips.begin(), result.skips.end(),
                                  [&](const Skip& skip) { return skip.reason == issue.text; });
    if (!said) std::cerr << one_line(file) << ": " << one_line(issue.text) << "\n";
  }
}

class Printer {
 public:
  Printer(const StatsOptions& options, std::size_t tables)
      : options_(options),
        format_(options.format.value_or(options.out.empty() ? StatsFormat::kTable : StatsFormat::kCsv)),
        headings_(tables > 1 || format_ == StatsFormat::kTable),
        width_(isatty(STDOUT_FILENO) == 1 ? output_style().width : 0) {}

  Status print(const std::filesystem::path& file, const OwnedTable& table, std::string_view report) const {
    if (!options_.out.empty()) {
      const std::string name = file.stem().string() + "_" + table.id + extension_of(format_);
      return write_table(options_.out / name, table, format_);
    }
    if (headings_) std::cout << " ** " << table.title << " (" << report << "):\n\n";
    if (width_ == 0) {
      write_stats(std::cout, table, format_, width_);
    } else {  // a terminal
      std::ostringstream text;
      write_stats(text, table, format_, width_);
      std::cout << visible(text.str());
    }
    return ok();
  }

 private:
  const StatsOptions& options_;
  StatsFormat format_;
  bool headings_;
  std::size_t width_;
};

/// Prints what each file gave, in the order in which files and reports were named.
Exit print_all(const StatsOptions& options, const std::vector<std::string>& reports,
               const std::vector<ReportResult>& results) {
  const Printer printer(options, reports.size() * results.size());
  Exit exit = Exit::kOk;
  for (std::size_t f = 0; f < results.size(); ++f) {
    if (results.size() > 1 && options.out.empty()) std::cout << one_line(options.files[f].string()) << "\n\n";
    for (const std::string& report : reports) {
      const auto table = std::find_if(results[f].tables.begin(), results[f].tables.end(),
                                      [&](const OwnedTable& t) { return t.id == nsys_table_id(report); });
      if (table == results[f].tables.end()) continue;
      if (const Status printed = printer.print(options.files[f], *table, report); !printed)
        return fail(printed.error());
    }
    std::cout.flush();
    print_remarks(options.files[f].string(), results[f]);
    if (results[f].tables.empty()) exit = Exit::kFailed;
  }
  return exit;
}

}  // namespace

Exit stats(const StatsOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const Result<Question> question = question_of(options);
  if (!question) return fail(question.error());
  if (const Status different = check_stems(options); !different) return fail(different.error());
  const Result<Catalog> catalog = catalog_of(options.files);
  if (!catalog) return fail(catalog.error());
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  const std::vector<Question> questions{*question};
  Result<Plan> plan = make_plan(questions, plugins);
  if (!plan) return fail(plan.error());
  const std::vector<std::string> reports = asked_reports(*plan);
  plan->wanted = columns_of(reports);

  std::vector<Analyzers> analyzers;
  analyzers.push_back(Analyzers::make(plan->questions.front()));
  for (const Skip& failure : analyzers.front().failures()) return fail({failure.reason, Exit::kUsage});
  const Analysis analysis = analyze(*plan, *catalog, analyzers, cores(options), {}, stop, options.reader);
  if (analysis.interrupted || stop) return fail({"interrupted", Exit::kInterrupted});
  return print_all(options, reports, analysis.questions.front());
}

}  // namespace assay
