#include "slurm/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>

#include "child/child.hpp"
#include "files/program.hpp"

namespace assay::slurm {
namespace {

/// A busy controller answers late; longer than Slurm's own MessageTimeout at most sites.
constexpr std::chrono::seconds kAnswerTime{100};

struct SlurmReply {
  process::ExitStatus status;
  std::string out;    ///< standard output
  std::string words;  ///< the last lines of standard error
};

Error no_answer(const std::string& program, const std::string& why) {
  return Error{program + " " + why, Exit::kFailed}.advise("try again when Slurm answers");
}

Result<SlurmReply> query(const std::string& program, std::vector<std::string> words,
                         const std::filesystem::path& folder = {}) {
  const auto found = program_on_path(program);
  if (!found) return no_answer(program, "is not in PATH");
  SlurmReply answer;
  const process::ProcessResult ended =
      process::run_to_end({*found, std::move(words), folder}, kAnswerTime, nullptr, {process::into(answer.out)});
  if (ended.status.how == process::ExitKind::kNotStarted)
    return no_answer(program, process::not_started(ended.status.number));
  if (ended.status.how == process::ExitKind::kTimedOut) return no_answer(program, "does not answer");
  answer.status = ended.status;
  answer.words = process::last_words(ended.said);
  return answer;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> cells_of(const std::string& line, char between) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, between);) cells.push_back(cell);
  return cells;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string shortened(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() <= 80 ? line : line.substr(0, 80) + "...";
}

/// "CANCELLED by 0" becomes CANCELLED.
std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

/// The value of "KEY=" in a line of `scontrol -o show`; empty: missing.
std::string field(const std::string& line, const std::string& key) {
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  }
  return {};
}

/// The tasks in "7", "1-3,7", "0-6:2" or "1-9%4", Slurm's notation for array tasks that it keeps as one job: pending
/// ones, and those cancelled before they ran. Empty: another text.
std::vector<std::string> indices_in(std::string text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string> indices;
  for (const std::string& part : cells_of(text.substr(0, text.find('%')), ',')) {
    const std::size_t dash = part.find('-'), colon = part.find(':');
    const std::string first = part.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : part.substr(dash + 1, colon - dash - 1);
    const std::string step = colon == std::string::npos ? "1" : part.substr(colon + 1);
    if (!is_number(first) || !is_number(last) || !is_number(step)) return {};
    const std::size_t end = std::stoul(last), by = std::max<std::size_t>(1, std::stoul(step));
    constexpr std::size_t kMaxOfAnArray = 5'000'000;  // Slurm's own limit is 4,000,001
    for (std::size_t index = std::stoul(first); index <= end && indices.size() < kMaxOfAnArray; index += by)
      indices.push_back(std::to_string(index));
  }
  return indices;
}

/// Adds the states known to the controller, except for tasks already present.
void add_of_controller(const std::string& job, States& states) {
  const auto answer = query("scontrol", {"-o", "show", "job", job});
  if (!answer || !answer->status.success()) return;
  for (const std::string& line : lines_of(answer->out)) {
    const std::string index = field(line, "ArrayTaskId"), state = field(line, "JobState");
    if (state.empty()) continue;
    if (index.empty()) states.emplace(JobTask{job, ""}, state);
    for (std::string& one : indices_in(index)) states.emplace(JobTask{job, std::move(one)}, state);
  }
}

void add_of_accounting(const std::vector<std::string>& jobs, const std::string& since, States& states) {
  const auto answer = query("sacct", {"--noheader", "--parsable2", "--allocations", "--starttime=" + since,
                                      fmt::format("--jobs={}", fmt::join(jobs, ",")), "--format=JobID,State"});
  if (!answer || !answer->status.success()) return;
  for (const std::string& line : lines_of(answer->out)) {
    const std::vector<std::string> cells = cells_of(line, '|');
    if (cells.size() != 2 || cells[1].empty()) continue;
    const std::vector<std::string> id = cells_of(cells[0], '_');
    if (id.empty() || !is_number(id[0])) continue;
    if (id.size() == 1) states.emplace(JobTask{id[0], ""}, first_word(cells[1]));
    if (id.size() != 2) continue;
    for (std::string& one : indices_in(id[1])) states.emplace(JobTask{id[0], std::move(one)}, first_word(cells[1]));
  }
}

}  // namespace

Status check_there() {
  if (program_on_path("sbatch")) return ok();
  return Error{"there is no sbatch in PATH"}.advise(
      "run this on a machine that can submit to Slurm, print the scripts with --dry-run, or run the shards yourself "
      "with 'assay run --shard K/N' and 'assay merge'");
}

std::size_t max_array_size() {
  const auto answer = query("scontrol", {"show", "config"});
  if (!answer || !answer->status.success()) return kUsualArraySize;
  for (const std::string& line : lines_of(answer->out)) {
    std::istringstream in(line);
    std::string name, equals;
    std::size_t size = 0;
    if (in >> name >> equals >> size && name == "MaxArraySize" && size >= 2) return size;
  }
  return kUsualArraySize;
}

Result<std::string> submit(const std::filesystem::path& folder, const std::filesystem::path& script,
                           const std::vector<std::string>& options) {
  std::vector<std::string> words = {"--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script.string());
  const auto answer = query("sbatch", std::move(words), folder);
  if (!answer) return answer.error();
  if (!answer->status.success()) {
    const std::string why = answer->words.empty() ? process::ending_text(answer->status) : answer->words;
    return Error{fmt::format("sbatch refuses '{}' ({})", script.filename().string(), why), Exit::kFailed}
        .at(script.filename().string())
        .advise("nothing is left submitted: correct the options after '--', and submit again");
  }
  const std::vector<std::string> lines = lines_of(answer->out);
  // "123", or "123;CLUSTER" with several clusters; a site's filters may print something before.
  const std::string id = lines.empty() ? "" : lines.back().substr(0, lines.back().find(';'));
  if (is_number(id)) return id;
  return Error{"sbatch said '" + shortened(answer->out) + "' but the number of a job was expected", Exit::kFailed}
      .at(shortened(answer->out))
      .advise("see squeue for what it submitted, and cancel it with scancel");
}

Result<States> queue(const std::vector<std::string>& jobs) {
  States states;
  if (jobs.empty()) return states;
  const auto answer = query("squeue", {"--noheader", "--array", fmt::format("--jobs={}", fmt::join(jobs, ",")),
                                       "--states=all", "--format=%F|%K|%T"});
  if (!answer) return answer.error();
  if (!answer->status.success()) {
    if (answer->words.find("Invalid job id") != std::string::npos) return states;
    return no_answer("squeue", "fails (" + answer->words + ")");
  }
  constexpr std::array<std::string_view, 11> kEnded = {"COMPLETED", "CANCELLED",     "FAILED",      "TIMEOUT",
                                                       "NODE_FAIL", "PREEMPTED",     "BOOT_FAIL",   "DEADLINE",
                                                       "REVOKED",   "OUT_OF_MEMORY", "SPECIAL_EXIT"};
  for (const std::string& line : lines_of(answer->out)) {
    const std::vector<std::string> cells = cells_of(line, '|');
    if (cells.size() != 3 || !is_number(cells[0]) || cells[2].empty())
      return no_answer("squeue", "said '" + shortened(line) + "', which was not asked");
    if (std::ranges::find(kEnded, cells[2]) != kEnded.end()) continue;
    states[{cells[0], is_number(cells[1]) ? cells[1] : ""}] = cells[2];
  }
  return states;
}

Result<std::vector<std::string>> queued_under(const std::string& name) {
  const auto answer = query("squeue", {"--noheader", "--me", "--name=" + name, "--format=%F"});
  if (!answer) return answer.error();
  if (!answer->status.success()) return no_answer("squeue", "fails (" + answer->words + ")");
  std::vector<std::string> jobs = lines_of(answer->out);
  if (!std::ranges::all_of(jobs, is_number))
    return no_answer("squeue", "said '" + shortened(answer->out) + "', which was not asked");
  std::ranges::sort(jobs);
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  return jobs;
}

States endings(const std::vector<std::string>& jobs, const std::string& since) {
  States states;
  for (const std::string& job : jobs) add_of_controller(job, states);
  if (!jobs.empty()) add_of_accounting(jobs, since, states);
  return states;
}

Status cancel(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return ok();
  const auto answer = query("scancel", jobs);
  if (!answer) return answer.error();
  if (answer->status.success() || answer->words.find("Invalid job id") != std::string::npos) return ok();
  return no_answer("scancel", "fails (" + answer->words + ")");
}

bool is_blameless(const std::string& state) {
  return state == "PREEMPTED" || state == "NODE_FAIL" || state == "BOOT_FAIL" || state == "REQUEUED";
}

}  // namespace assay::slurm
