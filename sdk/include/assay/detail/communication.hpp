// Classifies kernels that communicate between devices: the one rule set of host and analyzers.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

/// Names used in dims: "all_reduce", "all_gather", ..., "unknown".
constexpr std::string_view collective_name(CollectiveKind kind) noexcept {
  constexpr std::string_view names[] = {"unknown",    "all_reduce",   "all_gather", "reduce_scatter",
                                        "all_to_all", "broadcast",    "reduce",     "send",
                                        "receive",    "send_receive", "barrier"};
  const auto i = static_cast<std::size_t>(kind);
  return i < std::size(names) ? names[i] : names[0];
}

/// Whether every rank of the group has to arrive before any can leave; only such collectives involve waiting.
constexpr bool synchronises(CollectiveKind kind) noexcept {
  return kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kAllGather ||
         kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllToAll ||
         kind == CollectiveKind::kBarrier;
}

/// Kind of a collective by any of its names: of a kernel, an NCCL function, or a PyTorch operation.
CollectiveKind collective_kind(std::string_view name);

/// Whether a kernel communicates according to its demangled or short name: NCCL and RCCL of all versions (ncclKernel_,
/// ncclDevKernel_, ncclSymk, rcclGenericKernel), NVSHMEM, MSCCL++, PyTorch symmetric memory, custom all-reduce of vLLM,
/// SGLang and TensorRT-LLM, user buffers, DeepEP, and kernels named after a collective.
bool communicates(std::string_view name);

/// Message size S in bytes as defined by nccl-tests (PERFORMANCE.md): what a rank sends; for all_gather what it
/// receives. Derived from the group size if necessary; empty if unknown.
std::optional<std::int64_t> message_bytes(CollectiveKind kind, std::int64_t sent, std::int64_t received,
                                          std::int64_t group_size);

/// Factor from algorithm to bus bandwidth in a group of n (nccl-tests, PERFORMANCE.md); empty for kinds without one.
std::optional<double> bus_factor(CollectiveKind kind, std::int64_t n);

}  // namespace assay
