#include "app/record.hpp"

#include <algorithm>
#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/judge.hpp"
#include "app/log.hpp"
#include "cache/store.hpp"
#include "config/config.hpp"
#include "config/duration.hpp"
#include "plan/plan.hpp"
#include "query/metrics.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr const char* kRecordFooter =
    R"([experiment] in the question says how a run is made (docs/recording.md). Runs, logs and results.json are written to
DIR/NAME/DATE/TIME; the same command goes on where it was stopped, however that was.

Examples:
  assay record configs/rq3_compilation.toml --dry-run
  assay record configs/rq3_compilation.toml --only 'patch=32' --replicates 3 -o recordings
  assay record configs/rq1_architecture.toml --set batch=1,2,4
  assay record configs/study.toml --question rq1,rq2
  assay record configs/rq3_compilation.toml --until-decided --budget 2h

Exit codes: 0 recorded; 2 nothing was run, with the reason; 3 a run failed, or the disk is full; 130 interrupted.)";

constexpr const char* kStudyFooter = R"(Records as 'assay record' does, converts, judges and writes the report to OUT.

Examples:
  assay study configs/rq3_compilation.toml
  assay study configs/rq3_compilation.toml --until-decided --budget 2h -o recordings --out results)";

void add_lists(CLI::App& command, RecordArguments& a) {
  command.add_option("config", a.run.configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  command.add_option("--question", a.design.questions, "Only these questions, by id or its beginning")
      ->type_name("ID,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--only", a.design.only,
                  "Only runs with these values, e.g. 'patch=8' or 'dim=768|1024'; may be repeated")
      ->type_name("LABEL=VALUE")
      ->allow_extra_args(false);
  command.add_option("--set", a.design.set, "Other values in place of the matrix's, e.g. batch=1,2,4; may be repeated")
      ->type_name("LABEL=VALUES")
      ->allow_extra_args(false);
  command.add_option("--gpus", a.design.gpus, "GPUs that blocks take in turn; each block stays on one")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--at-once", a.design.at_once,
                   "Record on all of --gpus at the same time; their runs share the host");
}

void add_numbers(CLI::App& command, RecordArguments& a) {
  const auto count = CLI::Range(1, 100000);
  command.add_option("--replicates", a.design.replicates, "Blocks: runs of each cell; with --until-decided the least")
      ->type_name("N")
      ->check(count);
  command.add_option("--most", a.design.most, "With --until-decided: the most blocks")->type_name("N")->check(count);
  command.add_option("--order", a.order, "Order of a block: random, or as the matrix has it")
      ->type_name("blocks|sequential")
      ->check(CLI::IsMember({"blocks", "sequential"}));
  command.add_option("--seed", a.design.seed, "Seed of the order")->type_name("N");
  command.add_option("--timeout", a.timeout, "Longest time for one run, e.g. '10 min'")->type_name("TIME");
}

void add_ways(CLI::App& command, RecordArguments& a) {
  command.add_flag("--dry-run", a.dry_run, "Print every command in its order with the expected time, and run nothing");
  command.add_flag("--retry-failed", a.record.retry_failed, "Also repeat runs that failed before");
  command.add_flag("--fresh", a.record.fresh, "Begin a new recording beside an earlier one");
  command.add_flag("--new-epoch", a.record.new_epoch,
                   "Go on although something has changed, in blocks that are never paired with the earlier ones");
  CLI::Option* until = command.add_flag("--until-decided", a.record.until_decided,
                                        "Judge the claims after each block, and go on with what is open");
  command.add_option("--budget", a.budget, "With --until-decided: time of runs that may be spent, e.g. 2h")
      ->type_name("TIME")
      ->needs(until);
  command.add_flag("-q,--quiet", a.record.quiet, "Print errors only");
  add_plugin_path(command, a.run.plugin_paths);
}

Status take_times(RecordArguments& a) {
  for (const auto& [text, option] : {std::pair(&a.timeout, "--timeout"), std::pair(&a.budget, "--budget")}) {
    if (text->empty()) continue;
    const Result<double> seconds = parse_duration(*text);
    if (!seconds) return Error{std::string(option) + " " + seconds.error().sentence};
    if (text == &a.timeout)
      a.design.timeout_seconds = *seconds;
    else
      a.record.budget_seconds = *seconds;
  }
  if (!a.order.empty()) a.design.random_order = a.order == "blocks";
  return ok();
}

/// What the question asks of analyzers is right before hours are spent on its runs.
Status check_judging(const RecordArguments& a, const std::vector<Question>& questions) {
  if (!a.record.until_decided) return ok();
  query::SqlMetrics metrics;
  Plugins plugins = load_plugins(plugin_folders(a.run.plugin_paths));
  if (const Status added = metrics.add_to(plugins, questions); !added) return added.error();
  const auto plan = make_plan(questions, plugins);
  if (!plan) return plan.error();
  return ok();
}

void print_end(const record::Design& design, const record::Recorded& done) {
  record::print_summary(design, done.folder, std::cout);
  std::cout << "\n"
            << counted(done.made, "run") << " made; " << done.ended << "\nRecorded in "
            << one_line(done.folder.string()) << "\n";
}

/// Records; nothing for a dry run.
Result<std::optional<record::Recorded>> record_now(RecordArguments& a, const record::Design& design) {
  const std::atomic<bool>& stop = stop_on_signals();
  if (a.dry_run) {
    record::print_dry_run(design, a.record, std::cout);
    return std::optional<record::Recorded>{};
  }
  RunOptions judged = a.run;
  judged.cache = cache::default_folder();
  const auto checks_labels = [](const Question* question) {
    return std::ranges::any_of(question->analyzers,
                               [](const AnalyzerConfig& used) { return used.id == "label_check"; });
  };
  if (a.record.until_decided || std::ranges::any_of(design.questions, checks_labels)) {
    a.record.judge = [&](const std::filesystem::path& folder) { return look_at(judged, design, folder); };
  }
  Result<record::Recorded> done = record::record(design, a.record, stop, std::cout);
  if (!done) return done.error();
  if (!a.record.quiet) print_end(design, *done);
  return std::optional(*done);
}

/// What both commands do: from the arguments to a recording; nothing for a dry run.
Result<std::optional<record::Recorded>> make_recording(RecordArguments& a) {
  if (const Status times = take_times(a); !times) return times.error();
  const auto questions = read_configs(a.run.configs);
  if (!questions) return questions.error();
  if (const Status judging = check_judging(a, *questions); !judging) return judging.error();
  a.record.version = "assay";
  const auto design = record::make_design(*questions, a.design);
  if (!design) return design.error();
  return record_now(a, *design);
}

Exit after_recording(const record::Recorded& done) {
  if (done.failed == 0) return Exit::kOk;
  return fail({counted(done.failed, "run") + " failed; results.json in '" + done.folder.string() +
                   "' says why, and --retry-failed repeats them",
               Exit::kFailed});
}

}  // namespace

void add_record(CommandLine& line) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App& command = line.add("record", "Make the runs that a question's matrix expects, with a profiler",
                               kRecordFooter, arguments, record_runs);
  add_lists(command, *arguments);
  command.add_option("-o,--out", arguments->record.root, "Folder of the recordings")
      ->type_name("DIR")
      ->capture_default_str();
  add_numbers(command, *arguments);
  add_ways(command, *arguments);
}

void add_study(CommandLine& line) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App& command =
      line.add("study", "Record, convert, judge and report in one command", kStudyFooter, arguments, make_study);
  add_lists(command, *arguments);
  command.add_option("-o,--recordings", arguments->record.root, "Folder of the recordings")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("--out", arguments->run.out, "Folder for the results")->type_name("OUT")->capture_default_str();
  add_numbers(command, *arguments);
  add_ways(command, *arguments);
}

Exit record_runs(RecordArguments a) {
  const auto done = make_recording(a);
  if (!done) return fail(done.error());
  return *done ? after_recording(**done) : Exit::kOk;
}

Exit make_study(RecordArguments a) {
  const auto done = make_recording(a);
  if (!done) return fail(done.error());
  if (!*done) return Exit::kOk;
  RunOptions options = a.run;
  options.cache = cache::default_folder();
  options.reports = {(*done)->folder};
  options.convert = true;
  options.quiet = a.record.quiet;
  const Exit exit = run(options);
  return exit == Exit::kOk ? after_recording(**done) : exit;
}

}  // namespace assay
