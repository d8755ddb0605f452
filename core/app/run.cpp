#include "app/run.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "analyze/result_cache.hpp"
#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/convert.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/outcome.hpp"
#include "app/recap.hpp"
#include "app/recorded.hpp"
#include "app/run_record.hpp"
#include "app/setup.hpp"
#include "app/terminal.hpp"
#include "cache/store.hpp"
#include "conclude/gather.hpp"
#include "config/config.hpp"
#include "discover/discover.hpp"
#include "query/metrics.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"
#include "workers.hpp"

namespace assay {
namespace {

/// Null when analyzers run in this process.
const isolate::Limits* isolation(const RunOptions& options) {
  return options.isolate ? &options.plugin_limits : nullptr;
}

std::vector<Analyzers> make_analyzers(const Plan& plan, const RunOptions& options) {
  std::vector<Analyzers> made;
  for (const PlannedQuestion& question : plan.questions) made.push_back(Analyzers::make(question, isolation(options)));
  return made;
}

/// A cache that cannot be written costs time and nothing else.
void close_cache(const cache::Store& store, const RunOptions& options, std::size_t recalled) {
  spdlog::info("{} not read again: what they gave was in {}", counted(recalled, "report"), store.folder().string());
  if (const auto problem = store.problem()) {
    spdlog::warn("the result cache was not filled: {}; --cache names another folder, --no-cache does without",
                 *problem);
  }
  if (store.wrote()) store.trim(options.cache_bytes);
}

/// Question by question: what they gather of a job may be large.
void gather_all(const Plan& plan, const Catalog& catalog, const std::vector<Analyzers>& analyzers,
                const RunOptions& options, const std::atomic<bool>& stop, const ResultCache* cache,
                Analysis& analysis) {
  for (std::size_t q = 0; q < plan.questions.size() && !analysis.interrupted; ++q) {
    gather({plan.questions[q], catalog, catalog.questions[q], analysis.questions[q]}, analyzers[q],
           {.jobs = options.jobs, .cache = cache, .isolated = isolation(options), .stop = &stop});
  }
}

Analysis analyze_with_progress(const Plan& plan, const Plugins& plugins, const Catalog& catalog,
                               const std::vector<Analyzers>& analyzers, const RunOptions& options,
                               const std::atomic<bool>& stop) {
  std::optional<cache::Store> store;
  std::optional<ResultCache> cache;
  if (options.cache) store.emplace(*options.cache);
  if (store) cache = ResultCache::make(*store, plan, plugins);
  if (store && !cache) spdlog::info("no result cache: the system does not tell which program runs");
  ProgressBar bar(!options.quiet);
  Analysis analysis = analyze(plan, catalog, analyzers, stop,
                              {.jobs = options.jobs,
                               .progress = [&](std::size_t done, std::size_t all) { bar.show(done, all); },
                               .reader = options.reader,
                               .cache = cache ? &*cache : nullptr,
                               .isolated = isolation(options)});
  gather_all(plan, catalog, analyzers, options, stop, cache ? &*cache : nullptr, analysis);
  if (store) close_cache(*store, options, analysis.recalled);
  return analysis;
}

/// Questions share nothing but what none of them changes, so each concludes by itself.
std::vector<QuestionResult> conclude_all(const Plan& plan, const Catalog& catalog,
                                         const std::vector<Analyzers>& analyzers, const RunOptions& options,
                                         Analysis& analysis) {
  std::vector<QuestionResult> results(plan.questions.size());
  for_each_on_workers(results.size(), options.jobs, [&](std::size_t q) {
    const Sheets sheets = read_sheets(*plan.questions[q].question, catalog, catalog.questions[q]);
    results[q] = conclude({plan.questions[q], catalog, catalog.questions[q], analysis.questions[q]}, analyzers[q],
                          sheets, {.isolated = isolation(options)});
  });
  return results;
}

/// Refused plugins that nobody asked for: the plan has already failed on the others.
void warn_of_refused(const Plugins& plugins) {
  for (const RefusedPlugin& refused : plugins.refused) spdlog::warn("{}", refused.sentence);
}

void log_notes(const RunResult& run) {
  for (const QuestionRun& question : run.each_question()) {
    for (const ReportRun& report : question.reports) {
      for (const std::string& note : report.result.notes) spdlog::info("{}: {}", report.file.name, note);
    }
    for (const std::string& note : question.result.notes) spdlog::info("{}", note);
  }
}

/// How the runs were recorded stands before all findings.
void say_recorded(const std::vector<std::filesystem::path>& folders, RunResult& run) {
  const std::vector<Recording> recordings = read_recordings(folders);
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    std::vector<OwnedFinding> recorded;
    for (const Recording& recording : recordings) {
      recorded.push_back(recording_finding(recording, run.question(q).question));
      doubt_one_sided(recording, run.question(q).question, run.questions[q].claims);
    }
    std::vector<OwnedFinding>& findings = run.questions[q].findings;
    findings.insert(findings.begin(), recorded.begin(), recorded.end());
  }
}

void print_files(const std::vector<std::string>& names, const std::filesystem::path& out, bool links) {
  std::size_t texts = 0, plots = 0;
  std::cout << "Written to " << one_line(out.string()) << ":";
  for (const std::string& name : names) {
    if (name.starts_with("plots/"))
      ++plots;
    else if (name.find('/') != std::string::npos)
      ++texts;
    else
      std::cout << " " << linked(out / name, name, links);
  }
  if (plots > 0) std::cout << " and " << counted(plots, "plot") << " below plots/";
  if (texts > 0) std::cout << " and " << counted(texts, "text") << " below reports/";
  std::cout << "\n";
}

Exit outcome(const RunResult& run, const RunOptions& options) {
  if (const auto why = total_failure(run)) return fail({*why, Exit::kFailed});
  if (const auto why = partial_failure(run); why && options.strict) return fail({*why, Exit::kFailed});
  if (const auto refuted = refuted_claims(run); options.gate && !refuted.empty()) {
    return fail(
        {"--gate: " + counted(refuted.size(), "claim") + " refuted (" + some_of(refuted, 5) + ")", Exit::kRefuted});
  }
  return Exit::kOk;
}

/// With --convert: makes the exports that are missing.
Status convert_first(const RunOptions& options, const std::vector<Question>& questions, const std::atomic<bool>& stop) {
  if (!options.convert) return ok();
  ConvertOptions conversion = options.conversion;
  conversion.places = folders_to_convert(options.reports, questions);
  conversion.jobs = options.jobs;
  return convert_before_run(conversion, options.quiet, stop);
}

Exit interrupted(const RunOptions& options) {
  return fail({"interrupted; nothing was written and '" + options.out.string() + "' is as it was", Exit::kInterrupted});
}

/// --cache and what bounds it.
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
  const auto leave_out = [&to] { to.cache.reset(); };
  command.add_flag_callback("--no-cache", leave_out, "Read every report, and keep nothing of it")->excludes(folder);
}

/// --isolate and its limits.
void add_isolation(CLI::App& command, RunOptions& to) {
  CLI::Option* isolate = command.add_flag("--isolate", to.isolate,
                                          "Run each analyzer on each report in a process of its own: one that crashes, "
                                          "hangs or eats memory costs no other its results");
  add_limits(command, "--plugin-time-limit", "--plugin-memory-limit", to.plugin_limits,
             "one analyzer on one report, or to conclude, with --isolate", isolate);
}

}  // namespace

isolate::Limits default_plugin_limits() {
  const auto half = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2;
  return {std::chrono::minutes(10), half * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
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
  if (const Status writable = check_output_folder(options.out, options.force); !writable) return fail(writable.error());
  if (const Status converted = convert_first(options, *questions, stop); !converted) return fail(converted.error());
  const auto catalog = discover(*questions, *folders);
  if (!catalog) return fail(catalog.error());
  spdlog::info("{}, {}, {}", counted(questions->size(), "question"), counted(plugins.loaded.size(), "plugin"),
               counted(catalog->files.size(), "file"));

  const std::vector<Analyzers> analyzers = make_analyzers(*plan, options);
  std::vector<std::string> mistakes = refused_options(*plan, analyzers);
  for (std::string& unfit : unfit_patterns(*plan, *catalog)) mistakes.push_back(std::move(unfit));
  if (!mistakes.empty()) return fail(setup_error(mistakes));
  RunResult result{&*plan, &*catalog, {}, {}};
  result.analysis = analyze_with_progress(*plan, plugins, *catalog, analyzers, options, stop);
  if (result.analysis.interrupted || stop) return interrupted(options);

  result.questions = conclude_all(*plan, *catalog, analyzers, options, result.analysis);
  if (stop) return interrupted(options);
  say_recorded(*folders, result);
  for (QuestionResult& question : result.questions) title_plots(question);
  colour_alike(result.questions);
  log_notes(result);

  const auto written = write_outputs(result, options.out, options.force,
                                     {.run_json = [&] { return record.json(*plan); }, .spreadsheet = options.xlsx});
  if (!written) return fail(written.error());
  if (!options.quiet) {
    TerminalStyle style = output_style();
    style.whole = options.whole;
    std::ostringstream summary;
    print_summary(result, summary, style);
    const std::string text = summary.str();
    std::cout << text;
    print_files(*written, options.out, style.colour);
    if (scrolls(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')))) {
      std::cout << "\n";
      for (const std::string& line : recap(result, options.out, style)) std::cout << line << "\n";
    }
  }
  return outcome(result, options);
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
                                 o.command = line.words;
                                 o.quiet = line.quiet;
                                 o.whole = line.verbose > 0;
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
  command.add_flag("--gate", options->gate, "Exit with 1 when a claim is refuted");
  command.add_flag("--strict", options->strict,
                   "Exit with 3 when a report was not read or lacks needed tables, or an analyzer failed");
  add_plugin_path(command, options->plugin_paths);
  CLI::Option* verbose = command.add_flag("-v,--verbose", line.verbose,
                                          "Say more of each question, and log more to standard error; -vv: everything");
  add_force(command, options->force);
  command.add_flag("--xlsx", options->xlsx, "Also write facts.xlsx, the facts with their labels for a spreadsheet");
  command.add_flag("-q,--quiet", line.quiet, "Print errors only")->excludes(verbose);
  command.add_option("--log-file", line.log_file, "Write the whole log to this file")->type_name("FILE");
}

}  // namespace assay
