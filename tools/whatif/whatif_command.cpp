#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>

#include "algo/nearest.hpp"
#include "assay/algo/named_ranges.hpp"
#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/installed_options.hpp"
#include "config/iteration_names.hpp"
#include "files/glob.hpp"
#include "look/page_output.hpp"
#include "render/text.hpp"
#include "runs/configurations.hpp"
#include "whatif/claim.hpp"
#include "whatif/page.hpp"
#include "whatif/plain_times.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxGains = 10;

constexpr const char* kFooter =
    R"(Replays the run with the change: waits are computed anew, and with them the length of a step. Without a change, the costs
that can be removed are listed by what each gains alone, as 'assay look' says them. Several changes are applied together; several profiles are repeat runs of
one program, or the ranks of one job, which wait for each other in their collectives. A gain smaller than the replay's own error is not reported. docs/whatif.md says how far to trust it.

Examples:
  assay whatif profile.sqlite
  assay whatif trace.json.gz --scale 'operator:aten::scaled_dot_product_attention=0.2'
  assay whatif base_*.sqlite --remove sync --overlap copy:h2d
  assay whatif trace.json.gz --replace 'operator:aten::layer_norm=2,1,40us'
  assay whatif profile.sqlite --scale 'range:data=0' --iterations 'train_{i}'
  assay whatif profile.sqlite --graph 'decode_{i}'
  assay whatif trace.json.gz --path operator
  assay whatif base_*.sqlite --overlap copy:h2d --as-claim question.toml --pair variant=base,pinned)";

struct WhatIfOptions {
  std::vector<std::filesystem::path> places;
  std::vector<std::string> scale, remove, overlap, replace, straggler, added, graphs;
  std::optional<double> launch_cost;
  std::vector<std::string> iterations;
  RowFormat format = RowFormat::kTable;
  std::string path;                ///< --path: how to split the critical path; empty: not shown
  std::filesystem::path as_claim;  ///< question to write the prediction into
  std::string pair;                ///< "variant=base,pinned"
  std::filesystem::path out;       ///< -o: a page or a folder
  bool force = false;              ///< --force: replaces an earlier page
};

Result<whatif::Changes> changes_of(const WhatIfOptions& options) {
  whatif::Changes changes;
  const auto add = [&](const std::vector<std::string>& texts, const auto& read) -> Status {
    for (const std::string& text : texts) {
      Result<whatif::ChangeRequest> change = read(text);
      if (!change) return change.error();
      changes.push_back(std::move(*change));
    }
    return ok();
  };
  for (const Status& read : {add(options.straggler, &whatif::read_straggler), add(options.scale, &whatif::read_scale),
                             add(options.remove, &whatif::read_remove), add(options.overlap, &whatif::read_overlap),
                             add(options.replace, &whatif::read_replace), add(options.added, &whatif::read_add),
                             add(options.graphs, &whatif::read_graph)}) {
    if (!read) return read.error();
  }
  if (options.launch_cost) changes.push_back(whatif::launch_cost(*options.launch_cost));
  return changes;
}

/// Writes the prediction into the question of --as-claim.
Status claimed(const WhatIfOptions& options, const whatif::Prediction& prediction, const whatif::Changes& changes,
               const std::vector<whatif::RunSummary>& runs) {
  const Result<whatif::Pair> pair = whatif::read_pair(options.pair);
  if (!pair) return pair.error();
  const Result<whatif::Claim> claim = whatif::add_claim(options.as_claim, prediction, changes, runs, *pair);
  if (!claim) return claim.error();
  std::cerr << "The claim '" << one_line(claim->id) << "' was added to " << one_line(options.as_claim.string())
            << "; 'assay study " << one_line(options.as_claim.string())
            << " --until-decided' makes the runs that judge it\n";
  return ok();
}

std::optional<replay::PathGrouping> by_of(const std::string& name) {
  for (std::size_t by = 0; by < std::size(replay::kByNames); ++by) {
    if (name == replay::kByNames[by]) return static_cast<replay::PathGrouping>(by);
  }
  return std::nullopt;
}

/// Results, collected run by run.
struct Answer {
  std::vector<whatif::RunSummary> runs;
  std::vector<whatif::Prediction> predictions;  ///< without a change: of the levers
  std::vector<whatif::Prediction> bounds;       ///< without a change: of kernels and operators without time
  std::optional<whatif::PathTable> path;        ///< with --path, instead of predictions
};

/// Of changes that were asked for; of levers and bounds those that gain.
Status add_predictions(std::vector<Result<whatif::Prediction>> all, std::size_t levers, bool asked, Answer& to) {
  if (asked) {
    if (!all.front()) return all.front().error();
    to.predictions.push_back(std::move(*all.front()));
    return ok();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]) (i < levers ? to.predictions : to.bounds).push_back(std::move(*all[i]));
  }
  for (std::vector<whatif::Prediction>* found : {&to.predictions, &to.bounds}) whatif::keep_largest(*found, kMaxGains);
  return ok();
}

Error no_ranks() {
  return {
      "--straggler none: these are not the profiles of several ranks of one job, which say their rank and the size of "
      "the job; name one profile of each rank",
      Exit::kUsage};
}

/// The stages of a pipeline wait for messages, which replays of several ranks do not join.
Status no_messages(const whatif::Run& run) {
  const CollectiveTable* collectives = run.report().collectives;
  const auto is_message = [](CollectiveKind kind) {
    return kind == CollectiveKind::kSend || kind == CollectiveKind::kReceive;
  };
  if (collectives == nullptr || !collectives->kind.present() ||
      std::ranges::none_of(collectives->kind.view(), is_message))
    return ok();
  return Error{
      "--straggler none: the ranks send each other messages, as stages of a pipeline do, and a replay joins only "
      "collectives",
      Exit::kUsage}
      .at(run.name)
      .advise("'assay look' on the ranks says what equal stages would save");
}

/// A graph is captured once for all ranges that differ in a number: refuses the name of one of them.
Status whole_families(const whatif::Changes& changes, const Report& report) {
  for (const whatif::ChangeRequest& change : changes) {
    if (change.kind != whatif::ChangeRequest::Kind::kGraph || change.text.find('{') != std::string::npos) continue;
    const std::string family = folded_name(change.text);
    const auto names = range_names(report);
    const auto members =
        std::ranges::count_if(names, [&](std::string_view name) { return folded_name(name) == family; });
    if (family == change.text || members < 2) continue;
    return Error{fmt::format("--graph '{}' is one of {} ranges '{}'", change.text, members, family), Exit::kUsage}
        .at(change.text)
        .advise("name them all: --graph '" + family + "'");
  }
  return ok();
}

/// Error for kernels that a run does not have, with the nearest: names are compared whole.
Status known_kernels(const whatif::Changes& changes, const Report& report) {
  if (report.kernels == nullptr || !report.kernels->short_name.present()) return ok();
  std::set<std::string_view> names;
  for (std::size_t k = 0; k < report.kernels->rows; ++k) names.insert(report.string(report.kernels->short_name[k]));
  for (const whatif::ChangeRequest& change : changes) {
    if (change.what.target != replay::Target::kKernel || change.kind != whatif::ChangeRequest::Kind::kScale) continue;
    const std::string& pattern = change.what.pattern;
    const auto matches = [&](const std::string& glob) {
      return std::ranges::count_if(names, [&](std::string_view name) { return glob_matches(glob, name); });
    };
    if (pattern.find('*') != std::string::npos || matches(pattern) > 0) continue;
    const auto with = matches("*" + pattern + "*");
    const std::string near =
        with > 0 ? fmt::format("; 'kernel:*{}*' names {}", pattern, counted(static_cast<std::size_t>(with), "kernel"))
                 : nearest_text(pattern, {names.begin(), names.end()});
    return Error{fmt::format("--scale '{}': no kernel is called '{}'{}", change.text, pattern, near), Exit::kUsage}.at(
        change.text);
  }
  return ok();
}

/// Reads profiles one by one. Only ranks of a job stay open, since they are replayed together. `declared`: iteration
/// names of the user; empty: the usual ones.
Result<Answer> replayed(const std::vector<ProfileFiles>& files, const std::vector<std::string>& declared,
                        const whatif::Changes& changes, std::optional<replay::PathGrouping> by) {
  const NameRules classes = installed_kernel_rules();
  const bool job = !by && whatif::ranks_of_one_job(files);
  if (whatif::needs_ranks(changes) && !job) return no_ranks();
  Answer answer;
  if (by) answer.path.emplace(*by, classes);
  std::vector<whatif::Run> ranks;
  std::vector<whatif::Changes> sets;
  std::size_t levers = 0;  ///< of `sets`
  std::optional<whatif::Effects> effects;
  for (const ProfileFiles& one : files) {
    Result<whatif::Run> run = whatif::read_run(one, declared);
    if (!run && (files.size() == 1 || run.error().exit == Exit::kUsage)) return run.error();
    if (!run) {
      std::cerr << one_line(run.error().sentence) << "\n";
      continue;
    }
    if (const Status whole = whole_families(changes, run->report()); !whole) return whole.error();
    if (const Status known = known_kernels(changes, run->report()); !known) return known.error();
    if (const Status joined = whatif::needs_ranks(changes) ? no_messages(*run) : ok(); !joined) return joined.error();
    if (answer.runs.empty() && !changes.empty()) sets = {changes};
    if (answer.runs.empty() && changes.empty()) {
      sets = whatif::lever_changes(*run, classes);
      levers = sets.size();
      for (whatif::Changes& bound : whatif::bounds_of(*run)) sets.push_back(std::move(bound));
    }
    answer.runs.push_back(static_cast<const whatif::RunSummary&>(*run));
    if (!by && !job && !effects) effects.emplace(sets, classes);
    if (by) answer.path->add(*run);
    if (effects) effects->add(*run);
    if (job) ranks.push_back(std::move(*run));
  }
  if (answer.runs.empty()) return Error{"none of the profiles can be replayed", Exit::kFailed};
  if (by) return answer;
  const bool together = ranks.size() > 1;
  if (whatif::needs_ranks(changes) && !together) return no_ranks();
  if (ranks.size() == 1) {  // the others cannot be read
    effects.emplace(sets, classes);
    effects->add(ranks.front());
  }
  std::vector<Result<whatif::Prediction>> all;
  for (const whatif::Changes& set : sets) {
    if (together) all.push_back(whatif::predict_job(ranks, set, classes));
  }
  if (const Status added =
          add_predictions(effects ? effects->predictions() : std::move(all), levers, !changes.empty(), answer);
      !added)
    return added.error();
  return answer;
}

/// Step time without a profiler, if the program measured it in files next to the profiles.
std::optional<whatif::PlainStep> plain_step(const Question& question, const Catalog& catalog,
                                            const std::vector<whatif::RunSummary>& runs) {
  const Result<std::vector<PlainTime>> times = plain_times(question, catalog);
  if (!times || runs.front().step.empty()) return std::nullopt;
  whatif::PlainStep step{runs.front().step, 0, 0, ""};
  double profiles = 0;
  for (const PlainTime& time : *times) {
    if (time.range.substr(time.range.rfind('/') + 1) != step.range) continue;
    step.traced += time.traced;
    step.plain += time.plain;
    step.source = time.source;
    ++profiles;
  }
  if (profiles == 0) return std::nullopt;
  step.traced /= profiles;
  step.plain /= profiles;
  return step;
}

constexpr std::size_t kPageWidth = 120;

void print_answer(const Answer& answer, bool asked, bool graphs, const std::optional<whatif::PlainStep>& plain,
                  std::ostream& to, std::size_t width) {
  whatif::print_runs(answer.runs, to, width);
  if (answer.path) return answer.path->print(RowFormat::kTable, to, width);
  if (asked)
    whatif::print_prediction(answer.predictions.front(), plain, to, width);
  else
    whatif::print_gains(answer.predictions, answer.bounds, plain, to, width);
  if (graphs && answer.predictions.front().told && answer.runs.front().between > 0)
    whatif::print_between(answer.runs, answer.predictions.front(), to, width);
}

void write_answer(const Answer& answer, RowFormat format, std::ostream& to) {
  if (answer.path) return answer.path->print(format, to, 0);
  std::vector<whatif::Prediction> all = answer.predictions;
  all.insert(all.end(), answer.bounds.begin(), answer.bounds.end());
  whatif::write_rows(all, format, to);
}

Exit what_if(const WhatIfOptions& options) {
  const look::PageOutput output{options.out, "whatif", options.force};
  if (const Status free = output.check(); !free) return fail(free.error());
  const Result<whatif::Changes> changes = changes_of(options);
  if (!changes) return fail(changes.error());
  if (!options.as_claim.empty() && changes->empty())
    return fail(Error{"--as-claim writes a prediction, and no change was asked for", Exit::kUsage}.advise(
        "add --scale, --remove or another"));
  if (!options.path.empty() && !changes->empty())
    return fail(Error{"--path shows the run as it is", Exit::kUsage}.advise("leave the changes out"));
  const Result<Question> question = plain_times_question();
  if (!question) return fail(question.error());
  const Result<Catalog> catalog = profiles_at(options.places, {*question});
  if (!catalog) return fail(catalog.error());
  if (const Status one = check_one_program(*catalog); !one) return fail(one.error());
  std::vector<ProfileFiles> files = files_of(*catalog);
  std::erase_if(files, [](const ProfileFiles& one) { return one.file.kind.counters; });
  // The ranges that become graphs are the iterations unless others are named, since their duration is what is asked.
  // A folded name of several numbers names no iterations.
  std::vector<std::string> declared = options.iterations.empty() ? options.graphs : options.iterations;
  if (options.iterations.empty()) std::erase_if(declared, [](const auto& name) { return !names_iterations(name); });
  const Result<Answer> answer = replayed(files, declared, *changes, by_of(options.path));
  if (!answer) return fail(answer.error());
  if (!options.as_claim.empty()) {
    if (const Status written = claimed(options, answer->predictions.front(), *changes, answer->runs); !written)
      return fail(written.error());
  }
  const std::optional<whatif::PlainStep> plain = plain_step(*question, *catalog, answer->runs);
  const auto print = [&](std::ostream& to, std::size_t width) {
    print_answer(*answer, !changes->empty(), !options.graphs.empty(), plain, to, width);
  };
  if (options.format == RowFormat::kTable)
    print(std::cout, table_width());
  else
    write_answer(*answer, options.format, std::cout);
  if (options.out.empty()) return Exit::kOk;
  std::ostringstream text, rows;
  print(text, kPageWidth);
  write_answer(*answer, RowFormat::kJson, rows);
  const std::string title = "assay whatif " + options.places.front().string();
  const Status written = output.write(look::text_page(title, text.str()), "{\"predictions\": " + rows.str() + "}\n");
  if (!written) return fail(written.error());
  if (options.format == RowFormat::kTable) std::cout << "\nWritten to " << one_line(options.out.string()) << "\n";
  return Exit::kOk;
}

/// Where the answer goes, and how wide it is.
void add_output(CLI::App& command, WhatIfOptions& options) {
  add_option(command, "-o,--out", options.out,
             "Also write the page, FILE.html, or a folder with whatif.html and whatif.json")
      ->type_name("FILE.html|DIR");
  add_flag(command, "--force", options.force, "Replace an earlier page");
  add_wide(command);
}

}  // namespace

void add_whatif(CommandLine& line) {
  const auto options = std::make_shared<WhatIfOptions>();
  CLI::App& command =
      line.add("whatif", "Predict what a change would gain, by replaying the run with it", kFooter, options, &what_if);
  add_option(command, "report", options->places, "Profiles of one program or of the ranks of a job, or folders of them")
      ->required()
      ->type_name("REPORT...");
  const auto add_texts = [&](const char* name, std::vector<std::string>& to, const char* help, const char* type) {
    add_option(command, name, to, help)->type_name(type)->allow_extra_args(false);
  };
  add_texts(
      "--scale", options->scale,
      "Multiply the time of kernels, operators, kernel classes, ranges (with their host code), copies, host: code of "
      "a range or function, or launch: cost in a range or operator, e.g. 'kernel:*softmax*=0.5'; may be repeated",
      "WHAT:NAME=FACTOR");
  add_texts(
      "--remove", options->remove,
      "Remove a cost as listed without options, e.g. 'launches:optimizer'; 'sync': calls that wait for the device "
      "return at once",
      "COST");
  add_texts("--overlap", options->overlap,
            "Overlap copies with everything else, so that nothing waits for them, e.g. copy:h2d", "copy:DIRECTION");
  add_option(command, "--launch-cost", options->launch_cost,
             "Multiply the host time of a launch, e.g. by 0.3, as a CUDA graph does")
      ->type_name("FACTOR")
      ->check(in_range(0.0, 1000.0));
  add_texts("--replace", options->replace,
            "Replace an operator by another: calls, launches and device time of each, e.g. "
            "'operator:aten::layer_norm=2,1,40us'",
            "operator:NAME=CALLS,LAUNCHES,TIME");
  add_texts("--add", options->added, "Launch a kernel more at the end of each range, e.g. 'kernel:142us@optimizer'",
            "kernel:TIME@RANGE");
  add_texts("--graph", options->graphs,
            "Make each range of that name one launch of a CUDA graph, e.g. 'decode_{i}': no gaps between its kernels, "
            "no host code in it",
            "RANGE");
  add_texts("--straggler", options->straggler,
            "'none', of the profiles of all ranks of a job: the slowest rank is as fast as the next one", "none");
  add_texts("--iterations", options->iterations, "Name of the ranges of iterations, e.g. 'step_{i}'; may be repeated",
            "NVTX");
  add_option(command, "--path", options->path,
             "Show what the critical path of an iteration goes through, and the slack of the rest")
      ->type_name("BY")
      ->check(one_of({"part", "kernel", "class", "operator", "range"}));
  CLI::Option* claim =
      add_option(command, "--as-claim", options->as_claim,
                 "Add the prediction with its range as a [[claim]] to a question, to be judged by runs")
          ->type_name("QUESTION.toml");
  claim->needs(add_option(command, "--pair", options->pair,
                          "With --as-claim: the label, its value without the change and with it, e.g. "
                          "variant=base,pinned")
                   ->type_name("LABEL=BASE,CHANGED")
                   ->needs(claim));
  add_output(command, *options);
  document::add_rows(command, options->format);
  add_format_path(command);
}

}  // namespace assay
