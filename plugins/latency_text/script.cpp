#include "script.hpp"

#include <algorithm>
#include <unordered_map>

#include "assay/detail/copy_kinds.hpp"

namespace assay::latency {
namespace {

constexpr std::int64_t kSignificantNs = 1'000, kLargeNs = 10'000, kVeryLargeNs = 100'000;

bool within(std::int64_t start, std::int64_t end, Interval window) {
  return start >= window.start && end <= window.end;
}

template <class Table>
std::int32_t stream_of(const Table& table, std::size_t row) {
  return table.stream.present() ? table.stream[row] : kNone;
}

std::string direction_of(std::int32_t kind) {
  const CopyDirection direction = direction_of_copy_kind(kind);
  if (direction == CopyDirection::kHostToDevice || direction == CopyDirection::kDeviceToHost)
    return std::string(direction_name(direction));
  return "other_" + std::to_string(kind);
}

/// A map by stream id that caches the last one: rows of a stream are mostly consecutive.
template <class Value>
class ByStream {
 public:
  Value& operator[](std::int32_t stream) {
    if (last_ == nullptr || stream != last_stream_) {
      last_ = &values_[stream];
      last_stream_ = stream;
    }
    return *last_;
  }
  [[nodiscard]] const std::unordered_map<std::int32_t, Value>& values() const { return values_; }

 private:
  std::unordered_map<std::int32_t, Value> values_;  // its elements keep their addresses
  Value* last_ = nullptr;
  std::int32_t last_stream_ = 0;
};

std::map<std::string, CopyNumbers> copies_by_kind(const CopyTable* copies, Interval window) {
  std::map<std::int32_t, CopyNumbers> by_kind;
  std::map<std::string, CopyNumbers> out;
  if (copies == nullptr || !copies->kind.present() || !copies->bytes.present()) return out;
  for (std::size_t row = 0; row < copies->rows; ++row) {
    if (!within(copies->start[row], copies->end[row], window)) continue;
    CopyNumbers& c = by_kind[copies->kind[row]];
    c.extent.add(copies->start[row], copies->end[row]);
    if (copies->bytes[row] < 0) {
      c.sized = false;
    } else {
      c.bytes += copies->bytes[row];
    }
  }
  for (const auto& [kind, c] : by_kind) out.emplace(direction_of(kind), c);
  return out;
}

void count_gap(PipelineNumbers& p, std::int64_t gap) {
  p.longest = p.kernels.rows == 1 ? gap : std::max(p.longest, gap);
  if (gap > 0) {
    ++p.positive;
    p.positive_time += gap;
  }
  if (gap > kSignificantNs) {
    ++p.significant;
    p.significant_time += gap;
  }
  p.large += gap > kLargeNs ? 1 : 0;
  p.very_large += gap > kVeryLargeNs ? 1 : 0;
}

PipelineNumbers pipeline_of(const KernelTable& kernels, const CallTable* calls, Interval window) {
  PipelineNumbers out;
  if (calls == nullptr || !kernels.call.present()) return out;
  constexpr std::int64_t kFirst = INT64_MIN;
  struct PreviousEnd {
    std::int64_t ns = kFirst;
  };
  ByStream<PreviousEnd> previous;
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    const Row call = kernels.call[row];
    if (call < 0 || !within(kernels.start[row], kernels.end[row], window)) continue;
    const auto c = static_cast<std::size_t>(call);
    if (!within(calls->start[c], calls->end[c], window)) continue;
    out.kernels.add(kernels.start[row], kernels.end[row]);
    out.preparation += kernels.start[row] - calls->end[c];
    PreviousEnd& end = previous[stream_of(kernels, row)];
    count_gap(out, end.ns == kFirst ? 0 : kernels.start[row] - end.ns);
    end.ns = kernels.end[row];
  }
  return out;
}

}  // namespace

void Extent::add(std::int64_t start, std::int64_t end) {
  const std::int64_t duration = end - start;
  const bool first = rows == 0;
  ++rows;
  time += duration;
  shortest = first ? duration : std::min(shortest, duration);
  longest = first ? duration : std::max(longest, duration);
  first_start = first ? start : std::min(first_start, start);
  last_end = first ? end : std::max(last_end, end);
}

double mib_per_s(double bytes, double time_ns) {
  return time_ns == 0 ? 0 : bytes / (time_ns / 1e9) / (1024.0 * 1024.0);
}

double PipelineNumbers::efficiency() const {
  return 1 - static_cast<double>(significant_time) / static_cast<double>(kernels.timeline());
}

Script script_numbers(const Report& report, Interval host_window) {
  Script out;
  ByStream<Extent> streams;
  const auto each_in_window = [&](const auto* table, auto&& visit) {
    if (table == nullptr) return;
    for (std::size_t row = 0; row < table->rows; ++row) {
      const std::int64_t start = table->start[row], end = table->end[row];
      if (!within(start, end, host_window)) continue;
      out.operations.add(start, end);
      streams[stream_of(*table, row)].add(start, end);
      visit(start, end);
    }
  };
  each_in_window(report.kernels, [&](std::int64_t start, std::int64_t end) { out.kernels.add(start, end); });
  each_in_window(report.copies, [](std::int64_t, std::int64_t) {});
  each_in_window(report.sets, [](std::int64_t, std::int64_t) {});
  const std::map<std::int32_t, Extent> sorted(streams.values().begin(), streams.values().end());
  std::int64_t timed = 0;
  for (const auto& [id, extent] : sorted) {
    ++out.streams;
    if (extent.timeline() == 0) continue;
    ++timed;
    out.average_stream_utilization += static_cast<double>(extent.time) / static_cast<double>(extent.timeline());
  }
  if (timed > 0) out.average_stream_utilization /= static_cast<double>(timed);
  out.copies = copies_by_kind(report.copies, host_window);
  if (report.kernels != nullptr) out.pipeline = pipeline_of(*report.kernels, report.calls, host_window);
  return out;
}

}  // namespace assay::latency
