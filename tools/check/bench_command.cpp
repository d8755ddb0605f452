#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analyze/emission.hpp"
#include "analyze/one_report.hpp"
#include "assay/testing/options.hpp"
#include "check/configured.hpp"
#include "check/cost_table.hpp"
#include "check/large_report.hpp"
#include "check/studies.hpp"
#include "check/subject.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "config/config.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "load/window_columns.hpp"
#include "pipeline/pipeline.hpp"
#include "plugins/formats.hpp"
#include "plugins/library_file.hpp"
#include "recognise/profiles.hpp"
#include "render/format.hpp"
#include "render/rows.hpp"
#include "render/text_table.hpp"
#include "result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  std::string analyzer;                             ///< an id, or the file of a plugin
  std::vector<std::filesystem::path> reports;       ///< folders; empty: synthetic profiles
  std::filesystem::path config;                     ///< provides options, window and iterations; empty: defaults
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  bool trust_plugins = false;                       ///< --trust-plugins
  RowFormat format = RowFormat::kTable;
  unsigned runs = 5;  ///< of each report
};

constexpr std::size_t kMadeUp[] = {10000, 31623, 100000, 316228, 1000000};

/// The analyzer's options, and the columns to read for it.
struct BenchTarget {
  const Plugin* plugin = nullptr;
  const Options* options = nullptr;
  const Question* question = nullptr;
  std::set<ColumnId> wanted;
  testing::OptionInputs given = {};  ///< the options as given

  [[nodiscard]] bool has(std::uint32_t stage) const { return (plugin->descriptor().stages & stage) != 0; }
};

/// Why the part of a rank failed; empty if it did not.
std::string failure_in(const std::vector<AnalyzerOutput>& outputs) {
  for (const AnalyzerOutput& output : outputs) {
    for (const Skip& skip : output.skips) {
      if (skip.failed) return skip.reason;
    }
  }
  return {};
}

struct Destroy {
  void operator()(Analyzer* analyzer) const noexcept { analyzer->destroy(); }
};
using OwnedAnalyzer = std::unique_ptr<Analyzer, Destroy>;

/// Constructs the analyzer and measures it on the report from `load`, in its own process.
Cost cost_of(const BenchTarget& subject, unsigned runs, const std::function<Cost(const Analyzer&, unsigned)>& on) {
  ErrorText errors;
  const OwnedAnalyzer analyzer(subject.plugin->descriptor().create(*subject.options, errors));
  if (analyzer != nullptr) return on(*analyzer, runs);
  Cost cost;
  cost.problem = Analyzers::Refusal{std::string(subject.plugin->id()), errors.sentence()}.reason();
  return cost;
}

void bench_made_up(const BenchTarget& subject, const BenchOptions& options, const std::atomic<bool>& stop,
                   CostTable& table) {
  for (const std::size_t kernels : kMadeUp) {
    if (stop) return;
    const check::LargeReport large(kernels, subject.wanted);
    table.add("made up", measured_apart(
                             [&] {
                               return cost_of(subject, options.runs, [&](const Analyzer& analyzer, unsigned runs) {
                                 return measure_cost(subject.plugin->descriptor(), analyzer, large.report(), runs);
                               });
                             },
                             stop));
  }
}

/// Measures `gather` on synthetic jobs with ranks as large as in a run of minutes.
void bench_gather(const BenchTarget& subject, const BenchOptions& options, const std::atomic<bool>& stop,
                  CostTable& table) {
  constexpr std::size_t kKernels = 100000;
  for (const std::size_t ranks : {2U, 8U}) {
    if (stop) return;
    const auto work = [&] {
      const check::Subject made(subject.plugin->descriptor(), subject.given);
      const check::LargeReport large(kKernels, subject.wanted);
      std::vector<ReportResult> results(ranks);
      for (ReportResult& result : results) add_output(result, made.analyze(large.report()));
      return measure_stage([&] { return failure_in(made.gather(results)); }, options.runs);
    };
    table.add("gather of " + std::to_string(ranks) + " ranks", measured_apart(work, stop));
  }
}

void bench_conclude(const BenchTarget& subject, const BenchOptions& options, const std::atomic<bool>& stop,
                    CostTable& table) {
  for (const int reports : {10, 100, 1000}) {
    if (stop) return;
    const auto work = [&] {
      const check::Subject made(subject.plugin->descriptor(), subject.given);
      const auto study = check::study_of(made, reports);
      return measure_stage([&] { return made.conclude(study->build()).failure; }, options.runs);
    };
    table.add("conclude of " + std::to_string(reports) + " runs", measured_apart(work, stop));
  }
}

Cost cost_of_file(const BenchTarget& subject, const ProfileFiles& files, const Analyzer& analyzer, unsigned runs) {
  Cost cost;
  const Result<Profile> profile = read_profile(files, with_window(subject.wanted, subject.question->window));
  if (!profile) {
    cost.problem = profile.error().sentence;
    return cost;
  }
  const Result<Profile::View> view = profile->view(subject.question->window, subject.question->iterations);
  if (view) return measure_cost(subject.plugin->descriptor(), analyzer, view->report(), runs);
  cost.problem = view.error().sentence;
  return cost;
}

Status bench_files(const BenchTarget& subject, const BenchOptions& options, const std::atomic<bool>& stop,
                   CostTable& table) {
  const auto catalog = profiles_at(options.reports, {*subject.question}, {.option = "--reports"});
  if (!catalog) return catalog.error();
  for (const ProfileFiles& files : files_of(*catalog)) {
    if (stop) return ok();
    if (!is_report(files.file.kind)) continue;
    table.add(files.file.name, measured_apart(
                                   [&] {
                                     return cost_of(subject, options.runs,
                                                    [&](const Analyzer& analyzer, unsigned runs) {
                                                      return cost_of_file(subject, files, analyzer, runs);
                                                    });
                                   },
                                   stop));
  }
  return ok();
}

Exit print(const BenchTarget& subject, const CostTable& table, bool made_up) {
  table.print();
  if (table.for_people())
    std::cout << "\nTimes are the shortest CPU times of the runs; memory excludes the input. The plain pass, for "
                 "comparison, copies the start and end of every kernel and adds them up.\n";
  if (subject.plugin->descriptor().build == Build::kNotOptimised) {
    (table.for_people() ? std::cout : std::cerr)
        << subject.plugin->id()
        << " was built without optimisation and may take ten times as long: build it with "
           "-DCMAKE_BUILD_TYPE=Release.\n";
  }
  if (made_up && table.for_people() && table.tells_growth()) {
    std::cout << "Above " << CostTable::kGrowing << " kernels, time grows as their number to the power of "
              << fixed(table.growth(), 2) << " (1: linear).\n";
  }
  if (table.measured() > 0) return Exit::kOk;
  return fail(
      {"nothing could be measured of '" + std::string(subject.plugin->id()) + "'; each row says why", Exit::kFailed});
}

Exit bench(BenchTarget subject, const BenchOptions& options) {
  subject.wanted.insert(col::kernels);  // for the plain pass
  const std::atomic<bool>& stop = stop_on_signals();
  const auto nothing = [](const Analyzer&, unsigned) { return Cost{}; };
  if (const Cost made = measured_apart([&] { return cost_of(subject, options.runs, nothing); }, stop);
      !made.problem.empty()) {
    return fail(
        Error{std::string(subject.plugin->id()) + ": " + made.problem}.advise("pass other options with --config"));
  }
  CostTable table(options.format);
  if (subject.has(kStageAnalyze)) {
    if (options.reports.empty())
      bench_made_up(subject, options, stop, table);
    else if (const Status done = bench_files(subject, options, stop, table); !done)
      return fail(done.error());
  }
  if (subject.has(kStageGather)) bench_gather(subject, options, stop, table);
  if (subject.has(kStageConclude)) bench_conclude(subject, options, stop, table);
  if (stop) return fail({"interrupted", Exit::kInterrupted});
  return print(subject, table, options.reports.empty() && subject.has(kStageAnalyze));
}

Exit not_found(const std::string& id) {
  return fail(Error{"there is no analyzer '" + id + "'"}.at(id).advise("'assay plugins' shows those found"));
}

/// Uses the options of a configuration, planned as in a run.
Exit bench_as_configured(const std::string& id, const std::vector<fs::path>& plugin_paths,
                         const BenchOptions& options) {
  auto questions = read_configs({&options.config, 1});
  if (!questions) return fail(questions.error());
  const auto line =
      Pipeline::plan(std::move(*questions), {.plugin_paths = plugin_paths, .trust_plugins = options.trust_plugins});
  if (!line) return fail(line.error());
  const Plugin* plugin = (*line)->plugins().find(id);
  if (plugin == nullptr) return not_found(id);
  const Plan& plan = (*line)->plan();
  for (const PlannedQuestion& question : plan.questions) {
    for (const PlannedAnalyzer& analyzer : question.analyzers) {
      if (analyzer.plugin != plugin) continue;
      const auto given = options_in(options.config, plugin->descriptor());
      if (!given) return fail(given.error());
      return bench({plugin, &analyzer.options, question.question, plan.wanted, *given}, options);
    }
  }
  return fail(
      {fmt::format("{}: no question enables the analyzer '{}'; add [analyzers.{}]", options.config.string(), id, id)});
}

Exit bench_with_defaults(const Plugin& plugin, const BenchOptions& options) {
  const Descriptor& declared = plugin.descriptor();
  const testing::OptionMap defaults(declared.options);
  std::set<ColumnId> wanted(declared.needs.begin(), declared.needs.end());
  wanted.insert(declared.wants.begin(), declared.wants.end());
  Question question;
  question.id = "bench";
  return bench({&plugin, &defaults, &question, std::move(wanted)}, options);
}

/// Prints one row per profile of --reports: time and memory for reading all of it. `only`: of this format; null: of
/// any. Exit 3 if none was read.
Exit bench_reading(const BenchOptions& options, const load::Format* only) {
  if (options.reports.empty()) return fail(Error{"there is nothing to read"}.advise("name profiles with --reports"));
  const std::atomic<bool>& stop = stop_on_signals();
  const auto catalog = profiles_at(options.reports, {}, {.option = "--reports", .any_name = true});
  if (!catalog) return fail(catalog.error());
  std::set<ColumnId> every;
  for (const ColumnInfo& column : column_infos()) every.insert(column.id);
  CostTable table(options.format);
  for (const ProfileFiles& files : files_of(*catalog)) {
    if (!is_report(files.file.kind) || (only != nullptr && files.file.kind != only->kind)) continue;
    const auto read = [&] {
      std::uint64_t kernels = 0;
      Cost cost = measure_stage(
          [&]() -> std::string {
            const Result<Profile> profile = read_profile(files, every);
            if (!profile) return profile.error().sentence;
            if (const auto view = profile->view({}, {}); view && view->report().kernels != nullptr)
              kernels = view->report().kernels->rows;
            return {};
          },
          options.runs);
      cost.kernels = kernels;
      return cost;
    };
    table.add(fmt::format("{} ({})", files.file.name, files.file.kind.word), measured_apart(read, stop));
    if (stop) return fail({"interrupted", Exit::kInterrupted});
  }
  table.print();
  return table.measured() > 0 ? Exit::kOk : fail({"no profile was read; each row says why", Exit::kFailed});
}

/// Prints one row per profile: time of `analyze` and memory beyond the report's, for the report and per million
/// kernels, next to a plain pass over the kernel table; then rows for `gather` and `conclude`. Exit 3 if nothing could
/// be measured.
Exit bench_analyzer(const BenchOptions& options) {
  std::vector<fs::path> paths = options.plugin_paths;
  std::string id = options.analyzer;
  if (id.empty()) return bench_reading(options, nullptr);
  if (is_plugin_file(id) && names_symbol(id, kFormatSymbol)) {
    const std::vector<fs::path> folder = {fs::absolute(id).parent_path()};
    load_formats(folder);
    const auto format = open_format(fs::absolute(id));
    if (!format) return fail(format.error());
    id = (*format)->id.view();
  }
  if (const load::Format* format = load::format_named(id)) return bench_reading(options, format);
  if (is_plugin_file(id)) {
    const fs::path file = fs::absolute(id);
    const auto opened = Plugin::open(file);
    if (!opened) return fail(opened.error());
    if (options.config.empty()) return bench_with_defaults(**opened, options);
    id = (*opened)->id();
    paths.insert(paths.begin(), file.parent_path());  // so that the configuration finds it, before others with the same
                                                      // name
  }
  if (!options.config.empty()) return bench_as_configured(id, paths, options);
  const Plugins plugins = load_plugins(plugin_folders(paths));
  const Plugin* plugin = plugins.find(id);
  return plugin != nullptr ? bench_with_defaults(*plugin, options) : not_found(id);
}

}  // namespace

void add_bench(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Without --reports it measures synthetic profiles of 10 thousand to a million kernels; gather and conclude always run on
synthetic jobs and studies.

Examples:
  assay bench kernel_breakdown
  assay bench ./build/plugins/short_kernels.so --reports ~/profiles
  assay bench run_summary --reports ~/profiles --config configs/rq1_architecture.toml
  assay bench nsys --reports ~/profiles      reading the profiles of a format; without a name, of all formats)";
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      line.add("bench", "Benchmark an analyzer, or the reading of profiles", kFooter, options, &bench_analyzer);
  add_option(command, "plugin", options->analyzer, "Id of an analyzer or format, or plugin file")
      ->type_name("PLUGIN|ID");
  add_folders(command, "--reports", options->reports,
              "Folder of profiles to measure on; may be repeated (default: synthetic profiles)");
  add_option(command, "--config", options->config, "Take options, window and iterations from this file")
      ->type_name("CONFIG");
  add_option(command, "-n", options->runs, "Minimum number of calls of each stage (default: 5)")
      ->type_name("N")
      ->check(in_range(1, 1000));
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
  add_trust_plugins(command, options->trust_plugins);
}

}  // namespace assay
