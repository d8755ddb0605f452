// Finds collective kernels and their properties.
#pragma once

#include <cstdint>
#include <map>

#include "load/store.hpp"

namespace assay::load {

/// Data of an NCCL NVTX range: bytes as passed to its function (all_gather: the part a rank sends; reduce_scatter: the
/// part it receives).
struct Payload {
  std::uint64_t communicator = 0;
  std::int64_t bytes = kNone;
};
/// By id of the NVTX row in the export.
using Payloads = std::map<std::int64_t, Payload>;

/// Fills `collectives` from kernel names and from the NCCL ranges around their launches with `payloads`. Precondition:
/// kernels are sorted and linked, ranges nested.
void find_collectives(Profile::Store& store, const Payloads& payloads);

/// Sorts collectives that a format filled into the order of their kernels; drops those whose kernel was left out.
void order_collectives(Profile::Store& store);

}  // namespace assay::load
