#include "app/bench.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <set>

#include "analyze/emission.hpp"
#include "app/bench_cost.hpp"
#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "assay/algo/summary.hpp"
#include "assay/testing/options.hpp"
#include "check/large_report.hpp"
#include "config/config.hpp"
#include "discover/discover.hpp"
#include "load/load.hpp"
#include "plan/plan.hpp"
#include "render/format.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr double kMillion = 1e6;
constexpr std::uint64_t kGrowing = 100000;  ///< below, what does not grow with the report weighs too much
constexpr std::size_t kMadeUp[] = {10000, 31623, 100000, 316228, 1000000};

class CostTable {
 public:
  void add(const std::string& report, const Cost& cost) {
    if (!cost.problem.empty()) return table_.row({report, "", "", "", "", "", "", "", cost.problem});
    const double time = median(cost.seconds), pass = median(cost.pass);
    const auto [least, most] = std::minmax_element(cost.seconds.begin(), cost.seconds.end());
    const double millions = static_cast<double>(cost.kernels) / kMillion;
    const auto per_million = [&](double value, const char* unit) {
      return cost.kernels == 0 ? std::string("-") : quantity(value / millions, unit);
    };
    const auto bytes = static_cast<double>(cost.memory);
    table_.row({report, std::to_string(cost.kernels), quantity(time * 1e9, "ns"),
                quantity_range(*least * 1e9, *most * 1e9, "ns"), quantity(bytes, "bytes"),
                per_million(time * 1e9, "ns"), per_million(bytes, "bytes"), quantity(pass * 1e9, "ns"),
                cost.kernels == 0 ? "-" : fixed(time / pass, 1) + " x"});
    ++measured_;
    if (cost.kernels >= kGrowing) points_.emplace_back(std::log(static_cast<double>(cost.kernels)), std::log(time));
  }

  [[nodiscard]] std::size_t measured() const { return measured_; }
  void print() const { table_.print(std::cout, 0); }

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
  TextTable table_{{{"report"},
                    {"kernels", true},
                    {"time", true},
                    {"least to most", true},
                    {"memory", true},
                    {"time a million", true},
                    {"memory a million", true},
                    {"plain pass", true},
                    {"to plain pass"}}};
  std::vector<std::pair<double, double>> points_;
  std::size_t measured_ = 0;
};

/// The analyzer's options and what has to be read for it.
struct Subject {
  const Plugin* plugin = nullptr;
  const Options* options = nullptr;
  const Question* question = nullptr;
  std::set<ColumnId> wanted;
};

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
  cost.problem = std::string(Analyzers::kRefused) + errors.sentence();
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

Cost cost_of_file(const Subject& subject, const FoundFile& file, const Analyzer& analyzer, unsigned runs) {
  Cost cost;
  const Result<Profile> profile = load_profile({file.path, file.kind}, file.name, subject.wanted);
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
  const auto catalog = discover({*subject.question}, options.reports);
  if (!catalog) return catalog.error();
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    const FoundFile& file = catalog->files[entry.file];
    if (stop) return ok();
    if (!is_report(file.kind)) continue;
    table.add(file.name, measured_apart(
                             [&] {
                               return cost_of(subject, options.runs, [&](const Analyzer& analyzer, unsigned runs) {
                                 return cost_of_file(subject, file, analyzer, runs);
                               });
                             },
                             stop));
  }
  return ok();
}

Exit print(const Subject& subject, const CostTable& table, bool made_up) {
  table.print();
  std::cout
      << "\nMedians; memory is what is taken beyond the report's own. The plain pass copies start and end of every "
         "kernel and adds them up.\n";
  if (subject.plugin->descriptor().build == Build::kNotOptimised) {
    std::cout << subject.plugin->id()
              << " was built without optimisation, which may take ten times as long: build it with "
                 "-DCMAKE_BUILD_TYPE=Release.\n";
  }
  if (made_up && table.measured() > 1) {
    std::cout << "From " << kGrowing << " kernels on time grows as their number to the power of "
              << fixed(table.growth(), 2) << " (1: in proportion).\n";
  }
  if (table.measured() > 0) return Exit::kOk;
  return fail(
      {"nothing was measured of '" + std::string(subject.plugin->id()) + "'; each row says why", Exit::kFailed});
}

Exit bench(Subject subject, const BenchOptions& options) {
  subject.wanted.insert(col::kernels);  // for the plain pass
  const std::atomic<bool>& stop = stop_on_signals();
  const auto nothing = [](const Analyzer&, unsigned) { return Cost{}; };
  if (const Cost made = measured_apart([&] { return cost_of(subject, options.runs, nothing); }, stop);
      !made.problem.empty()) {
    return fail(
        {std::string(subject.plugin->id()) + ": " + made.problem + "; other options can be given with --config"});
  }
  CostTable table;
  if (options.reports.empty())
    bench_made_up(subject, options, stop, table);
  else if (const Status done = bench_files(subject, options, stop, table); !done)
    return fail(done.error());
  if (stop) return fail({"interrupted", Exit::kInterrupted});
  return print(subject, table, options.reports.empty());
}

/// With the options that a configuration gives, planned as a run would.
Exit bench_as_configured(const Plugin& plugin, const Plugins& plugins, const BenchOptions& options) {
  const auto questions = read_configs({&options.config, 1});
  if (!questions) return fail(questions.error());
  const auto plan = make_plan(*questions, plugins);
  if (!plan) return fail(plan.error());
  for (const PlannedQuestion& question : plan->questions) {
    for (const PlannedAnalyzer& analyzer : question.analyzers) {
      if (analyzer.plugin == &plugin)
        return bench({&plugin, &analyzer.options, question.question, plan->wanted}, options);
    }
  }
  const std::string id(plugin.id());
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

Exit bench_plugin(const Plugin& plugin, const Plugins& others, const BenchOptions& options) {
  if ((plugin.descriptor().stages & kStageAnalyze) == 0) {
    return fail({"the analyzer '" + std::string(plugin.id()) +
                 "' looks at no report (it only concludes), so there is nothing to measure"});
  }
  return options.config.empty() ? bench_with_defaults(plugin, options) : bench_as_configured(plugin, others, options);
}

}  // namespace

Exit bench_analyzer(const BenchOptions& options) {
  std::vector<fs::path> folders = plugin_folders(options.plugin_paths);
  std::string id = options.analyzer;
  if (is_plugin_file(id)) {
    const fs::path file = fs::absolute(id);
    const auto opened = Plugin::open(file);
    if (!opened) return fail(opened.error());
    if (options.config.empty()) return bench_plugin(**opened, {}, options);
    id = (*opened)->id();
    folders.insert(folders.begin(),
                   file.parent_path());  // so that the configuration finds it, and before its namesakes
  }
  const Plugins plugins = load_plugins(folders);
  const Plugin* plugin = plugins.find(id);
  if (plugin == nullptr) return fail({"there is no analyzer '" + id + "'; 'assay plugins' shows those found"});
  return bench_plugin(*plugin, plugins, options);
}

void add_bench(CommandLine& line) {
  constexpr const char* kFooter = R"(Without --reports on made-up reports of 10 thousand to a million kernels.

Examples:
  assay bench kernel_breakdown
  assay bench ./build/plugins/short_kernels.so --reports ~/profiles
  assay bench run_summary --reports ~/profiles --config configs/rq1_architecture.toml)";
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = line.add("bench", "Measure what an analyzer costs a report in time and memory", kFooter, options,
                               &bench_analyzer);
  command.add_option("plugin", options->analyzer, "Id of an analyzer, or file of a plugin")
      ->required()
      ->type_name("PLUGIN|ID");
  add_folders(command, "--reports", options->reports,
              "Folder of reports to measure on; may be repeated (default: made-up reports)");
  command.add_option("--config", options->config, "Take options, window and iterations from this file")
      ->type_name("CONFIG");
  command.add_option("-n,--runs", options->runs, "Times that each report is analyzed (default: 5)")
      ->type_name("N")
      ->check(in_range(1, 1000));
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
