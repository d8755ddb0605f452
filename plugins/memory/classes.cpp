#include "classes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "assay/algo/summary.hpp"

namespace assay::memory {
namespace {

constexpr std::size_t kLeastDifferences = 2;  // between steps, so that growth is more than one event

std::size_t marks_before(const std::vector<std::int64_t>& marks, std::int64_t time) {
  return static_cast<std::size_t>(std::ranges::lower_bound(marks, time) - marks.begin());
}

/// When the backward of each step begins: the first allocation in autograd. Without one: never.
std::vector<std::int64_t> backward_begins(const Allocations& allocations, const std::vector<Part>& parts,
                                          const Steps& steps) {
  std::vector<std::int64_t> begins(steps.ends.size() + 1, std::numeric_limits<std::int64_t>::max());
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    if (allocations.allocated_by[a] == kNone || (parts[a] != Part::kBackward && parts[a] != Part::kRecompute)) continue;
    std::int64_t& begin = begins[steps.at(allocations.begin[a])];
    begin = std::min(begin, allocations.begin[a]);
  }
  return begins;
}

class Classifier {
 public:
  Classifier(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps,
             const std::vector<Grower>& growers)
      : a_(allocations), parts_(parts), steps_(steps), backward_(backward_begins(allocations, parts, steps)) {
    for (const Grower& grower : growers) growing_.insert(grower.stack);
  }

  [[nodiscard]] Class of(std::size_t row) const {
    if (a_.allocated_by[row] == kNone) return Class::kBefore;
    const std::int64_t begin = a_.begin[row], end = a_.freed_by[row] == kNone ? kNever : a_.end[row];
    const bool outlives_step = marks_before(steps_.ends, end) > steps_.at(begin);
    switch (parts_[row]) {
      case Part::kOptimizer:
        return outlives_step || (steps_.ends.empty() && end == kNever) ? Class::kOptimizer : Class::kTemporaries;
      case Part::kBackward:
        return reaches_update(begin, end) ? Class::kGradients : Class::kTemporaries;
      case Part::kRecompute:
        return Class::kActivations;
      default:
        return of_program(row, begin, end);
    }
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool reaches_update(std::int64_t begin, std::int64_t end) const {
    if (steps_.updates.empty()) return end == kNever;
    return marks_before(steps_.updates, end) > marks_before(steps_.updates, begin);
  }
  [[nodiscard]] Class of_program(std::size_t row, std::int64_t begin, std::int64_t end) const {
    const std::size_t step = steps_.at(begin);
    const bool forward = parts_[row] == Part::kForward;
    if (step == 0 && end == kNever && !forward && begin < backward_.front()) return Class::kParameters;
    if (growing_.contains(a_.stack[row])) return Class::kKept;
    if (end <= backward_[step]) return forward || backward_[step] != kNever ? Class::kTemporaries : Class::kOther;
    // Outside of modules: losses are freed in the backward, inputs are not.
    return forward || !reaches_update(begin, end) ? Class::kActivations : Class::kOther;
  }

  const Allocations& a_;
  const std::vector<Part>& parts_;
  const Steps& steps_;
  std::vector<std::int64_t> backward_;
  std::set<std::int64_t> growing_;
};

}  // namespace

std::vector<Grower> find_growers(const Allocations& allocations, std::int32_t device, const Steps& steps) {
  const std::size_t marks = steps.ends.size();
  if (marks < kLeastDifferences + 1) return {};
  std::map<std::int64_t, std::vector<double>> changes;  // by stack: bytes more at each mark than at the one before
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    if (allocations.device[a] != device) continue;
    const std::size_t first = marks_before(steps.ends, allocations.begin[a]);
    const std::size_t freed = allocations.freed_by[a] == kNone ? marks : marks_before(steps.ends, allocations.end[a]);
    if (first >= freed) continue;
    auto& of = changes.try_emplace(allocations.stack[a], marks, 0.0).first->second;
    of[first] += static_cast<double>(allocations.size[a]);
    if (freed < marks) of[freed] -= static_cast<double>(allocations.size[a]);
  }
  std::vector<Grower> growers;
  for (auto& [stack, change] : changes) {
    const std::vector<double> steps_of(change.begin() + 1, change.end());
    const auto [least, most] = std::ranges::minmax(steps_of);
    if (least <= 0) continue;
    const double held = std::accumulate(change.begin(), change.end(), 0.0);
    growers.push_back({stack, median(steps_of), least, most, steps_of.size(), static_cast<std::int64_t>(held)});
  }
  std::ranges::stable_sort(growers, std::ranges::greater(), &Grower::per_step);
  return growers;
}

std::vector<Class> classify(const Allocations& allocations, const Stacks& stacks, const Steps& steps,
                            const std::vector<Grower>& growers) {
  std::vector<Part> parts(allocations.rows);
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    parts[a] = stacks.part(allocations.stack[a]);
    if (parts[a] == Part::kUnknown && stacks.recorded()) parts[a] = Part::kBackward;
  }
  const Classifier classifier(allocations, parts, steps, growers);
  std::vector<Class> classes;
  classes.reserve(allocations.rows);
  for (std::size_t a = 0; a < allocations.rows; ++a) classes.push_back(classifier.of(a));
  return classes;
}

ClassUse use_of_classes(const Report& report, const Allocations& allocations, const std::vector<Class>& classes,
                        const DevicePeak& device, std::size_t parts) {
  const AllocationTable& changes = *report.allocations;
  constexpr std::uint8_t kNoClass = kClasses;
  std::vector<std::uint8_t> class_of(static_cast<std::size_t>(changes.rows), kNoClass);
  ClassUse use;
  ClassBytes now{};
  std::int64_t end = 1;
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    if (allocations.device[a] != device.device) continue;
    const auto of = static_cast<std::size_t>(classes[a]);
    end = std::max(end, allocations.end[a] + 1);
    if (allocations.allocated_by[a] == kNone) now[of] += static_cast<double>(allocations.size[a]);
    for (const std::int64_t change : {allocations.allocated_by[a], allocations.freed_by[a]}) {
      if (change != kNone) class_of[static_cast<std::size_t>(change)] = static_cast<std::uint8_t>(of);
    }
  }
  use.at_peak = use.peak = now;
  use.over_time.assign(parts, ClassBytes{});
  std::vector<double> most(parts, -1);
  std::size_t filled = 0;
  for (std::size_t c = 0; c < changes.rows; ++c) {
    if (class_of[c] == kNoClass) continue;
    const auto part = static_cast<std::size_t>(static_cast<double>(changes.time[c]) / static_cast<double>(end) *
                                               static_cast<double>(parts));
    for (; filled <= part; ++filled) {  // parts without a change go on as the one before ended
      use.over_time[filled] = now;
      most[filled] = std::accumulate(now.begin(), now.end(), 0.0);
    }
    now[class_of[c]] += static_cast<double>(changes.bytes[c]);
    use.peak[class_of[c]] = std::max(use.peak[class_of[c]], now[class_of[c]]);
    const auto allocated = static_cast<double>(changes.allocated[c]);
    if (allocated > most[part]) most[part] = allocated, use.over_time[part] = now;
    if (static_cast<std::int64_t>(c) == device.change) use.at_peak = now;
  }
  for (; filled < parts; ++filled) use.over_time[filled] = now;
  return use;
}

}  // namespace assay::memory
