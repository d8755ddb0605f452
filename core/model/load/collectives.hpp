// Which kernels are collectives, and what is known of each.
#pragma once

#include <cstdint>
#include <map>

#include "load/store.hpp"

namespace assay::load {

/// What NCCL says with its NVTX range: bytes are those that its function was called with (of all_gather the part that
/// a rank puts in, of reduce_scatter the part that it gets out).
struct Payload {
  std::uint64_t communicator = 0;
  std::int64_t bytes = kNone;
};
/// By the number of the NVTX row in the export.
using Payloads = std::map<std::int64_t, Payload>;

/// Fills `collectives` from the names of kernels, and from NCCL's ranges around their launches with what came with
/// those. Kernels must be sorted and linked, ranges nested.
void find_collectives(Profile::Store& store, const Payloads& payloads);

/// Brings collectives that were added with their kernels into the order that these have now.
void order_collectives(Profile::Store& store);

}  // namespace assay::load
