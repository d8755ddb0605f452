#include "emit.hpp"

#include <algorithm>
#include <optional>

#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "classes.hpp"
#include "holders.hpp"
#include "phases.hpp"
#include "usage.hpp"

namespace assay::memory {
namespace {

constexpr std::size_t kParts = 240;     // of the history: dots of a plot
constexpr double kWorthSaying = 0.005;  // of the peak

std::string bytes_text(double bytes) { return quantity(bytes, "bytes"); }

/// "in step 5 of 0 to 5, 232.5 ms after the history begins"
std::string when_text(const DevicePeak& peak, const Steps& steps, std::int64_t history) {
  std::string at = time_text(static_cast<double>(peak.time - history)) + " after the history begins";
  if (peak.change == kNone) return "before the history begins";
  if (steps.ends.empty()) return at;
  const std::size_t step = steps.at(peak.time);
  if (step >= steps.ends.size()) return "after the last step, " + at;
  return filled("in step {} ({} to {}), {}",
                {std::to_string(steps.numbers[step]), std::to_string(steps.numbers.front()),
                 std::to_string(steps.numbers.back()), at});
}

std::string held_text(const ClassUse& use, double all) {
  constexpr std::size_t kMax = 3;
  std::vector<std::pair<double, std::size_t>> classes;
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (use.at_peak[c] >= kWorthSaying * all) classes.emplace_back(use.at_peak[c], c);
  }
  std::ranges::sort(classes, std::ranges::greater());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(classes.size(), kMax); ++i)
    parts.push_back(std::string(kClassTitles[classes[i].second]) + " " + percent(classes[i].first / all, 0));
  return listed(parts);
}

std::string growth_text(const std::vector<double>& growth, const std::vector<Grower>& growers, const Stacks* stacks) {
  if (growers.empty() || stacks == nullptr) return {};
  const Grower& most = growers.front();
  const bool even = most.least == most.most;
  return filled("; a leak of {} a step: {} keeps {}{}{}",
                {bytes_text(median(growth)), stacks->text(most.stack), bytes_text(most.per_step),
                 even ? " after each of " : " (median) after each of ", counted(most.steps, "step")});
}

class Emitter {
 public:
  Emitter(const Report& report, ReportSink& sink) : report_(report), sink_(sink) {
    if (const DeclaredTable* table = report.table("memory_allocations")) allocations_.emplace(*table);
    if (const DeclaredTable* table = report.table("memory_stacks")) stacks_.emplace(report, *table);
  }

  void emit(std::size_t most_stacks) {
    const std::vector<DevicePeak> peaks = device_peaks(report_, allocations_ ? &*allocations_ : nullptr);
    if (peaks.empty()) return sink_.skip("memory.*", "no allocation on a device says how much is in use");
    peak_ = peaks.front();
    if (const std::string why = why_unknown(peaks); !why.empty()) {
      if (report_.allocations->rows == 0) emit_end();
      sink_.attribute("memory.answer", why);
      return sink_.skip("memory.*", why);
    }
    const std::vector<Annotation> annotations = annotations_of(report_);
    steps_ = find_steps(report_, annotations);
    for (const DevicePeak& peak : peaks) {
      const Dims device{{"device", peak.device}};
      if (peaks.size() > 1) emit_peak(peak, device);
    }
    emit_peak(peak_, {});
    emit_steps();
    std::vector<Part> parts;
    if (allocations_ && stacks_) parts = parts_of(*allocations_, *stacks_);
    const PassBegins passes = allocations_ ? begins_of_passes(*allocations_, parts, steps_) : PassBegins{};
    if (allocations_ && report_.allocations->rows > 0) emit_phases(passes, annotations);
    if (!allocations_ || !stacks_) {
      sink_.skip("memory.class_bytes, memory.stack_bytes",
                 "allocations have no addresses or stacks; a memory snapshot of the framework shows what holds memory");
      return emit_answer({}, {});
    }
    const std::vector<Grower> growers = find_growers(*allocations_, peak_.device, steps_);
    const std::vector<Class> classes = classify(*allocations_, parts, steps_, passes.backward, growers);
    const ClassUse use = use_of_classes(report_, *allocations_, classes, peak_, kParts);
    emit_classes(use);
    emit_holders(classes, most_stacks);
    if (!growers.empty()) sink_.table(growth_table(growers, *stacks_));
    emit_end();
    emit_failures();
    emit_answer(use, growers);
  }

 private:
  /// Why nobody knows the peak; empty: it is known.
  [[nodiscard]] std::string why_unknown(const std::vector<DevicePeak>& peaks) const {
    const AllocationTable& changes = *report_.allocations;
    if (changes.rows == 0) {
      const auto bytes = static_cast<double>(peaks.front().bytes);
      return filled(
          "{} ({} bytes) were allocated when the snapshot was taken; the peak is not known, because there is no "
          "history",
          {bytes_text(bytes), fixed(bytes, 0)});
    }
    std::size_t unread = 0;
    for (std::size_t c = 0; c < changes.rows; ++c)
      unread += changes.device[c] != kNone && changes.allocated[c] == kNone ? 1U : 0U;
    if (unread == 0) return {};
    return printed(
        "The peak of memory is not known: %zu of %zu allocations and frees come after one that cannot be read", unread,
        static_cast<std::size_t>(changes.rows));
  }

  void emit_peak(const DevicePeak& peak, const Dims& dims) {
    sink_.fact("memory.peak_bytes", static_cast<double>(peak.bytes), dims);
    if (allocations_) sink_.fact("memory.before_bytes", static_cast<double>(peak.before), dims);
    if (peak.reserved < peak.bytes) {
      sink_.skip("memory.fragmentation_ratio", "what the allocator held of the device was not recorded");
      return;
    }
    sink_.fact("memory.reserved_bytes", static_cast<double>(peak.reserved), dims);
    sink_.fact("memory.fragmentation_ratio", 1 - static_cast<double>(peak.bytes) / static_cast<double>(peak.reserved),
               dims);
  }

  void emit_steps() {
    const StepUse use = use_of_steps(report_, peak_, steps_);
    growth_ = differences(use.least);
    if (growth_.size() < 2) {
      sink_.skip("memory.growth_bytes_per_step",
                 "growth needs four steps, marked by an optimizer or by the profiler, and there are " +
                     std::to_string(steps_.ends.size()),
                 SkipCause::kNoIterations);
    } else {
      sink_.fact("memory.growth_bytes_per_step", median(growth_), growth_);
    }
    if (!use.peak.empty()) sink_.fact("memory.step_peak_bytes", std::ranges::max(use.peak), use.peak);
  }

  void emit_phases(const PassBegins& passes, const std::vector<Annotation>& annotations) {
    constexpr std::size_t kMaxRanges = 8, kMaxSamples = 10000;
    const auto emit = [&](const PhasePeaks& phase, const char* metric, const char* key) {
      const bool few = phase.peaks.size() <= kMaxSamples;
      sink_.fact(metric, std::ranges::max(phase.peaks), few ? phase.peaks : std::vector<double>(), {{key, phase.name}});
    };
    const Levels levels(report_, peak_);
    std::vector<PhasePeaks> phases = peaks_of_phases(levels, steps_, passes);
    for (const PhasePeaks& phase : phases) emit(phase, "memory.phase_peak_bytes", "phase");
    std::vector<PhasePeaks> ranges = peaks_of_ranges(levels, steps_, annotations, kMaxRanges);
    for (PhasePeaks& range : ranges) {
      emit(range, "memory.range_peak_bytes", "range");
      range.name = "range " + range.name;
      phases.push_back(std::move(range));
    }
    if (!phases.empty()) sink_.table(phase_table(phases));
  }

  void emit_classes(const ClassUse& use) {
    std::vector<double> samples(use.over_time.size());
    for (std::size_t c = 0; c < kClasses; ++c) {
      if (use.peak[c] <= 0) continue;
      const Dims dims{{"class", kClassNames[c]}};
      std::ranges::transform(use.over_time, samples.begin(), [&](const ClassBytes& bytes) { return bytes[c]; });
      sink_.fact("memory.class_bytes", use.at_peak[c], samples, dims);
      sink_.fact("memory.class_peak_bytes", use.peak[c], dims);
    }
    sink_.fact("memory.history_ns", static_cast<double>(std::ranges::max(allocations_->end) - history_begin()));
    sink_.table(class_table(use, peak_.bytes));
  }

  void emit_holders(const std::vector<Class>& classes, std::size_t most_stacks) {
    std::int64_t requested = 0;
    bool all_recorded = true;
    const auto requests = report_.table("memory_allocations")->integers("requested");
    for (std::size_t a = 0; a < allocations_->rows; ++a) {
      if (allocations_->device[a] != peak_.device || !allocations_->is_live(a, peak_.change)) continue;
      if (requests[a] == kNoCell)
        all_recorded = false;
      else
        requested = sum(requested, requests[a]);
    }
    if (all_recorded) sink_.fact("memory.requested_bytes", static_cast<double>(requested));
    const auto named = [&](auto&& name) {
      return holders(*allocations_, classes, peak_, names_at(*allocations_, peak_, name));
    };
    std::vector<Holder> stacks = named([&](std::int64_t stack) { return stacks_->text(stack); });
    if (stacks.size() > most_stacks) stacks.resize(most_stacks);
    for (const Holder& holder : stacks)
      sink_.fact("memory.stack_bytes", static_cast<double>(holder.bytes), {{"stack", holder.name}});
    sink_.table(holder_table("peak_stacks", "Memory at the peak by stack", "stack", stacks, peak_.bytes));
    const std::vector<Holder> modules = named([&](std::int64_t stack) { return stacks_->module(stack); });
    sink_.table(holder_table("peak_modules", "Memory at the peak by module", "module", modules, peak_.bytes));
  }

  /// What is in use when the snapshot is written, which needs no history.
  void emit_end() {
    std::int64_t bytes = 0;
    for (std::size_t a = 0; allocations_ && a < allocations_->rows; ++a) {
      if (allocations_->device[a] == peak_.device && allocations_->freed_by[a] == kNone)
        bytes = sum(bytes, allocations_->size[a]);
    }
    if (allocations_) sink_.fact("memory.in_use_bytes", static_cast<double>(bytes));
    if (report_.table("memory_segments") == nullptr || report_.table("memory_blocks") == nullptr) return;
    std::int64_t split = 0;
    sink_.table(reserve_table(report_, peak_, &split));
    sink_.fact("memory.inactive_split_bytes", static_cast<double>(split));
  }

  void emit_failures() {
    const DeclaredTable* failures = report_.table("memory_failures");
    if (failures == nullptr) return;
    const auto outcome = failures->texts("outcome");
    for (const std::string_view of : {"failed", "retried"}) {
      const auto count = std::ranges::count_if(outcome, [&](StringId id) { return report_.string(id) == of; });
      sink_.fact("memory.failure_count", static_cast<double>(count), {{"outcome", of}});
      failed_ += of == "failed" ? static_cast<std::size_t>(count) : 0;
    }
  }

  void emit_answer(const ClassUse& use, const std::vector<Grower>& growers) {
    const auto bytes = static_cast<double>(peak_.bytes);
    const std::string held = held_text(use, bytes);
    std::string text = filled("Memory peaks at {} ({} bytes) {}",
                              {bytes_text(bytes), fixed(bytes, 0), when_text(peak_, steps_, history_begin())});
    if (!held.empty()) text += ": " + held;
    text += growth_text(growth_, growers, stacks_ ? &*stacks_ : nullptr);
    if (failed_ > 0) text += "; " + counted(failed_, "request") + " failed, out of memory";
    sink_.attribute("memory.answer", text);
  }

  /// ns; not 0 if joined with a trace that began earlier or later.
  [[nodiscard]] std::int64_t history_begin() const {
    return allocations_ && allocations_->rows > 0 ? allocations_->begin[0] : 0;
  }

  const Report& report_;
  ReportSink& sink_;
  std::optional<Allocations> allocations_;
  std::optional<Stacks> stacks_;
  Steps steps_;
  DevicePeak peak_;
  std::vector<double> growth_;
  std::size_t failed_ = 0;
};

}  // namespace

void emit_report(const Report& report, std::size_t stacks, ReportSink& sink) {
  if (report.allocations == nullptr)
    return sink.skip("memory.*", "no allocations were recorded; profile(profile_memory=True) does",
                     SkipCause::kNoFramework);
  Emitter(report, sink).emit(stacks);
}

}  // namespace assay::memory
