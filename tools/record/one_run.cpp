#include "record/one_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "files/digest.hpp"
#include "files/staged_file.hpp"
#include "record/output_files.hpp"
#include "record/power_sampler.hpp"
#include "record/process.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

/// Files below a folder, sorted.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// A path that does not exist yet: nothing recorded is replaced.
fs::path free_place(const fs::path& wanted) {
  fs::path place = wanted;
  std::error_code failed;
  for (int n = 2; fs::exists(fs::symlink_status(place, failed)); ++n) place = wanted.string() + "~" + std::to_string(n);
  return place;
}

/// Folder name for a text: readable, with a digest that distinguishes texts which differ only in punctuation.
std::string folder_name(const std::string& text) {
  constexpr std::size_t kMaxReadable = 120, kDigits = 16;
  std::string name = text.substr(0, kMaxReadable);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + "-" + files::hex(files::digest_of(text)).substr(0, kDigits);
}

/// Whether a file is the only one of its ending that a run left, with a process id in front, as newer versions of
/// rocprofv3 name their databases. With several files the id distinguishes them.
bool names_its_only_process(const fs::path& file, const std::string& run, const std::string& ending,
                            const std::vector<fs::path>& files) {
  const auto has_ending = [&](const fs::path& left) { return left.filename().string().ends_with(ending); };
  const std::string name = file.filename().string();
  if (ending.empty() || !has_ending(file) || !name.starts_with(run) || std::ranges::count_if(files, has_ending) != 1)
    return false;
  const std::string_view middle = std::string_view(name).substr(run.size(), name.size() - run.size() - ending.size());
  return middle.size() > 1 && middle.front() == '_' &&
         middle.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// Cache folders: a fresh one per run if caches are to be cold, else one per cell.
void add_caches(const RecordContext& shop, const Cell& cell, const std::string& run, ProcessSpec& spec) {
  for (const auto& [variable, cold] : shop.design->experiment(cell).caches) {
    const fs::path home =
        shop.folder / "caches" / (cold ? "runs" : "cells") / folder_name(cold ? run : cell.key) / variable;
    std::error_code failed;
    fs::create_directories(home, failed);
    spec.env.emplace_back(variable, home.string());
  }
}

/// Measurements reported by the program: the last output line that is a JSON object with any. A profiler prints its
/// report's path after it.
Json measured_in(const fs::path& out) {
  std::istringstream lines(tail_of(out));
  Json measured = Json::object();
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('{')) continue;
    const Json said = Json::parse(line, nullptr, false);
    Json found = Json::object();
    for (const char* key : {"elapsed_s", "throughput", "batches"}) {
      if (said.is_object() && said.contains(key) && said[key].is_number()) found[key] = said[key];
    }
    if (!found.empty()) measured = std::move(found);
  }
  return measured;
}

Status note(const RecordContext& shop, Event event) {
  const std::scoped_lock lock(*shop.mutex);
  return shop.journal->write(std::move(event));
}

/// That a pilot run chose for the cell's question; 0: none did.
std::size_t steps_of(const RecordContext& shop, const Cell& cell) {
  const auto at = shop.steps->find(shop.design->questions[cell.run.question]->id);
  return at == shop.steps->end() ? 0 : at->second;
}

/// A run beside the recording, not journaled: `profiled` or bare, with what it writes in `reports`.
Result<Attempt> run_beside(const RecordContext& shop, const Cell& cell, const std::string& name,
                           const fs::path& reports, std::size_t steps, bool profiled) {
  const fs::path log = shop.folder / "logs" / name;
  std::error_code failed;
  for (const fs::path& folder : {reports, log.parent_path()}) {
    fs::create_directories(folder, failed);
    if (failed) return files::not_written(folder, failed.message());
  }
  const Command command = placed(cell.command, {(reports / cell.run.name).string(), name, 0, steps});
  ProcessSpec spec{profiled ? command.words : command.bare,
                   command.env,
                   command.folder,
                   log.string() + ".stdout",
                   log.string() + ".stderr",
                   shop.timeout_seconds > 0 ? shop.timeout_seconds : shop.design->experiment(cell).timeout_seconds,
                   shop.folder.string() + "/" + name,
                   !shop.design->at_once};
  spec.profiled = profiled && shop.design->experiment(cell).profiler.leaves_report;
  add_caches(shop, cell, name, spec);
  const ProcessEnd end = run_process(spec, *shop.stop);
  const Failure failure = failure_of(end, tail_of(spec.out) + "\n" + tail_of(spec.err), spec.timeout_seconds);
  return Attempt{failure.outcome, failure.error, end.seconds, end.left_behind};
}

class RunAttempt {
 public:
  RunAttempt(const RecordContext& shop, const Turn& turn) : shop_(shop), turn_(turn), cell_(*turn.cell) {
    const std::string again = turn.attempt > 1 ? ".attempt_" + std::to_string(turn.attempt) : "";
    id_ = run_id(cell_, turn.block);
    staging_ = shop.folder / "unfinished" / (id_ + again);
    reports_ = (shop.folder / kRecordedReports / id_).parent_path();
    log_ = (shop.folder / "logs" / id_).string() + again;
    failed_ = shop.folder / "failed" / (id_ + again);
  }

  Result<Attempt> make() {
    if (const Status made = make_folders(); !made) return made.error();
    command_ = placed(cell_.command, {(staging_ / cell_.run.name).string(), id_, turn_.block, steps_of(shop_, cell_)});
    const Conditions before = conditions_now();
    if (const Status written = note(shop_, start_event(before)); !written) return written.error();
    Failure failure = side_commands(command_.prepare, "prepare");
    ProcessEnd end;
    if (failure.outcome == Outcome::kOk) failure = run_program(end);
    if (failure.outcome == Outcome::kOk) failure = side_commands(command_.conclude, "conclude");
    const Conditions after = conditions_now();
    const Marks marks = marks_of(before, after, gpu());
    if (failure.outcome == Outcome::kOk) failure = judge_report();
    if (failure.outcome == Outcome::kOk) failure = judge_marks(marks);
    std::vector<std::string> reports = publish(failure.outcome);
    if (const Status written = note(shop_, end_event(end, failure, after, marks, std::move(reports))); !written)
      return written.error();
    return Attempt{failure.outcome, failure.error, end.seconds, end.left_behind};
  }

 private:
  [[nodiscard]] const ExperimentSpec& experiment() const { return shop_.design->experiment(cell_); }

  [[nodiscard]] std::string gpu() const {
    for (const auto& [name, value] : command_.env) {
      if (name == "CUDA_VISIBLE_DEVICES") return value;
    }
    // As set by a scheduler.
    const char* given = turn_.gpu.empty() ? std::getenv("CUDA_VISIBLE_DEVICES") : nullptr;
    const bool one = given != nullptr && std::string_view(given).find(',') == std::string_view::npos;
    return one ? given : turn_.gpu;
  }

  Status make_folders() const {
    for (const fs::path& folder : {staging_, reports_, fs::path(log_).parent_path()}) {
      std::error_code failed;
      fs::create_directories(folder, failed);
      if (failed) return files::not_written(folder, failed.message());
    }
    return ok();
  }

  [[nodiscard]] double timeout() const {
    return shop_.timeout_seconds > 0 ? shop_.timeout_seconds : experiment().timeout_seconds;
  }

  [[nodiscard]] ProcessSpec spec_of(const std::vector<std::string>& words, const std::string& log) const {
    ProcessSpec spec{words,
                     command_.env,
                     command_.folder,
                     log + ".stdout",
                     log + ".stderr",
                     timeout(),
                     shop_.folder.string() + "/" + id_,
                     !shop_.design->at_once};
    add_caches(shop_, cell_, id_ + " " + std::to_string(turn_.attempt), spec);
    return spec;
  }

  Failure side_commands(const std::vector<std::vector<std::string>>& commands, const char* what) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const ProcessSpec spec = spec_of(commands[i], fmt::format("{}.{}_{}", log_, what, i + 1));
      const ProcessEnd end = run_process(spec, *shop_.stop);
      Failure failure = failure_of(end, tail_of(spec.out) + tail_of(spec.err), spec.timeout_seconds);
      if (failure.outcome == Outcome::kOk) continue;
      failure.error = fmt::format("{} {}: {}", std::string(what), quoted(commands[i]), failure.error);
      return failure;
    }
    return {};
  }

  Failure run_program(ProcessEnd& end) {
    ProcessSpec spec = spec_of(command_.words, log_);
    spec.profiled = experiment().profiler.leaves_report;
    const std::unique_ptr<PowerSampler> sampler = PowerSampler::start(gpu());
    if (sampler != nullptr) spec.when_ended = [&] { sampler->end(); };
    end = run_process(spec, *shop_.stop);
    if (sampler != nullptr) {
      const std::scoped_lock lock(*shop_.mutex);
      const Result<PowerUse> use = sampler->stop(shop_.folder / kPowerCourse, id_);
      if (use && use->samples > 0)
        power_ = event::Power{use->joules, use->mean_watts, use->sm_mhz, use->throttled_ratio, use->samples};
    }
    return failure_of(end, tail_of(spec.out) + "\n" + tail_of(spec.err), spec.timeout_seconds);
  }

  /// A profiler must leave a report, which is not empty, or one for each window.
  [[nodiscard]] Failure judge_report() const {
    if (!experiment().profiler.leaves_report) return {};
    std::error_code failed;
    const std::size_t all = experiment().windows();
    std::set<std::size_t> here;  // windows
    for (const fs::path& file : files_in(staging_)) {
      const std::string name = file.filename().string();
      if (!name.starts_with(cell_.run.name)) continue;
      if (fs::is_regular_file(file, failed) && fs::file_size(file, failed) == 0) continue;
      if (all == 1) return {};
      const std::size_t window =
          std::strtoull(name.c_str() + std::min(name.size(), cell_.run.name.size() + 1), nullptr, 10);
      if (window >= 1 && window <= all) here.insert(window);
    }
    if (here.size() == all) return {};
    return {Outcome::kNoReport,
            all == 1 ? "it succeeded but wrote no profile"
                     : fmt::format("it succeeded but wrote {} of {} windows, {}.1 to {}.{}", here.size(), all,
                                   cell_.run.name, cell_.run.name, all),
            std::string(advice_for(Outcome::kNoReport))};
  }

  [[nodiscard]] Failure judge_marks(const Marks& marks) const {
    for (const std::string& mark : experiment().reject) {
      if (std::ranges::find(marks.list, mark) == marks.list.end()) continue;
      return {Outcome::kRejected, "rejected: " + mark, "see conditions.csv; [experiment] reject sets what is rejected",
              mark};
    }
    return {};
  }

  /// Moves the output of the run to its place: reports that count next to the others, everything else to failed/.
  std::vector<std::string> publish(Outcome outcome) const {
    std::vector<std::string> names;
    std::error_code failed;
    const std::vector<fs::path> files = files_in(staging_);
    for (const fs::path& file : files) {
      const fs::path home = outcome == Outcome::kOk ? reports_ : failed_;
      const std::string& ending = experiment().profiler.numbered_ending;
      const bool numbered = names_its_only_process(file, cell_.run.name, ending, files);
      const fs::path name = numbered ? cell_.run.name + ending : file.filename().string();
      fs::create_directories(home, failed);
      if (outcome == Outcome::kOk) set_aside(home / name);
      const fs::path place = free_place(home / name);
      fs::rename(file, place, failed);
      if (failed) continue;
      names.push_back(place.lexically_relative(shop_.folder).string());
      if (outcome == Outcome::kOk) name_again(place);
    }
    fs::remove(staging_, failed);
    return names;
  }

  /// Moves away leftovers of an attempt whose recorder died before it could record the outcome.
  void set_aside(const fs::path& report) const {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(report, failed))) return;
    fs::create_directories(failed_, failed);
    fs::rename(report, free_place(failed_ / report.filename()), failed);
  }

  /// Links the file under the run's names in other questions.
  void name_again(const fs::path& report) const {
    const std::string file = report.filename().string();
    if (!file.starts_with(cell_.run.name)) return;
    for (const NamedRun& other : cell_.also) {
      const fs::path home = (shop_.folder / kRecordedReports / block_name(turn_.block) / other.path()).parent_path();
      std::error_code failed;
      fs::create_directories(home, failed);
      fs::create_hard_link(report, home / (other.name + file.substr(cell_.run.name.size())), failed);
    }
  }

  [[nodiscard]] event::RunName name_of(const NamedRun& run) const {
    const Question& question = *shop_.design->questions[run.question];
    return {block_name(turn_.block) + "/" + run.path(), question.id, fields_of(question, run), run.labels};
  }

  [[nodiscard]] event::RunStarted start_event(const Conditions& before) const {
    event::RunStarted start;
    start.time = time_stamp();
    start.run = id_;
    start.cell = cell_.key;
    start.attempt = turn_.attempt;
    start.epoch = turn_.epoch;
    start.block = turn_.block;
    start.position = turn_.position;
    start.replicate = turn_.replicate;
    start.twin = cell_.twin;
    start.command = command_.words;
    start.env = command_.env;
    const std::string log = fs::path(log_).lexically_relative(shop_.folder).string();
    start.out = log + ".stdout";
    start.err = log + ".stderr";
    start.names = {name_of(cell_.run)};
    for (const NamedRun& other : cell_.also) start.names.push_back(name_of(other));
    start.windows = experiment().told_windows;
    start.conditions = json_of(before);
    return start;
  }

  [[nodiscard]] event::RunEnded end_event(const ProcessEnd& end, const Failure& failure, const Conditions& after,
                                          const Marks& marks, std::vector<std::string> reports) const {
    event::RunEnded event;
    event.time = time_stamp();
    event.run = id_;
    event.attempt = turn_.attempt;
    event.outcome = failure.outcome;
    event.duration = end.seconds;
    if (end.status.how == process::ExitKind::kExited) event.exit_code = end.status.number;
    if (end.status.how == process::ExitKind::kSignalled) event.signal = end.status.number;
    if (!failure.error.empty()) event.error = failure.error;
    if (!failure.advice.empty()) event.advice = failure.advice;
    if (!failure.rejected_by.empty()) event.rejected_by = failure.rejected_by;
    if (!end.cpus.empty()) event.binding = event::Binding{end.cpus, end.memory_policy};
    event.power = power_;
    if (end.left_behind > 0) event.left_behind = end.left_behind;
    event.measured = measured_in(log_ + ".stdout");
    event.reports = std::move(reports);
    event.marks = marks.list;
    event.throttling = marks.throttling;
    event.conditions = json_of(after);
    return event;
  }

  const RecordContext& shop_;
  const Turn& turn_;
  const Cell& cell_;
  std::string id_, log_;
  fs::path staging_, reports_, failed_;
  Command command_;
  std::optional<event::Power> power_;
};

}  // namespace

std::string run_id(const Cell& cell, std::size_t block) { return block_name(block) + "/" + cell.run.path(); }

Result<Attempt> attempt(const RecordContext& shop, const Turn& turn) { return RunAttempt(shop, turn).make(); }

Result<Attempt> warm_up(const RecordContext& shop, const Cell& cell, const std::string& gpu, const std::string& tag) {
  const std::string name = fmt::format("warmup/{}_{}", cell.run.path(), tag);
  const fs::path staging = shop.folder / "unfinished" / name;
  Result<Attempt> made = run_beside(shop, cell, name, staging, steps_of(shop, cell), false);
  if (!made) return made.error();
  std::error_code failed;
  fs::remove_all(staging, failed);
  event::Warmup event{time_stamp(), cell.key, gpu, made->outcome, made->seconds, {}};
  if (!made->error.empty()) event.error = made->error;
  if (const Status written = note(shop, std::move(event)); !written) return written.error();
  return made;
}

Result<Attempt> pilot_run(const RecordContext& shop, const Cell& cell, const fs::path& reports, std::size_t steps,
                          const std::string& tag) {
  return run_beside(shop, cell, fmt::format("pilot/{}_{}", cell.run.path(), tag), reports, steps, true);
}

}  // namespace assay::record
