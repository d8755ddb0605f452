#include "classes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "assay/algo/summary.hpp"

namespace assay::memory {

PassBegins begins_of_passes(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps) {
  const std::vector<std::int64_t> never(steps.ends.size() + 1, kNever);
  PassBegins begins{never, never};
  for (std::size_t a = 0; a < parts.size(); ++a) {
    const bool backward = parts[a] == Part::kBackward || parts[a] == Part::kRecompute;
    if (allocations.allocated_by[a] == kNone || (!backward && parts[a] != Part::kForward)) continue;
    std::int64_t& begin = (backward ? begins.backward : begins.forward)[steps.at(allocations.begin[a])];
    begin = std::min(begin, allocations.begin[a]);
  }
  return begins;
}

namespace {

constexpr std::size_t kMinDifferences = 2;  // between steps, so that one event is not growth

std::size_t marks_before(const std::vector<std::int64_t>& marks, std::int64_t time) {
  return static_cast<std::size_t>(std::ranges::lower_bound(marks, time) - marks.begin());
}

class Classifier {
 public:
  Classifier(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps,
             const std::vector<std::int64_t>& backward, const std::vector<Grower>& growers)
      : a_(allocations), parts_(parts), steps_(steps), backward_(backward) {
    for (const Grower& grower : growers) growing_.insert(grower.stack);
  }

  [[nodiscard]] Class class_of(std::size_t row) const {
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
        return of_program(row, begin, end, outlives_step);
    }
  }

 private:
  [[nodiscard]] bool reaches_update(std::int64_t begin, std::int64_t end) const {
    if (steps_.updates.empty()) return end == kNever;
    return marks_before(steps_.updates, end) > marks_before(steps_.updates, begin);
  }
  [[nodiscard]] Class of_program(std::size_t row, std::int64_t begin, std::int64_t end, bool outlives_step) const {
    const std::size_t step = steps_.at(begin);
    const bool forward = parts_[row] == Part::kForward;
    if (step == 0 && end == kNever && !forward && begin < backward_.front()) return Class::kParameters;
    if (growing_.contains(a_.stack[row])) return Class::kKept;
    if (end <= backward_[step])
      return forward || backward_[step] != kNever || !outlives_step ? Class::kTemporaries : Class::kOther;
    // Outside of modules: losses are freed in the backward pass, inputs are not.
    return forward || !reaches_update(begin, end) ? Class::kActivations : Class::kOther;
  }

  const Allocations& a_;
  const std::vector<Part>& parts_;
  const Steps& steps_;
  const std::vector<std::int64_t>& backward_;
  std::set<std::int64_t> growing_;
};

}  // namespace

std::vector<Grower> find_growers(const Allocations& allocations, std::int32_t device, const Steps& steps) {
  const std::size_t marks = steps.ends.size();
  if (marks < kMinDifferences + 1) return {};
  std::map<std::int64_t, std::vector<double>> changes;  // by stack: growth in bytes from mark to mark
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

std::vector<Part> parts_of(const Allocations& allocations, const Stacks& stacks) {
  std::vector<Part> parts(allocations.rows);
  for (std::size_t a = 0; a < allocations.rows; ++a) {
    parts[a] = stacks.part(allocations.stack[a]);
    if (parts[a] == Part::kUnknown && stacks.autograd_has_none()) parts[a] = Part::kBackward;
  }
  return parts;
}

std::vector<Class> classify(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps,
                            const std::vector<std::int64_t>& backward, const std::vector<Grower>& growers) {
  const Classifier classifier(allocations, parts, steps, backward, growers);
  std::vector<Class> classes;
  classes.reserve(allocations.rows);
  for (std::size_t a = 0; a < allocations.rows; ++a) classes.push_back(classifier.class_of(a));
  return classes;
}

ClassUse use_of_classes(const Report& report, const Allocations& allocations, const std::vector<Class>& classes,
                        const DevicePeak& device, std::size_t parts) {
  const AllocationTable& changes = *report.allocations;
  constexpr std::uint8_t kNoClass = kClasses;
  std::vector<std::uint8_t> class_of(static_cast<std::size_t>(changes.rows), kNoClass);
  ClassUse use;
  ClassBytes now{};
  const std::int64_t begin = allocations.rows > 0 ? allocations.begin[0] : 0;  // negative if a later trace is joined
  std::int64_t end = begin + 1;
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
    const double share = static_cast<double>(changes.time[c] - begin) / static_cast<double>(end - begin);
    const auto part = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(parts - 1));
    for (; filled <= part; ++filled) {  // parts without a change keep the level of the previous one
      use.over_time[filled] = now;
      most[filled] = std::accumulate(now.begin(), now.end(), 0.0);
    }
    now[class_of[c]] += static_cast<double>(changes.bytes[c]);
    use.peak[class_of[c]] = std::max(use.peak[class_of[c]], now[class_of[c]]);
    const auto allocated = static_cast<double>(changes.allocated[c]);
    if (allocated > most[part]) {
      most[part] = allocated;
      use.over_time[part] = now;
    }
    if (static_cast<std::int64_t>(c) == device.change) use.at_peak = now;
  }
  for (; filled < parts; ++filled) use.over_time[filled] = now;
  return use;
}

}  // namespace assay::memory
