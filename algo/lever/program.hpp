// The host's side of a replayable run: its calls in order, what each does, and the code before each by range.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algo/replay/replay.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::lever {

enum class CallRole : std::uint8_t {
  kLaunch,      ///< launches kernels or graphs
  kCopy,        ///< launches copies
  kSet,         ///< launches sets
  kSync,        ///< waits for the device, a stream or an event
  kAllocation,  ///< allocates or frees
  kOther,
  kMark  ///< no call: the begin of a step
};

/// Range, or function of the program, by number; ranges of one folded name are one.
using Place = std::uint32_t;
inline constexpr Place kNoPlace = 0;

/// Host code of one range and function in the lag of an edge.
struct HostCode {
  std::uint32_t edge = 0;
  Place place = kNoPlace;
  Place function = kNoPlace;  ///< kNoPlace: not recorded
  std::int64_t time = 0;      ///< ns
};

/// A call, or the begin of a step. Calls that only ask (cudaGetDevice) are none: their time is host code.
struct HostItem {
  std::uint32_t node = 0;
  CallRole role = CallRole::kOther;
  Place place = kNoPlace, function = kNoPlace;
  bool in_step = false;
  std::uint32_t first_code = 0, code_count = 0;  ///< since the last item of its thread
  std::uint32_t first_work = 0, work_count = 0;  ///< nodes that it launches
};

/// Borrows the report and the graph, whose lags may be changed meanwhile.
class Program {
 public:
  Program(const Report& report, const replay::Graph& graph);

  /// By thread, then start.
  [[nodiscard]] const std::vector<HostItem>& items() const { return items_; }
  [[nodiscard]] std::span<const HostCode> code_before(const HostItem& item) const {
    return std::span(code_).subspan(item.first_code, item.code_count);
  }
  [[nodiscard]] std::span<const std::uint32_t> work_of(const HostItem& item) const {
    return std::span(work_).subspan(item.first_work, item.work_count);
  }
  [[nodiscard]] const std::string& name_of(Place place) const { return names_[place]; }
  [[nodiscard]] std::size_t places() const { return names_.size(); }
  [[nodiscard]] Place place_named(std::string_view name) const;
  [[nodiscard]] bool is_function(Place place) const { return is_function_[place] != 0; }
  /// ns of host code of one range before a call.
  [[nodiscard]] std::int64_t time_before(const HostItem& item, Place place) const;
  [[nodiscard]] const Report& report() const { return report_; }
  [[nodiscard]] const replay::Graph& graph() const { return graph_; }
  /// ns of the call itself, waits included.
  [[nodiscard]] std::int64_t length_of(const HostItem& item) const;

 private:
  void link_work();
  void add_items();

  const Report& report_;
  const replay::Graph& graph_;
  std::vector<std::string> names_;         ///< by place
  std::vector<std::uint8_t> is_function_;  ///< by place
  std::vector<HostItem> items_;
  std::vector<HostCode> code_;
  std::vector<std::uint32_t> work_;           ///< nodes, by launching call
  std::vector<std::uint32_t> first_of_call_;  ///< by node: place of its work in `work_`; one more at the end
};

}  // namespace assay::lever
