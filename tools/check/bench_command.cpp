#include <algorithm>
#include <cmath>
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
#include "check/bench_cost.hpp"
#include "check/configured.hpp"
#include "check/large_report.hpp"
#include "check/studies.hpp"
#include "check/subject.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "config/config.hpp"
#include "load/window_columns.hpp"
#include "pipeline/pipeline.hpp"
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
  std::vector<std::filesystem::path> reports;       ///< folders; none: synthetic profiles
  std::filesystem::path config;                     ///< whose options, window and iterations hold; empty: defaults
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  bool trust_plugins = false;                       ///< --trust-plugins
  RowFormat format = RowFormat::kTable;
  unsigned runs = 5;  ///< of each report
};

constexpr double kMillion = 1e6;
constexpr std::uint64_t kGrowing = 100000;  ///< below, what does not grow with the report weighs too much
constexpr std::size_t kMadeUp[] = {10000, 31623, 100000, 316228, 1000000};

/// For people with units; for programs in ns and bytes.
class CostTable {
 public:
  explicit CostTable(RowFormat format) : format_(format), table_(columns_for(format)) {}

  void add(const std::string& report, const Cost& cost) {
    if (format_ != RowFormat::kTable) add_exact(report, cost);
    if (!cost.problem.empty()) {
      if (format_ == RowFormat::kTable) table_.row({report, "", "", "", "", "", "", "", cost.problem});
      return;
    }
    const auto [least, most] = std::minmax_element(cost.seconds.begin(), cost.seconds.end());
    const double time = *least;
    const double pass = cost.pass.empty() ? 0 : *std::min_element(cost.pass.begin(), cost.pass.end());
    const double millions = static_cast<double>(cost.kernels) / kMillion;
    const auto per_million = [&](double value, const char* unit) {
      return cost.kernels == 0 ? std::string("-") : quantity(value / millions, unit);
    };
    const auto bytes = static_cast<double>(cost.memory);
    if (format_ == RowFormat::kTable)
      table_.row({report, cost.kernels == 0 ? "-" : std::to_string(cost.kernels), quantity(time * 1e9, "ns"),
                  quantity_range(*least * 1e9, *most * 1e9, "ns"), quantity(bytes, "bytes"),
                  per_million(time * 1e9, "ns"), per_million(bytes, "bytes"),
                  cost.pass.empty() ? "-" : quantity(pass * 1e9, "ns"),
                  cost.kernels == 0 ? "-" : fixed(time / pass, 1) + " x"});
    ++measured_;
    if (cost.kernels >= kGrowing) points_.emplace_back(std::log(static_cast<double>(cost.kernels)), std::log(time));
  }

  [[nodiscard]] std::size_t measured() const { return measured_; }
  /// Whether enough was measured to say how the time grows.
  [[nodiscard]] bool tells_growth() const { return points_.size() > 1; }
  void print() const { table_.write(std::cout, format_); }
  [[nodiscard]] bool for_people() const { return format_ == RowFormat::kTable; }

  /// Slope of the logarithm of the time over that of the number of kernels.
  [[nodiscard]] double growth() const {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(points_.size());
    for (const auto& [log_kernels, log_time] : points_) x += log_kernels / n, y += log_time / n;
    for (const auto& [log_kernels, log_time] : points_) {
      xx += (log_kernels - x) * (log_kernels - x);
      xy += (log_kernels - x) * (log_time - y);
    }
    return xy / xx;
  }

 private:
  static std::vector<TextTable::Column> columns_for(RowFormat format) {
    if (format != RowFormat::kTable)
      return {{"report"},        {"kernels", true},      {"least_ns", true},
              {"most_ns", true}, {"memory_bytes", true}, {"plain_pass_ns", true},
              {"not_measured"}};
    return {{"report"},
            {"kernels", true},
            {"time", true},
            {"min to max", true},
            {"memory", true},
            {"time per million", true},
            {"memory per million", true},
            {"plain pass", true},
            {"vs plain pass"}};
  }

  void add_exact(const std::string& report, const Cost& cost) {
    const auto least_ns = [](const std::vector<double>& seconds) {
      return seconds.empty() ? std::string() : exact(1e9 * *std::ranges::min_element(seconds));
    };
    const bool measured = cost.problem.empty();
    table_.row({report, cost.kernels == 0 ? "" : std::to_string(cost.kernels), least_ns(cost.seconds),
                cost.seconds.empty() ? "" : exact(1e9 * *std::ranges::max_element(cost.seconds)),
                measured ? std::to_string(cost.memory) : "", least_ns(cost.pass), cost.problem});
  }

  RowFormat format_;
  TextTable table_;
  std::vector<std::pair<double, double>> points_;
  std::size_t measured_ = 0;
};

/// The analyzer's options and what has to be read for it.
struct Subject {
  const Plugin* plugin = nullptr;
  const Options* options = nullptr;
  const Question* question = nullptr;
  std::set<ColumnId> wanted;
  testing::OptionInputs given = {};  ///< the options as they were given

  [[nodiscard]] bool has(std::uint32_t stage) const { return (plugin->descriptor().stages & stage) != 0; }
};

/// Why a rank's part failed, or nothing.
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

/// Makes the analyzer and measures it on the report that `load` gives; in a process of its own.
Cost cost_of(const Subject& subject, unsigned runs, const std::function<Cost(const Analyzer&, unsigned)>& on) {
  ErrorText errors;
  const OwnedAnalyzer analyzer(subject.plugin->descriptor().create(*subject.options, errors));
  if (analyzer != nullptr) return on(*analyzer, runs);
  Cost cost;
  cost.problem = Analyzers::Refusal{std::string(subject.plugin->id()), errors.sentence()}.reason();
  return cost;
}

void bench_made_up(const Subject& subject, const BenchOptions& options, const std::atomic<bool>& stop,
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

/// `gather` of synthetic jobs, whose ranks are as large as they are in a run of minutes.
void bench_gather(const Subject& subject, const BenchOptions& options, const std::atomic<bool>& stop,
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

void bench_conclude(const Subject& subject, const BenchOptions& options, const std::atomic<bool>& stop,
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

Cost cost_of_file(const Subject& subject, const ProfileFiles& files, const Analyzer& analyzer, unsigned runs) {
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

Status bench_files(const Subject& subject, const BenchOptions& options, const std::atomic<bool>& stop,
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

Exit print(const Subject& subject, const CostTable& table, bool made_up) {
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
    std::cout << "Above " << kGrowing << " kernels, time grows as their number to the power of "
              << fixed(table.growth(), 2) << " (1: linear).\n";
  }
  if (table.measured() > 0) return Exit::kOk;
  return fail(
      {"nothing could be measured of '" + std::string(subject.plugin->id()) + "'; each row says why", Exit::kFailed});
}

Exit bench(Subject subject, const BenchOptions& options) {
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

/// With the options that a configuration gives, planned as a run would.
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
      {options.config.string() + ": no question enables the analyzer '" + id + "'; add [analyzers." + id + "]"});
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

/// Prints one row per profile: time of `analyze` and memory beyond the report's, for the report and for a million of
/// its kernels, beside a plain pass over the kernel table; then rows of `gather` and `conclude`. Exit 3 when nothing
/// could be measured.
Exit bench_analyzer(const BenchOptions& options) {
  std::vector<fs::path> paths = options.plugin_paths;
  std::string id = options.analyzer;
  if (is_plugin_file(id)) {
    const fs::path file = fs::absolute(id);
    const auto opened = Plugin::open(file);
    if (!opened) return fail(opened.error());
    if (options.config.empty()) return bench_with_defaults(**opened, options);
    id = (*opened)->id();
    paths.insert(paths.begin(), file.parent_path());  // so that the configuration finds it, and before its namesakes
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
  assay bench run_summary --reports ~/profiles --config configs/rq1_architecture.toml)";
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      line.add("bench", "Benchmark an analyzer: time and memory of its stages", kFooter, options, &bench_analyzer);
  command.add_option("plugin", options->analyzer, "Analyzer id, or plugin file")->required()->type_name("PLUGIN|ID");
  add_folders(command, "--reports", options->reports,
              "Folder of profiles to measure on; may be repeated (default: synthetic profiles)");
  command.add_option("--config", options->config, "Take options, window and iterations from this file")
      ->type_name("CONFIG");
  command.add_option("-n,--runs", options->runs, "Minimum number of calls of each stage (default: 5)")
      ->type_name("N")
      ->check(in_range(1, 1000));
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
  add_trust_plugins(command, options->trust_plugins);
}

}  // namespace assay
