#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "assay/algo/participation.hpp"
#include "cache/store.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/row_format.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "convert/conversion_option.hpp"
#include "interim/judge.hpp"
#include "pipeline/pipeline.hpp"
#include "record/record_options.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "results/write_outputs.hpp"
#include "study/pilot_profiles.hpp"

namespace assay {
namespace {

constexpr const char* kRecordFooter =
    R"([experiment] in the question defines how a run is made (docs/recording.md). Runs, logs and results.json are written to
DIR/NAME/DATE/TIME; the same command resumes a recording that was stopped, whatever stopped it.

Examples:
  assay record configs/rq3_compilation.toml --dry-run
  assay record configs/rq3_compilation.toml --only 'patch=32' --replicates 3 -o recordings
  assay record configs/rq3_compilation.toml --set batch=1,2,4
  assay record configs/study.toml --question rq1,rq2
  assay record configs/rq3_compilation.toml --until-decided --budget 2h

Exit codes: 0 recorded; 2 nothing was run (the reason is printed); 3 a run failed, or the disk is full; 130 interrupted.)";

constexpr const char* kStudyFooter =
    R"(Records like 'assay record', converts the profiles, judges the claims and writes the report to OUT.

Examples:
  assay study configs/rq3_compilation.toml
  assay study configs/rq3_compilation.toml --until-decided --budget 2h --recordings recordings -o results)";

void add_lists(CLI::App& command, RecordArguments& a) {
  add_option(command, "config", a.run.configs, "Files with [question] or [study]")->required()->type_name("CONFIG");
  add_choice(command, a);
  add_option(command, "--gpus", a.design.gpus, "GPUs that blocks use in turn; each block stays on one")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_flag(command, "--at-once", a.design.at_once,
           "Record on all of --gpus at the same time; their runs share the host");
}

void add_numbers(CLI::App& command, RecordArguments& a) {
  add_order(command, a);
  add_option(command, "--most", a.design.most, "With --until-decided: maximum number of blocks")
      ->type_name("N")
      ->check(in_range(1, 100000));
}

void add_ways(CLI::App& command, RecordArguments& a) {
  CLI::Option* dry = add_flag(command, "--dry-run", a.dry_run,
                              "Print all commands in order with their expected times, and run nothing");
  add_format(command, a.format)->needs(dry);
  add_flag(command, "--retry-failed", a.record.retry_failed, "Also repeat runs that failed before");
  add_flag(command, "--fresh", a.record.fresh, "Start a new recording beside an earlier one");
  add_flag(command, "--new-epoch", a.record.new_epoch,
           "Resume after a change; new blocks are not compared with earlier ones");
  CLI::Option* until = add_flag(command, "--until-decided", a.record.until_decided,
                                "Judge the claims after each block and continue with those not decided");
  add_option(command, "--budget", a.budget, "With --until-decided: time that runs may take in total, e.g. 2h")
      ->type_name("TIME")
      ->needs(until);
  add_flag(command, "-q,--quiet", a.record.quiet, "Print errors only");
  add_plugin_path(command, a.run.plugin_paths);
  add_trust_plugins(command, a.run.trust_plugins);
}

/// Checks what 'assay plan' checks, before hours are spent on runs; --set adds values to those of the matrix. A
/// question without analyzers only has its runs made, unless its verdicts decide how many there are.
Status check_judging(const RecordArguments& a, std::vector<Question> questions, const record::Design& design) {
  if (!a.record.until_decided) std::erase_if(questions, [](const Question& each) { return each.analyzers.empty(); });
  if (questions.empty()) return ok();
  for (Question& question : questions) {
    for (const record::Cell& cell : design.cells()) {
      if (design.questions[cell.run.question]->id != question.id) continue;
      MatrixBlock& block = question.matrix.emplace_back();
      for (const auto& [label, value] : cell.run.labels) block.values.push_back({label, {value}});
    }
  }
  const auto planned =
      Pipeline::plan(std::move(questions), {.plugin_paths = a.run.plugin_paths, .trust_plugins = a.run.trust_plugins});
  return planned ? (*planned)->check_setup() : planned.error();
}

/// Whether anything was recorded before an interruption that can be judged.
bool has_answer(const Error& error, const std::filesystem::path& folder) {
  std::error_code failed;
  return error.exit == Exit::kInterrupted && std::filesystem::exists(folder / "results.json", failed);
}

void print_end(const record::Design& design, const record::RecordResult& done) {
  record::print_summary(design, done.folder, std::cout);
  std::cout << "\n"
            << counted(done.made, "run") << " made; " << done.ended << "\nRecorded in "
            << one_line(done.folder.string()) << "\n";
}

std::filesystem::path next_look(const std::filesystem::path& folder) {
  std::error_code failed;
  for (std::size_t n = 1;; ++n) {
    const std::string number = std::to_string(n);
    const std::filesystem::path place =
        folder / "looks" / (std::string(3 - std::min<std::size_t>(3, number.size()), '0') + number);
    if (!std::filesystem::exists(place, failed)) return place;
  }
}

/// An interim look: an ordinary run on what is recorded so far, with its result kept in FOLDER/looks/NNN. `base`: other
/// settings of the run (configurations, plugins, cache).
Result<record::InterimLook> judge_recording(const RunOptions& base, const record::Design& design,
                                            const std::filesystem::path& folder, const std::atomic<bool>& stop) {
  RunOptions options = base;
  options.reports = {folder};
  options.out = next_look(folder);
  options.quiet = true;
  options.before = {conversion_step(std::make_shared<ConvertOptions>())};
  std::error_code failed;
  std::filesystem::create_directories(options.out.parent_path(), failed);
  const Result<FinishedRun> done = finished_run(options, stop);
  const Status good = done ? outcome(done->result, options) : Status(done.error());
  if (!good) {
    const Exit exit = fail(good.error(), options);
    return Error{"the recording could not be judged", exit};
  }
  return look_of(to_stored(done->result), design);
}

/// What pilot runs below a folder measured; their result is kept with them.
Result<record::PilotProfiles> judge_pilot(const RunOptions& base, const std::filesystem::path& folder,
                                          const std::atomic<bool>& stop) {
  RunOptions options = base;
  options.reports = {folder};
  options.out = folder / "result";
  options.quiet = true;
  options.before = {conversion_step(std::make_shared<ConvertOptions>())};
  const Result<FinishedRun> done = finished_run(options, stop);
  if (!done) return done.error();
  return pilot_profiles(done->result);
}

/// Whether an analyzer of the question checks labels against the trace, so that mislabelled runs cost one run rather
/// than one per block.
bool checks_labels(const Question& question, const RunOptions& options) {
  const auto folders = analyzer_folders({&question, 1}, options.plugin_paths, options.trust_plugins);
  const Plugins plugins = folders ? load_plugins(*folders) : Plugins();
  return std::ranges::any_of(question.analyzers, [&](const AnalyzerConfig& used) {
    const Plugin* plugin = plugins.find(used.id);
    return plugin != nullptr && std::ranges::any_of(plugin->descriptor().produces, [](const MetricSpec& metric) {
             return metric.id.view() == kBeliefMetric;
           });
  });
}

/// Records; empty for a dry run.
Result<std::optional<record::RecordResult>> record_now(RecordArguments& a, const record::Design& design) {
  const std::atomic<bool>& stop = stop_on_signals();
  if (a.dry_run) {
    record::print_dry_run(design, a.record, a.format, std::cout);
    return std::optional<record::RecordResult>{};
  }
  RunOptions judged = a.run;
  judged.cache = cache::default_folder();
  const auto labels_checked = [&](const Question* question) { return checks_labels(*question, judged); };
  if (a.record.until_decided || std::ranges::any_of(design.questions, labels_checked)) {
    a.record.judge = [&](const std::filesystem::path& folder) { return judge_recording(judged, design, folder, stop); };
  }
  a.record.pilot = [&](const std::filesystem::path& folder) { return judge_pilot(judged, folder, stop); };
  if (!a.record.quiet && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1) {
    a.record.live = &std::cerr;
    a.record.columns = table_width();
  }
  Result<record::RecordResult> done = record::record(design, a.record, stop, std::cout);
  if (!done) {
    const std::filesystem::path folder = record::newest_recording(a.record.root, design.name);
    if (!a.record.quiet && has_answer(done.error(), folder)) {
      record::print_summary(design, folder, std::cout);
    }
    return done.error();
  }
  if (!a.record.quiet) print_end(design, *done);
  return std::optional(*done);
}

/// Shared by both commands: from the arguments to a recording; empty for a dry run.
Result<std::optional<record::RecordResult>> make_recording(RecordArguments& a) {
  if (const Status times = read_times(a); !times) return times.error();
  const auto questions = read_configs(a.run.configs);
  if (!questions) return questions.error();
  a.record.version = "assay";
  const auto design = record::make_design(*questions, a.design);
  if (!design) return design.error();
  if (const Status judging = check_judging(a, *questions, *design); !judging) return judging.error();
  return record_now(a, *design);
}

Exit after_recording(const record::RecordResult& done) {
  if (done.failed == 0) return Exit::kOk;
  return fail(Error{counted(done.failed, "run") + " failed", Exit::kFailed}
                  .at(done.folder.string())
                  .advise("results.json in '" + done.folder.string() + "' says why, and --retry-failed repeats them"));
}

/// Options for tasks of a scheduler: each records one block, and a last one joins them.
void add_parts(CLI::App& command, RecordArguments& a) {
  CLI::Option* block =
      add_option(command, "--block", a.record.block,
                 "Record only this block, from its start, on the given GPU; --join combines the blocks")
          ->type_name("K")
          ->check(in_range(1, 100000));
  CLI::Option* join =
      add_option(command, "--join", a.join, "Combine the blocks in DIR/1, DIR/2, ... into one recording")
          ->type_name("DIR");
  for (const char* other : {"--gpus", "--until-decided", "--new-epoch", "--retry-failed"}) {
    block->excludes(command.get_option(other));
    join->excludes(command.get_option(other));
  }
  block->excludes(join);
}

/// --block and --join; empty if neither is given.
Result<std::optional<Exit>> make_parts(RecordArguments& a) {
  if (a.record.block == 0 && a.join.empty()) return std::optional<Exit>{};
  const auto questions = read_configs(a.run.configs);
  if (!questions) return questions.error();
  const auto design = design_of_parts(a, *questions);
  if (!design) return design.error();
  if (a.record.block > design->replicates)
    return Error{fmt::format("there is no block {} of {}", a.record.block, design->replicates)}.advise(
        "--replicates sets the number of blocks");
  if (!a.join.empty()) {
    const auto joined = record::join_blocks(*design, a.join, a.record.root, "assay");
    if (!joined) return joined.error();
    if (!a.record.quiet)
      std::cout << counted(design->replicates, "block") << " joined in " << one_line(joined->string()) << "\n";
    return std::optional(Exit::kOk);
  }
  // As --join finds it: ROOT is BLOCKS/K.
  const Result<std::filesystem::path> before =
      record::recorded_block(std::filesystem::absolute(a.record.root).lexically_normal().parent_path(), a.record.block);
  if (!before) return before.error();
  if (before->empty() || a.dry_run) return std::optional<Exit>{};
  if (!a.record.quiet)
    std::cout << "block " << a.record.block << " is recorded in " << one_line(before->string()) << "\n";
  return std::optional(Exit::kOk);
}

/// Exit: 0 all runs are recorded, or the claims are decided; 2 nothing was run, with the reason; 3 a run failed for
/// good, or the disk is full; 130 interrupted: the same command resumes.
Exit record_runs(RecordArguments a) {
  const auto part = make_parts(a);
  if (!part) return fail(part.error());
  if (*part) return **part;
  const auto done = make_recording(a);
  if (done && !*done) return Exit::kOk;
  const std::filesystem::path folder = done ? (*done)->folder : std::filesystem::path(done.error().place);
  const bool tells = !a.record.quiet && (done || has_answer(done.error(), folder));
  if (const std::string answer = tells ? record::last_answer(folder) : ""; !answer.empty())
    std::cout << "\n" << answer << std::flush;
  return done ? after_recording(**done) : fail(done.error());
}

/// -o and --out name the results. Before, -o named the recordings if both were given.
Status read_output_folders(const std::vector<std::string>& words, RecordArguments& a) {
  if (a.outs.empty()) return ok();
  a.run.out = a.outs.back();
  if (a.outs.size() == 1) return ok();
  const auto at = std::ranges::find(words, "-o");
  if (at == words.end() || at + 1 == words.end())
    return Error{"--out is given twice"}.advise("name one folder for the results");
  a.record.root = *(at + 1);
  if (a.run.out == a.record.root) a.run.out = a.outs.front();
  std::cerr << "note: the folder of the recordings is now given by --recordings; -o is --out\n";
  return ok();
}

/// Records, converts, judges and reports.
Exit make_study(const CommandLine& line, RecordArguments a) {
  if (const Status taken = read_output_folders(line.words, a); !taken) return fail(taken.error());
  // before hours are spent on runs
  if (const Status writable = a.dry_run ? ok() : check_output_folder(a.run.out); !writable)
    return fail(writable.error());
  const auto done = make_recording(a);
  if (done && !*done) return Exit::kOk;
  RunOptions options = a.run;
  options.cache = cache::default_folder();
  options.before = {conversion_step(std::make_shared<ConvertOptions>())};
  options.quiet = a.record.quiet;
  if (done) {
    options.reports = {(*done)->folder};
    const Exit exit = print_outcome(finished_run(options, stop_on_signals()), options);
    return exit == Exit::kOk ? after_recording(**done) : exit;
  }
  // What was recorded before Ctrl-C is judged too; a second Ctrl-C stops that.
  if (has_answer(done.error(), done.error().place)) {
    static const std::atomic<bool> go_on{false};
    options.reports = {done.error().place};
    if (!a.record.quiet) std::cout << "\nInterrupted; the answer so far:\n\n";
    print_outcome(finished_run(options, go_on), options);
  }
  return fail(done.error());
}

}  // namespace

void add_record(CommandLine& line) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App& command =
      line.add("record", "Run and profile the experiment matrix of a question", kRecordFooter, arguments, record_runs);
  add_lists(command, *arguments);
  add_option(command, "-o,--out", arguments->record.root, "Folder of the recordings")
      ->type_name("DIR")
      ->capture_default_str();
  add_numbers(command, *arguments);
  add_ways(command, *arguments);
  add_parts(command, *arguments);
}

void add_study(CommandLine& line) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App& command = line.add("study", "Record, convert, judge and report in one command", kStudyFooter, arguments,
                               [&line](const RecordArguments& a) { return make_study(line, a); });
  add_lists(command, *arguments);
  add_option(command, "-o,--out", arguments->outs, "Folder for the results")
      ->type_name("OUT")
      ->default_str(arguments->run.out.string())
      ->expected(1, 2)
      ->allow_extra_args(false);
  add_option(command, "--recordings", arguments->record.root, "Folder of the recordings")
      ->type_name("DIR")
      ->capture_default_str();
  add_numbers(command, *arguments);
  add_ways(command, *arguments);
}

}  // namespace assay
