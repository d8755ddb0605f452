#include "slurm/scripts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "files/shell_word.hpp"

namespace assay::slurm {
namespace fs = std::filesystem;
namespace {

/// Quoted for a shell; kTaskNumber becomes the variable of the script.
std::string command_line(const std::vector<std::string>& words) {
  const std::string number = kTaskNumber;
  std::string line;
  for (const std::string& word : words) {
    const std::size_t at = word.find(number);
    line += line.empty() ? "" : " ";
    if (at == std::string::npos) {
      line += shell_word(word);
      continue;
    }
    const std::string before = word.substr(0, at), after = word.substr(at + number.size());
    line += (before.empty() ? "" : shell_word(before)) + "\"$task\"" + (after.empty() ? "" : shell_word(after));
  }
  return line;
}

/// Slurm parses quotes in these lines as a shell does.
std::string option_lines(const std::vector<std::string>& options) {
  std::string lines;
  for (std::size_t i = 0; i < options.size(); ++i) {
    lines += "#SBATCH " + shell_word(options[i]);
    // "-p gpu": the value is a separate word.
    if (i + 1 < options.size() && !options[i + 1].starts_with('-')) lines += " " + shell_word(options[++i]);
    lines += "\n";
  }
  return lines;
}

/// The beginning of both scripts. Slurm's own output is below the folder in which sbatch runs: no path is written in
/// an #SBATCH line, which restricts what paths may contain.
std::string beginning(const std::vector<std::string>& options, const std::string& own) {
  return fmt::format("#!/bin/bash\n{}{}#SBATCH --requeue\n#SBATCH --open-mode=append\n", option_lines(options), own);
}

/// Stores the exit code on disk, atomically.
std::string ending(const fs::path& folder, const std::string& task) {
  const std::string place = shell_word((folder / "ended").string());
  return fmt::format(
      "printf '%s\\n' \"$status\" >{}/.\"{}.$SLURM_JOB_ID\" && mv -f {}/.\"{}.$SLURM_JOB_ID\" {}/\"{}\"\n", place, task,
      place, task, place, task);
}

std::string logged(const fs::path& folder, const std::string& task) {
  return fmt::format(
      "exec >>{}/\"{}.log\" 2>&1\necho \"== job $SLURM_JOB_ID on ${{SLURMD_NODENAME:-$(hostname)}}, $(date -u "
      "+%FT%TZ)\"\n",
      shell_word((folder / "logs").string()), task);
}

}  // namespace

std::vector<Chunk> chunks_of(std::size_t tasks, std::size_t max_array_size) {
  const std::size_t most = std::max<std::size_t>(2, max_array_size) - 1;
  std::vector<Chunk> chunks;
  for (std::size_t offset = 0; offset < tasks; offset += most)
    chunks.push_back({offset, std::min(most, tasks - offset)});
  return chunks;
}

std::string array_indices(const std::vector<std::size_t>& tasks, std::size_t offset) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(tasks[i] - offset);
    if (last > i) text += "-" + std::to_string(tasks[last] - offset);
    i = last + 1;
  }
  return text;
}

std::string script_name(const Chunk& chunk) { return "tasks-" + std::to_string(chunk.offset) + ".sbatch"; }

std::string task_script(const Work& work, const Chunk& chunk) {
  const std::string own =
      "#SBATCH --array=1-" + std::to_string(chunk.count) + "\n#SBATCH --output=logs/slurm-%A_%a.log\n";
  const std::string task = work.task + "-$task";
  return fmt::format(
      "{}task=$((SLURM_ARRAY_TASK_ID + {}))\n{}rm -f {}/\"{}\"\ncd {} || exit\nstatus=0\n{} || status=$?\n{}exit "
      "\"$status\"\n",
      beginning(work.options, own), chunk.offset, logged(work.folder, task),
      shell_word((work.folder / "ended").string()), task, shell_word(work.runs_in.string()),
      command_line(work.task_words), ending(work.folder, task));
}

std::string last_script(const Work& work) {
  return fmt::format(
      "{}{}cd {} || exit\nstatus=0\n{} || status=$?\n# Refused: a {} left nothing. It is submitted again, once, and "
      "this job after it.\nif [ \"$status\" -eq 2 ] && {}; then exit 0; fi\n{}exit \"$status\"\n",
      beginning(work.last_options, "#SBATCH --output=logs/slurm-%j.log\n"), logged(work.folder, "last"),
      shell_word(work.runs_in.string()), command_line(work.last_words), work.task, command_line(work.again_words),
      ending(work.folder, "last"));
}

fs::path log_of(const fs::path& folder, const std::string& task) { return folder / "logs" / (task + ".log"); }
fs::path ending_of(const fs::path& folder, const std::string& task) { return folder / "ended" / task; }

}  // namespace assay::slurm
