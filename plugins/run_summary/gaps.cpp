#include "gaps.hpp"

#include <vector>

namespace assay::summary {
namespace {

struct Stream {
  std::uint32_t process = 0;
  std::int32_t device = kNone, context = kNone, id = kNone;
  std::int64_t reach = INT64_MIN;  ///< greatest end so far

  [[nodiscard]] bool is(const Stream& other) const {
    const bool contexts_agree = context == other.context || context == kNone || other.context == kNone;
    return id == other.id && device == other.device && process == other.process && contexts_agree;
  }
};

/// Finds a stream, trying the last one first: rows of a stream come in runs.
class Streams {
 public:
  Stream& find(const Stream& wanted) {
    if (last_ < seen_.size() && seen_[last_].is(wanted)) return adopted(seen_[last_], wanted);
    for (last_ = 0; last_ < seen_.size(); ++last_) {
      if (seen_[last_].is(wanted)) return adopted(seen_[last_], wanted);
    }
    return seen_.emplace_back(wanted);
  }

 private:
  static Stream& adopted(Stream& stream, const Stream& wanted) {
    if (stream.context == kNone) stream.context = wanted.context;
    return stream;
  }
  std::vector<Stream> seen_;
  std::size_t last_ = 0;
};

template <class T>
T at_or(std::span<const T> column, std::size_t row, T absent) {
  return column.empty() ? absent : column[row];
}

void count_gap(GapSummary& out, std::int64_t gap) {
  if (gap <= 0) return;
  out.time += gap;
  out.longest = std::max(out.longest, gap);
  for (std::size_t t = 0; t < kGapThresholds.size(); ++t) out.over[t] += gap > kGapThresholds[t].ns ? 1 : 0;
}

}  // namespace

GapSummary stream_gaps(const Work& kernels, const Work& graphs, const CallTable* calls) {
  GapSummary out;
  Streams streams;
  const std::array<Work, 2> works = {kernels, graphs};
  in_start_order(works, [&](std::size_t kind, std::size_t row) {
    const Work& w = works[kind];
    if (w.membership[row] == Membership::kOutside) return;
    Stream wanted;
    wanted.process = at_or<std::uint32_t>(w.process, row, 0);
    wanted.device = at_or<std::int32_t>(w.device, row, kNone);
    wanted.context = at_or<std::int32_t>(w.context, row, kNone);
    wanted.id = at_or<std::int32_t>(w.stream, row, kNone);
    Stream& stream = streams.find(wanted);
    const std::int64_t start = w.start[row];
    if (stream.reach != INT64_MIN && w.inside(row)) {
      count_gap(out, start - stream.reach);
      const Row call = w.call_of(row);
      if (kind == kKernel && calls != nullptr && call >= 0) {
        ++out.judged;
        const bool waited = start > stream.reach && calls->end[static_cast<std::size_t>(call)] > stream.reach;
        out.host_bound += waited ? 1 : 0;
      }
    }
    stream.reach = std::max(stream.reach, w.end[row]);
  });
  return out;
}

}  // namespace assay::summary
