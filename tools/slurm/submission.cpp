#include "slurm/submission.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <ostream>
#include <ranges>
#include <set>

#include "files/digest.hpp"
#include "files/folder_lock.hpp"
#include "files/read_file.hpp"
#include "files/staged_file.hpp"
#include "machine.hpp"

namespace assay::slurm {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kState = "submission.json";

Json json_of(const Submission& submission) {
  Json rounds = Json::array(), chunks = Json::array(), failed = Json::object();
  for (const Chunk& chunk : submission.chunks) chunks.push_back({{"offset", chunk.offset}, {"count", chunk.count}});
  for (const SubmissionRound& round : submission.rounds) {
    Json arrays = Json::array();
    for (const Array& array : round.arrays)
      arrays.push_back(
          {{"job", array.job}, {"offset", array.chunk.offset}, {"count", array.chunk.count}, {"tasks", array.tasks}});
    rounds.push_back({{"name", round.name}, {"arrays", arrays}, {"last", round.last}});
  }
  for (const auto& [task, times] : submission.failed) failed[std::to_string(task)] = times;
  return {{"submission", 1},         {"task", submission.task},   {"tasks", submission.tasks},
          {"name", submission.name}, {"since", submission.since}, {"chunks", chunks},
          {"rounds", rounds},        {"failed", failed}};
}

Submission submission_of(const Json& json) {
  Submission submission{json.at("task").get<std::string>(),
                        json.at("tasks").get<std::size_t>(),
                        json.at("name").get<std::string>(),
                        json.at("since").get<std::string>(),
                        {},
                        {},
                        {}};
  for (const Json& chunk : json.at("chunks"))
    submission.chunks.push_back({chunk.at("offset").get<std::size_t>(), chunk.at("count").get<std::size_t>()});
  for (const Json& said : json.at("rounds")) {
    SubmissionRound round{said.at("name").get<std::string>(), {}, said.at("last").get<std::string>()};
    for (const Json& array : said.at("arrays"))
      round.arrays.push_back({array.at("job").get<std::string>(),
                              {array.at("offset").get<std::size_t>(), array.at("count").get<std::size_t>()},
                              array.at("tasks").get<std::vector<std::size_t>>()});
    submission.rounds.push_back(std::move(round));
  }
  for (const auto& [task, times] : json.at("failed").items())
    submission.failed[std::stoul(task)] = times.get<std::size_t>();
  return submission;
}

Status write(const fs::path& folder, const Submission& submission) {
  return files::write_text(folder / kState, files::kOwnFile, json_of(submission).dump(1) + "\n");
}

std::vector<std::string> arrays_of(const SubmissionRound& round) {
  std::vector<std::string> jobs;
  for (const Array& array : round.arrays) jobs.push_back(array.job);
  return jobs;
}

std::vector<std::string> jobs_of(const Submission& submission) {
  std::vector<std::string> jobs;
  for (const SubmissionRound& round : submission.rounds) {
    for (std::string& job : arrays_of(round)) jobs.push_back(std::move(job));
    if (!round.last.empty()) jobs.push_back(round.last);
  }
  return jobs;
}

/// Held during submission. Fails if another process is submitting.
Result<files::Descriptor> lock(const fs::path& folder) {
  Result<files::Descriptor> held = files::lock_folder(folder, std::chrono::milliseconds(0));
  if (held) return held;
  return Error{"another submission into '" + folder.string() + "' is in progress", Exit::kUsage}
      .at(folder.string())
      .advise("see 'assay submit --status'");
}

/// A job name unique to this submission: from its folder, time and process.
std::string new_name(const fs::path& folder, const std::string& since) {
  files::Digester digest;
  digest.add(fmt::format("{}\n{}\n{}{}", folder.string(), since, getpid(), host_name()));
  return "assay_" + files::hex(digest.value()).substr(0, 10);
}

/// The array of a round that has the task; null: none.
const Array* array_of(const SubmissionRound& round, std::size_t task) {
  const auto has = [&](const Array& array) { return std::ranges::find(array.tasks, task) != array.tasks.end(); };
  const auto at = std::ranges::find_if(round.arrays, has);
  return at == round.arrays.end() ? nullptr : &*at;
}

/// The newest state of a task in `states`, over all rounds; empty: none.
std::string state_of(const Submission& submission, const States& states, std::size_t task) {
  for (const SubmissionRound& round : std::views::reverse(submission.rounds)) {
    const Array* array = array_of(round, task);
    if (array == nullptr) continue;
    const auto at = states.find({array->job, std::to_string(task - array->chunk.offset)});
    if (at != states.end()) return at->second;
  }
  return {};
}

Status submit_arrays(const fs::path& folder, Submission& submission, const std::vector<std::size_t>& tasks) {
  SubmissionRound& round = submission.rounds.back();
  for (const Chunk& chunk : submission.chunks) {
    Array array{"", chunk, {}};
    for (const std::size_t task : tasks) {
      if (task > chunk.offset && task <= chunk.offset + chunk.count) array.tasks.push_back(task);
    }
    if (array.tasks.empty()) continue;
    Result<std::string> job =
        submit(folder, script_name(chunk),
               {"--job-name=" + round.name, "--array=" + array_indices(array.tasks, chunk.offset)});
    if (!job) return job.error();
    array.job = *std::move(job);
    round.arrays.push_back(std::move(array));
    if (const Status written = write(folder, submission); !written) return written;
  }
  return ok();
}

Status submit_all(const fs::path& folder, Submission& submission, const std::vector<std::size_t>& tasks) {
  if (const Status submitted = submit_arrays(folder, submission, tasks); !submitted) return submitted;
  SubmissionRound& round = submission.rounds.back();
  std::vector<std::string> options = {"--job-name=" + round.name};
  if (!round.arrays.empty())
    options.push_back(fmt::format("--dependency=afterany:{}", fmt::join(arrays_of(round), ":")));
  Result<std::string> last = submit(folder, kLastScript, options);
  if (!last) return last.error();
  round.last = *std::move(last);
  return write(folder, submission);
}

/// Saves a round, submits it, and saves it again with its jobs. After an error none of its jobs is left.
Status submit_round(const fs::path& folder, Submission& submission, const std::vector<std::size_t>& tasks) {
  const std::string name = submission.name + "_" + std::to_string(submission.rounds.size() + 1);
  submission.rounds.push_back({name, {}, ""});
  if (const Status written = write(folder, submission); !written) return written;
  Status submitted = submit_all(folder, submission, tasks);
  if (submitted) return submitted;
  const Status ended = cancel(arrays_of(submission.rounds.back()));
  if (!ended) return ended.error().in(submitted.error().sentence + ". ").as(Exit::kFailed);
  submission.rounds.pop_back();
  static_cast<void>(write(folder, submission));
  return submitted;
}

Status make_folder(const Work& work, const std::vector<Chunk>& chunks) {
  for (const char* below : {"logs", "ended"}) {
    std::error_code failed;
    fs::create_directories(work.folder / below, failed);
    if (failed) return files::not_written(work.folder / below, failed.message());
  }
  for (const Chunk& chunk : chunks) {
    if (const Status written =
            files::write_text(work.folder / script_name(chunk), files::kOwnFile, task_script(work, chunk));
        !written)
      return written;
  }
  return files::write_text(work.folder / kLastScript, files::kOwnFile, last_script(work));
}

Error occupied(const fs::path& folder, const Submission& submission) {
  if (submission.rounds.empty() || submission.rounds.back().last.empty()) {
    return Error{"a submission into '" + folder.string() + "' was interrupted"}
        .at(folder.string())
        .advise(
            "'assay submit --again -o OUT' cancels what it submitted and submits what is missing, or choose another "
            "folder with -o");
  }
  return Error{fmt::format("'{}' holds a submission (job {}{}{})", folder.string(),
                           fmt::format("{}", fmt::join(arrays_of(submission.rounds.back()), ", ")),
                           submission.rounds.back().arrays.empty() ? "" : ", then ", submission.rounds.back().last)}
      .at(folder.string())
      .advise("see 'assay submit --status -o OUT', remove that folder after it ends, or choose another with -o");
}

std::size_t submitted_again(const Submission& submission) {
  std::set<std::size_t> tasks;
  for (std::size_t round = 1; round < submission.rounds.size(); ++round) {
    for (const Array& array : submission.rounds[round].arrays) tasks.insert(array.tasks.begin(), array.tasks.end());
  }
  return tasks.size();
}

/// Empty if it cannot be read.
std::string text_of(const fs::path& file) {
  constexpr std::uint64_t kLargest = std::uint64_t{64} << 20U;
  Result<std::string> text = files::read_file(file, kLargest, files::NamedBy::kAssay);
  return text ? std::move(*text) : std::string();
}

std::string ending_text(const fs::path& folder, const Submission& submission, std::size_t task,
                        const std::string& state) {
  const std::string code = text_of(ending_of(folder, task_name(submission, task)));
  std::string text = code.empty() ? "" : "exit " + code.substr(0, code.find('\n'));
  if (!state.empty() && state != "COMPLETED" && (state != "FAILED" || text.empty()))
    text += (text.empty() ? "" : ", ") + state;
  return text.empty() ? "ended, but neither its exit code nor its state is known" : text;
}

/// Cancels the jobs of a round whose submitter died, recorded or not, and drops the round.
Status end_cut_off(const fs::path& folder, Submission& submission) {
  while (!submission.rounds.empty() && submission.rounds.back().last.empty()) {
    Result<std::vector<std::string>> jobs = queued_under(submission.rounds.back().name);
    if (!jobs) return jobs.error();
    if (const Status ended = cancel(*jobs); !ended) return ended;
    submission.rounds.pop_back();
    if (const Status written = write(folder, submission); !written) return written;
  }
  return ok();
}

/// Which of the missing tasks may be submitted again; counts those that failed by their own fault. Error: some have
/// failed for good.
Status count_failures(const fs::path& folder, const std::map<std::size_t, std::string>& missing,
                      Submission& submission) {
  std::vector<std::string> jobs;
  if (!submission.rounds.empty()) jobs = arrays_of(submission.rounds.back());
  const States ended = endings(jobs, submission.since);
  std::vector<std::string> gone;
  for (const auto& [task, how] : missing) {
    if (is_blameless(state_of(submission, ended, task))) continue;
    if (++submission.failed[task] > 1) gone.push_back(fmt::format("{} ({})", task_name(submission, task), how));
  }
  if (gone.empty()) return ok();
  constexpr std::size_t kShown = 5;
  const std::size_t all = gone.size();
  if (all > kShown) gone.resize(kShown);
  return Error{fmt::format("{}", fmt::join(gone, ", ")) +
                   (all > kShown ? " and " + std::to_string(all - kShown) + " more" : "") + " failed twice",
               Exit::kFailed}
      .at((folder / "logs").string())
      .advise("see logs in '" + (folder / "logs").string() +
              "', fix the cause and submit again with 'assay submit --again'");
}

}  // namespace

fs::path folder_of(const fs::path& out) {
  fs::path whole = fs::absolute(out).lexically_normal();
  if (whole.filename().empty()) whole = whole.parent_path();
  return whole.string() + ".slurm";
}

std::string task_name(const Submission& submission, std::size_t task) {
  return submission.task + "-" + std::to_string(task);
}

Result<Submission> submit_work(const Work& work) {
  if (const Status there = check_there(); !there) return there.error();
  std::error_code failed;
  fs::create_directories(work.folder, failed);
  if (failed) return files::not_written(work.folder, failed.message());
  const Result<files::Descriptor> held = lock(work.folder);
  if (!held) return held.error();
  if (fs::exists(work.folder / kState, failed)) {
    const Result<Submission> before = read_submission(work.folder);
    return before ? occupied(work.folder, *before) : before.error();
  }
  // One day earlier: sacct interprets times in the machine's zone.
  constexpr std::time_t kDay = 86400;
  const std::string since = utc_text(std::time(nullptr) - kDay);
  Submission submission{work.task, work.tasks, new_name(work.folder, since), since, {}, {}, {}};
  submission.chunks = chunks_of(work.tasks, max_array_size());
  if (const Status made = make_folder(work, submission.chunks); !made) return made.error();
  std::vector<std::size_t> tasks(work.tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = i + 1;
  if (const Status submitted = submit_round(work.folder, submission, tasks); !submitted) {
    if (submission.rounds.empty()) fs::remove(work.folder / kState, failed);
    return submitted.error();
  }
  return submission;
}

Result<Submission> read_submission(const fs::path& folder) {
  std::error_code failed;
  if (!fs::exists(folder / kState, failed))
    return Error{"nothing was submitted into '" + folder.string() + "'"}
        .at(folder.string())
        .advise("name the -o of 'assay submit'");
  const Json json = Json::parse(text_of(folder / kState), nullptr, false);
  try {
    return submission_of(json);
  } catch (const std::exception&) {
    return Error{"'" + (folder / kState).string() + "' is damaged"}
        .at((folder / kState).string())
        .advise("cancel its jobs with scancel, remove the folder and submit again");
  }
}

Status resubmit(const fs::path& folder, const Done& done, bool once, std::ostream& out) {
  if (const Status there = check_there(); !there) return there;
  const Result<files::Descriptor> held = lock(folder);
  if (!held) return held.error();
  Result<Submission> submission = read_submission(folder);
  if (!submission) return submission.error();
  if (const Status ended = end_cut_off(folder, *submission); !ended) return ended;
  const Progress now = progress_of(folder, *submission, done);
  if (!now.unknown.empty()) return Error{now.unknown, Exit::kFailed};
  // With `once` the caller is the last job, which is running itself.
  if (!now.queued.empty() || (!once && !now.last.empty())) {
    return Error{"the submission into '" + folder.string() + "' is still running", Exit::kFailed}
        .at(folder.string())
        .advise("see 'assay submit --status', or cancel it with 'assay submit --cancel'");
  }
  if (once && now.missing.empty())
    return Error{"every " + submission->task + " is there, so that nothing is submitted again", Exit::kFailed};
  if (once) {
    if (const Status fair = count_failures(folder, now.missing, *submission); !fair) return fair;
  } else {
    submission->failed.clear();
  }
  std::vector<std::size_t> tasks;
  std::error_code failed;
  for (const auto& [task, how] : now.missing) {
    tasks.push_back(task);
    fs::remove(ending_of(folder, task_name(*submission, task)), failed);
    out << task_name(*submission, task) << ": " << how << "; submitted again\n";
  }
  fs::remove(ending_of(folder, "last"), failed);
  return submit_round(folder, *submission, tasks);
}

Status cancel_all(const fs::path& folder) {
  const Result<files::Descriptor> held = lock(folder);
  if (!held) return held.error();
  Result<Submission> submission = read_submission(folder);
  if (!submission) return submission.error();
  if (const Status ended = end_cut_off(folder, *submission); !ended) return ended;
  const std::vector<std::string> jobs = jobs_of(*submission);
  const Result<States> queued = queue(jobs);
  if (!queued) return queued.error();
  std::vector<std::string> living;
  for (const auto& [task, state] : *queued) {
    if (std::ranges::find(living, task.job) == living.end()) living.push_back(task.job);
  }
  return cancel(living);
}

Progress progress_of(const fs::path& folder, const Submission& submission, const Done& done) {
  Progress progress;
  const std::vector<std::string> jobs = jobs_of(submission);
  const Result<States> queued = queue(jobs);
  if (!queued) progress.unknown = queued.error().sentence;
  std::vector<std::size_t> missing;
  for (std::size_t task = 1; task <= submission.tasks; ++task) {
    if (done(task)) {
      ++progress.done;
      continue;
    }
    const std::string state = queued ? state_of(submission, *queued, task) : "";
    if (!state.empty())
      progress.queued[task] = state;
    else
      missing.push_back(task);
  }
  if (queued && !submission.rounds.empty()) {
    const auto last = queued->find({submission.rounds.back().last, ""});
    if (last != queued->end()) progress.last = last->second;
  }
  const States ended = missing.empty() || !queued ? States{} : endings(jobs, submission.since);
  for (const std::size_t task : missing)
    progress.missing[task] = ending_text(folder, submission, task, state_of(submission, ended, task));
  progress.submitted_again = submitted_again(submission);
  const std::string code = text_of(ending_of(folder, "last"));
  progress.ended = code.substr(0, code.find('\n'));
  return progress;
}

}  // namespace assay::slurm
