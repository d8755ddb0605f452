#include "cli/answer.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ci/annotations.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "cli/tool.hpp"
#include "config/config.hpp"
#include "files/log_line.hpp"
#include "pipeline/inputs.hpp"
#include "pipeline/outcome.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/recap.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

void log_notes(const RunResult& run) {
  for (const QuestionRun& question : run.each_question()) {
    for (const ReportRun& report : question.reports) {
      for (const std::string& note : report.result.notes) log_info("{}: {}", report.file.name, note);
    }
    for (const std::string& note : question.result.notes) log_info("{}", note);
  }
}

/// Puts findings of tools before all others.
void prepend_findings(const std::vector<std::vector<OwnedFinding>>& first, RunResult& run) {
  for (std::size_t q = 0; q < first.size(); ++q) {
    std::vector<OwnedFinding>& findings = run.questions[q].findings;
    findings.insert(findings.begin(), first[q].begin(), first[q].end());
  }
}

/// Lists files under `what`, the outcome, with their folder.
void print_files(const char* what, const std::vector<std::string>& names, const std::filesystem::path& out,
                 bool links) {
  std::size_t texts = 0, plots = 0;
  std::cout << what << one_line(out.string());
  if (out.extension() == ".html") return void(std::cout << "\n");
  std::cout << ":";
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

/// Text to print for a result: the summary, repeated in short at the end in case it scrolls away; or findings.json for
/// a document.
std::vector<std::string> shown(const RunResult& result, const RunOptions& options) {
  if (document::wanted()) return {findings_json(result)};
  if (options.quiet) return {};
  TerminalStyle style = output_style();
  style.whole = options.whole;
  std::ostringstream summary;
  print_summary(result, summary, style);
  std::string again = "\n";
  for (const std::string& line : recap(result, options.out, style)) again += line + "\n";
  return {summary.str(), again};
}

std::vector<std::string> names_of(const NamedDigests& files) {
  std::vector<std::string> names;
  for (const auto& [name, digest] : files) names.push_back(name);
  return names;
}

/// Prints the folder of the result and its findings.json.
void print_document(const std::string& findings, const std::vector<std::string>& names, const RunOptions& options) {
  using Json = nlohmann::ordered_json;
  const Json files = names;
  std::cout << "{\"out\": " << Json(options.out.string()).dump(-1, ' ', true, Json::error_handler_t::replace)
            << ",\n\"files\": " << files.dump(-1, ' ', true, Json::error_handler_t::replace)
            << ",\n\"findings\": " << findings << "}\n";
}

/// Prints `text` (see `shown`), then the files under `what`.
void print(const std::vector<std::string>& text, const char* what, const std::vector<std::string>& names,
           const RunOptions& options) {
  if (document::wanted()) return print_document(text.at(0), names, options);
  if (options.quiet) return;
  std::cout << text.at(0);
  print_files(what, names, options.out, output_style().colour);
  if (scrolls(static_cast<std::size_t>(std::ranges::count(text.at(0), '\n')))) std::cout << text.at(1);
}

/// Warns about refused plugins that no question uses; planning has already failed for those that one uses.
void warn_of_refused(const Plugins& plugins) {
  for (const RefusedPlugin& refused : plugins.refused) log_warning("{}", refused.sentence);
}

/// Hooks of the tools that have any.
std::vector<const RunHooks*> run_hooks() {
  std::vector<const RunHooks*> hooks;
  for (const Tool* tool : linked_tools()) {
    if (tool->runs != nullptr) hooks.push_back(tool->runs);
  }
  return hooks;
}

}  // namespace

Exit fail(const Error& error, const RunOptions& options) {
  if (error.exit != Exit::kInterrupted) return fail(error);
  return fail(Error{fmt::format("{} and '{}' is as it was", error.sentence, options.out.string()), error.exit,
                    options.out.string(), fmt::format("{} and '{}' is as it was", error.remedy, options.out.string())});
}

namespace {

/// Failures of the run, regardless of the verdicts.
Status failures(const RunResult& run, const RunOptions& options) {
  if (const auto why = total_failure(run)) return Error{*why, Exit::kFailed};
  if (const auto why = partial_failure(run); why && options.strict) return Error{*why, Exit::kFailed};
  return ok();
}

}  // namespace

Status outcome(const RunResult& run, const RunOptions& options) {
  if (const Status failed = failures(run, options); !failed || !options.ci.gate) return failed;
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return ci.error();
  const ci::GateInput gate = ci::gate_input(run);
  return gate_status(*ci, gate, failure_text(gate));
}

Result<FinishedRun> finished(AnalyzedRun analyzed, const RunOptions& options) {
  Result<RunResult> concluded = analyzed.line->conclude({.sheets = std::move(analyzed.sheets)});
  if (!concluded) return concluded.error();
  RunResult& result = *concluded;
  analyzed.remark(result);
  prepend_findings(analyzed.first, result);
  for (QuestionResult& question : result.questions) title_plots(question);
  colour_alike(result.questions);
  log_notes(result);
  std::optional<cache::Store> memory;
  if (options.cache) memory.emplace(*options.cache);
  NamedDigests digests;
  auto written = write_outputs(result, options.out, options.force,
                               {.run_json = analyzed.run_json,
                                .memory = memory ? &*memory : nullptr,
                                .plugins = &analyzed.line->plugins(),
                                .digests = memory ? &digests : nullptr,
                                .stop = &analyzed.line->stop()});
  if (!written) return written.error();
  if (memory && memory->wrote()) memory->trim(options.cache_bytes);
  for (const RunHooks* hooks : run_hooks()) {
    if (const Status kept = hooks->keep(result, options.reports); !kept) return kept.error();
  }
  return FinishedRun{std::move(analyzed.line), std::move(result), std::move(*written), std::move(digests)};
}

Exit print_outcome(const Result<FinishedRun>& done, const RunOptions& options, LastRunCache* kept) {
  if (!done) return fail(done.error(), options);
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return fail(ci.error());
  std::vector<std::string> text = shown(done->result, options);
  {
    std::optional<InertOutput> inert;
    if (!document::wanted() && !options.quiet) inert.emplace(*ci, std::cout);
    print(text, "Written to ", done->files, options);
  }
  const ci::GateInput gate = ci::gate_input(done->result);
  const Status told = write_ci_reports(*ci, gate,
                                       {.command = "assay " + (options.command.size() > 1 ? options.command[1] : "run"),
                                        .summary = summary_md(done->result),
                                        .instead = "see summary.md in " + one_line(options.out.string()),
                                        .rows_only = document::wanted()});
  if (!told) fail(told.error());
  Status good = failures(done->result, options);
  if (good && kept != nullptr && !done->digests.empty())
    kept->keep(*done->line, done->result, done->digests, std::move(text), options.cache_bytes);
  if (good) good = gate_status(*ci, gate, failure_text(gate));
  if (!good) return fail(good.error());
  return told ? Exit::kOk : told.error().exit;
}

process::Limits default_plugin_limits() {
  const auto half = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2;
  return {std::chrono::minutes(10), half * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

PipelineSettings settings_of(const RunOptions& options, const std::atomic<bool>& stop) {
  PipelineSettings settings{.plugin_paths = options.plugin_paths,
                            .trust_plugins = options.trust_plugins,
                            .jobs = options.jobs,
                            .sql = options.sql_limits.with(stop),
                            .progress = progress_bars(!options.quiet),
                            .stop = &stop};
  if (options.isolate) settings.isolated = options.plugin_limits;
  if (options.cache) settings.cache = CacheSettings{*options.cache, options.cache_bytes, options.trust_times};
  return settings;
}

Result<ReadyRun> ready_run(const RunOptions& options, const std::atomic<bool>& stop) {
  RunRecord record(options.command, options.configs, options.reports);
  if (const Result<Ci> ci = read_ci(options.ci); !ci) return ci.error();
  auto questions = read_configs(options.configs);
  if (!questions) return questions.error();
  if (const Status chosen = apply_choice(options.choice, *questions); !chosen) return chosen.error();
  for (const RunHooks* hooks : run_hooks()) hooks->declare(*questions, options.reports);

  auto planned = Pipeline::plan(std::move(*questions), settings_of(options, stop));
  if (!planned) return planned.error();
  Pipeline& line = **planned;
  warn_of_refused(line.plugins());

  auto folders = report_folders(options.reports, line.questions());
  if (!folders) return folders.error();
  const Status writable = options.instead ? ok() : check_output_folder(options.out, options.force);
  if (!writable) return writable.error();
  for (const RunStep& step : options.before) {
    if (const Status done = step(options, line.questions(), stop); !done) return done.error();
  }
  if (const Status found = line.discover(*folders); !found) return found.error();
  if (const Status sound = line.check_setup(); !sound) return sound.error();
  return ReadyRun{std::move(record), std::move(*planned), std::move(*folders)};
}

namespace {

Result<FinishedRun> finished_run(ReadyRun ready, const RunOptions& options) {
  Pipeline& line = *ready.line;
  if (const Status analyzed = line.analyze(); !analyzed) return analyzed.error();
  if (const Status sound = line.check_windows(); !sound) return sound.error();
  if (const Status gathered = line.gather(); !gathered) return gathered.error();
  return finished({.line = std::move(ready.line),
                   .remark =
                       [&](RunResult& run) {
                         for (const RunHooks* hooks : run_hooks()) hooks->remark(ready.folders, run);
                       },
                   .run_json = [&] { return ready.record.json(line.plan()); }},
                  options);
}

/// The last run of this command. Empty if a run does more than write and print its result: a gate is judged, a CI
/// service is notified, or predictions of a recording are registered.
std::optional<LastRunCache> last_run(const ReadyRun& ready, const RunOptions& options) {
  const Result<Ci> ci = read_ci(options.ci);
  if (!options.cache || !ci || ci->gated || !ci->targets.empty()) return std::nullopt;
  for (const RunHooks* hooks : run_hooks()) {
    if (hooks->acts_beside(ready.folders)) return std::nullopt;
  }
  const TerminalStyle style = output_style();
  std::vector<std::string> command = options.command;
  command.push_back(std::to_string(style.width) + (style.colour ? " coloured" : ""));
  return std::optional<LastRunCache>(std::in_place, *options.cache, *ready.line, command);
}

}  // namespace

Result<FinishedRun> finished_run(const RunOptions& options, const std::atomic<bool>& stop) {
  Result<ReadyRun> ready = ready_run(options, stop);
  if (!ready) return ready.error();
  return finished_run(std::move(*ready), options);
}

Exit run_and_tell(const RunOptions& options, const std::atomic<bool>& stop) {
  Result<ReadyRun> ready = ready_run(options, stop);
  if (!ready) return fail(ready.error(), options);
  std::optional<LastRunCache> last = last_run(*ready, options);
  if (const auto same = last ? last->same(*ready->line, options.out) : std::nullopt) {
    ready->line->close_cache();
    print(same->shown, "Nothing has changed since the last run, which wrote to ", names_of(same->files), options);
    return Exit::kOk;
  }
  return print_outcome(finished_run(std::move(*ready), options), options, last ? &*last : nullptr);
}

}  // namespace assay
