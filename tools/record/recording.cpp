#include "record/recording.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "config/label_value.hpp"
#include "files/folder_lock.hpp"
#include "files/staged_file.hpp"
#include "record/rejections.hpp"
#include "render/text.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

/// Newest DATE/TIME below with a journal; empty: none.
fs::path newest(const fs::path& home) {
  fs::path found;
  std::error_code failed;
  for (const auto& date : fs::directory_iterator(home, failed)) {
    if (!date.is_directory()) continue;
    for (const auto& time : fs::directory_iterator(date.path(), failed)) {
      if (fs::exists(time.path() / kJournal, failed) && time.path() > found) found = time.path();
    }
  }
  return found;
}

fs::path date_and_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d/%H-%M-%S", &parts);
  return text.data();
}

/// A label value as JSON: a number if its type is numeric.
Json value_as(const LabelSpec& label, const std::string& text) {
  if (label.type == LabelType::kText) return text;
  Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);  // "007" is a number to assay but not in JSON
}

void apply(const Identity& identity, const Texts& commands, std::size_t epoch, State& state) {
  state.identity = identity;
  state.commands = {commands.begin(), commands.end()};
  state.epoch = epoch;
  state.warmed.clear();
  state.stopped.clear();
}

void apply(const event::RecordingBegan& begin, State& state) {
  apply(begin.identity, begin.commands, begin.epoch, state);
}
void apply(const event::Epoch& epoch, State& state) { apply(epoch.identity, epoch.commands, epoch.epoch, state); }
void apply(const event::RecordingResumed&, State& state) { ++state.resumed; }
void apply(const event::Block& block, State& state) { state.blocks[block.block] = {state.epoch, block.order}; }
void apply(const event::CellWarmed& warmed, State& state) { state.warmed.push_back(warmed.cell); }
void apply(const event::LookTaken& look, State& state) { state.looks.push_back(look); }
void apply(const event::CellStopped& stopped, State& state) { state.stopped[stopped.cell] = stopped.why; }

void apply(const event::RunStarted& start, State& state) {
  RunRecord& run = state.runs[start.run];
  run.id = start.run;
  run.key = start.cell;
  run.block = start.block;
  run.position = start.position;
  ++run.attempts;
  run.outcome.reset();
}

void apply(const event::RunEnded& end, State& state) {
  RunRecord& run = state.runs[end.run];
  run.outcome = end.outcome;
  run.seconds = end.duration;
  state.gpu_seconds += run.seconds;
  if (end.outcome == Outcome::kOk && !end.reports.empty())
    state.reports = end.reports.front().substr(0, end.reports.front().find('/'));
  if (!counts(end.outcome)) run.outcome.reset();
  if (run.outcome) ++run.counted;
}

// Events without effect on the remaining work.
void apply(const event::BlockEnded&, State&) {}
void apply(const event::Warmup&, State&) {}
void apply(const event::ProcessesLeftBehind&, State&) {}

Status write_json(const fs::path& file, const Json& content) {
  return files::write_text(file, files::kOwnFile, content.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json object_of(const Texts& texts) {
  Json out = Json::object();
  for (const auto& [name, text] : texts) out[name] = text;
  return out;
}

/// Entries of one run, one per name.
void add_entries(const event::RunStarted& start, const event::RunEnded& end, std::size_t attempts, Json& results) {
  for (const event::RunName& name : start.names) {
    Json entry = {{"run_id", name.run_id}};
    entry.update(name.runner_fields);
    entry["start_time"] = start.time;
    entry["duration"] = end.duration;
    entry["success"] = end.outcome == Outcome::kOk;
    entry["exit_code"] = or_null(end.exit_code);
    entry["error"] = or_null(end.error);
    entry["outcome"] = outcome_name(end.outcome);
    entry["advice"] = or_null(end.advice);
    entry["stdout"] = start.out;
    entry["stderr"] = start.err;
    entry["block"] = start.block;
    entry["position"] = start.position;
    entry["replicate"] = start.replicate;
    entry["epoch"] = start.epoch;
    entry.update(end.measured);
    entry["attempts"] = attempts;
    entry["twin"] = start.twin ? "yes" : "no";
    entry["marks"] = end.marks;
    entry["throttling"] = end.throttling;
    entry["reports"] = end.reports;
    entry["command"] = start.command;
    entry["labels"] = object_of(name.labels);
    results.push_back(std::move(entry));
  }
}

/// The last attempt of a run that counts; interrupted attempts do not.
struct EndedRun {
  const event::RunStarted* start = nullptr;
  const event::RunEnded* end = nullptr;
  std::size_t attempts = 0;  ///< attempts up to that one
};

/// Ordered by first start; without runs still to be made.
std::vector<EndedRun> ended_runs(const Events& events) {
  std::map<std::string, std::size_t> index;
  std::vector<EndedRun> runs;
  std::map<std::string, const event::RunStarted*> open;
  std::map<std::string, std::size_t> attempts;
  for (const Event& event : events.list) {
    if (const auto* start = std::get_if<event::RunStarted>(&event)) {
      const auto [at, fresh] = index.emplace(start->run, runs.size());
      if (fresh) runs.emplace_back();
      open[start->run] = start;
      ++attempts[start->run];
    }
    const auto* end = std::get_if<event::RunEnded>(&event);
    if (end != nullptr && open.contains(end->run) && counts(end->outcome))
      runs[index[end->run]] = {open[end->run], end, attempts[end->run]};
  }
  std::erase_if(runs, [](const EndedRun& run) { return run.end == nullptr; });
  return runs;
}

std::string csv_cell(const Json& value) {
  return assay::csv_cell(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
}

constexpr std::array<const char*, 10> kGpuColumns = {"index",         "uuid",        "sm_mhz",       "memory_mhz",
                                                     "celsius",       "watts",       "busy_percent", "used_mib",
                                                     "clock_reasons", "throttled_us"};

void write_conditions(const std::string& time, const std::string& run, const char* when, const Json& seen,
                      std::ostream& out) {
  const Json gpus = seen.value("gpus", Json::array({Json::object()}));
  for (const Json& gpu : gpus) {
    out << time << "," << csv_cell(run) << "," << when;
    for (const char* key : {"load", "steal_percent_since_boot", "governor"})
      out << "," << csv_cell(seen.value(key, Json()));
    for (const char* column : kGpuColumns) out << "," << csv_cell(gpu.value(column, Json()));
    out << "\n";
  }
}

Status write_conditions(const fs::path& folder, const Events& events) {
  Result<files::StagedFile> staged = files::StagedFile::make(folder / "conditions.csv", files::kOwnFile);
  if (!staged) return staged.error();
  std::ostream& out = staged->stream();
  out << "time,run,when,load,steal_percent_since_boot,governor";
  for (const char* column : kGpuColumns) out << ",gpu_" << column;
  out << "\n";
  for (const Event& event : events.list) {
    if (const auto* start = std::get_if<event::RunStarted>(&event))
      write_conditions(start->time, start->run, "before", start->conditions, out);
    if (const auto* end = std::get_if<event::RunEnded>(&event))
      write_conditions(end->time, end->run, "after", end->conditions, out);
  }
  return staged->publish();
}

std::string time_of(const Event& event) {
  return std::visit([](const auto& kind) { return kind.time; }, event);
}

}  // namespace

fs::path root_of(const fs::path& recording) {
  const fs::path whole = fs::absolute(recording).lexically_normal();
  const fs::path date = whole.parent_path();
  const std::string name = date.filename().string();
  constexpr std::string_view kDate = "dddd-dd-dd";
  bool dated = name.size() == kDate.size();
  for (std::size_t i = 0; dated && i < name.size(); ++i)
    dated = kDate[i] == '-' ? name[i] == '-' : name[i] >= '0' && name[i] <= '9';
  return dated ? date.parent_path().parent_path() : date;
}

fs::path newest_recording(const fs::path& root, const std::string& name) { return newest(root / name); }

Result<Folder> choose_folder(const fs::path& root, const std::string& name, bool fresh) {
  const fs::path home = fs::absolute(root) / name;
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed) return files::not_written(home, failed.message());
  Result<files::Descriptor> lock = files::lock_folder(home, std::chrono::milliseconds(0));
  if (!lock) {
    return Error{"'" + home.string() + "' is in use by another recorder", Exit::kFailed}
        .at(home.string())
        .advise("wait until it ends, or record elsewhere with -o (" + lock.error().sentence + ")");
  }
  const fs::path old = newest(home);
  if (!old.empty() && !fresh) return Folder{old, std::move(*lock), false};
  // The newest is determined by name, so names increase even if the clock was set back or summer time ended.
  fs::path made = std::max(home / date_and_time(), old);
  while (made == old || fs::exists(made, failed)) made += "_2";
  fs::create_directories(made, failed);
  if (failed) return files::not_written(made, failed.message());
  return Folder{made, std::move(*lock), true};
}

State state_of(const Events& events) {
  State state;
  state.cut_off = events.cut_off;
  for (const Event& event : events.list) std::visit([&](const auto& kind) { apply(kind, state); }, event);
  return state;
}

std::string what_differs(const State& state, const Identity& now, const std::map<std::string, std::string>& commands) {
  if (state.epoch == 0) return {};
  for (const auto& [key, command] : commands) {
    const auto at = state.commands.find(key);
    if (at != state.commands.end() && at->second != command)
      return "the command of '" + key + "' was \"" + at->second + "\" and is \"" + command + "\"";
    if (at == state.commands.end()) return "the cell '" + key + "' was not part of it";
  }
  if (state.commands.size() > commands.size()) return "it has cells that are now left out";
  return identity_difference(state.identity, now);
}

Json fields_of(const Question& question, const NamedRun& run) {
  Json fields = Json::object();
  for (const LabelSpec& label : question.labels.labels) {
    const std::string value = value_of(run.labels, label.name);
    if (!value.empty() && !label.fields.empty()) fields[label.fields.front()] = value_as(label, value);
  }
  for (const auto& [field, patterns] : question.runner.patterns) {
    for (const std::string& pattern : patterns) {
      const auto text = filled(pattern, run.labels);
      if (!text) continue;
      fields[field] = *text;
      const std::size_t at = run.name.find(*text);
      if (at != std::string::npos && field == "vit_config") fields["test_config"] = run.name.substr(at + text->size());
      break;
    }
  }
  return fields;
}

Status write_outputs(const fs::path& folder, const Events& events, const std::string& name) {
  Json results = Json::array(), outcomes = Json::object();
  double seconds = 0;
  std::size_t succeeded = 0, all = 0;
  for (const EndedRun& run : ended_runs(events)) {
    add_entries(*run.start, *run.end, run.attempts, results);
    const std::string outcome(outcome_name(run.end->outcome));
    outcomes[outcome] = outcomes.value(outcome, 0) + 1;
    ++all;
    succeeded += outcome == "ok" ? 1U : 0U;
    seconds += run.end->duration;
  }
  if (const Status written = write_json(folder / "results.json", results); !written) return written;
  // By time, not by order: a joined recording has its blocks by number, and block 1 may have been repeated last.
  std::string first_time, last_time;
  for (const auto& event : events.list) {
    const std::string time = time_of(event);
    if (time.empty()) continue;
    if (first_time.empty() || time < first_time) first_time = time;
    last_time = std::max(last_time, time);
  }
  Json summary = {{"experiment", name},
                  {"start_time", first_time},
                  {"end_time", last_time},
                  {"total_runs", all},
                  {"successful_runs", succeeded},
                  {"failed_runs", all - succeeded},
                  {"success_rate", all == 0 ? 0.0 : static_cast<double>(succeeded) / static_cast<double>(all)},
                  {"total_duration", seconds},
                  {"outcomes", outcomes},
                  {"rejections", rejections_by_cell(events)}};
  // An object by number, since readers of runner files take a list of objects for runs.
  for (const event::LookTaken* look : all_of<event::LookTaken>(events.list))
    summary["looks"][std::to_string(summary["looks"].size() + 1)] = json_of(*look);
  if (const event::RecordingBegan* begin = events.begin()) summary["design"] = json_of(*begin)["design"];
  if (const Status written = write_json(folder / "experiment_summary.json", summary); !written) return written;
  return write_conditions(folder, events);
}

}  // namespace assay::record
