#include "load/collectives.hpp"

#include <algorithm>
#include <map>

#include "assay/detail/communication.hpp"
#include "load/row_references.hpp"

namespace assay::load {
namespace {

constexpr std::string_view kNcclDomain = "NCCL", kNcclFunction = "nccl";

/// Element type in "ncclDevKernel_AllReduce_Sum_f32_RING_LL": the last part that is one; empty if there is none.
std::string_view dtype_of_kernel(std::string_view name) {
  constexpr std::string_view kTypes[] = {"f32", "f16", "bf16", "f64", "i8",     "u8",
                                         "i32", "u32", "i64",  "u64", "f8e4m3", "f8e5m2"};
  while (!name.empty()) {
    const std::size_t at = name.find('_');
    const std::string_view part = name.substr(0, at);
    if (std::find(std::begin(kTypes), std::end(kTypes), part) != std::end(kTypes)) return part;
    if (at == std::string_view::npos) break;
    name.remove_prefix(at + 1);
  }
  return {};
}

/// NCCL uses one kernel name for a group of calls of any kind.
CollectiveKind kind_of(std::string_view kernel, std::string_view function) {
  const CollectiveKind kind = collective_kind(kernel);
  return kind != CollectiveKind::kUnknown ? kind : collective_kind(function);
}

/// Innermost range of an NCCL function around a kernel's launch; kNone: none.
Row nccl_range(const Profile::Store& store, Row call) {
  if (call == kNone || !store.calls || !store.calls->range.present() || !store.ranges) return kNone;
  const RangeRows& ranges = *store.ranges;
  for (Row r = store.calls->range[static_cast<std::size_t>(call)]; r != kNone;
       r = ranges.parent[static_cast<std::size_t>(r)]) {
    const auto row = static_cast<std::size_t>(r);
    const bool nccl = ranges.domain.present() && store.strings[ranges.domain[row]] == kNcclDomain;
    if (nccl && store.strings[ranges.name[row]].starts_with(kNcclFunction)) return r;
  }
  return kNone;
}

struct Sizes {
  std::int64_t sent = kNone, received = kNone;
};

/// NCCL functions state the bytes that one rank sends, but reduce_scatter and receive those it gets. all_to_all states
/// them per other rank, whose number is unknown here.
Sizes sizes_of(CollectiveKind kind, std::int64_t bytes) {
  switch (kind) {
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kReceive:
      return {kNone, bytes};
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kBroadcast:
      return {bytes, bytes};
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduce:
    case CollectiveKind::kSend:
      return {bytes, kNone};
    default:
      return {};
  }
}

}  // namespace

void find_collectives(Profile::Store& store) {
  if (!store.kernels || !store.kernels->short_name.present()) return;
  CollectiveRows& rows = store.collectives.emplace();
  rows.each([](auto& column) { column.make_present(0); });
  std::map<StringId, bool> known;
  const KernelRows& kernels = *store.kernels;
  for (std::size_t k = 0; k < kernels.rows(); ++k) {
    const StringId name = kernels.short_name[k];
    const auto [at, fresh] = known.emplace(name, false);
    if (fresh) at->second = communicates(store.strings[name]);
    if (!at->second) continue;
    const Row range = nccl_range(store, kernels.call[k]);
    const std::string function = range == kNone
                                     ? std::string()
                                     : std::string(store.strings[store.ranges->name[static_cast<std::size_t>(range)]]);
    const CollectiveKind kind = kind_of(store.strings[name], function);
    const bool stated = range != kNone && store.ranges->communicator.present();
    const StringId group = stated ? store.ranges->communicator[static_cast<std::size_t>(range)] : 0;
    // A range of another function around the kernel (a group of several) does not state the size of this one.
    const bool said = group != 0 && store.ranges->payload.present() && collective_kind(function) == kind;
    const Sizes sizes = said ? sizes_of(kind, store.ranges->payload[static_cast<std::size_t>(range)]) : Sizes{};
    const std::string dtype(dtype_of_kernel(store.strings[name]));
    rows.kernel.push(static_cast<Row>(k));
    rows.kind.push(kind);
    rows.group.push(group);
    rows.group_ranks.push(0);
    rows.group_size.push(kNone);
    rows.sequence.push(kNone);
    rows.sent.push(sizes.sent);
    rows.received.push(sizes.received);
    rows.dtype.push(store.strings.intern(dtype));
  }
}

void order_collectives(Profile::Store& store) {
  const Cells<Row>& kernels = store.collectives->kernel.values();
  std::vector<std::uint32_t> order;
  for (std::size_t row = 0; row < kernels.size(); ++row) {
    if (kernels[row] != kNone) order.push_back(static_cast<std::uint32_t>(row));
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return kernels[row]; });
  keep_rows(store, store.collectives, order);
}

}  // namespace assay::load
