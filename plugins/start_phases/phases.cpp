#include "phases.hpp"

#include <algorithm>
#include <map>

#include "algo/short_name.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::start_phases {
namespace {

constexpr const char* kHostAlone = "until the GPU is first used";
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

/// Time of ranges within a phase.
std::int64_t time_in(const StartRange& range, const Phase& phase) {
  return std::max<std::int64_t>(std::min(range.end, phase.end) - std::max(range.start, phase.start), 0);
}

void add_evidence(const std::string& text, Phase& phase) {
  phase.evidence += (phase.evidence.empty() ? "" : "; ") + text;
}

void add_overheads(const Start& start, Phase& phase) {
  std::int64_t sum = 0;
  for (const StartRange& overhead : start.overheads) sum += time_in(overhead, phase);
  if (double(sum) >= kWorthNaming * double(phase.time()))
    add_evidence(filled("{} of it is the profiler's own work", {time_text(double(sum))}), phase);
}

void add_ranges(const Start& start, Phase& phase) {
  std::map<std::string, std::int64_t> sums;
  std::int64_t covered = 0;
  for (const StartRange& range : start.ranges) {
    const std::int64_t time = time_in(range, phase);
    if (time > 0) sums[range.name] += time;
    covered += time;
  }
  for (const auto& [name, time] : sums) {
    if (double(time) >= kWorthNaming * double(phase.time()))
      phase.parts.push_back({filled("in '{}'", {short_name(name)}), time});
  }
  std::ranges::stable_sort(phase.parts, std::greater<>(), &PhasePart::time);
  // One range around all says nothing of its parts.
  if (phase.parts.size() > 1 && 2 * covered >= phase.time()) phase.missing.clear();
}

/// Compilations of one function.
struct FunctionTime {
  std::string name;
  std::int64_t time = 0, backend = 0, triton = 0;
  std::size_t count = 0;
};

/// "forward (model.py:20), 3 times: 4.1 s in the backend (2 s in Triton's compiler)".
std::string function_text(const FunctionTime& one) {
  std::string text = one.name;
  if (one.count > 1) text += filled(", {} times", {std::to_string(one.count)});
  if (one.backend > 0) text += filled(": {} in the backend", {time_text(double(one.backend))});
  if (one.triton > 0) text += filled(" ({} in Triton's compiler)", {time_text(double(one.triton))});
  return text;
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
  add_evidence(filled("{} in the log, {}, take {}; the rest loads the compiler",
                      {counted(compilations.size(), "compilation"),
                       hits == 0 ? "none from a cache" : filled("{} from a cache", {std::to_string(hits)}),
                       time_text(double(sum))}),
               phase);
  for (const auto& [name, function] : sums) phase.parts.push_back({function_text(function), function.time});
  std::ranges::stable_sort(phase.parts, std::greater<>(), &PhasePart::time);
}

/// What comes between the first kernels and the capture, or the first step.
void add_compiling(const Start& start, const std::vector<StartCompilation>& compilations, std::int64_t until,
                   PhaseList& list) {
  const StartMarks& marks = start.marks;
  if (!compilations.empty()) {
    if (Phase* phase = list.add("compiling", std::min(until, wait_after(start, compilations.back().end))))
      add_functions(compilations, *phase);
    std::int64_t autotuning = 0;
    for (const StartCompilation& one : compilations) autotuning += std::max<std::int64_t>(one.autotuning, 0);
    Phase* phase = list.add("first calls after compiling", until);
    if (phase != nullptr && autotuning > 0)
      add_evidence(filled("{} of autotuning in the log", {time_text(double(autotuning))}), *phase);
    return;
  }
  const bool generated = marks.generated != kNone && marks.first_wait_end != kNone &&
                         marks.generated > marks.first_wait_end && marks.generated < until;
  Phase* phase = list.add(generated ? "compiling" : "host code after the first kernels", until);
  if (phase == nullptr) return;
  if (marks.opened_later_count > 0)
    add_evidence(filled("{} that open files", {times(marks.opened_later_count, "call")}), *phase);
  phase->missing = "what the host does: put ranges around it (torch.cuda.nvtx.range)";
  if (!generated) return;
  add_evidence(filled("the first kernel that Triton generated runs {} into it",
                      {time_text(double(marks.generated - phase->start))}),
               *phase);
  phase->missing = "which functions: set TORCH_TRACE=DIR in the same run, and look at both";
}

/// Until the first kernel: the host alone, then the device and what is copied to it.
void add_loading(const StartMarks& marks, PhaseList& list) {
  if (Phase* phase = list.add(kHostAlone, marks.driver)) {
    add_evidence(filled("{} that open files", {times(marks.opened_count, "call")}), *phase);
    if (marks.read_count > 0)
      add_evidence(filled("{} in {} that read", {time_text(double(marks.read_ns)), times(marks.read_count, "call")}),
                   *phase);
    phase->missing =
        "which modules and files, and how many bytes: put ranges around imports and around reading weights (calls of "
        "the operating system have neither here)";
  }
  const bool sees_host = !list.phases_.empty();
  if (marks.copied_bytes > 0) {
    list.add("until the first copy", marks.first_copy);
    if (Phase* phase = list.add("first copies to the device", marks.copied))
      add_evidence(filled("{} ({})", {quantity(double(marks.copied_bytes), "bytes"),
                                      quantity(1e9 * double(marks.copied_bytes) / double(phase->time()), "bytes/s")}),
                   *phase);
  } else {
    list.add("until the first kernel", marks.first_launch);
  }
  if (!sees_host && !list.phases_.empty())
    list.phases_.front().missing = "what came before the first call of CUDA: nsys profile -t cuda,nvtx,osrt";
}

}  // namespace

std::vector<Phase> phases_of(const Start& start, const std::vector<StartCompilation>& compilations) {
  const StartMarks& marks = start.marks;
  PhaseList list(start);
  add_loading(marks, list);
  if (Phase* phase = list.add("first kernels", marks.first_wait_end))
    add_evidence("until the host has first waited for kernels", *phase);
  const bool captures = marks.first_capture != kNone && marks.first_capture < marks.ready;
  add_compiling(start, compilations, captures ? marks.first_capture : marks.ready, list);
  if (captures) {
    if (Phase* phase = list.add("capture", wait_after(start, marks.capture_end)))
      add_evidence(times(marks.captures, "CUDA graph"), *phase);
    if (marks.ready_kind == std::int64_t(ReadyKind::kResult)) {
      const auto last = std::ranges::lower_bound(start.wait_ends, marks.ready);
      if (last != start.wait_ends.begin()) list.add("warm-up", *std::prev(last));
      list.add("first result", marks.ready);
    }
    list.add("warm-up", marks.ready);
  }
  for (Phase& phase : list.phases_) {
    add_overheads(start, phase);
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
                                                                             : "last loading of code";
  const bool sees_host = !phases.empty() && phases.front().name == kHostAlone;
  return filled("{} from the {} to its {}: {}",
                {time_text(static_cast<double>(marks.ready - marks.begin)),
                 sees_host ? "start of the process" : "first call of CUDA of the process", ready, listed(parts)});
}

}  // namespace assay::start_phases
