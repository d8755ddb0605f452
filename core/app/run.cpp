#include "app/run.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include "analyze/seen_files.hpp"
#include "app/analysis.hpp"
#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/convert.hpp"
#include "app/finish.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/recorded.hpp"
#include "app/run_record.hpp"
#include "app/setup.hpp"
#include "app/shard.hpp"
#include "app/terminal.hpp"
#include "cache/store.hpp"
#include "config/config.hpp"
#include "discover/discover.hpp"
#include "query/metrics.hpp"
#include "render/format.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

/// Refused plugins that nobody asked for: the plan has already failed on the others.
void warn_of_refused(const Plugins& plugins) {
  for (const RefusedPlugin& refused : plugins.refused) spdlog::warn("{}", refused.sentence);
}

/// With --convert: makes the exports that are missing.
Status convert_first(const RunOptions& options, const std::vector<Question>& questions, const std::atomic<bool>& stop) {
  if (!options.convert) return ok();
  ConvertOptions conversion = options.conversion;
  conversion.places = folders_to_convert(options.reports, questions);
  conversion.jobs = options.jobs;
  return convert_before_run(conversion, options.quiet, stop);
}

/// Of ten thousand files looking at each takes its seconds, unless their times are trusted.
Result<Catalog> discover_with_progress(const std::vector<Question>& questions,
                                       const std::vector<std::filesystem::path>& folders, const Plugins& plugins,
                                       const RunOptions& options) {
  std::optional<cache::Store> store;
  std::optional<SeenFiles> seen;
  if (options.cache && options.trust_times) store.emplace(*options.cache);
  if (store) seen = SeenFiles::make(*store, plugins);
  ProgressBar bar(!options.quiet);
  return discover(
      questions, folders, [&](std::size_t done, std::size_t all) { bar.show(done, all); }, seen ? &*seen : nullptr);
}

/// --shard
CLI::Option* add_shard(CLI::App& command, std::optional<ShardNumber>& to) {
  return command
      .add_option_function<std::string>(
          "--shard", [&to](const std::string& text) { to = shard_number(text); },
          "Analyze only the K-th of N parts of the reports, into OUT/shard-K-of-N.part and nothing else there; "
          "'assay merge' concludes")
      ->type_name("K/N")
      ->check([](const std::string& text) {
        return shard_number(text) ? "" : "'" + text + "' is no shard; expected K/N with K from 1 to N, as in 2/4";
      });
}

}  // namespace

isolate::Limits default_plugin_limits() {
  const auto half = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2;
  return {std::chrono::minutes(10), half * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

void add_cache(CLI::App& command, RunOptions& to) {
  to.cache = cache::default_folder();
  CLI::Option* folder =
      command
          .add_option("--cache", to.cache,
                      "Folder for what was found in each report, so that an unchanged one is not read again (default: "
                      "$XDG_CACHE_HOME/assay or ~/.cache/assay)")
          ->type_name("DIR")
          ->check(
              [](const std::string& name) { return name.empty() ? "names no folder; --no-cache does without" : ""; });
  command.add_option("--cache-size", to.cache_bytes, "What it may take of the disk, e.g. 500MiB (default: 1GiB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true));
  CLI::Option* trust = command.add_flag(
      "--trust-mtime", to.trust_times,
      "A report of the same size, times and inode as when it was last read is the same: its bytes are not read again");
  const auto leave_out = [&to] { to.cache.reset(); };
  command.add_flag_callback("--no-cache", leave_out, "Read every report, and keep nothing of it")
      ->excludes(folder)
      ->excludes(trust);
}

void add_isolation(CLI::App& command, RunOptions& to) {
  CLI::Option* isolate = command.add_flag("--isolate", to.isolate,
                                          "Run each analyzer on each report in a process of its own: one that crashes, "
                                          "hangs or eats memory costs no other its results");
  add_limits(command, "--plugin-time-limit", "--plugin-memory-limit", to.plugin_limits,
             "one analyzer on one report, or to conclude, with --isolate", isolate);
}

Exit run(const RunOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const RunRecord record(options.command, options.configs, options.reports);

  auto questions = read_configs(options.configs);
  if (!questions) return fail(questions.error());
  declare_recorded(*questions, options.reports);

  query::SqlMetrics metrics;
  Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  if (const Status added = metrics.add_to(plugins, *questions); !added) return fail(added.error());

  const auto plan = make_plan(*questions, plugins);
  if (!plan) return fail(plan.error());
  warn_of_refused(plugins);

  const auto folders = report_folders(options.reports, *questions);
  if (!folders) return fail(folders.error());
  const Status writable = options.shard ? ok() : check_output_folder(options.out, options.force);
  if (!writable) return fail(writable.error());
  if (const Status converted = convert_first(options, *questions, stop); !converted) return fail(converted.error());
  const auto catalog = discover_with_progress(*questions, *folders, plugins, options);
  if (!catalog) return fail(catalog.error());
  spdlog::info("{}, {}, {}", counted(questions->size(), "question"), counted(plugins.loaded.size(), "plugin"),
               counted(catalog->files.size(), "file"));

  const std::vector<Analyzers> analyzers = make_analyzers(*plan, options);
  std::vector<std::string> mistakes = refused_options(*plan, analyzers);
  for (std::string& unfit : unfit_patterns(*plan, *catalog)) mistakes.push_back(std::move(unfit));
  if (!mistakes.empty()) return fail(setup_error(mistakes));
  if (options.shard) return run_shard({*plan, plugins, *catalog, analyzers, *folders}, options, stop);
  const RunCache cache(*plan, plugins, options);
  Analyzed analyzed{*plan, *catalog, analyzers,
                    analyze_with_progress(*plan, *catalog, analyzers, options, cache.get(), stop), cache.get()};
  const Beside beside{
      .sheets = [&](std::size_t q) { return read_sheets((*questions)[q], *catalog, catalog->questions[q]); },
      .recordings = [&] { return read_recordings(*folders); }};
  const Exit exit = finish(std::move(analyzed), beside, options, [&] { return record.json(*plan); }, stop);
  cache.close();
  return exit;
}

void add_run(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Writes report.html, report.md and summary.md with plots, facts.csv, findings.json, results.sqlite and run.json to
OUT and prints the answer.

Examples:
  assay run configs/rq1_architecture.toml --reports ~/profiles
  assay run configs/study.toml --reports ~/profiles -o ~/results -j 8
  assay run configs/rq3_compilation.toml --reports run1 --reports run2 --gate)";
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = line.add("run", "Answer the questions of the configurations from reports", kFooter, options,
                               [&line](RunOptions& o) {
                                 take_words(line, o);
                                 return run(o);
                               });
  command.add_option("config", options->configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_folders(
      command, "--reports", options->reports,
      "Folder of reports, read with all below it; may be repeated. Default: the current folder, if it holds the "
      "folders that the questions name under [reports]");
  command.add_option("-o,--out", options->out, "Folder for the results")->type_name("OUT")->capture_default_str();
  add_jobs(command, options->jobs, "Reports read at a time");
  add_reader(command, options->reader);
  add_cache(command, *options);
  CLI::Option* convert = command.add_flag(
      "--convert", options->convert, "First convert reports without an up-to-date export, as 'assay convert' does");
  add_conversion(command, options->conversion, convert);
  add_isolation(command, *options);
  CLI::Option* shard = add_shard(command, options->shard);
  add_ending(command, line, *options, shard);
}

}  // namespace assay
