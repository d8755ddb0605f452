#include "phases.hpp"

#include <algorithm>
#include <map>

#include "assay/algo/summary.hpp"

namespace assay::memory {
namespace {

std::string without_number(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return digits == 0 || digits == name.size() ? std::string(name) : std::string(name.substr(0, digits)) + "{i}";
}

}  // namespace

Levels::Levels(const Report& report, const DevicePeak& device)
    : changes_(*report.allocations), before_(static_cast<double>(device.before)) {
  const auto is_own = [&](std::size_t c) {
    return changes_.device[c] == device.device && changes_.allocated[c] != kNone;
  };
  size_ = static_cast<std::size_t>(changes_.rows);
  for (std::size_t c = 0; c < changes_.rows && size_ > 0; ++c) size_ = is_own(c) ? size_ : 0;
  for (std::size_t c = 0; c < changes_.rows && size_ == 0; ++c) {
    if (is_own(c)) rows_.push_back(static_cast<std::uint32_t>(c));
  }
  size_ = std::max(size_, rows_.size());
  highest_.emplace_back();
  for (std::size_t i = 0; i < size_; i += kBlock) highest_[0].push_back(most_of_few(i, std::min(i + kBlock, size_)));
  for (std::size_t width = 1; 2 * width <= highest_[0].size(); width *= 2) {
    const std::vector<double>& half = highest_.back();
    std::vector<double> whole;
    for (std::size_t i = 0; i + width < half.size(); ++i) whole.push_back(std::max(half[i], half[i + width]));
    highest_.push_back(std::move(whole));
  }
}

double Levels::most(std::int64_t begin, std::int64_t end) const {
  const std::size_t first = index_at(begin), last = index_at(end + 1);
  const double there = first == 0 ? before_ : level(first - 1);
  return last <= first ? there : std::max(there, most_of(first, last));
}

std::size_t Levels::index_at(std::int64_t time) const {
  std::size_t low = 0, high = size_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    (changes_.time[row(middle)] < time ? low : high) = changes_.time[row(middle)] < time ? middle + 1 : middle;
  }
  return low;
}

double Levels::most_of_few(std::size_t first, std::size_t last) const {
  double most = level(first);
  for (std::size_t i = first + 1; i < last; ++i) most = std::max(most, level(i));
  return most;
}

double Levels::most_of(std::size_t first, std::size_t last) const {
  const std::size_t inner = (first + kBlock - 1) / kBlock, end = last / kBlock;
  if (end <= inner) return most_of_few(first, last);
  std::size_t k = 0;
  while (std::size_t{2} << k <= end - inner) ++k;
  double most = std::max(highest_[k][inner], highest_[k][end - (std::size_t{1} << k)]);
  if (first < inner * kBlock) most = std::max(most, most_of_few(first, inner * kBlock));
  return end * kBlock < last ? std::max(most, most_of_few(end * kBlock, last)) : most;
}

std::vector<PhasePeaks> peaks_of_phases(const Levels& levels, const Steps& steps, const PassBegins& passes) {
  std::vector<PhasePeaks> phases = {{"forward", {}, {}}, {"backward", {}, {}}, {"optimizer", {}, {}}};
  std::int64_t begin = levels.begin();
  for (std::size_t step = 0; step < steps.ends.size(); ++step) {
    const std::int64_t end = steps.ends[step];
    const auto update = std::ranges::lower_bound(steps.updates, begin);
    const std::int64_t optimizer = update != steps.updates.end() && *update <= end ? *update : end;
    const auto add = [&](PhasePeaks& phase, std::int64_t from, std::int64_t to) {
      phase.peaks.push_back(levels.most(from, to));
      phase.steps.push_back(steps.numbers[step]);
    };
    const std::int64_t backward = passes.backward[step];
    const std::int64_t forward = passes.forward[step] < backward ? passes.forward[step] : begin;
    if (backward > begin && backward < optimizer) {
      add(phases[0], forward, backward - 1);
      add(phases[1], backward, optimizer - 1);
      if (optimizer < end) add(phases[2], optimizer, end);
    }
    begin = end + 1;
  }
  std::erase_if(phases, [](const PhasePeaks& phase) { return phase.peaks.empty(); });
  return phases;
}

std::vector<PhasePeaks> peaks_of_ranges(const Levels& levels, const Steps& steps, const std::vector<Annotation>& ranges,
                                        std::size_t most) {
  std::map<std::string, PhasePeaks> by_name;
  for (const Annotation& range : ranges) {
    if (range.name.starts_with("ProfilerStep#") || range.name.starts_with("Optimizer.")) continue;
    if (range.end < levels.begin() || range.begin > levels.end()) continue;
    PhasePeaks& peaks = by_name[without_number(range.name)];
    const std::size_t step = steps.at(range.begin);
    peaks.peaks.push_back(levels.most(range.begin, range.end));
    peaks.steps.push_back(step < steps.ends.size() ? steps.numbers[step] : std::int64_t{kNone});
  }
  std::vector<PhasePeaks> found;
  for (auto& [name, peaks] : by_name) {
    peaks.name = name;
    found.push_back(std::move(peaks));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const auto& p) { return std::ranges::max(p.peaks); });
  if (found.size() > most) found.resize(most);
  return found;
}

Table phase_table(const std::vector<PhasePeaks>& phases) {
  const auto highest = [](const PhasePeaks& p) { return std::ranges::max_element(p.peaks) - p.peaks.begin(); };
  Table table("peak_phases", "Memory by phase of a step, and while ranges were open");
  table.column("phase", "", phases, &PhasePeaks::name)
      .column("peak", "bytes", phases, [](const PhasePeaks& p) { return std::ranges::max(p.peaks); })
      .column("in step", "", phases,
              [&](const PhasePeaks& p) {
                const std::int64_t step = p.steps[static_cast<std::size_t>(highest(p))];
                return step == kNone ? std::string() : std::to_string(step);
              })
      .column("median", "bytes", phases, [](const PhasePeaks& p) { return median(p.peaks); })
      .column("least", "bytes", phases, [](const PhasePeaks& p) { return std::ranges::min(p.peaks); })
      .column("times", "1", phases, [](const PhasePeaks& p) { return p.peaks.size(); });
  return table;
}

}  // namespace assay::memory
