#include "record/output_files.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "config/label_value.hpp"
#include "files/staged_file.hpp"
#include "record/rejections.hpp"
#include "render/text.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

/// A label value as JSON: a number if its type is numeric.
Json value_as(const LabelSpec& label, const std::string& text) {
  if (label.type == LabelType::kText) return text;
  Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);  // "007" is a number to assay but not in JSON
}

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
    if (start.windows) entry["windows"] = *start.windows;
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
