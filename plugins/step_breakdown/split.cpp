#include "split.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace assay::step {
namespace {

/// Assigns each instant to the first category that covers it, from events in order of start, without keeping them: per
/// category the latest end so far is sufficient.
class Sweep {
 public:
  Sweep(std::span<const Step> steps, std::span<Parts> parts) : steps_(steps), parts_(parts) {
    reach_.fill(steps.front().time.start);
    now_ = steps.front().time.start;
  }

  /// `start` must not be below the previous call's start.
  void add(Category category, std::int64_t start, std::int64_t end) {
    // The covering category keeps the time until its events end; `end` of this event counts only after that.
    const bool goes_on = covering_ <= category && covering_ < kOther && start < reach_[covering_];
    if (!goes_on) advance(start);
    reach_[category] = std::max(reach_[category], end);
    if (!goes_on) covering_ = first_covering();
  }

  void finish() { advance(steps_.back().time.end); }

 private:
  [[nodiscard]] std::size_t first_covering() const {
    std::size_t c = 0;
    while (c < kOther && reach_[c] <= now_) ++c;
    return c;
  }

  void advance(std::int64_t to) {
    while (now_ < to) {
      const std::size_t c = first_covering();
      const std::int64_t end = c == kOther ? to : std::min(to, reach_[c]);
      add_time(c, end);
      now_ = end;
    }
  }

  /// Adds to each step its part of the time from now to `end`. The steps are sorted and disjoint.
  void add_time(std::size_t category, std::int64_t end) {
    while (step_ < steps_.size() && steps_[step_].time.end <= now_) ++step_;
    for (std::size_t s = step_; s < steps_.size() && steps_[s].time.start < end; ++s) {
      const std::int64_t common = std::min(end, steps_[s].time.end) - std::max(now_, steps_[s].time.start);
      parts_[s][category] += std::max<std::int64_t>(0, common);
    }
  }

  std::span<const Step> steps_;
  std::span<Parts> parts_;
  std::array<std::int64_t, kOther> reach_{};
  std::int64_t now_ = 0;  ///< up to here time is given away
  std::size_t covering_ = kOther, step_ = 0;
};

Category category_of(NameMeaning meaning) {
  switch (meaning) {
    case NameMeaning::kDataLoader:
      return kDataLoader;
    default:  // communication is device work: a range called like it may set up communicators
      return kCpuExec;
  }
}

/// Whether a range is a step or holds one whole: it says nothing of what happens in the step.
bool holds_a_step(Interval range, std::span<const Step> steps) {
  const auto first = std::ranges::partition_point(steps, [&](const Step& s) { return s.host.start < range.start; });
  return first != steps.end() && first->host.end <= range.end;
}

/// The rows of a table on their way into the sweep, and of which category each is; kOther: of none.
struct Track {
  std::span<const std::int64_t> start, end;
  std::function<Category(std::size_t)> category;
  std::size_t next = 0;
};

/// The rows of one process, or of all: what another process does says nothing of a step.
class Tracks {
 public:
  Tracks(const Report& report, std::uint32_t process) : report_(report), process_(process) {}

  template <class Table>
  void add(const Table* table, std::function<Category(std::size_t)> category) {
    if (table == nullptr || table->rows == 0) return;
    if (process_ != kAnyProcess)
      category = [this, table, of = std::move(category)](std::size_t r) { return is_own(*table, r) ? of(r) : kOther; };
    all_.push_back({table->start.view(), table->end.view(), std::move(category)});
  }
  std::vector<Track>& all() { return all_; }

 private:
  template <class Table>
  [[nodiscard]] bool is_own(const Table& table, std::size_t row) const {
    if constexpr (requires { table.process; })
      return table.process[row] == process_;
    else
      return report_.threads->process[table.thread[row]] == process_;
  }

  const Report& report_;
  std::uint32_t process_;
  std::vector<Track> all_;
};

/// Operators, python functions and annotations where the report has them, else the NVTX ranges.
void add_host_tracks(const Report& report, std::span<const Step> steps, Names& names, Tracks& tracks) {
  if (const OpTable* ops = report.ops) {
    // A python function's name says nothing of that kind.
    return tracks.add(ops, [ops, steps, &report, &names](std::size_t r) {
      if (ops->kind[r] == OpKind::kAnnotation && (report.string(ops->name[r]).starts_with("ProfilerStep#") ||
                                                  holds_a_step({ops->start[r], ops->end[r]}, steps)))
        return kOther;
      return category_of(ops->kind[r] == OpKind::kPythonFunction ? NameMeaning::kNothing
                                                                 : names.meaning_of(ops->name[r]));
    });
  }
  for (const RangeTable* table : {report.ranges, report.spans}) {
    tracks.add(table, [table, steps, &names](std::size_t r) {
      return holds_a_step({table->start[r], table->end[r]}, steps) ? kOther
                                                                   : category_of(names.meaning_of(table->name[r]));
    });
  }
}

void add_tracks(const Report& report, std::span<const Step> steps, Names& names, Tracks& tracks) {
  const auto all = [](Category category) { return [category](std::size_t) { return category; }; };
  const KernelTable* kernels = report.kernels;
  tracks.add(kernels, [kernels, &names](std::size_t k) {
    return kernels->name.present() && names.kernel_communicates(kernels->name[k]) ? kCommunication : kKernel;
  });
  tracks.add(report.graphs, all(kKernel));
  tracks.add(report.copies, all(kMemcpy));
  tracks.add(report.sets, all(kMemset));
  tracks.add(report.calls, all(kRuntime));
  add_host_tracks(report, steps, names, tracks);
}

/// The rows of all tracks by start, each of which is sorted by it.
void merge_into(std::vector<Track>& tracks, Sweep& sweep) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const auto start_of = [](const Track& t) { return t.next < t.start.size() ? t.start[t.next] : kNever; };
  while (true) {
    const auto first = std::ranges::min_element(tracks, {}, start_of);
    if (first == tracks.end() || first->next == first->start.size()) return;
    std::int64_t others = kNever;
    for (auto t = tracks.begin(); t != tracks.end(); ++t) {
      if (t != first) others = std::min(others, start_of(*t));
    }
    do {
      const std::size_t row = first->next++;
      const Category category = first->category(row);
      if (category != kOther) sweep.add(category, first->start[row], first->end[row]);
    } while (first->next < first->start.size() && first->start[first->next] <= others);
  }
}

}  // namespace

std::vector<Parts> split_steps(const Report& report, std::span<const Step> steps, Names& names) {
  std::vector<Parts> parts(steps.size(), Parts{});
  for (std::size_t first = 0, end = 0; first < steps.size(); first = end) {
    const std::uint32_t process = steps[first].process;
    while (end < steps.size() && steps[end].process == process) ++end;
    const std::span<const Step> own = steps.subspan(first, end - first);
    Tracks tracks(report, process);
    add_tracks(report, own, names, tracks);
    Sweep sweep(own, std::span(parts).subspan(first, end - first));
    merge_into(tracks.all(), sweep);
    sweep.finish();
  }
  return parts;
}

}  // namespace assay::step
