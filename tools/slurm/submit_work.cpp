// The commands of a submission's tasks, and which of them are done.
#include <algorithm>

#include "config/config.hpp"
#include "files/program.hpp"
#include "pipeline/inputs.hpp"
#include "pipeline/pipeline.hpp"
#include "results/write_outputs.hpp"
#include "shards/part.hpp"
#include "slurm/submit_command.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// The word by which a task starts this program.
std::string program_word() {
  const fs::path program = own_program();
  return program.empty() ? "assay" : program.string();
}

void append_words(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// Problems that every task would have.
Status check_run(const RunOptions& run) {
  auto questions = read_configs(run.configs);
  if (!questions) return questions.error();
  const auto planned =
      Pipeline::plan(std::move(*questions), {.plugin_paths = run.plugin_paths, .trust_plugins = run.trust_plugins});
  if (!planned) return planned.error();
  const auto folders = report_folders(run.reports, (*planned)->questions());
  if (!folders) return folders.error();
  return check_output_folder(run.out, run.force);
}

slurm::Work work_in(const fs::path& out, const SubmitOptions& options) {
  slurm::Work work;
  work.folder = slurm::folder_of(out);
  work.runs_in = fs::current_path();
  work.options = options.sbatch;
  work.again_words = {program_word(), "submit", "--again", "--once", "-o", out.string()};
  return work;
}

/// Removes options on resources of a task, which the last job does not need: it takes one core for a moment.
std::vector<std::string> without_resources(const std::vector<std::string>& options) {
  constexpr std::string_view kResources[] = {"--gres", "--gpus", "--exclusive", "--cpus-per-task", "--nodelist"};
  std::vector<std::string> kept;
  for (const std::string& option : options) {
    const bool resource = std::ranges::any_of(
        kResources, [&](std::string_view name) { return std::string_view(option).starts_with(name); });
    if (!resource) kept.push_back(option);
  }
  return kept;
}

}  // namespace

Result<slurm::Work> shards_of_run(const SubmitOptions& options) {
  const RunOptions& run = options.arguments.run;
  if (const Status ready = check_run(run); !ready) return ready.error();
  slurm::Work work = work_in(run.out, options);
  work.task = "shard";
  work.tasks = options.shards;
  work.last_options = options.sbatch;
  const std::string parts = (work.folder / "parts").string();
  work.task_words = {program_word(), "run"};
  for (const fs::path& config : run.configs) work.task_words.push_back(config.string());
  for (const fs::path& folder : run.reports) append_words(work.task_words, {"--reports", folder.string()});
  append_words(work.task_words, options.read_words);
  append_words(work.task_words,
               {"--shard", std::string(slurm::kTaskNumber) + "/" + std::to_string(options.shards), "-o", parts});
  work.last_words = {program_word(), "merge", parts, "-o", run.out.string()};
  append_words(work.last_words, options.end_words);
  return work;
}

Result<slurm::Work> blocks_of_recording(const SubmitOptions& options) {
  const RecordArguments& arguments = options.arguments;
  const auto blocks = blocks_to_record(arguments);
  if (!blocks) return blocks.error();
  slurm::Work work = work_in(arguments.run.out, options);
  work.task = "block";
  work.tasks = *blocks;
  work.last_options = without_resources(options.sbatch);
  const bool gpus_said = std::ranges::any_of(options.sbatch, [](const std::string& option) {
    return option.starts_with("--gres") || option.starts_with("--gpus") || option.starts_with("-G");
  });
  if (!gpus_said) work.options.emplace_back("--gres=gpu:1");
  const std::string folder = (work.folder / "blocks").string();
  work.task_words = {program_word(), "record"};
  work.last_words = work.task_words;
  for (auto* words : {&work.task_words, &work.last_words}) {
    for (const fs::path& config : arguments.run.configs) words->push_back(config.string());
    append_words(*words, options.design_words);
  }
  append_words(work.task_words, {"--block", slurm::kTaskNumber, "-o", folder + "/" + slurm::kTaskNumber});
  append_words(work.last_words, {"--join", folder, "-o", arguments.run.out.string()});
  return work;
}

slurm::Done done_in(const fs::path& folder, const slurm::Submission& submission) {
  if (submission.task == "block")
    return [folder](std::size_t block) {
      const auto recorded = record::recorded_block(folder / "blocks", block);
      return recorded && !recorded->empty();
    };
  const std::uint64_t shards = submission.tasks;
  return [folder, shards](std::size_t shard) {
    const fs::path part = folder / "parts" / part_name({shard, shards});
    std::error_code failed;
    return fs::is_regular_file(part, failed) && read_part(part).ok();
  };
}

}  // namespace assay
