#include "phases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/plain_times.hpp"
#include "answer.hpp"
#include "assay/algo/stats.hpp"
#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay::difference {
namespace {

double median_of(const Phase& phase) { return median(std::vector<double>(phase.times.begin(), phase.times.end())); }

const Phase* find_phase(const SideRun& run, const std::string& path) {
  const auto at = std::ranges::find(run.phases, path, &Phase::path);
  return at == run.phases.end() || at->times.empty() ? nullptr : &*at;
}

/// Logarithms of the medians of the runs with the phase.
std::vector<double> add_side(const Side& side, const std::string& path, PhaseSide& to) {
  std::vector<double> logs;
  double total = 0;
  for (const SideRun& run : side.runs) {
    const Phase* phase = find_phase(run, path);
    if (phase == nullptr) continue;
    const auto count = static_cast<double>(phase->times.size());
    for (const std::int64_t time : phase->times) total += static_cast<double>(time);
    to.count += phase->times.size();
    to.gpu += phase->gpu * count;
    to.launches += phase->launches * count;
    logs.push_back(std::log(std::max(1.0, median_of(*phase))));
    to.bounds = median_bounds(std::vector<double>(phase->times.begin(), phase->times.end()));
  }
  if (logs.empty()) return logs;
  to.median = std::exp(mean(logs));
  to.gpu /= static_cast<double>(to.count);
  to.launches /= static_cast<double>(to.count);
  to.share = side.time > 0 ? total / static_cast<double>(side.time) : 0;
  return logs;
}

/// All paths in depth-first order.
std::vector<std::string> paths_of(const Side& before, const Side& after) {
  std::vector<std::string> paths;
  for (const Side* side : {&before, &after}) {
    for (const SideRun& run : side->runs) {
      for (const Phase& phase : run.phases) {
        if (std::ranges::find(paths, phase.path) != paths.end()) continue;
        const std::string around = phase.path.substr(0, phase.path.rfind('/') + 1);  // npos + 1 is 0
        auto at = paths.end();
        if (!around.empty()) {
          const auto is_in = [&](const std::string& path) { return (path + "/").starts_with(around); };
          const auto last = std::find_if(paths.rbegin(), paths.rend(), is_in);
          at = last == paths.rend() ? at : last.base();
        }
        paths.insert(at, phase.path);
      }
    }
  }
  return paths;
}

}  // namespace

std::vector<PhaseChange> phase_changes(const Side& before, const Side& after, const RunDesign& design, double error,
                                       bool step_told) {
  std::vector<PhaseChange> phases;
  std::vector<double> p;
  for (std::string& path : paths_of(before, after)) {
    PhaseChange change;
    const std::vector<double> b = add_side(before, path, change.before), a = add_side(after, path, change.after);
    if (b.size() == before.runs.size() && a.size() == after.runs.size())
      change.judged = judge(design.values_of(b, a), 1e-9, error);
    change.path = std::move(path);
    if (change.before.count + change.after.count == 0) continue;
    p.push_back(change.judged.half ? change.judged.p : 1);
    phases.push_back(std::move(change));
  }
  const std::vector<bool> told = significant_by_holm(p, error);
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i].told = step_told && phases[i].judged.half && told[i];
  return phases;
}

void add_plain_times(const StudyView& view, std::string_view sheet, const Side& before, const Side& after,
                     std::vector<PhaseChange>& phases) {
  const auto add = [&](const Side& side, PhaseSide PhaseChange::* values_of) {
    std::map<std::string, std::vector<double>> medians;
    for (const SideRun& run : side.runs) {
      std::vector<std::string> paths;
      for (const Phase& phase : run.phases) paths.push_back(phase.path);
      for (const PlainTimes& times : plain_times(view, run.report, paths, sheet)) {
        const auto phase = std::ranges::find(phases, times.path, &PhaseChange::path);
        if (phase == phases.end()) continue;
        medians[times.path].push_back(median(times.ns));
        ((*phase).*values_of).plain_bounds = median_bounds(times.ns);
      }
    }
    for (PhaseChange& phase : phases) {
      const std::vector<double>& own = medians[phase.path];
      if (own.empty()) continue;
      (phase.*values_of).plain = median(own);
      if (own.size() > 1) (phase.*values_of).plain_bounds = median_bounds(own);
    }
  };
  add(before, &PhaseChange::before);
  add(after, &PhaseChange::after);
}

namespace {

constexpr double kMinShare = 0.1;   ///< of the time of all: of a phase that is named
constexpr double kAsTheStep = 0.1;  ///< of the logarithm of a ratio: no other change than that of the step
constexpr std::size_t kMaxNamed = 4;

}  // namespace

std::string device_phase_text(const std::vector<PhaseChange>& phases, double step_ratio) {
  double before = 0, after = 0;
  for (const PhaseChange& phase : phases) {
    if (phase.plain_ratio()) return {};
    if (!phase.is_outer()) continue;
    before += phase.before.gpu * static_cast<double>(phase.before.count);
    after += phase.after.gpu * static_cast<double>(phase.after.count);
  }
  std::vector<std::pair<double, std::string>> named;  // ns less or more on the GPU
  bool other = false;
  for (const PhaseChange& phase : phases) {
    const double b = phase.before.gpu * static_cast<double>(phase.before.count);
    const double a = phase.after.gpu * static_cast<double>(phase.after.count);
    if (!phase.is_outer() || b <= 0 || a <= 0 || std::max(b / before, a / after) < kMinShare) continue;
    const double ratio = phase.after.gpu / phase.before.gpu;
    named.emplace_back(-std::abs(b - a), phase.path + " " + times_text(ratio, 2));
    other = other || std::abs(std::log(ratio / step_ratio)) > kAsTheStep;
  }
  if (!other || named.size() < 2) return {};
  std::ranges::sort(named);
  if (named.size() > 2) named.resize(2);
  return filled("on the GPU {}, {}", {named[0].second, named[1].second});
}

std::string phase_text(const std::vector<PhaseChange>& phases, double step_ratio) {
  std::string text;
  std::size_t named = 0;
  bool other = false;
  const bool plain = std::ranges::any_of(phases, [](const PhaseChange& p) { return p.plain_ratio().has_value(); });
  for (const PhaseChange& phase : phases) {
    const bool large = std::max(phase.before.share, phase.after.share) >= kMinShare;
    if (!phase.is_outer() || !large || !phase.both() || (plain && !phase.plain_ratio())) continue;
    const double ratio = phase.plain_ratio().value_or(phase.ratio());
    const bool changed = phase.plain_ratio() ? phase.plain_changed() : phase.changed();
    text += (named++ > 0 ? ", " : "") + phase.path + (changed ? " " + times_text(ratio, 2) : " unchanged");
    other = other || std::abs(std::log(ratio / step_ratio)) > kAsTheStep;
  }
  if (!other || named < (plain ? 1 : 2) || named > kMaxNamed) return {};
  return (plain ? "without a profiler " : "") + text;
}

}  // namespace assay::difference
