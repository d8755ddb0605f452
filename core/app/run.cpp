#include "app/run.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>
#include <thread>

#include "analyze/result_cache.hpp"
#include "app/convert.hpp"
#include "app/inputs.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/outcome.hpp"
#include "app/recorded.hpp"
#include "app/terminal.hpp"
#include "config/config.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/text.hpp"

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

Analysis analyze_with_progress(const Plan& plan, const Plugins& plugins, const Catalog& catalog,
                               const std::vector<Analyzers>& analyzers, const RunOptions& options,
                               const std::atomic<bool>& stop) {
  std::optional<cache::Store> store;
  std::optional<ResultCache> cache;
  if (options.cache) store.emplace(*options.cache);
  if (store) cache = ResultCache::make(*store, plan, plugins);
  if (store && !cache) spdlog::info("no result cache: the system does not tell which program runs");
  ProgressBar bar(!options.quiet);
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  Analysis analysis = analyze(
      plan, catalog, analyzers, jobs, [&](std::size_t done, std::size_t all) { bar.show(done, all); }, stop,
      options.reader, cache ? &*cache : nullptr, isolation(options));
  if (store) close_cache(*store, options, analysis.recalled);
  return analysis;
}

std::vector<QuestionResult> conclude_all(const Plan& plan, const Catalog& catalog,
                                         const std::vector<Analyzers>& analyzers, const RunOptions& options,
                                         Analysis& analysis) {
  std::vector<QuestionResult> results;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Sheets sheets = read_sheets(*plan.questions[q].question, catalog, catalog.questions[q]);
    results.push_back(conclude(plan.questions[q], catalog, catalog.questions[q], analyzers[q], sheets,
                               analysis.questions[q], {}, isolation(options)));
  }
  return results;
}

/// Refused plugins that nobody asked for: the plan has already failed on the others.
void warn_of_refused(const Plugins& plugins) {
  for (const RefusedPlugin& refused : plugins.refused) spdlog::warn("{}", refused.sentence);
}

void log_notes(const RunResult& run) {
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    for (std::size_t e = 0; e < run.analysis.questions[q].size(); ++e) {
      const std::string& report = run.catalog->files[run.catalog->questions[q].entries[e].file].name;
      for (const std::string& note : run.analysis.questions[q][e].notes) spdlog::info("{}: {}", report, note);
    }
    for (const std::string& note : run.questions[q].notes) spdlog::info("{}", note);
  }
}

/// How the runs were recorded stands before all findings.
void say_recorded(const std::vector<std::filesystem::path>& folders, RunResult& run) {
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    const auto recorded = recording_findings(run.plan->questions[q].question->id, folders);
    std::vector<OwnedFinding>& findings = run.questions[q].findings;
    findings.insert(findings.begin(), recorded.begin(), recorded.end());
  }
}

void print_files(const std::vector<std::string>& names, const std::filesystem::path& out) {
  std::size_t texts = 0, plots = 0;
  std::cout << "Written to " << one_line(out.string()) << ":";
  for (const std::string& name : names) {
    if (name.starts_with("plots/"))
      ++plots;
    else if (name.find('/') != std::string::npos)
      ++texts;
    else
      std::cout << " " << name;
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

}  // namespace

isolate::Limits default_plugin_limits() {
  const auto half = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2;
  return {std::chrono::minutes(10), half * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

Exit run(const RunOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();

  auto questions = read_configs(options.configs);
  if (!questions) return fail(questions.error());
  declare_recorded(*questions, options.reports);

  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));

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
  RunResult result{&*plan, &*catalog, {}, {}};
  result.analysis = analyze_with_progress(*plan, plugins, *catalog, analyzers, options, stop);
  if (result.analysis.interrupted || stop) return interrupted(options);

  result.questions = conclude_all(*plan, *catalog, analyzers, options, result.analysis);
  if (stop) return interrupted(options);
  say_recorded(*folders, result);
  log_notes(result);

  const auto written = write_outputs(result, options.out, options.force);
  if (!written) return fail(written.error());
  if (!options.quiet) {
    TerminalStyle style = output_style();
    style.whole = options.whole;
    print_summary(result, std::cout, style);
    print_files(*written, options.out);
  }
  return outcome(result, options);
}

}  // namespace assay
