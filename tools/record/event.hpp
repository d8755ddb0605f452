// Events of a journal: one struct per event with a list of its fields, which serves for writing, reading and checking
// lines.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "record/failure.hpp"
#include "result.hpp"

namespace assay::record {

using Json = nlohmann::ordered_json;

/// Texts by name, in the order written.
using Texts = std::vector<std::pair<std::string, std::string>>;

/// Names and values that must be equal for runs of one recording.
using Identity = Texts;

namespace event {

/// Constraint on a field besides its type.
enum class Check {
  kNone,
  kFromOne,     ///< a number from 1
  kFilled,      ///< not empty
  kSeed,        ///< any number from 0; other numbers are small
  kNumbers,     ///< an object of numbers
  kScalars,     ///< an object of texts, numbers and booleans
  kObjects,     ///< a list of objects
  kConditions,  ///< as written by json_of(Conditions)
};

/// Design of the recording, for readers of the journal; the recorder computes it again.
struct Design {
  std::string name;
  std::vector<std::string> questions;
  std::size_t cells = 0, configurations = 0, replicates = 0, most = 0;
  std::string order;                        ///< "blocks" or "sequential"
  std::optional<std::size_t> gpus_at_once;  ///< empty: recorded on one, before journals had it
  std::uint64_t seed = 0;
  bool until_decided = false;
  double budget_seconds = 0;
  std::string looks, interval;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("name", self.name, Check::kFilled);
    on("questions", self.questions, Check::kFilled);
    on("cells", self.cells);
    on("configurations", self.configurations);
    on("replicates", self.replicates, Check::kFromOne);
    on("most", self.most);
    on("order", self.order, Check::kFilled);
    on("gpus_at_once", self.gpus_at_once, Check::kFromOne);
    on("seed", self.seed, Check::kSeed);
    on("until_decided", self.until_decided);
    on("budget_seconds", self.budget_seconds);
    on("looks", self.looks);
    on("interval", self.interval);
  }
};

struct RecordingBegan {
  static constexpr std::string_view kName = "begin";
  std::string time, assay;  ///< the program's version
  std::size_t epoch = 1;
  Design design;
  Identity identity;
  Texts commands;                                  ///< by "GPU KEY" of a cell, sorted
  std::optional<std::vector<std::string>> joined;  ///< folders of the blocks it was joined from

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("assay", self.assay);
    on("epoch", self.epoch, Check::kFromOne);
    on("design", self.design);
    on("identity", self.identity);
    on("commands", self.commands);
    on("joined", self.joined);
  }
};

/// From here on blocks are not paired with earlier ones, because something changed.
struct Epoch {
  static constexpr std::string_view kName = "epoch";
  std::string time, assay;
  std::size_t epoch = 1;
  Identity identity;
  Texts commands;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("assay", self.assay);
    on("epoch", self.epoch, Check::kFromOne);
    on("identity", self.identity);
    on("commands", self.commands);
  }
};

/// Another recorder continues the recording.
struct RecordingResumed {
  static constexpr std::string_view kName = "resume";
  std::string time, assay;
  std::size_t epoch = 1;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("assay", self.assay);
    on("epoch", self.epoch, Check::kFromOne);
  }
};

struct Block {
  static constexpr std::string_view kName = "block";
  std::string time;
  std::size_t block = 0;
  std::string gpu;                 ///< empty: as in the question
  std::vector<std::string> order;  ///< keys of its cells

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("block", self.block, Check::kFromOne);
    on("gpu", self.gpu);
    on("order", self.order, Check::kFilled);
  }
};

/// A block that is recorded separately is complete.
struct BlockEnded {
  static constexpr std::string_view kName = "block_end";
  std::string time;
  std::size_t block = 0;
  std::string host;
  std::vector<std::string> gpus;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("block", self.block, Check::kFromOne);
    on("host", self.host);
    on("gpus", self.gpus);
  }
};

/// Name of a run in a question.
struct RunName {
  std::string run_id, question;
  Json runner_fields = Json::object();  ///< its fields in result files of a runner
  Texts labels;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("run_id", self.run_id, Check::kFilled);
    on("question", self.question, Check::kFilled);
    on("fields", self.runner_fields, Check::kScalars);
    on("labels", self.labels);
  }
};

struct RunStarted {
  static constexpr std::string_view kName = "start";
  std::string time, run, cell;
  std::size_t attempt = 1, epoch = 1, block = 1, position = 1, replicate = 1;
  bool twin = false;
  std::vector<std::string> command;
  Texts env;
  std::string out, err;  ///< files with its output
  std::vector<RunName> names;
  Json conditions = Json::object();
  std::optional<std::size_t> windows = {};  ///< profiles of each process; empty: one, without a number

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("run", self.run, Check::kFilled);
    on("cell", self.cell, Check::kFilled);
    on("attempt", self.attempt, Check::kFromOne);
    on("epoch", self.epoch, Check::kFromOne);
    on("block", self.block, Check::kFromOne);
    on("position", self.position, Check::kFromOne);
    on("replicate", self.replicate, Check::kFromOne);
    on("twin", self.twin);
    on("command", self.command, Check::kFilled);
    on("env", self.env);
    on("stdout", self.out);
    on("stderr", self.err);
    on("names", self.names, Check::kFilled);
    on("conditions", self.conditions, Check::kConditions);
    on("windows", self.windows);
  }
};

struct Binding {
  std::string cpus, memory;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("cpus", self.cpus);
    on("memory", self.memory);
  }
};

/// PowerUse of a run (power_sampler.hpp).
struct Power {
  std::optional<double> joules, mean_watts, sm_mhz, throttled_ratio;
  std::size_t samples = 0;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("joules", self.joules);
    on("mean_watts", self.mean_watts);
    on("sm_mhz", self.sm_mhz);
    on("throttled_ratio", self.throttled_ratio);
    on("samples", self.samples);
  }
};

struct RunEnded {
  static constexpr std::string_view kName = "end";
  std::string time, run;
  std::size_t attempt = 1;
  Outcome outcome = Outcome::kOk;
  double duration = 0;  ///< seconds
  std::optional<int> exit_code, signal;
  std::optional<std::string> error, advice;
  std::optional<std::string> rejected_by;  ///< "throttled": the mark for which the run does not count
  std::optional<Binding> binding;
  std::optional<std::size_t> left_behind;  ///< processes that outlived it
  Json measured = Json::object();          ///< measurements reported by the program
  std::vector<std::string> reports, marks;
  std::string throttling;
  Json conditions = Json::object();
  std::optional<Power> power;  ///< of its GPU; empty: not sampled

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("run", self.run, Check::kFilled);
    on("attempt", self.attempt, Check::kFromOne);
    on("outcome", self.outcome);
    on("duration", self.duration);
    on("exit_code", self.exit_code);
    on("signal", self.signal);
    on("error", self.error);
    on("advice", self.advice);
    on("rejected_by", self.rejected_by);
    on("binding", self.binding);
    on("left_behind", self.left_behind);
    on("measured", self.measured, Check::kNumbers);
    on("reports", self.reports);
    on("marks", self.marks);
    on("throttling", self.throttling, Check::kFilled);
    on("conditions", self.conditions, Check::kConditions);
    on("power", self.power);
  }
};

/// A discarded run.
struct Warmup {
  static constexpr std::string_view kName = "warmup";
  std::string time, cell, gpu;
  Outcome outcome = Outcome::kOk;
  double duration = 0;
  std::optional<std::string> error;
  std::optional<std::string> question = {};  ///< whose runs measure so many `steps`, by this pilot run
  std::optional<std::size_t> steps = {};

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("cell", self.cell, Check::kFilled);
    on("gpu", self.gpu);
    on("outcome", self.outcome);
    on("duration", self.duration);
    on("error", self.error);
    on("question", self.question);
    on("steps", self.steps);
  }
};

/// All warm-up runs of a cell ("GPU KEY") are done.
struct CellWarmed {
  static constexpr std::string_view kName = "warmed";
  std::string time, cell;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("cell", self.cell, Check::kFilled);
  }
};

/// A claim at an interim look.
struct Claim {
  std::string question, id, verdict;
  bool decided = false;           ///< or undecidable by repeating runs
  std::size_t blocks_needed = 0;  ///< in total, according to the spread so far; 0: unknown
  Json strata = Json::array();
  std::optional<double> chance = {};  ///< probability of a decision by the last block; empty: it is decided

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("question", self.question, Check::kFilled);
    on("claim", self.id, Check::kFilled);
    on("verdict", self.verdict, Check::kFilled);
    on("decided", self.decided);
    on("blocks_needed", self.blocks_needed);
    on("chance", self.chance);
    on("strata", self.strata, Check::kObjects);
  }
};

struct LookTaken {
  static constexpr std::string_view kName = "look";
  std::string time;
  std::size_t block = 0;
  std::vector<Claim> claims;
  double seconds = 0;                     ///< of all runs so far
  std::optional<std::string> ended = {};  ///< why no further block is recorded; empty: one is

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("block", self.block, Check::kFromOne);
    on("claims", self.claims);
    on("seconds", self.seconds);
    on("ended", self.ended);
  }
};

/// A cell is contradicted by its trace and not recorded further.
struct CellStopped {
  static constexpr std::string_view kName = "stopped";
  std::string time, cell, why;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("cell", self.cell, Check::kFilled);
    on("why", self.why);
  }
};

/// Processes left behind by concurrent runs on several GPUs that cannot be attributed to one of them.
struct ProcessesLeftBehind {
  static constexpr std::string_view kName = "left_behind";
  std::string time;
  std::vector<std::size_t> blocks;
  std::size_t processes = 0;

  template <class Self, class On>
  static void fields(Self& self, On& on) {
    on("time", self.time);
    on("blocks", self.blocks);
    on("processes", self.processes, Check::kFromOne);
  }
};

}  // namespace event

using Event = std::variant<event::RecordingBegan, event::Epoch, event::RecordingResumed, event::Block,
                           event::BlockEnded, event::RunStarted, event::RunEnded, event::Warmup, event::CellWarmed,
                           event::LookTaken, event::CellStopped, event::ProcessesLeftBehind>;

/// {"event": NAME, ...}, as in the journal.
Json json_of(const Event& event);
/// json_of as one line, without line end.
std::string line_of(const Event& event);

/// One line, read.
struct JournalLine {
  std::optional<Event> event;
  bool cut_off = false;  ///< incomplete JSON, like the last line of a writer that died
  std::string problem;   ///< other errors: "'order' is null where a list of texts is expected"
};
JournalLine read_line(std::string_view line);

/// Events of one kind, in order.
template <class Kind>
std::vector<const Kind*> all_of(const std::vector<Event>& events) {
  std::vector<const Kind*> found;
  for (const Event& event : events) {
    if (const Kind* one = std::get_if<Kind>(&event)) found.push_back(one);
  }
  return found;
}

}  // namespace assay::record
