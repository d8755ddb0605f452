#include "app/finish.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/analysis.hpp"
#include "app/log.hpp"
#include "app/outcome.hpp"
#include "app/recap.hpp"
#include "app/terminal.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"
#include "workers.hpp"

namespace assay {
namespace {

/// Questions share nothing but what none of them changes, so each concludes by itself.
std::vector<QuestionResult> conclude_all(const Analyzed& analyzed, const RunOptions& options, Analysis& analysis,
                                         const Beside& beside) {
  const Plan& plan = analyzed.plan;
  const Catalog& catalog = analyzed.catalog;
  std::vector<QuestionResult> results(plan.questions.size());
  for_each_on_workers(results.size(), options.jobs, [&](std::size_t q) {
    const Sheets sheets = beside.sheets(q);
    results[q] = conclude({plan.questions[q], catalog, catalog.questions[q], analysis.questions[q]},
                          analyzed.analyzers[q], sheets, {.cache = analyzed.cache, .isolated = isolation(options)});
  });
  if (analyzed.cache != nullptr) {
    std::size_t recalled = 0;
    for (const QuestionResult& result : results) recalled += result.recalled;
    spdlog::info("{} not drawn again: they were in {}", counted(recalled, "conclusion"),
                 analyzed.cache->folder().string());
  }
  return results;
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
void say_recorded(const std::vector<Recording>& recordings, RunResult& run) {
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

/// What is to be said before everything else.
void say_first(const Beside& beside, RunResult& run) {
  for (std::size_t q = 0; q < run.questions.size() && beside.first; ++q) {
    const std::vector<OwnedFinding> first = beside.first(q);
    std::vector<OwnedFinding>& findings = run.questions[q].findings;
    findings.insert(findings.begin(), first.begin(), first.end());
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

/// The summary, where the files are, and the recap where the summary has scrolled away.
void print_result(const RunResult& result, const std::vector<std::string>& written, const RunOptions& options) {
  TerminalStyle style = output_style();
  style.whole = options.whole;
  std::ostringstream summary;
  print_summary(result, summary, style);
  const std::string text = summary.str();
  std::cout << text;
  print_files(written, options.out, style.colour);
  if (scrolls(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')))) {
    std::cout << "\n";
    for (const std::string& line : recap(result, options.out, style)) std::cout << line << "\n";
  }
}

}  // namespace

Exit interrupted(const RunOptions& options) {
  return fail({"interrupted; nothing was written and '" + options.out.string() + "' is as it was", Exit::kInterrupted});
}

void add_ending(CLI::App& command, CommandLine& line, RunOptions& to, CLI::Option* instead) {
  const auto concludes = [&](CLI::Option* option) {
    if (instead != nullptr) option->excludes(instead);
  };
  concludes(command.add_flag("--gate", to.gate, "Exit with 1 when a claim is refuted"));
  concludes(command.add_flag("--strict", to.strict,
                             "Exit with 3 when a report was not read or lacks needed tables, or an analyzer failed"));
  add_plugin_path(command, to.plugin_paths);
  CLI::Option* verbose =
      add_verbose(command, line, "Say more of each question, and log more to standard error; -vv: everything");
  add_force(command, to.force);
  concludes(
      command.add_flag("--xlsx", to.xlsx, "Also write facts.xlsx, the facts with their labels for a spreadsheet"));
  command.add_flag("-q,--quiet", line.quiet, "Print errors only")->excludes(verbose);
  command.add_option("--log-file", line.log_file, "Write the whole log to this file")->type_name("FILE");
}

void take_words(const CommandLine& line, RunOptions& to) {
  to.command = line.words;
  to.quiet = line.quiet;
  to.whole = line.verbose > 0;
}

Exit finish(Analyzed analyzed, const Beside& beside, const RunOptions& options,
            const std::function<std::string()>& run_json, const std::atomic<bool>& stop) {
  RunResult result{&analyzed.plan, &analyzed.catalog, std::move(analyzed.analysis), {}};
  if (result.analysis.interrupted || stop) return interrupted(options);
  result.questions = conclude_all(analyzed, options, result.analysis, beside);
  if (stop) return interrupted(options);
  say_recorded(beside.recordings(), result);
  say_first(beside, result);
  for (QuestionResult& question : result.questions) title_plots(question);
  colour_alike(result.questions);
  log_notes(result);

  const auto written =
      write_outputs(result, options.out, options.force, {.run_json = run_json, .spreadsheet = options.xlsx});
  if (!written) return fail(written.error());
  if (!options.quiet) print_result(result, *written, options);
  return outcome(result, options);
}

}  // namespace assay
