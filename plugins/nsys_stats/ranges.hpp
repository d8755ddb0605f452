// NVTX ranges as reported by nsys: names with their domain, and the work launched inside each.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "launches.hpp"

namespace assay::nsys {

enum class Style : std::uint32_t { kPushPop = 0, kStartEnd = 1 };

constexpr std::string_view style_name(Style style) { return style == Style::kPushPop ? "PushPop" : "StartEnd"; }

/// Names of ranges, "domain:text" if the export names the domain, otherwise "text"; distinct, with dense numbers.
class RangeNames {
 public:
  explicit RangeNames(const Report& report);
  std::uint32_t id_of(const RangeTable& ranges, std::size_t row);
  [[nodiscard]] std::string_view text(std::uint32_t name) const { return texts_[name]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::uint32_t add(std::string_view text);
  std::uint32_t add_composed(std::string text);

  const Report& report_;
  bool any_domain_ = false;
  std::vector<std::uint32_t> plain_;                            ///< by string, for ranges outside of named domains
  std::unordered_map<std::uint64_t, std::uint32_t> in_domain_;  ///< by (domain, string)
  std::unordered_map<std::string, std::uint32_t> composed_;     ///< in named domains: by full name
  std::vector<std::string_view> texts_;
};

/// One range of the window.
struct Instance {
  std::int64_t start, end;
  std::uint32_t name, thread, row;
  Style style;
  [[nodiscard]] std::int64_t duration() const { return end - start; }
};

/// All ranges of the window or of the capture, in table order, push/pop first. Unfinished ones end at the last time
/// stamp of any range.
struct Instances {
  enum RangeScope : std::uint8_t { kOfWindow, kOfCapture };
  std::vector<Instance> rows;
  RangeNames names;
};
Instances all_instances(const Report& report, Instances::RangeScope which = Instances::kOfWindow);

/// The launches that a range may contain: [first, last) of its thread. Exact if the calls of the thread end in order;
/// otherwise `RangeHits::each` checks the end of each call.
struct Slice {
  std::uint32_t first = 0, last = 0;
};

/// Ranges that end on the thread where they began, with the work launched inside.
class RangeHits {
 public:
  RangeHits(const Report& report, const Launches& launches, std::vector<Instance> instances);

  [[nodiscard]] const std::vector<Instance>& instances() const { return instances_; }  ///< by thread, then start
  [[nodiscard]] const std::vector<Slice>& slices() const { return slices_; }           ///< of each instance
  [[nodiscard]] std::int64_t ended_elsewhere() const { return ended_elsewhere_; }
  /// Number of launches to visit over all ranges.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }
  /// Calls `use(launch)` for every launch inside the instance.
  template <class Use>
  void each(std::size_t instance, Use&& use) const {
    const Instance& range = instances_[instance];
    const auto launches = launches_.of_thread(range.thread)
                              .subspan(slices_[instance].first, slices_[instance].last - slices_[instance].first);
    const bool exact = launches_.in_step(range.thread);
    for (const Launch& launch : launches) {
      if (exact || calls_.end[static_cast<std::size_t>(launch.call)] <= range.end) use(launch);
    }
  }

 private:
  void sort_by_thread(const Report& report);
  void find_slices();

  const CallTable& calls_;
  const Launches& launches_;
  std::vector<Instance> instances_;
  std::vector<Slice> slices_;
  std::int64_t ended_elsewhere_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace assay::nsys
