#include "unlike.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay::overview {
namespace {

/// With fewer kernels a run does not count as a measurement of a program.
constexpr double kMinKernels = 10;
/// Runs of one program differ if one takes this many times as long.
constexpr double kApart = 1.5;
/// From the median of its folder, in robust standard deviations of the log; smaller folders have no such median.
constexpr double kDeviations = 5;
constexpr std::size_t kMinGroup = 5;
/// Degrees that rank errors above mere differences.
constexpr double kWrong = 1e6, kSameProgram = 1e3;

void add(Unlike& to, double degree, std::string reason) {
  to.degree = std::max(to.degree, degree);
  to.reasons.push_back(std::move(reason));
}

void add_empty_runs(const std::vector<Run>& runs, std::vector<Unlike>& out) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Run& run = runs[r];
    if ((run.counted_kernels || !run.memory.empty()) && !run.kernels) continue;
    if (!run.busy && !run.kernels) {
      add(out[r], kWrong, "no GPU work was recorded");
    } else if (run.kernels == 0.0) {
      add(out[r], kWrong, "no kernel ran");
    } else if (run.kernels && *run.kernels < kMinKernels && run.opaque.value_or(0) < kHidden) {
      add(out[r], kWrong, "only " + counted(static_cast<std::size_t>(*run.kernels), "kernel"));
    }
  }
}

/// Runs of one program should take similar times.
void add_replicates(const std::vector<Run>& runs, std::vector<Unlike>& out) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const bool measured = runs[r].window_ns && *runs[r].window_ns > 0;
    if (measured && !runs[r].fingerprint.empty()) groups[runs[r].fingerprint].push_back(r);
  }
  for (const auto& [print, members] : groups) {
    for (const std::size_t r : members) {
      std::vector<double> others;
      for (const std::size_t other : members) {
        if (other != r) others.push_back(*runs[other].window_ns);
      }
      if (others.empty()) continue;
      const double ratio = *runs[r].window_ns / quantile(others, 0.5);
      const bool fast = others.size() > 1 && ratio < 1 / kApart;  // of two runs it is unknown whether the fast one
                                                                  // is the exception
      if (ratio <= kApart && !fast) continue;
      add(out[r], kSameProgram * std::max(ratio, 1 / ratio),
          printed("%.2f times the duration of ", ratio) + counted(others.size(), "run") + " of the same work");
    }
  }
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// One number of a run, with its name.
struct Measure {
  const char* name;
  const char* plural;
  std::optional<double> Run::* value;
  std::string (*text)(double);
};

std::string count_text(double value) { return printed("%.0f", value); }
std::string share_text(double value) { return value < 0.005 ? "below 1 %" : percent(value, 0); }
std::string duration_text(double value) { return time_text(value); }

constexpr Measure kMeasures[] = {{"GPU busy ", "", &Run::busy, share_text},
                                 {"takes ", "", &Run::window_ns, duration_text},
                                 {"", " kernels", &Run::kernels, count_text}};

void add_outliers(const std::vector<Run>& runs, const std::vector<std::size_t>& members, const Measure& measure,
                  std::vector<Unlike>& out) {
  constexpr double kOfNormal = 1.4826;  // from median absolute deviation to standard deviation
  std::vector<double> logs;
  std::vector<std::size_t> known;
  for (const std::size_t r : members) {
    const auto value = runs[r].*measure.value;
    if (!value || *value <= 0) continue;
    known.push_back(r);
    logs.push_back(std::log(*value));
  }
  if (known.size() < kMinGroup) return;
  const double median = quantile(logs, 0.5);
  std::vector<double> away;
  for (const double value : logs) away.push_back(std::abs(value - median));
  // If most values are equal the deviation is 0; differences below kApart are not reported.
  const double unit = std::max(kOfNormal * quantile(away, 0.5), std::log(kApart) / kDeviations);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (away[i] <= kDeviations * unit) continue;
    add(out[known[i]], away[i] / unit,
        filled("{}{}{} (median of {}: {})", {measure.name, measure.text(std::exp(logs[i])), measure.plural,
                                             std::to_string(known.size()), measure.text(std::exp(median))}));
  }
}

}  // namespace

std::vector<Unlike> unlike_of(const std::vector<Run>& runs) {
  std::vector<Unlike> out(runs.size());
  add_empty_runs(runs, out);
  add_replicates(runs, out);
  std::map<std::string, std::vector<std::size_t>> folders;
  for (std::size_t r = 0; r < runs.size(); ++r) folders[folder_of(runs[r].path)].push_back(r);
  for (const auto& [folder, members] : folders) {
    for (const Measure& measure : kMeasures) add_outliers(runs, members, measure, out);
  }
  const bool all = std::ranges::none_of(out, [](const Unlike& one) { return one.reasons.empty(); });
  if (all && runs.size() > 1) out.assign(runs.size(), {});  // none is unlike the others
  return out;
}

}  // namespace assay::overview
