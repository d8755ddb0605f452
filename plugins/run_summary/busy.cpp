#include "busy.hpp"

#include <unordered_set>

namespace assay::summary {
namespace {

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
