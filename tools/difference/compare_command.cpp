#include "difference/compare_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "algo/step_times.hpp"
#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/run_options.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "difference/compared_profiles.hpp"
#include "difference/merged_results.hpp"
#include "pipeline/outcome.hpp"
#include "pipeline/pipeline.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/outputs.hpp"
#include "results/write_outputs.hpp"

namespace assay {
namespace {

const StoredQuestion* find(const std::vector<StoredQuestion>& questions, const std::string& id) {
  const auto at = std::ranges::find_if(questions, [&](const StoredQuestion& q) { return q.id == id; });
  return at == questions.end() ? nullptr : &*at;
}

std::string ids_of(const std::vector<StoredQuestion>& questions) {
  std::vector<std::string> ids;
  for (const StoredQuestion& question : questions) ids.push_back(question.id);
  return some_of(ids, 8);
}

/// Arguments of a side: 0 is BEFORE, 1 is AFTER.
std::vector<std::filesystem::path> side(const CompareOptions& options, std::size_t which) {
  std::vector<std::filesystem::path> out;
  if (which < options.places.size()) out.push_back(options.places[which]);
  const auto& more = which == 0 ? options.before : options.after;
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Questions answered by the results of both sides.
Result<std::vector<MergedResults>> merge_all(const CompareOptions& options) {
  const std::vector<std::filesystem::path> of_before = side(options, 0), of_after = side(options, 1);
  std::vector<std::pair<const char*, std::vector<StoredQuestion>>> results;  // with their side
  const std::pair<const char*, const std::vector<std::filesystem::path>*> sides[] = {
      {kBefore, &of_before}, {kAfter, &of_after}, {kNoise, &options.noise}};
  for (const auto& [name, folders] : sides) {
    for (const std::filesystem::path& folder : *folders) {
      auto read = read_results(folder, true);
      if (!read) return read.error();
      results.emplace_back(name, *std::move(read));
    }
  }
  const std::vector<StoredQuestion>&first = results.front().second, &second = results[of_before.size()].second;
  for (const std::string& id : options.questions) {
    if (find(first, id) == nullptr || find(second, id) == nullptr) {
      return Error{"--question: '" + id + "' is not in both results"}.at(id).advise(
          fmt::format("'{}' has {}, '{}' has {}", of_before.front().string(), ids_of(first), of_after.front().string(),
                      ids_of(second)));
    }
  }
  std::vector<MergedResults> merged;
  for (const StoredQuestion& question : first) {
    const bool asked = options.questions.empty() || std::ranges::count(options.questions, question.id) > 0;
    if (find(second, question.id) == nullptr || !asked) continue;
    std::vector<Measurement> answers;
    for (const auto& [name, questions] : results) {
      if (const StoredQuestion* answer = find(questions, question.id)) answers.push_back({answer, name});
    }
    merged.push_back(merge(answers, options.metrics));
  }
  if (!merged.empty()) return merged;
  return Error{fmt::format("the results have no question in common: '{}' answers {}, '{}' answers {}",
                           of_before.front().string(), ids_of(first), of_after.front().string(), ids_of(second))}
      .at(of_before.front().string());
}

/// Adds the analyzer of `asked`, and the claim that --gate evaluates.
void add_question(const Question& asked, const std::vector<std::string>& globs, double tolerance,
                  MergedResults& merged) {
  const SourcePos pos{"assay compare", 1, 1};
  Question& question = merged.question;
  question.file = pos.file;
  AnalyzerConfig analyzer{asked.analyzers.front().id, {}, pos};
  analyzer.options.push_back({"label", {merged.label, pos}});
  analyzer.options.push_back({"base", {std::string(kBefore), pos}});
  analyzer.options.push_back({"treated", {std::string(kAfter), pos}});
  analyzer.options.push_back({"measurement", {merged.measurement, pos}});
  // Globs that match no metric become names that none has, so that nothing is compared.
  if (!globs.empty()) analyzer.options.push_back({"metrics", {merged.compared.empty() ? globs : merged.compared, pos}});
  question.analyzers.push_back(std::move(analyzer));
  ClaimConfig claim{"not_worse", "No metric is worse after than before.", "", {}, pos};
  claim.keys.push_back({"tolerance", {tolerance, pos}});
  if (globs.empty()) {
    claim.text = "A step takes no longer after than before.";
    claim.keys.push_back({"first_of", {std::vector<std::string>(std::begin(kStepTimes), std::end(kStepTimes)), pos}});
  }
  question.claims.push_back(std::move(claim));
}

/// Whether any value was compared with the spread between repeat runs. "Not worse" is then a decision, even if a
/// tolerance of 0 leaves the claim undecided.
bool knows_a_spread(const RunResult& run) {
  const auto knows = [](const OwnedStratum& stratum) {
    return stratum.effect && stratum.effect->scope != Scope::kWithinRun;
  };
  return std::ranges::any_of(run.questions, [&](const QuestionResult& question) {
    return std::ranges::any_of(question.claims,
                               [&](const OwnedClaim& claim) { return std::ranges::any_of(claim.strata, knows); });
  });
}

/// Whether a place is a result of `assay run`.
bool is_result(const std::filesystem::path& place) {
  std::error_code failed;
  return place.filename() == "results.sqlite" || std::filesystem::exists(place / "results.sqlite", failed);
}

/// Writes the reports for CI and evaluates --gate.
Exit judge_gate(const CompareOptions& options, const Ci& ci, const RunResult& result) {
  ci::GateInput gate = ci::gate_input(result);
  for (ci::Case& one : gate.cases) one.pos = {};  // the claim is not in a file: compare generates it
  gate.decided = knows_a_spread(result);
  gate.undecided =
      "--gate: nothing that it judges has repeat runs on both sides, so nothing was decided; record each at least "
      "twice, or name other metrics with --metric";
  const Status told = write_ci_reports(ci, gate,
                                       {.command = "assay compare",
                                        .summary = summary_md(result),
                                        .instead = "'assay compare -o OUT' writes all",
                                        .rows_only = document::wanted()});
  if (!told) fail(told.error());
  const std::string worse = (options.metrics.empty() ? "a step takes longer in " : "a metric is worse in ") +
                            counted(gate.with(Verdict::kRefuted).size(), "question");
  if (const Status good = gate_status(ci, gate, worse); !good) return fail(good.error());
  return told ? Exit::kOk : told.error().exit;
}

Exit compare_sides(const CompareOptions& options) {
  const auto all_results = [&](std::size_t which) {
    const std::vector<std::filesystem::path> places = side(options, which);
    return !places.empty() && std::ranges::all_of(places, is_result);
  };
  if (options.places.empty() && options.before.empty())
    return fail(Error{"nothing to compare is named"}.advise(
        "name both sides, assay compare BEFORE AFTER, or a folder with the profiles of both"));
  if (options.places.size() > 2 && !options.best)
    return fail(Error{"compare takes two sides, and here are " + std::to_string(options.places.size())}.advise(
        "--best ranks all; name the third with --also NAME=PATH, or more profiles of a side with --before and "
        "--after"));
  if (!options.allow.empty() && !options.ci.gate)
    return fail(Error{"--allow sets what --gate permits, but --gate is not given"}.advise("add it"));
  if (!options.best && options.also.empty() && options.allow.empty() && options.steps.empty() && all_results(0) &&
      all_results(1))
    return compare_results(options);
  const auto only_results = [&](const char* option) {
    return fail(Error{std::string(option) + " is for results of 'assay run', but these are profiles"}.advise(
        "leave it out, or name a result on both sides"));
  };
  if (!options.noise.empty()) return only_results("--noise");
  if (!options.metrics.empty()) return only_results("--metric");
  if (!options.questions.empty()) return only_results("--question");
  if (options.tolerance > 0) return only_results("--tolerance");
  return compare_profiles(options);
}

constexpr const char* kFooter =
    R"(BEFORE and AFTER are profiles, folders of profiles (repeat runs, whatever their names), recordings, or results. The output says
how much longer or shorter a step takes and why; a difference counts if it is larger than the spread between repeat runs.
A FOLDER alone: what its names distinguish is compared, or ranked if that is more than two. --by LABEL chooses what is compared,
--by LABEL=VALUE also what is BEFORE.
Results of 'assay run' are compared metric by metric, runs matched by their labels (--question, --metric, --tolerance). With
one result per side, a change of the program cannot be told from a change of the day, so only differences above 8 % are
reported; several results per side, or results given as --noise, show how much days differ.
With --gate the exit code is 1 if a step (of results: --metric) is worse by more than the spread and --allow permit.

Examples:
  assay compare base.sqlite flash.sqlite
  assay compare profiles/base profiles/flash -o out
  assay compare sweep --best
  assay compare old new --gate --allow step=+2%
  assay compare base.pickle leak.pickle            # memory by phase, class and stack
  assay compare out/monday out/tuesday --metric 'iteration.*'
  assay compare out/monday out/friday --noise nightly/2026-11-1*)";

}  // namespace

Exit compare_results(const CompareOptions& options) {
  const Result<Ci> ci = read_ci(options.ci);
  if (!ci) return fail(ci.error());
  const Result<Question> asked = installed_question("commands/compare.toml");
  if (!asked) return fail(asked.error());
  auto merged = merge_all(options);
  if (!merged) return fail(merged.error());
  std::vector<Question> questions;
  Catalog catalog;
  Analysis analysis;
  Beside beside;
  for (MergedResults& one : *merged) {
    add_question(*asked, options.metrics, options.tolerance, one);
    questions.push_back(std::move(one.question));
    const std::size_t first = catalog.files.size();
    for (CatalogEntry& entry : one.catalog.questions.front().entries) entry.file += first;
    std::move(one.catalog.files.begin(), one.catalog.files.end(), std::back_inserter(catalog.files));
    catalog.questions.push_back(std::move(one.catalog.questions.front()));
    analysis.questions.push_back(std::move(one.reports));
    beside.metrics.push_back(std::move(one.metrics));
  }
  if (!options.out.empty()) {
    if (const Status writable = check_output_folder(options.out, options.force, questions); !writable)
      return fail(writable.error());
  }
  const auto planned = Pipeline::plan(std::move(questions), {.plugin_paths = options.plugin_paths});
  if (!planned) return fail(planned.error());
  Pipeline& line = **planned;
  line.set_inputs(std::move(catalog));
  line.set_inputs(std::move(analysis));
  const Result<RunResult> concluded = line.conclude(beside);
  if (!concluded) return fail(concluded.error());
  const RunResult& result = *concluded;

  if (!options.out.empty()) {
    const auto written = write_outputs(result, options.out, options.force);
    if (!written) return fail(written.error());
  }
  TerminalStyle style = output_style();
  style.whole = options.whole;
  if (document::wanted()) {
    std::cout << findings_json(result);
  } else {
    const InertOutput inert(*ci, std::cout);
    print_summary(result, std::cout, style);
  }
  if (const auto why = total_failure(result)) return fail({*why, Exit::kFailed});
  return judge_gate(options, *ci, result);
}

void add_compare(CommandLine& line) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App& command =
      line.add("compare", "Show what changed between profiles: where, by how much, and whether it is real", kFooter,
               options, [&line](CompareOptions& o) {
                 o.whole = line.verbose > 0;
                 return compare_sides(o);
               });
  add_option(command, "place", options->places,
             "Both sides: profiles, folders, recordings or results; or one folder with all")
      ->type_name("BEFORE AFTER|FOLDER")
      ->expected(0, -1);
  const auto add_places = [&](const char* name, auto& to, const char* help, const char* type) {
    add_option(command, name, to, help)->type_name(type)->allow_extra_args(false);
  };
  add_places("--before", options->before, "More of BEFORE; may be repeated", "PATH");
  add_places("--after", options->after, "More of AFTER; may be repeated", "PATH");
  add_option(command, "--noise", options->noise,
             "Results of one program on several days, to learn how much days differ")
      ->type_name("OUT");
  add_places("--also", options->also, "A third side, also compared with BEFORE; may be repeated", "NAME=PATH");
  add_flag(command, "--best", options->best,
           "Rank all configurations by the time of a step, with those that cannot be told apart");
  add_places("--steps", options->steps, "Ranges that are steps, e.g. 'train_{i}'; may be repeated", "PATTERN");
  add_places(
      "--allow", options->allow,
      "Increase that --gate permits for step, kernels, copies, communication or idle, e.g. step=+2%; may be repeated",
      "WHAT=BUDGET");
  add_run_choice(command, options->choice);
  add_flag(command, "--no-cache", options->no_cache, "Read large profiles again, and keep nothing of them");
  add_jobs(command, options->jobs, "Profiles read in parallel");
  add_option(command, "--question", options->questions, "Only this question; may be repeated (default: all in both)")
      ->type_name("ID")
      ->allow_extra_args(false);
  add_option(command, "--metric", options->metrics, "Only metrics that match, e.g. 'iteration.*'; may be repeated")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_option(command, "--tolerance", options->tolerance, "Share by which a metric may be worse, e.g. 0.02")
      ->type_name("SHARE")
      ->check(in_range(0.0, 10.0));
  add_option(command, "-o,--out", options->out,
             "Also write facts, findings and reports to this folder, or one page FILE.html")
      ->type_name("OUT");
  add_force(command, options->force);
  add_ci(command, options->ci, "Exit with 1 if AFTER is worse, with 4 if nothing could be decided");
  add_wide(command);
  document::add_flag(command);
  add_verbose(command, line);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
