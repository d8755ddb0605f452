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

void add_choice(CLI::App& command, RecordArguments& a) {
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
}

void add_lists(CLI::App& command, RecordArguments& a) {
  command.add_option("config", a.run.configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_choice(command, a);
  command.add_option("--gpus", a.design.gpus, "GPUs that blocks take in turn; each block stays on one")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--at-once", a.design.at_once,
                   "Record on all of --gpus at the same time; their runs share the host");
}

void add_order(CLI::App& command, RecordArguments& a) {
  const auto count = in_range(1, 100000);
  command.add_option("--replicates", a.design.replicates, "Blocks: runs of each cell; with --until-decided the least")
      ->type_name("N")
      ->check(count);
  command.add_option("--order", a.order, "Order of a block: random, or as the matrix has it")
      ->type_name("blocks|sequential")
      ->check(CLI::IsMember({"blocks", "sequential"}));
  command.add_option("--seed", a.design.seed, "Seed of the order")->type_name("N");
  command.add_option("--timeout", a.timeout, "Longest time for one run, e.g. '10 min'")->type_name("TIME");
}

void add_numbers(CLI::App& command, RecordArguments& a) {
  add_order(command, a);
  command.add_option("--most", a.design.most, "With --until-decided: the most blocks")
      ->type_name("N")
      ->check(in_range(1, 100000));
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

/// What a scheduler's tasks do: a block each, and in the end one recording of all.
void add_parts(CLI::App& command, RecordArguments& a) {
  CLI::Option* block = command
                           .add_option("--block", a.record.block,
                                       "Record only this block, from its beginning, on the GPU that is given; --join "
                                       "makes one recording of all")
                           ->type_name("K")
                           ->check(in_range(1, 100000));
  CLI::Option* join =
      command.add_option("--join", a.join, "Make one recording of the blocks that stand in DIR/1, DIR/2, ...")
          ->type_name("DIR");
  for (const char* other : {"--gpus", "--until-decided", "--new-epoch", "--retry-failed"}) {
    block->excludes(command.get_option(other));
    join->excludes(command.get_option(other));
  }
  block->excludes(join);
}

/// The GPU is chosen by whoever starts the block.
Status check_gpus(const record::Design& design) {
  for (const record::Cell& cell : design.cells()) {
    const bool chooses = std::ranges::any_of(
        cell.command.env, [](const auto& variable) { return variable.first == "CUDA_VISIBLE_DEVICES"; });
    if (!chooses) continue;
    return Error{design.experiment(cell).pos.str() + ": [experiment] chooses the GPU of '" + cell.run.name +
                 "' itself, where it is given one; take gpu and CUDA_VISIBLE_DEVICES out of it"};
  }
  return ok();
}

/// The design whose blocks a scheduler records.
Result<record::Design> design_of_parts(RecordArguments& a) {
  if (const Status times = take_times(a); !times) return times.error();
  const auto questions = read_configs(a.run.configs);
  if (!questions) return questions.error();
  auto design = record::make_design(*questions, a.design);
  if (!design) return design;
  if (const Status free = check_gpus(*design); !free) return free.error();
  return design;
}

/// --block and --join; nothing for what neither asks for.
Result<std::optional<Exit>> make_parts(RecordArguments& a) {
  if (a.record.block == 0 && a.join.empty()) return std::optional<Exit>{};
  const auto design = design_of_parts(a);
  if (!design) return design.error();
  if (a.record.block > design->replicates)
    return Error{"there is no block " + std::to_string(a.record.block) + " of " + std::to_string(design->replicates) +
                 "; --replicates says how many there are"};
  if (!a.join.empty()) {
    const auto joined = record::join_blocks(*design, a.join, a.record.root, "assay");
    if (!joined) return joined.error();
    if (!a.record.quiet)
      std::cout << counted(design->replicates, "block") << " joined in " << one_line(joined->string()) << "\n";
    return std::optional(Exit::kOk);
  }
  // As --join finds it: ROOT is BLOCKS/K.
  const std::filesystem::path before =
      record::recorded_block(std::filesystem::absolute(a.record.root).lexically_normal().parent_path(), a.record.block);
  if (before.empty() || a.dry_run) return std::optional<Exit>{};
  if (!a.record.quiet)
    std::cout << "block " << a.record.block << " is recorded in " << one_line(before.string()) << "\n";
  return std::optional(Exit::kOk);
}

}  // namespace

void add_design(CLI::App& command, RecordArguments& a) {
  add_choice(command, a);
  add_order(command, a);
}

Result<std::size_t> blocks_to_record(RecordArguments a) {
  const auto design = design_of_parts(a);
  if (!design) return design.error();
  return design->replicates;
}

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
  add_parts(command, *arguments);
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
  const auto part = make_parts(a);
  if (!part) return fail(part.error());
  if (*part) return **part;
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
