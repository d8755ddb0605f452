#include "device.hpp"

#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace assay::summary {
namespace {

struct Stream {
  std::uint32_t process = 0;
  std::int32_t device = kNone, context = kNone, id = kNone;
  std::int64_t reach = INT64_MIN;  ///< latest end so far

  [[nodiscard]] bool is(const Stream& other) const {
    const bool contexts_agree = context == other.context || context == kNone || other.context == kNone;
    return id == other.id && device == other.device && process == other.process && contexts_agree;
  }
};

/// Finds a stream, trying the last one first: rows of a stream are mostly consecutive.
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

struct Unions {
  DeviceBusy result;
  UnionMeasure kernels, copies, kernels_or_copies, own, all, foreign, opaque;

  void add_own(std::size_t kind, bool is_opaque, Interval i) {
    const bool kernel = kind == kKernel || kind == kGraph;
    result.ran_own = true;
    result.ran_kernels |= kernel;
    own.add(i.start, i.end);
    all.add(i.start, i.end);
    if (kernel) kernels.add(i.start, i.end);
    if (kind == kCopy) copies.add(i.start, i.end);
    if (kernel || kind == kCopy) kernels_or_copies.add(i.start, i.end);
    if (is_opaque) opaque.add(i.start, i.end);
  }
  void add_foreign(Interval i) {
    foreign.add(i.start, i.end);
    all.add(i.start, i.end);
  }
  [[nodiscard]] DeviceBusy finished() const {
    DeviceBusy out = result;
    out.kernels = kernels.total();
    out.copies = copies.total();
    out.kernels_or_copies = kernels_or_copies.total();
    out.own = own.total();
    out.all = all.total();
    out.foreign = foreign.total();
    out.opaque = opaque.total();
    return out;
  }
};

}  // namespace

std::array<CopySummary, kDirections> copies_by_direction(const CopyTable& copies, Interval window) {
  std::array<CopySummary, kDirections> out;
  for (std::size_t row = 0; row < copies.rows; ++row) {
    if (copies.membership[row] != Membership::kInside) continue;
    const auto direction = copies.direction.present() ? static_cast<std::size_t>(copies.direction[row]) : 0;
    CopySummary& c = out[direction < kDirections ? direction : 0];
    ++c.count;
    c.time += length(clipped(copies.start[row], copies.end[row], window));
    c.whole_time += copies.end[row] - copies.start[row];
    if (!copies.bytes.present() || copies.bytes[row] < 0) continue;
    c.bytes += copies.bytes[row];
    c.sizes.push_back(static_cast<double>(copies.bytes[row]));
  }
  return out;
}

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

std::vector<DeviceBusy> busy_by_device(const GpuWork& work, std::span<const std::uint8_t> opaque, Interval window) {
  std::vector<Unions> devices;
  const auto of_device = [&](std::int32_t device) -> Unions& {
    for (Unions& u : devices) {
      if (u.result.device == device) return u;
    }
    devices.emplace_back().result.device = device;
    return devices.back();
  };
  in_start_order(work.kinds, [&](std::size_t kind, std::size_t row) {
    const Work& w = work.kinds[kind];
    if (w.membership[row] == Membership::kOutside) return;
    Unions& unions = of_device(w.device.empty() ? kNone : w.device[row]);
    const Interval i = clipped(w.start[row], w.end[row], window);
    w.inside(row) ? unions.add_own(kind, kind == kGraph && opaque[row] != 0, i) : unions.add_foreign(i);
  });
  std::vector<DeviceBusy> out;
  for (const Unions& u : devices) out.push_back(u.finished());
  return out;
}

std::vector<PartBusy> busy_by_part(const GpuWork& work, const CollectiveTable* collectives, Interval window) {
  struct Part {
    UnionMeasure busy, work;
    std::int64_t kernels = 0;
  };
  std::vector<std::uint8_t> communicates(work.kernels().rows, 0);
  for (std::size_t c = 0; collectives != nullptr && c < collectives->rows; ++c) {
    if (const Row kernel = collectives->kernel[c]; kernel >= 0) communicates[static_cast<std::size_t>(kernel)] = 1;
  }
  std::map<std::pair<std::uint32_t, std::int32_t>, Part> parts;
  in_start_order(work.kinds, [&](std::size_t kind, std::size_t row) {
    const Work& w = work.kinds[kind];
    if (!w.inside(row)) return;
    Part& part = parts[{at_or<std::uint32_t>(w.process, row, 0), at_or<std::int32_t>(w.device, row, kNone)}];
    const Interval i = clipped(w.start[row], w.end[row], window);
    part.busy.add(i.start, i.end);
    if (kind != kKernel || communicates[row] == 0) part.work.add(i.start, i.end);
    part.kernels += kind == kKernel ? 1 : 0;
  });
  std::vector<PartBusy> out;
  for (const auto& [place, part] : parts)
    out.push_back({place.first, place.second, part.busy.total(), part.work.total(), part.kernels});
  return out;
}

std::vector<std::uint8_t> opaque_graphs(const Work& graphs, const Work& kernels) {
  std::vector<std::uint8_t> opaque(graphs.rows, 1);
  if (graphs.rows == 0) return opaque;
  std::unordered_set<Row> launches;
  for (std::size_t g = 0; g < graphs.rows; ++g) launches.insert(graphs.call_of(g));
  std::unordered_set<Row> traced;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.call_of(k) >= 0 && launches.contains(kernels.call_of(k))) traced.insert(kernels.call_of(k));
  }
  for (std::size_t g = 0; g < graphs.rows; ++g) opaque[g] = traced.contains(graphs.call_of(g)) ? 0 : 1;
  return opaque;
}

}  // namespace assay::summary
