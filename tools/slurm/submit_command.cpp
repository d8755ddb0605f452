#include "slurm/submit_command.hpp"

#include <fmt/core.h>

#include <chrono>
#include <iostream>
#include <set>
#include <thread>

#include "assay/words.hpp"
#include "child/child.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/run_options.hpp"
#include "record/failure.hpp"
#include "recordings/recorded.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Options as given, converted back to words.
std::vector<std::string> words_of(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> words;
  for (const CLI::Option* option : options) {
    if (option->count() == 0) continue;
    const std::string name = "--" + option->get_lnames().front();
    const bool flag = option->get_items_expected_min() == 0;
    for (const std::string& value : option->results()) words.push_back(flag ? name : name + "=" + value);
  }
  return words;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) { return command.get_options(); }

/// Options added since, without those that only control the amount of output.
std::vector<const CLI::Option*> added_since(const CLI::App& command, std::size_t before) {
  std::vector<const CLI::Option*> added = options_of(command);
  added.erase(added.begin(), added.begin() + static_cast<std::ptrdiff_t>(before));
  std::erase_if(added, [](const CLI::Option* option) {
    const std::string name = option->get_lnames().empty() ? "" : option->get_lnames().front();
    return name == "verbose" || name == "quiet" || name == "log-file";
  });
  return added;
}

std::string last_line(const fs::path& log) { return process::last_words(record::tail_of(log)); }

void print_scripts(const slurm::Work& work) {
  const std::vector<slurm::Chunk> chunks = slurm::chunks_of(work.tasks, slurm::max_array_size());
  std::cout << "# In '" << work.folder.string() << "', with folders logs and ended:\n";
  for (const slurm::Chunk& chunk : chunks) {
    std::cout << "\n# ==== " << slurm::script_name(chunk) << ": sbatch --parsable " << slurm::script_name(chunk) << "\n"
              << slurm::task_script(work, chunk);
  }
  std::cout << "\n# ==== " << slurm::kLastScript << ": sbatch --dependency=afterany:JOB"
            << (chunks.size() > 1 ? ":JOB..." : "") << " " << slurm::kLastScript << "\n"
            << slurm::last_script(work);
}

Exit submit_now(const SubmitOptions& options) {
  const RunOptions& run = options.arguments.run;
  if (run.configs.empty()) return fail(Error{"config is required"}.advise("'assay submit --help' shows the usage"));
  if (!options.record && options.shards == 0)
    return fail(
        Error{"--shards (the number of array tasks) is required"}.advise("'assay submit --help' shows the usage"));
  if (options.record && options.shards != 0)
    return fail({"--shards does not go with --record: there each task is a block, and --replicates sets their number"});
  if (!options.dry_run) {
    if (const Status there = slurm::check_there(); !there) return fail(there.error());
  }
  const Result<slurm::Work> work = options.record ? blocks_of_recording(options) : shards_of_run(options);
  if (!work) return fail(work.error());
  if (options.dry_run) {
    print_scripts(*work);
    return Exit::kOk;
  }
  const Result<slurm::Submission> submitted = slurm::submit_work(*work);
  if (!submitted) return fail(submitted.error());
  if (!options.quiet) {
    const slurm::SubmissionRound& round = submitted->rounds.back();
    std::cout << counted(work->tasks, work->task) << " submitted: job ";
    for (const slurm::Array& array : round.arrays)
      std::cout << (&array == &round.arrays.front() ? "" : ", ") << array.job;
    std::cout << ", and job " << round.last << " after " << (round.arrays.size() == 1 ? "it" : "them")
              << ".\nScripts and logs are in " << one_line(work->folder.string()) << "; 'assay submit --status -o "
              << one_line(run.out.string()) << "' shows the status.\n";
  }
  return options.wait ? show_status(options) : Exit::kOk;
}

Exit submit_again(const SubmitOptions& options) {
  const fs::path folder = slurm::folder_of(options.arguments.run.out);
  const auto submission = slurm::read_submission(folder);
  if (!submission) return fail(submission.error());
  const Status submitted = slurm::resubmit(folder, done_in(folder, *submission), options.once, std::cout);
  if (!submitted) return fail(submitted.error());
  return options.wait ? show_status(options) : Exit::kOk;
}

Exit submit_cancel(const SubmitOptions& options) {
  const Status ended = slurm::cancel_all(slurm::folder_of(options.arguments.run.out));
  return ended ? Exit::kOk : fail(ended.error());
}

Exit submit_run(SubmitOptions& options) {
  for (const std::string& word : options.sbatch) {
    if (word.find_first_of("\r\n") != std::string::npos)
      return fail(Error{"the option '" + one_line(word) + "' for sbatch has a line break"}
                      .at(one_line(word))
                      .advise("give each option in one line"));
  }
  if (options.cancel) return submit_cancel(options);
  if (options.again) return submit_again(options);
  if (options.status) return show_status(options);
  return submit_now(options);
}

/// Tasks by state: "3 running, 2 pending".
std::string states_text(const std::map<std::size_t, std::string>& queued) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [task, state] : queued) ++counts[state];
  std::string text;
  for (const auto& [state, count] : counts) {
    text += fmt::format(", {} {}", count, lower_case(state));
  }
  return text;
}

void print_progress(const fs::path& folder, const slurm::Submission& submission, const slurm::Progress& now) {
  std::cout << now.done << " of " << counted(submission.tasks, submission.task) << " done" << states_text(now.queued);
  if (!now.missing.empty()) std::cout << ", " << now.missing.size() << " ended without a result";
  if (now.submitted_again > 0) std::cout << ", " << now.submitted_again << " submitted again";
  std::cout << "\n";
  constexpr std::size_t kShown = 20;
  std::size_t shown = 0;
  for (const auto& [task, how] : now.missing) {
    if (++shown > kShown) break;
    const std::string name = slurm::task_name(submission, task);
    std::cout << "  " << name << ": " << one_line(how);
    const std::string words = last_line(slurm::log_of(folder, name));
    if (!words.empty()) std::cout << "; " << one_line(words);
    std::cout << "\n";
  }
  if (now.missing.size() > kShown)
    std::cout << "  and " << now.missing.size() - kShown << " more; logs are in '"
              << one_line((folder / "logs").string()) << "'\n";
  if (!now.unknown.empty()) std::cout << "The state of the queue is unknown: " << one_line(now.unknown) << "\n";
}

/// Where the last job put its result.
std::string result_text(const SubmitOptions& options, const slurm::Submission& submission) {
  const fs::path& out = options.arguments.run.out;
  if (submission.task != "block") return "the result is in '" + one_line(out.string()) + "'";
  const fs::path places[] = {out};
  const std::vector<fs::path> recordings = recordings_in(places);
  return "the recording is in '" + one_line((recordings.empty() ? out : recordings.back()).string()) + "'";
}

}  // namespace

Exit show_status(const SubmitOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const fs::path folder = slurm::folder_of(options.arguments.run.out);
  constexpr std::chrono::milliseconds kPause{500};
  std::set<std::size_t> known;  // finished tasks stay finished, so parts are read once
  while (true) {
    const auto submission = slurm::read_submission(folder);
    if (!submission) return fail(submission.error());
    const slurm::Done there = done_in(folder, *submission);
    const slurm::Progress now = slurm::progress_of(folder, *submission, [&](std::size_t task) {
      return known.contains(task) || (there(task) && known.insert(task).second);
    });
    const bool at_work = !now.queued.empty() || !now.last.empty() || !now.unknown.empty();
    if (options.wait && at_work && !stop) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (stop)
      return fail(
          {"interrupted; the jobs keep running, and 'assay submit --status' shows their status", Exit::kInterrupted});
    if (!options.quiet) print_progress(folder, *submission, now);
    const std::string log = slurm::log_of(folder, "last").string();
    if (now.ended == "0") {
      if (!options.quiet) std::cout << "Done: " << result_text(options, *submission) << "\n";
      return Exit::kOk;
    }
    if (at_work) {
      if (!options.quiet) std::cout << "It is running.\n";
      return Exit::kOk;
    }
    if (now.ended.empty())
      return fail(
          {"no job is left and there is no result; 'assay submit --again' submits what is missing", Exit::kFailed});
    return fail(Error{fmt::format("it ended with exit {}: {} (see '{}')", now.ended, last_line(log), log),
                      now.ended == "1" ? Exit::kRefuted : Exit::kFailed}
                    .at(log));
  }
}

namespace {

constexpr const char* kFooter =
    R"(Writes a job array and a job after it to OUT.slurm and submits them. For a question, each task analyzes one shard of the
profiles and the last job merges their parts into OUT; with --record, each task records one block on one GPU, and the
last job joins the blocks into a recording below OUT. A failed task is submitted once more. Arguments after -- are
passed to sbatch. See docs/campaigns.md.

Examples:
  assay submit q.toml --reports ~/profiles -o results --shards 64 -- --partition=cpu --time=30
  assay submit q.toml --reports ~/profiles -o results --shards 64 --dry-run
  assay submit --record q.toml -o recordings --replicates 12 -- --exclusive
  assay submit --status -o results

Exit codes: 0 submitted, running or done; 1 a claim was refuted (--gate); 2 bad usage, no Slurm, or OUT already has a
submission; 3 Slurm refused, or tasks failed twice; 130 interrupted (the jobs keep running).)";

}  // namespace

void add_submit(CommandLine& line) {
  const auto options = std::make_shared<SubmitOptions>();
  const auto groups = std::make_shared<std::vector<std::vector<const CLI::Option*>>>();
  CLI::App& command = line.add("submit", "Submit the shards of a run, or the blocks of a recording, to Slurm", kFooter,
                               options, [&line, groups](SubmitOptions& o) {
                                 o.sbatch = line.rest;
                                 o.quiet = line.quiet;
                                 o.read_words = words_of((*groups)[0]);
                                 o.end_words = words_of((*groups)[1]);
                                 o.design_words = words_of((*groups)[2]);
                                 for (const std::string& word : words_of((*groups)[3])) {
                                   o.read_words.push_back(word);
                                   o.design_words.push_back(word);
                                 }
                                 return submit_run(o);
                               });
  line.passes_on = "submit";
  RunOptions& run = options->arguments.run;
  add_option(command, "config", run.configs, "Files with [question] or [study]")->type_name("CONFIG");
  add_folders(command, "--reports", run.reports, "Folder of profiles, as the nodes see it; may be repeated");
  add_option(command, "-o,--out", run.out, "Folder for the results or recordings; scripts and logs are in OUT.slurm")
      ->type_name("OUT")
      ->capture_default_str();
  add_option(command, "--shards", options->shards, "Number of array tasks")
      ->type_name("N")
      ->check(in_range(1, 1000000));
  add_flag(command, "--record", options->record, "Record: each task is one block of the experiment, on one GPU");
  CLI::Option* dry = add_flag(command, "--dry-run", options->dry_run, "Print the scripts and submit nothing");
  CLI::Option* status = add_flag(command, "--status", options->status, "Show the status of a submission");
  add_flag(command, "--wait", options->wait, "Wait until all jobs finish");
  CLI::Option* again = add_flag(command, "--again", options->again, "Submit missing tasks again");
  add_flag(command, "--once", options->once, "With --again: skip tasks that failed twice")->needs(again);
  CLI::Option* cancel = add_flag(command, "--cancel", options->cancel, "Cancel all jobs of a submission");
  for (CLI::Option* option : {dry, status, again}) option->excludes(cancel);
  for (CLI::Option* option : {dry, status}) option->excludes(again);
  std::size_t before = options_of(command).size();
  add_jobs(command, run.jobs, "Profiles read in parallel per task");
  add_cache(command, run);
  add_isolation(command, run);
  groups->push_back(added_since(command, before));
  before = options_of(command).size();
  add_ending(command, line, run);
  groups->push_back(added_since(command, before));
  before = options_of(command).size();
  add_design(command, options->arguments);
  groups->push_back(added_since(command, before));
  groups->push_back({command.get_option("--plugin-path"), command.get_option("--trust-plugins")});
}

}  // namespace assay
