#include "seed.hpp"

#include <unordered_map>

namespace assay::summary {
namespace {

constexpr std::int64_t kSignificantNs = 1'000, kLargeNs = 10'000, kVeryLargeNs = 100'000;
constexpr std::int32_t kKindHostToDevice = 1, kKindDeviceToHost = 2;

bool within(std::int64_t start, std::int64_t end, Interval window) {
  return start >= window.start && end <= window.end;
}

std::int32_t stream_of(const Work& w, std::size_t row) { return w.stream.empty() ? kNone : w.stream[row]; }

std::string direction_of(std::int32_t kind) {
  if (kind == kKindHostToDevice) return "h2d";
  if (kind == kKindDeviceToHost) return "d2h";
  return "other_" + std::to_string(kind);
}

/// A map by stream id that remembers the last one: rows of a stream come in runs.
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
  std::unordered_map<std::int32_t, Value> values_;  // its elements stay where they are
  Value* last_ = nullptr;
  std::int32_t last_stream_ = 0;
};

std::map<std::string, SeedCopies> copies_by_kind(const CopyTable* copies, Interval window) {
  std::map<std::int32_t, SeedCopies> by_kind;
  std::map<std::string, SeedCopies> out;
  if (copies == nullptr || !copies->kind.present() || !copies->bytes.present()) return out;
  for (std::size_t row = 0; row < copies->rows; ++row) {
    if (!within(copies->start[row], copies->end[row], window)) continue;
    SeedCopies& c = by_kind[copies->kind[row]];
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

void count_gap(SeedPipeline& p, std::int64_t gap) {
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

SeedPipeline pipeline_of(const Work& kernels, const CallTable* calls, Interval window) {
  SeedPipeline out;
  if (calls == nullptr) return out;
  constexpr std::int64_t kFirst = INT64_MIN;
  struct PreviousEnd {
    std::int64_t ns = kFirst;
  };
  ByStream<PreviousEnd> previous;
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    const Row call = kernels.call_of(row);
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

double SeedCopies::mib_per_s() const {
  if (extent.time == 0) return 0;
  return static_cast<double>(bytes) / (static_cast<double>(extent.time) / 1e9) / (1024.0 * 1024.0);
}

double SeedPipeline::efficiency() const {
  return 1 - static_cast<double>(significant_time) / static_cast<double>(kernels.timeline());
}

Seed seed_metrics(const Report& report, const GpuWork& work, Interval host_window) {
  Seed out;
  ByStream<Extent> streams;
  for (const WorkKind kind : {kKernel, kCopy, kSet}) {
    const Work& w = work.kinds[kind];
    for (std::size_t row = 0; row < w.rows; ++row) {
      if (!within(w.start[row], w.end[row], host_window)) continue;
      if (kind == kKernel) out.kernels.add(w.start[row], w.end[row]);
      out.operations.add(w.start[row], w.end[row]);
      streams[stream_of(w, row)].add(w.start[row], w.end[row]);
    }
  }
  std::map<std::int32_t, Extent> sorted(streams.values().begin(), streams.values().end());
  std::int64_t timed = 0;
  for (const auto& [id, extent] : sorted) {
    ++out.streams;
    if (extent.timeline() == 0) continue;
    ++timed;
    out.average_stream_utilization += static_cast<double>(extent.time) / static_cast<double>(extent.timeline());
  }
  if (timed > 0) out.average_stream_utilization /= static_cast<double>(timed);
  out.copies = copies_by_kind(report.copies, host_window);
  out.pipeline = pipeline_of(work.kernels(), report.calls, host_window);
  return out;
}

}  // namespace assay::summary
