#include "record/recording.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "config/label_value.hpp"
#include "files/folder_lock.hpp"
#include "files/staged_file.hpp"
#include "record/rejections.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

/// The newest DATE/TIME below with a journal; empty: none.
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

/// A label's value as JSON: a number where its type says so.
Json value_as(const LabelSpec& label, const std::string& text) {
  if (label.type == LabelType::kText) return text;
  return Json::parse(text, nullptr, false);
}

void take_identity(const Json& event, State& state) {
  state.identity.clear();
  state.commands.clear();
  const Json identity = event.value("identity", Json::object()), commands = event.value("commands", Json::object());
  for (const auto& [what, value] : identity.items()) {
    if (value.is_string()) state.identity.emplace_back(what, value.get<std::string>());
  }
  for (const auto& [key, command] : commands.items()) {
    if (command.is_string()) state.commands[key] = command.get<std::string>();
  }
  state.epoch = static_cast<std::size_t>(number_in(event, "epoch", 1));
  state.warmed.clear();
  state.stopped.clear();
}

void take_start(const Json& event, State& state) {
  RunRecord& run = state.runs[text_in(event, "run")];
  run.id = text_in(event, "run");
  run.key = text_in(event, "cell");
  run.block = static_cast<std::size_t>(number_in(event, "block", 0));
  run.position = static_cast<std::size_t>(number_in(event, "position", 0));
  ++run.attempts;
  run.outcome.reset();
}

void take_end(const Json& event, State& state) {
  RunRecord& run = state.runs[text_in(event, "run")];
  run.outcome = outcome_named(text_in(event, "outcome"));
  run.seconds = number_in(event, "duration", 0);
  state.gpu_seconds += run.seconds;
  if (!counts(*run.outcome)) run.outcome.reset();
  if (run.outcome) ++run.counted;
}

Status write_json(const fs::path& file, const Json& content) {
  Result<files::StagedFile> staged = files::StagedFile::make(file);
  if (!staged) return staged.error();
  staged->stream() << content.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  return staged->publish();
}

/// The entries of one run: under each name that it has.
void add_entries(const Json& start, const Json& end, std::size_t attempts, Json& results) {
  for (const Json& name : start.value("names", Json::array())) {
    Json entry = {{"run_id", name.value("run_id", "")}};
    entry.update(name.value("fields", Json::object()));
    entry["start_time"] = start.value("time", "");
    entry["duration"] = end.value("duration", 0.0);
    entry["success"] = end.value("outcome", "") == "ok";
    entry["exit_code"] = end.contains("exit_code") ? end["exit_code"] : Json(nullptr);
    entry["error"] = end.contains("error") ? end["error"] : Json(nullptr);
    entry["outcome"] = end.value("outcome", "");
    entry["advice"] = end.contains("advice") ? end["advice"] : Json(nullptr);
    for (const char* key : {"stdout", "stderr", "block", "position", "replicate", "epoch"})
      entry[key] = start.value(key, Json());
    entry.update(end.value("measured", Json::object()));
    entry["attempts"] = attempts;
    entry["twin"] = start.value("twin", false) ? "yes" : "no";
    entry["marks"] = end.value("marks", Json::array());
    entry["throttling"] = end.value("throttling", "unknown");
    entry["reports"] = end.value("reports", Json::array());
    entry["command"] = start.value("command", Json::array());
    entry["labels"] = name.value("labels", Json::object());
    results.push_back(std::move(entry));
  }
}

/// The last attempt of a run that says something; those that were cut off say nothing.
struct EndedRun {
  const Json *start = nullptr, *end = nullptr;
  std::size_t attempts = 0;  ///< started ones, up to that
};

/// In the order in which they first began; runs that are still to be made are left out.
std::vector<EndedRun> ended_runs(const Events& events) {
  std::map<std::string, std::size_t> index;
  std::vector<EndedRun> runs;
  std::map<std::string, const Json*> open;
  std::map<std::string, std::size_t> attempts;
  for (const Json& event : events.list) {
    const std::string kind = text_in(event, "event"), id = text_in(event, "run");
    if (kind == "start") {
      const auto [at, fresh] = index.emplace(id, runs.size());
      if (fresh) runs.emplace_back();
      open[id] = &event;
      ++attempts[id];
    }
    if (kind == "end" && open.count(id) > 0 && counts(outcome_named(text_in(event, "outcome"))))
      runs[index[id]] = {open[id], &event, attempts[id]};
  }
  std::erase_if(runs, [](const EndedRun& run) { return run.end == nullptr; });
  return runs;
}

/// "a,b" quoted where it must be.
std::string csv_cell(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

constexpr std::array<const char*, 10> kGpuColumns = {"index",         "uuid",        "sm_mhz",       "memory_mhz",
                                                     "celsius",       "watts",       "busy_percent", "used_mib",
                                                     "clock_reasons", "throttled_us"};

Status write_conditions(const fs::path& folder, const Events& events) {
  Result<files::StagedFile> staged = files::StagedFile::make(folder / "conditions.csv");
  if (!staged) return staged.error();
  std::ostream& out = staged->stream();
  out << "time,run,when,load,steal_percent_since_boot,governor";
  for (const char* column : kGpuColumns) out << ",gpu_" << column;
  out << "\n";
  for (const Json& event : events.list) {
    const std::string kind = text_in(event, "event");
    if ((kind != "start" && kind != "end") || !event.contains("conditions")) continue;
    const Json& seen = event["conditions"];
    const Json gpus = seen.value("gpus", Json::array({Json::object()}));
    for (const Json& gpu : gpus) {
      out << text_in(event, "time") << "," << csv_cell(text_in(event, "run")) << ","
          << (kind == "start" ? "before" : "after");
      for (const char* key : {"load", "steal_percent_since_boot", "governor"})
        out << "," << csv_cell(seen.value(key, Json()));
      for (const char* column : kGpuColumns) out << "," << csv_cell(gpu.value(column, Json()));
      out << "\n";
    }
  }
  return staged->publish();
}

}  // namespace

std::string block_name(std::size_t block) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "block_%03zu", block);
  return text.data();
}

fs::path newest_recording(const fs::path& root, const std::string& name) { return newest(root / name); }

Result<Folder> choose_folder(const fs::path& root, const std::string& name, bool fresh) {
  const fs::path home = fs::absolute(root) / name;
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed) return files::not_written(home, failed.message());
  Result<files::Descriptor> lock = files::lock_folder(home, std::chrono::milliseconds(0));
  if (!lock) {
    return Error{"'" + home.string() +
                     "' is being recorded into by another recorder; wait until it has ended, or record "
                     "elsewhere with -o (" +
                     lock.error().sentence + ")",
                 Exit::kFailed};
  }
  const fs::path old = fresh ? fs::path() : newest(home);
  if (!old.empty()) return Folder{old, std::move(*lock), false};
  fs::path made = home / date_and_time();
  for (int n = 2; fs::exists(made, failed); ++n) made = (home / date_and_time()).string() + "_" + std::to_string(n);
  fs::create_directories(made, failed);
  if (failed) return files::not_written(made, failed.message());
  return Folder{made, std::move(*lock), true};
}

State state_of(const Events& events) {
  State state;
  state.unreadable = events.unreadable;
  for (const Json& event : events.list) {
    const std::string kind = text_in(event, "event");
    if (kind == "begin" || kind == "epoch") take_identity(event, state);
    if (kind == "resume") ++state.resumed;
    if (kind == "warmed") state.warmed.push_back(text_in(event, "cell"));
    if (kind == "stopped") state.stopped[text_in(event, "cell")] = text_in(event, "why");
    if (kind == "look") state.looks.push_back(event);
    if (kind == "start") take_start(event, state);
    if (kind == "end") take_end(event, state);
    if (kind != "block") continue;
    BlockRecord& block = state.blocks[static_cast<std::size_t>(number_in(event, "block", 0))];
    block.epoch = state.epoch;
    block.order.clear();
    for (const Json& key : event.value("order", Json::array())) block.order.push_back(key.get<std::string>());
  }
  return state;
}

Json json_of(const Identity& identity) {
  Json out = Json::object();
  for (const auto& [what, value] : identity) out[what] = value;
  return out;
}

std::string what_differs(const State& state, const Identity& now, const std::map<std::string, std::string>& commands) {
  if (state.epoch == 0) return {};
  for (const auto& [key, command] : commands) {
    const auto at = state.commands.find(key);
    if (at != state.commands.end() && at->second != command)
      return "the command of '" + key + "' was \"" + at->second + "\" and is \"" + command + "\"";
    if (at == state.commands.end()) return "the cell '" + key + "' was not part of it";
  }
  if (state.commands.size() > commands.size()) return "it has cells that are left out now";
  return difference(state.identity, now);
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
    const std::string outcome = text_in(*run.end, "outcome");
    outcomes[outcome] = outcomes.value(outcome, 0) + 1;
    ++all;
    succeeded += outcome == "ok" ? 1U : 0U;
    seconds += number_in(*run.end, "duration", 0);
  }
  if (const Status written = write_json(folder / "results.json", results); !written) return written;
  Json summary = {{"experiment", name},
                  {"start_time", events.list.empty() ? "" : text_in(events.list.front(), "time")},
                  {"end_time", events.list.empty() ? "" : text_in(events.list.back(), "time")},
                  {"total_runs", all},
                  {"successful_runs", succeeded},
                  {"failed_runs", all - succeeded},
                  {"success_rate", all == 0 ? 0.0 : static_cast<double>(succeeded) / static_cast<double>(all)},
                  {"total_duration", seconds},
                  {"outcomes", outcomes},
                  {"rejections", rejections_by_cell(events)}};
  for (const Json& event : events.list) {
    // By their number and not as a list: readers of runners' files take a list of objects for runs.
    if (text_in(event, "event") == "look") summary["looks"][std::to_string(summary["looks"].size() + 1)] = event;
    if (text_in(event, "event") == "begin") summary["design"] = event.value("design", Json::object());
  }
  if (const Status written = write_json(folder / "experiment_summary.json", summary); !written) return written;
  return write_conditions(folder, events);
}

}  // namespace assay::record
