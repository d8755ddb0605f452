#include "split.hpp"

#include <algorithm>

namespace assay::step {
namespace {

/// Time by category before priority, each in any order; the last one stays empty.
using Covered = std::array<Intervals, kCategories>;

template <class Table>
void add_all(const Table* table, Intervals& out) {
  for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) out.push_back({table->start[r], table->end[r]});
}

void add_kernels(const Report& report, Names& names, Covered& out) {
  add_all(report.graphs, out[kKernel]);
  if (report.kernels == nullptr) return;
  const KernelTable& t = *report.kernels;
  for (std::size_t k = 0; k < t.rows; ++k) {
    const bool communicates = t.name.present() && names.kernel_communicates(t.name[k]);
    out[communicates ? kCommunication : kKernel].push_back({t.start[k], t.end[k]});
  }
}

void add_host(Interval i, Meaning meaning, Covered& out) {
  if (meaning == Meaning::kStep) return;
  out[meaning == Meaning::kDataLoader      ? kDataLoader
      : meaning == Meaning::kCommunication ? kCommunication
                                           : kCpuExec]
      .push_back(i);
}

/// Whether a range is a step or holds one whole: it says nothing of what happens in the step.
bool holds_a_step(Interval range, std::span<const Step> steps) {
  const auto first =
      std::partition_point(steps.begin(), steps.end(), [&](const Step& s) { return s.host.start < range.start; });
  return first != steps.end() && first->host.end <= range.end;
}

/// Operators, python functions and annotations where the report has them, else the NVTX ranges.
void add_host_events(const Report& report, std::span<const Step> steps, Names& names, Covered& out) {
  if (report.ops != nullptr) {
    const OpTable& t = *report.ops;
    for (std::size_t r = 0; r < t.rows; ++r) {
      const bool python = t.kind[r] == OpKind::kPythonFunction;  // a function's name says nothing of that kind
      add_host({t.start[r], t.end[r]}, python ? Meaning::kNothing : names.of(t.name[r]), out);
    }
    return;
  }
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Interval i{table->start[r], table->end[r]};
      if (!holds_a_step(i, steps)) add_host(i, names.of(table->name[r]), out);
    }
  }
}

/// Adds to `parts` what of `normal` lies in each step. Linear: both are sorted and disjoint.
void add_to_steps(std::span<const Interval> normal, std::span<const Step> steps, std::size_t category,
                  std::vector<Parts>& parts) {
  std::size_t step = 0;
  for (const Interval& i : normal) {
    while (step < steps.size() && steps[step].time.end <= i.start) ++step;
    for (std::size_t s = step; s < steps.size() && steps[s].time.start < i.end; ++s) {
      const std::int64_t common = std::min(i.end, steps[s].time.end) - std::max(i.start, steps[s].time.start);
      parts[s][category] += std::max<std::int64_t>(0, common);
    }
  }
}

Intervals joined(std::span<const Interval> a, std::span<const Interval> b) {
  Intervals all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::inplace_merge(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(a.size()), all.end(),
                     [](const Interval& x, const Interval& y) { return x.start < y.start; });
  return merge(all);
}

}  // namespace

std::vector<Parts> split_steps(const Report& report, std::span<const Step> steps, Names& names) {
  std::vector<Parts> parts(steps.size(), Parts{});
  if (steps.empty()) return parts;
  Covered covered;
  add_kernels(report, names, covered);
  add_all(report.copies, covered[kMemcpy]);
  add_all(report.sets, covered[kMemset]);
  add_all(report.calls, covered[kRuntime]);
  add_host_events(report, steps, names, covered);
  const Interval span{steps.front().time.start, steps.back().time.end};
  Intervals taken;
  for (std::size_t c = 0; c < kOther; ++c) {
    const Intervals own = subtract(clip(merge(covered[c]), span), taken);
    add_to_steps(own, steps, c, parts);
    taken = joined(taken, own);
  }
  add_to_steps(complement(taken, span), steps, kOther, parts);
  return parts;
}

}  // namespace assay::step
