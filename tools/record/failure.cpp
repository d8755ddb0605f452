#include "record/failure.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "assay/words.hpp"
#include "files/read_file.hpp"
#include "record/duration.hpp"
#include "record/process.hpp"

namespace assay::record {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 11> kOutcomes = {{
    {Outcome::kOk, "ok"},
    {Outcome::kFailed, "failed"},
    {Outcome::kTimedOut, "timed_out"},
    {Outcome::kOutOfMemory, "out_of_memory"},
    {Outcome::kNoPermission, "no_permission"},
    {Outcome::kNumaRefused, "numa_refused"},
    {Outcome::kNoReport, "no_report"},
    {Outcome::kDiskFull, "disk_full"},
    {Outcome::kNotStarted, "not_started"},
    {Outcome::kInterrupted, "interrupted"},
    {Outcome::kRejected, "rejected"},
}};

/// Messages of programs and profilers, in lower case.
constexpr std::array<std::pair<std::string_view, Outcome>, 19> kSigns = {{
    {"cuda out of memory", Outcome::kOutOfMemory},
    {"cuda error: out of memory", Outcome::kOutOfMemory},
    {"outofmemoryerror", Outcome::kOutOfMemory},
    {"cudaerrormemoryallocation", Outcome::kOutOfMemory},
    {"std::bad_alloc", Outcome::kOutOfMemory},
    {"memoryerror", Outcome::kOutOfMemory},
    {"cannot allocate memory", Outcome::kOutOfMemory},
    {"err_nvgpuctrperm", Outcome::kNoPermission},
    {"does not have permission to access nvidia gpu performance counters", Outcome::kNoPermission},
    {"cupti_error_insufficient_privileges", Outcome::kNoPermission},
    {"perf_event_paranoid", Outcome::kNoPermission},
    {"libnuma: warning: node argument", Outcome::kNumaRefused},
    {"libnuma: warning: cpu argument", Outcome::kNumaRefused},
    {"numactl: set_mempolicy", Outcome::kNumaRefused},
    {"is out of range\n<", Outcome::kNumaRefused},
    {"usage: numactl", Outcome::kNumaRefused},
    {"set_mempolicy: operation not permitted", Outcome::kNumaRefused},
    {"setting membind: operation not permitted", Outcome::kNumaRefused},
    {"no space left on device", Outcome::kDiskFull},
}};

/// Last non-empty line, shortened. Skips a line with only a URL, which profilers print at the end of messages.
std::string last_line(std::string_view printed) {
  constexpr std::size_t kMax = 240;
  while (true) {
    const std::size_t end = printed.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) return {};
    printed = printed.substr(0, end + 1);
    std::string_view line = printed.substr(printed.find_last_of("\r\n") + 1);
    printed.remove_suffix(line.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool address = line.starts_with("http") && line.find(' ') == std::string_view::npos;
    if (!address) return std::string(line.substr(0, kMax));
  }
}

Outcome sign_in(std::string_view printed) {
  const std::string text = lower_case(printed);
  for (const auto& [sign, outcome] : kSigns) {
    if (text.find(sign) != std::string::npos) return outcome;
  }
  return Outcome::kFailed;
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  const auto at = std::find_if(kOutcomes.begin(), kOutcomes.end(), [&](const auto& n) { return n.first == outcome; });
  return at->second;
}

Outcome outcome_named(std::string_view name) {
  const auto at = std::find_if(kOutcomes.begin(), kOutcomes.end(), [&](const auto& n) { return n.second == name; });
  return at == kOutcomes.end() ? Outcome::kFailed : at->first;
}

bool counts(Outcome outcome) { return outcome != Outcome::kInterrupted && outcome != Outcome::kDiskFull; }

std::string_view advice_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::kTimedOut:
      return "give it more time with --timeout or [experiment] timeout, or make the run shorter";
    case Outcome::kOutOfMemory:
      return "use a smaller batch, image or model, or a GPU with more memory, and see that no other process holds some";
    case Outcome::kNoPermission:
      return "allow profiling: the kernel module option NVreg_RestrictProfilingToAdminUsers=0, "
             "/proc/sys/kernel/perf_event_paranoid of at most 2, or a container with --cap-add=SYS_ADMIN";
    case Outcome::kNumaRefused:
      return "name a node that 'numactl --hardware' lists and that the container or batch system lets this process use";
    case Outcome::kNoReport:
      return "see its log; with --capture-range the program must start and stop the capture, and a profiler that "
             "writes elsewhere must write to {report}";
    case Outcome::kDiskFull:
      return "free some space and record again with the same arguments";
    default:
      return {};
  }
}

Failure failure_of(const ProcessEnd& end, std::string_view printed, double timeout_seconds) {
  const std::string words = last_line(printed), said = words.empty() ? "" : ": " + words;
  Failure failure;
  switch (end.status.how) {
    case process::ExitKind::kExited:
      if (end.status.number == 0) return failure;
      failure.outcome = sign_in(printed);
      failure.error = words.empty() ? "exit code " + std::to_string(end.status.number) : words;
      break;
    case process::ExitKind::kSignalled:
      failure.outcome = sign_in(printed);
      failure.error = process::ending_text(end.status) + said;
      break;
    case process::ExitKind::kTimedOut:
      failure.outcome = Outcome::kTimedOut;
      failure.error = "not done after " + duration_text(timeout_seconds) + said;
      break;
    case process::ExitKind::kInterrupted:
      failure.outcome = Outcome::kInterrupted;
      failure.error = "interrupted";
      break;
    case process::ExitKind::kNotStarted:
      failure.outcome = Outcome::kNotStarted;
      failure.error = process::not_started(end.status.number);
      break;
  }
  failure.advice = advice_for(failure.outcome);
  return failure;
}

std::string tail_of(const std::filesystem::path& file, std::size_t most) {
  const Result<std::string> text = files::read_file(file, 2 * kMaxLog, files::NamedBy::kAssay);
  return text ? text->substr(text->size() - std::min(text->size(), most)) : std::string();
}

}  // namespace assay::record
