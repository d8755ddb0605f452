#include "compilation.hpp"

#include <algorithm>
#include <unordered_map>

#include "assay/algo/intervals.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::idle {
namespace {

/// Names of ranges and functions in which XLA or torch.compile compiles, as recorded by the profilers of JAX and
/// PyTorch and by Nsight Systems.
constexpr std::string_view kCompilations[] = {"XlaCompile*", "PJRT_Client_Compile*", "*backend_compile*",
                                              "entire_frame_compile"};

Interval extent_of(const Report& report) {
  const Window& window = *report.window;
  if (window.named != 0) return {window.host_start, window.host_end};
  Interval extent{window.start, window.end};
  const auto add = [&](const auto* table) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r)
      extent = {std::min(extent.start, table->start[r]), std::max(extent.end, table->end[r])};
  };
  add(report.ranges);
  add(report.spans);
  add(report.calls);
  return extent;
}

}  // namespace

CompilationTime compilation_time(const Report& report) {
  std::unordered_map<StringId, bool> known;
  const auto compiles = [&](StringId id) {
    const auto [at, fresh] = known.try_emplace(id, false);
    if (fresh) {
      const auto fits = [&](std::string_view name) { return step::matches(name, report.string(id)); };
      at->second = std::ranges::any_of(kCompilations, fits);
    }
    return at->second;
  };
  const Interval capture = extent_of(report);
  Intervals times;
  const auto add = [&](const auto* table) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Interval time{std::max(table->start[r], capture.start), std::min(table->end[r], capture.end)};
      if (time.start < time.end && compiles(table->name[r])) times.push_back(time);
    }
  };
  add(report.ranges);
  add(report.spans);
  add(report.ops);
  return {measure(merge(std::move(times))), capture.end - capture.start};
}

}  // namespace assay::idle
