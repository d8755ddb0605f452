#include "phases.hpp"

#include <algorithm>
#include <map>

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::start_phases {
namespace {

constexpr double kWorthNaming = 0.05;  ///< of a phase: a part with less is not shown

/// Phases in order; each begins where the one before ends.
class PhaseList {
 public:
  PhaseList(const Start& start) : start_(start), at_(start.marks.begin) {}

  /// The phase until `until`, if it is later than the last; null: it is not.
  Phase* add(std::string name, std::int64_t until) {
    until = std::min(until, start_.marks.ready);
    if (until == kNone || until <= at_) return nullptr;
    phases_.push_back({std::move(name), at_, until, {}, {}, {}});
    at_ = until;
    return &phases_.back();
  }

  std::vector<Phase> phases_;

 private:
  const Start& start_;
  std::int64_t at_;
};

std::string times(std::int64_t count, const char* what) { return counted(static_cast<std::size_t>(count), what); }

/// End of the first wait of the host at or after `time`; `time` if there is none.
std::int64_t wait_after(const Start& start, std::int64_t time) {
  const auto at = std::ranges::lower_bound(start.wait_ends, time);
  return at == start.wait_ends.end() ? time : *at;
}

void add_ranges(const Start& start, Phase& phase) {
  std::map<std::string, std::int64_t> sums;
  std::int64_t covered = 0;
  for (const StartRange& range : start.ranges) {
    const std::int64_t time = std::min(range.end, phase.end) - std::max(range.start, phase.start);
    if (time <= 0) continue;
    sums[range.name] += time;
    covered += time;
  }
  for (const auto& [name, time] : sums) {
    if (double(time) >= kWorthNaming * double(phase.time())) phase.parts.push_back({filled("in '{}'", {name}), time});
  }
  std::ranges::stable_sort(phase.parts, std::greater<>(), &PhasePart::time);
  if (2 * covered >= phase.time()) phase.missing.clear();
}

/// Compilations of one function.
struct FunctionTime {
  std::string name;
  std::int64_t time = 0, backend = 0, triton = 0;
  std::size_t count = 0;
};

/// "forward (model.py:20), 3 times; 4.1 s of it in the backend, 2 s in Triton".
std::string function_text(const FunctionTime& one) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t time, const char* where) {
    if (time > 0) parts.push_back(filled("{} in {}", {time_text(static_cast<double>(time)), where}));
  };
  add(one.backend, "the backend");
  add(one.triton, "Triton");
  return filled("{}{}{}", {one.name, one.count > 1 ? filled(", {} times", {std::to_string(one.count)}) : "",
                           parts.empty() ? "" : "; of it " + listed(parts)});
}

void add_functions(const std::vector<StartCompilation>& compilations, Phase& phase) {
  std::map<std::string, FunctionTime> sums;
  std::int64_t sum = 0, covered = phase.start;
  std::size_t hits = 0;
  for (const StartCompilation& one : compilations) {
    const std::int64_t begin = std::max(one.start, covered), end = std::min(one.end, phase.end);
    sum += std::max<std::int64_t>(end - begin, 0);
    covered = std::max(covered, end);
    const std::string name = filled("{} ({})", {one.function, one.place});
    FunctionTime& of = sums[name];
    of.name = name;
    of.time += one.end - one.start;
    of.backend += std::max<std::int64_t>(one.backend, 0);
    of.triton += std::max<std::int64_t>(one.triton, 0);
    ++of.count;
    hits += one.cache == "hit" ? 1U : 0U;
  }
  phase.evidence =
      filled("by the log {} in {}, of which the cache had {}; the rest loads the compiler",
             {time_text(static_cast<double>(sum)), counted(compilations.size(), "compilation"), std::to_string(hits)});
  for (const auto& [name, function] : sums) phase.parts.push_back({function_text(function), function.time});
  std::ranges::stable_sort(phase.parts, std::greater<>(), &PhasePart::time);
}

/// What comes between the first call and the capture, or the first step.
void add_compiling(const Start& start, const std::vector<StartCompilation>& compilations, std::int64_t until,
                   PhaseList& list) {
  const StartMarks& marks = start.marks;
  if (!compilations.empty()) {
    if (Phase* phase = list.add("compile", std::min(until, wait_after(start, compilations.back().end))))
      add_functions(compilations, *phase);
    std::int64_t autotuning = 0;
    for (const StartCompilation& one : compilations) autotuning += std::max<std::int64_t>(one.autotuning, 0);
    Phase* phase = list.add("first calls after compiling", until);
    if (phase != nullptr && autotuning > 0)
      phase->evidence = filled("by the log {} of trying configurations of kernels", {time_text(double(autotuning))});
    return;
  }
  const bool generated = marks.generated != kNone && marks.first_wait_end != kNone &&
                         marks.generated > marks.first_wait_end && marks.generated < until;
  Phase* phase = list.add(generated ? "compile" : "host code after the first call", until);
  if (phase == nullptr) return;
  if (marks.opened_later_count > 0) phase->evidence = filled("opens {}", {times(marks.opened_later_count, "file")});
  if (generated) {
    phase->evidence += filled("{}the first kernel that Triton generated runs {} after its begin",
                              {phase->evidence.empty() ? "" : "; ", time_text(double(marks.generated - phase->start))});
    phase->missing = "which functions: set TORCH_TRACE=DIR in the same run, and look at both";
  } else {
    phase->missing = "what the host does: put ranges around it (torch.cuda.nvtx.range)";
  }
}

}  // namespace

std::vector<Phase> phases_of(const Start& start, const std::vector<StartCompilation>& compilations) {
  const StartMarks& marks = start.marks;
  PhaseList list(start);
  if (Phase* phase = list.add("until the GPU is first used", marks.driver)) {
    phase->evidence = filled("opens {}", {times(marks.opened_count, "file")});
    if (marks.read_count > 0)
      phase->evidence +=
          filled("; {} in {} of files", {time_text(double(marks.read_ns)), times(marks.read_count, "read")});
    phase->missing =
        "which modules and files, and their bytes: Nsight Systems records no names of files; put ranges around imports "
        "and around reading weights";
  }
  const bool sees_host = !list.phases_.empty();
  if (Phase* phase = list.add(marks.copied_bytes > 0 ? "to the device" : "set up of the device",
                              marks.copied == kNone ? marks.first_launch : marks.copied);
      phase != nullptr && marks.copied_bytes > 0) {
    const std::int64_t setup = marks.first_copy - phase->start, copying = phase->end - marks.first_copy;
    phase->evidence =
        filled("{} of set up, then {} in {}",
               {time_text(double(setup)), quantity(double(marks.copied_bytes), "bytes"), time_text(double(copying))});
    if (copying > 0)
      phase->evidence += filled(" ({})", {quantity(1e9 * double(marks.copied_bytes) / double(copying), "bytes/s")});
  }
  if (!sees_host && !list.phases_.empty())
    list.phases_.front().missing = "what came before the first call of CUDA: nsys profile -t cuda,nvtx,osrt";
  if (Phase* phase = list.add("first call", marks.first_wait_end))
    phase->evidence = "from the first kernel until the host has waited for it";
  const bool captures = marks.first_capture != kNone && marks.first_capture < marks.ready;
  add_compiling(start, compilations, captures ? marks.first_capture : marks.ready, list);
  if (captures) {
    if (Phase* phase = list.add("capture", wait_after(start, marks.capture_end)))
      phase->evidence = times(marks.captures, "CUDA graph");
    if (marks.ready_kind == std::int64_t(ReadyKind::kResult)) {
      const auto last = std::ranges::lower_bound(start.wait_ends, marks.ready);
      if (last != start.wait_ends.begin()) list.add("warm-up", *std::prev(last));
      list.add("first result", marks.ready);
    }
    list.add("warm-up", marks.ready);
  }
  for (Phase& phase : list.phases_) {
    if (phase.parts.empty()) add_ranges(start, phase);
  }
  return list.phases_;
}

std::string start_line(const StartMarks& marks, const std::vector<Phase>& phases) {
  std::vector<const Phase*> longest;
  for (const Phase& phase : phases) longest.push_back(&phase);
  std::ranges::stable_sort(longest, std::greater<>(), [](const Phase* phase) { return phase->time(); });
  constexpr std::size_t kNamed = 4;
  longest.resize(std::min(longest.size(), kNamed));
  std::ranges::sort(longest, {}, [](const Phase* phase) { return phase->start; });
  std::vector<std::string> parts;
  for (const Phase* phase : longest)
    parts.push_back(filled("{} {}", {time_text(static_cast<double>(phase->time())), phase->name}));
  const char* ready = marks.ready_kind == std::int64_t(ReadyKind::kStep)     ? "first step"
                      : marks.ready_kind == std::int64_t(ReadyKind::kResult) ? "first result"
                                                                             : "last one-time call";
  return filled("{} from the start of the process to its {}: {}",
                {time_text(static_cast<double>(marks.ready - marks.begin)), ready, listed(parts)});
}

}  // namespace assay::start_phases
