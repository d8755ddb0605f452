#include "record/recording.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "files/folder_lock.hpp"
#include "files/staged_file.hpp"

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

void apply(const Identity& identity, const Texts& commands, std::size_t epoch, State& state) {
  state.identity = identity;
  state.commands = {commands.begin(), commands.end()};
  state.epoch = epoch;
  state.warmed.clear();
  state.stopped.clear();
  state.steps.clear();
}

void apply(const event::RecordingBegan& begin, State& state) {
  apply(begin.identity, begin.commands, begin.epoch, state);
}
void apply(const event::Epoch& epoch, State& state) { apply(epoch.identity, epoch.commands, epoch.epoch, state); }
void apply(const event::RecordingResumed&, State& state) { ++state.resumed; }
void apply(const event::Block& block, State& state) { state.blocks[block.block] = {state.epoch, block.order}; }
void apply(const event::CellWarmed& warmed, State& state) { state.warmed.push_back(warmed.cell); }
void apply(const event::Warmup& run, State& state) {
  if (run.question && run.steps) state.steps[*run.question] = *run.steps;
}
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
  if (!counts(end.outcome)) run.outcome.reset();
  if (run.outcome) ++run.counted;
}

// Events without effect on the remaining work.
void apply(const event::BlockEnded&, State&) {}
void apply(const event::ProcessesLeftBehind&, State&) {}

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

}  // namespace assay::record
