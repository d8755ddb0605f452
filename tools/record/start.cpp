#include "record/start.hpp"

#include <fmt/core.h>

#include <map>
#include <ostream>

#include "process/children.hpp"
#include "record/process.hpp"
#include "record/recorder.hpp"

namespace assay::record {
namespace {

/// By GPU and cell: the command line of its runs.
std::map<std::string, std::string> commands_of(const Design& design) {
  std::map<std::string, std::string> commands;
  for (const GpuCells& gpu : design.gpus) {
    for (const Cell& cell : gpu.cells) commands[gpu.gpu + " " + cell.key] = quoted(cell.command.words);
  }
  return commands;
}

/// What differs between a recording and its continuation: a command, a cell, the driver, ...; empty: nothing.
std::string what_differs(const State& state, const Identity& now, const std::map<std::string, std::string>& commands) {
  if (state.epoch == 0) return {};
  for (const auto& [key, command] : commands) {
    const auto at = state.commands.find(key);
    if (at != state.commands.end() && at->second != command)
      return fmt::format("the command of '{}' was \"{}\" and is \"{}\"", key, at->second, command);
    if (at == state.commands.end()) return "the cell '" + key + "' was not part of it";
  }
  if (state.commands.size() > commands.size()) return "it has cells that are now left out";
  return identity_difference(state.identity, now);
}

void print_start(const Design& design, const Folder& folder, const State& state, const std::string& forecast,
                 std::ostream& out) {
  out << (folder.fresh ? "Recording into " : "Resuming ") << folder.path.string() << "\n";
  if (design.gpus_at_once() > 1) {
    out << design.gpus_at_once() << " GPUs at once: their runs share the CPUs and memory of this host, which "
        << "slows runs that depend on them; each block stays on one GPU.\n";
  }
  if (state.cut_off > 0) out << "The journal has " << state.cut_off << " line(s) that were cut off.\n";
  if (!forecast.empty()) out << forecast << "\n";
}

}  // namespace

Result<StartedRecording> start_recording(const Design& design, const RecordOptions& options,
                                         const std::atomic<bool>& stop, std::ostream& out) {
  if (const Status ready = check_programs(design); !ready) return ready.error();
  // By what is recorded so far, before there is a folder for what comes.
  const std::string forecast = options.quiet || options.block > 0 ? "" : forecast_text(design, options);
  Result<Folder> chosen = choose_folder(options.root, design.name, options.fresh || options.block > 0);
  if (!chosen) return chosen.error();
  const Folder& folder = *chosen;
  process::adopt_orphans();
  end_marked(folder.path.string());
  Result<Events> events = read_whole_journal(folder.path);
  if (!events) return events.error();
  State state = state_of(*events);
  const Identity now = identity_of(design, conditions_now());
  const std::map<std::string, std::string> commands = commands_of(design);
  const std::string differs = what_differs(state, now, commands);
  if (!differs.empty() && !options.new_epoch) {
    return Error{fmt::format("the recording in '{}' was started differently: {}", folder.path.string(), differs)}
        .at(folder.path.string())
        .advise("record with --new-epoch to continue in separate blocks, or with --fresh to start over");
  }
  if (const Status room = check_room(folder.path); !room) return room.error();
  if (const Status checked = run_checks(design, folder.path, stop); !checked) return checked.error();
  Result<Journal> journal = Journal::open(folder.path, std::move(*events));
  if (!journal) return journal.error();
  const Texts texts(commands.begin(), commands.end());
  const bool epoch = state.epoch > 0 && !differs.empty();
  Event first = event::RecordingResumed{time_stamp(), options.version, state.epoch};
  if (state.epoch == 0)
    first = event::RecordingBegan{time_stamp(), options.version, 1,           design_event(design, options),
                                  now,          texts,           std::nullopt};
  else if (epoch)
    first = event::Epoch{time_stamp(), options.version, state.epoch + 1, now, texts};
  if (const Status written = journal->write(first); !written) return written.error();
  if (state.epoch == 0 || epoch) ++state.epoch;
  if (epoch) {
    state.warmed.clear();
    state.steps.clear();
  }
  if (!options.quiet) print_start(design, folder, state, forecast, out);
  return StartedRecording{std::move(*chosen), std::move(*journal), std::move(state)};
}

}  // namespace assay::record
