#include "stats/stats_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <thread>
#include <utility>

#include "algo/nsys/reports.hpp"
#include "analyze/report_sink.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "files/did_you_mean.hpp"
#include "pipeline/pipeline.hpp"
#include "recognise/profiles.hpp"
#include "render/text.hpp"
#include "stats/stats_output.hpp"
#include "stats/stats_over.hpp"

namespace assay {
namespace {

unsigned cores(const StatsOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// Why a report is not available.
Error no_report(const std::string& asked) {
  if (is_nsys_graphics_report(asked)) {
    return Error{"--report: '" + asked + "' is a report on graphics, video or the display driver"}.at(asked).advise(
        "assay reads only GPU compute, so use nsys itself for it");
  }
  std::vector<std::string> known;
  std::string list;
  for (const NsysReport& report : kNsysReports) {
    known.emplace_back(report.name);
    list.append(list.empty() ? "" : ", ").append(report.name);
  }
  const std::string name = asked.substr(0, asked.find(':'));
  const auto report = std::find_if(std::begin(kNsysReports), std::end(kNsysReports),
                                   [&](const NsysReport& r) { return r.name == name; });
  if (report == std::end(kNsysReports)) {
    const auto part = std::ranges::find_if(known, [&](const std::string& one) { return one.find(name) != one.npos; });
    const std::string near =
        part == known.end() || name.empty() ? did_you_mean(name, known) : " Did you mean '" + *part + "'?";
    return Error{"--report: there is no report '" + name + "'."}.at(name).suggest(near + " Known: " + list);
  }
  constexpr const char* kOptions[] = {"no options", "the options :base and :mangled",
                                      "the options :base, :mangled and :nvtx-name",
                                      "the option :rows=N with N from 1 up"};
  return Error{"--report: '" + asked + "' has an option that this report does not take"}.at(asked).advise(
      name + " takes " + kOptions[static_cast<std::size_t>(report->options)]);
}

/// The question for this command line. `spare`: threads available for the reports of one file.
Result<Question> question_of(const StatsOptions& options, unsigned spare) {
  for (const std::string& name : options.reports) {
    if (!find_nsys_report(name)) return no_report(name);
  }
  Result<Question> question = stats_question("commands/stats.toml", options);
  if (question)
    question->analyzers.front().options.push_back({"threads", {std::int64_t{std::max(1U, spare)}, kStatsPlace}});
  return question;
}

/// The requested reports, or the analyzer's default.
std::vector<std::string> asked_reports(const Plan& plan) {
  std::vector<std::string> names;
  const OptionValue* value = plan.questions.front().analyzers.front().options.find("reports");
  for (const Str name : value->texts) names.emplace_back(name.view());
  return names;
}

/// Columns that these reports need; the analyzer alone would want those of all its reports.
std::set<ColumnId> columns_of(const std::vector<std::string>& reports) {
  std::set<ColumnId> columns;
  for (const std::string& name : reports) {
    const std::vector<ColumnId> needed = find_nsys_report(name)->columns();
    columns.insert(needed.begin(), needed.end());
  }
  return columns;
}

/// Tables of two files with the same name would overwrite each other.
Status check_stems(const StatsOptions& options, const Catalog& catalog) {
  std::set<std::filesystem::path> stems;
  for (const ProfileFiles& one : files_of(catalog)) {
    const std::filesystem::path stem = one.file.path.stem();
    if (!options.out.empty() && !stems.insert(stem).second) {
      return Error{fmt::format("two files are named '{}', so their tables would have one name in '{}'", stem.string(),
                               options.out.string())}
          .at(stem.string())
          .advise("give them one at a time with different -o");
    }
  }
  return ok();
}

/// Writes CSV as rows arrive, so that no table is held in memory. On standard output one report at a time.
class CsvStream final : public TableStream {
 public:
  CsvStream(const StatsOptions& options, std::vector<std::string> reports, bool headings, const Catalog& catalog)
      : options_(options), reports_(std::move(reports)), headings_(headings) {
    for (const ProfileFiles& one : files_of(catalog)) outputs_[one.file.name].report = one.file.path;
  }

  void on_table(std::string_view report, const TableView& table, bool more) override {
    Output& output = outputs_.find(report)->second;
    if (!more) begin(output, table);
    output.writer->rows(table);
  }

  /// Closes the last table; its file would otherwise stay open until all reports are read.
  void end(std::string_view report) override { end(outputs_.find(report)->second); }

  /// Number of tables that a report produced; error if they could not be written.
  Result<std::size_t> given(const std::string& report) {
    Output& output = outputs_.find(report)->second;
    if (!output.written) return output.written.error();
    return std::exchange(output.tables, 0);
  }

 private:
  struct Output {
    std::filesystem::path report;
    std::optional<TableFile> file;
    std::optional<CsvWriter> writer;
    std::size_t tables = 0;
    Status written = ok();
  };

  void begin(Output& output, const TableView& table) {
    end(output);
    ++output.tables;
    if (options_.out.empty()) {
      if (headings_) {
        const auto asked = std::ranges::find_if(
            reports_, [&](const std::string& name) { return nsys_table_id(name) == table.id.view(); });
        print_heading(table.title.view(), asked == reports_.end() ? table.id.view() : std::string_view(*asked));
      }
      output.writer.emplace(std::cout);
    } else {
      std::vector<std::string> titles;
      for (const ColumnView& column : table.columns)
        titles.push_back(stats_title(column.name.view(), column.unit.view()));
      output.file.emplace(file_of(options_, output.report.stem().string() + "_" + std::string(table.id.view())),
                          kind_of_table(titles, RowFormat::kCsv));
      output.writer.emplace(output.file->out(), true);
    }
  }
  static void end(Output& output) {
    if (output.writer) output.writer->finish();
    output.writer.reset();
    if (output.file) {
      if (const Status written = output.file->finish(); !written && output.written) output.written = written;
    }
    output.file.reset();
  }

  const StatsOptions& options_;
  std::vector<std::string> reports_;
  bool headings_;
  std::map<std::string, Output, std::less<>> outputs_;  ///< per report; used only by the thread that analyzes it
};

/// State of one run of the command.
struct Stats {
  const StatsOptions& options;
  Pipeline& line;
  std::vector<std::string> reports;
  bool headings;
};

/// Prints the tables of one file in the order in which reports were named, with remarks.
Exit print_one(const Stats& stats, CsvStream* stream, const FoundFile& file, const ReportResult& result) {
  std::size_t tables = result.tables.size();
  if (stream != nullptr) {
    const Result<std::size_t> streamed = stream->given(file.name);
    if (!streamed) return fail(streamed.error());
    tables = *streamed;
  }
  const TablePrinter printer(stats.options, stats.headings);
  for (const std::string& report : stats.reports) {
    const auto table =
        std::ranges::find_if(result.tables, [&](const OwnedTable& t) { return t.id == nsys_table_id(report); });
    if (table == result.tables.end()) continue;
    if (const Status printed = printer.print(file.path.stem().string() + "_" + table->id, *table, report); !printed)
      return fail(printed.error());
  }
  std::cout.flush();
  print_remarks(file.path.string(), result);
  return tables == 0 ? Exit::kFailed : Exit::kOk;
}

/// Reads these files, several at once if each writes to its own files.
Exit print_files(const Stats& stats, const Catalog& catalog) {
  stats.line.set_inputs(catalog);
  CsvStream csv(stats.options, stats.reports, stats.headings, catalog);
  CsvStream* stream = format_of(stats.options) == RowFormat::kCsv ? &csv : nullptr;
  std::optional<HarmlessOutput> harmless;
  if (stream != nullptr) harmless.emplace();
  if (const Status analyzed = stats.line.analyze({.tables = stream}); !analyzed) return fail(analyzed.error());
  Exit exit = Exit::kOk;
  for (std::size_t e = 0; e < catalog.questions.front().entries.size(); ++e) {
    const FoundFile& file = catalog.files[catalog.questions.front().entries[e].file];
    const Exit printed = print_one(stats, stream, file, stats.line.analysis().questions.front()[e]);
    if (printed != Exit::kOk) exit = printed;
  }
  return exit;
}

/// Reads one file after another, because they share standard output.
Exit print_in_turn(const Stats& stats, const Catalog& catalog) {
  Exit exit = Exit::kOk;
  const std::vector<CatalogEntry>& entries = catalog.questions.front().entries;
  for (const CatalogEntry& entry : entries) {
    if (entries.size() > 1 && !document::wanted())
      std::cout << one_line(catalog.files[entry.file].path.string()) << "\n\n";
    Catalog one;
    one.files.push_back(catalog.files[entry.file]);
    CatalogEntry& alone =
        one.questions.emplace_back().entries.emplace_back(CatalogEntry{0, entry.role, entry.labels, {}});
    for (const std::size_t joined : entry.counters) {
      alone.counters.push_back(one.files.size());
      one.files.push_back(catalog.files[joined]);
    }
    const Exit printed = print_files(stats, one);
    if (printed == Exit::kInterrupted || printed == Exit::kUsage) return printed;
    if (printed != Exit::kOk) exit = printed;
  }
  return exit;
}

}  // namespace

Result<Question> stats_question(const std::string& config, const StatsOptions& options) {
  Result<Question> question = installed_question(config);
  if (!question) return question;
  question->window.nvtx = options.window;
  std::vector<RawOption>& given = question->analyzers.front().options;
  if (!options.reports.empty()) given.push_back({"reports", {options.reports, kStatsPlace}});
  if (options.corrected) given.push_back({"corrected", {true, kStatsPlace}});
  return question;
}

Exit stats(const StatsOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  if (!options.over.empty()) return stats_over(options, stop);
  if (options.files.empty())
    return fail(Error{"no export was named"}.advise("name SQLite exports of nsys, or a folder with --over"));
  if (!options.pace_name.empty()) return fail(Error{"--name belongs to the recipes *_pace of --over FOLDER"});
  const Result<Catalog> catalog = profiles_at(options.files, {}, {.exports_only = true});
  if (!catalog) return fail(catalog.error());
  const std::size_t files = catalog->questions.front().entries.size();
  const bool in_turn = options.out.empty();
  const auto at_once = static_cast<unsigned>(in_turn ? 1 : std::max<std::size_t>(1, files));
  const Result<Question> question = question_of(options, cores(options) / at_once);
  if (!question) return fail(question.error());
  if (const Status different = check_stems(options, *catalog); !different) return fail(different.error());
  const auto planned =
      Pipeline::plan({*question}, {.plugin_paths = options.plugin_paths, .jobs = cores(options), .stop = &stop});
  if (!planned) return fail(planned.error());
  Pipeline& line = **planned;
  const std::vector<std::string> reports = asked_reports(line.plan());
  line.read_only(columns_of(reports));
  for (const Skip& failure : line.analyzers().front().failures()) return fail({failure.reason, Exit::kUsage});
  const bool headings = reports.size() * files > 1 || format_of(options) == RowFormat::kTable;
  const Stats run{options, line, reports, headings};
  return in_turn ? print_in_turn(run, *catalog) : print_files(run, *catalog);
}

void add_stats(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Tables are those of nsys stats 2024.2; the CSV is byte-for-byte equal. What they leave out or count twice is reported on
standard error; --corrected counts it once. Reports of kernels take :base, :mangled and :nvtx-name, those with a most number of
rows :rows=N.

Reports: cuda_api_gpu_sum, cuda_api_sum, cuda_api_trace, cuda_gpu_kern_gb_sum, cuda_gpu_kern_sum, cuda_gpu_mem_size_sum,
cuda_gpu_mem_time_sum, cuda_gpu_sum, cuda_gpu_trace, cuda_kern_exec_sum, cuda_kern_exec_trace, mpi_event_sum,
mpi_event_trace, nvtx_gpu_proj_sum, nvtx_gpu_proj_trace, nvtx_kern_sum, nvtx_pushpop_sum, nvtx_pushpop_trace,
nvtx_startend_sum, nvtx_sum, openacc_sum, openmp_sum, osrt_sum, um_cpu_page_faults_sum, um_sum, um_total_sum.
Rules: cuda_api_sync, cuda_memcpy_async, cuda_memcpy_sync, cuda_memset_sync, gpu_gaps, gpu_time_util.
Over a folder: the summaries but nvtx_kern_sum, cuda_kern_exec_sum and those of unified memory, each pooled and by
report; cuda_gpu_kern_pace and nvtx_gpu_proj_pace with --name; gpu_time_util by device and time.

Examples:
  assay stats profile.sqlite
  assay stats profile.sqlite --report cuda_gpu_kern_sum:base,nvtx_sum --format csv
  assay stats *.sqlite --report gpu_gaps --window train_loop -o tables
  assay stats --over ranks --report cuda_gpu_kern_sum,gpu_time_util -o tables
  assay stats --over ranks --report nvtx_gpu_proj_pace --name train_step -o tables)";
  const auto options = std::make_shared<StatsOptions>();
  CLI::App& command = line.add("stats", "Print the tables of nsys stats for exports", kFooter, options, &stats);
  auto* files =
      add_option(command, "exports", options->files, "SQLite exports of nsys, or folders: each export below them")
          ->type_name("REPORT|DIR");
  add_option(command, "--over", options->over,
             "All exports below a folder together, as the recipes of nsys: pooled, by report, and their pace")
      ->type_name("FOLDER")
      ->excludes(files);
  add_option(command, "--name", options->pace_name, "With --over: the kernel or NVTX range that *_pace follow")
      ->type_name("NAME");
  add_option(command, "-r,--report", options->reports, "Reports by their names in nsys stats, separated by commas")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  document::add_rows(command, options->format, false, "-f,--format")
      ->description("Format of the tables (default: table, in files csv)");
  add_flag(command, "--corrected", options->corrected, "Count duplicated API rows once");
  add_option(command, "--window", options->window, "Only inside NVTX ranges of this name")->type_name("NVTX");
  add_option(command, "-o,--out", options->out, "Folder for files named STEM_NAME.csv")->type_name("DIR");
  add_jobs(command, options->jobs, "Threads");
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
